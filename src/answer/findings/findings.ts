import { isBlock, type Item, type Lines, type ReadBlock } from "../../core/block.ts";
import type { Finding } from "../../core/finding.ts";
import { nameOf } from "../../syntaxes/path-label.ts";
import type { Several } from "../several.ts";
import type { Part, ProseLine, ReadSettings, Syntax } from "../../syntaxes/syntax.ts";
import { linesOf, linesOfBlocks, withoutBlocks } from "../../syntaxes/line-blocks.ts";
import type { Source } from "../../syntaxes/source.ts";
import { readJsonCalls } from "../../syntaxes/tool-calls/read.ts";
import { shellCommandIn, shown } from "../../syntaxes/tool-calls/shell.ts";
import { wholeFile } from "../../syntaxes/whole-file/index.ts";
import { copiedFinding } from "./copied.ts";
import { ForeignEditReader } from "./foreign-edits.ts";
import { type Fence, fenceIn, FenceTracker } from "../../syntaxes/fence.ts";
import { foreignEdits, listed } from "../../syntaxes/advice.ts";
import { OtherSyntaxReader } from "./other-syntaxes.ts";
import { type ReadFile, UnreadFences } from "./unread-fences.ts";
import { unmadeIn } from "./unmade.ts";
import { UnreadOrders } from "./unread-orders.ts";

/** How a text was read. */
interface Reading {
  readonly settings: ReadSettings;
  /** What is in syntaxes that the settings do not name. */
  readonly barred: readonly Part[];
  /** The syntaxes that were not looked for, because another one was asked for. */
  readonly unread: readonly Syntax[];
  /** Damage found while reading that could not be repaired. */
  readonly unrepaired: readonly Finding[];
}

/**
 * Finds damage in an answer, and what of it was not read: sorted by line, a cut-off last. Reports each kind once. Runs
 * in linear time.
 */
export function findingsIn(several: Several, reading: Reading): Finding[] {
  const { source, parts, items } = several;
  const blocks = items.filter(isBlock);
  const copied = items.length === 0 ? copiedFinding(source) : undefined;
  const prose = readProse(several, reading, { isCopied: copied !== undefined });
  const [cutOff] = parts.flatMap(({ syntax, read }) => {
    const last = read.fatal === undefined && prose.lastLine !== undefined ? prose.lastLine : undefined;
    const found = syntax.cutOff(source, read, last);
    // Its own error tells that the end is missing where the answer goes on.
    const continues = ({ read: other }: Part): boolean =>
      other !== read && other.items.some((item) => linesOf(item).first > (found?.line ?? Infinity));
    return found === undefined || parts.some(continues) ? [] : found;
  });
  // A cut-off inside a fence leaves it open, and an unclosed block may contain the line that closes the fence.
  const isWhole = cutOff === undefined && blocks.every(({ endLine }) => endLine !== null);
  const findings = [
    ...prose.findings,
    ...(copied === undefined ? [] : [copied]),
    ...reading.unrepaired,
    ...reading.barred.map((part) => barredFinding(part)),
    ...parts.flatMap(({ syntax, read }) => syntax.damage?.(read) ?? []),
    ...(isWhole && prose.lostFence !== undefined ? [openFence(prose.lostFence, blocks.at(-1))] : []),
  ];
  return [...findings.sort((a, b) => a.line - b.line), ...(cutOff === undefined ? [] : [cutOff])];
}

interface Prose {
  readonly findings: readonly Finding[];
  readonly lostFence: Fence | undefined;
  /** The last non-blank line, if no block follows it. */
  readonly lastLine: ProseLine | undefined;
}

/** @param isCopied whether one finding speaks of all the code, which was copied without its marks */
function readProse(
  several: Several,
  { settings, barred, unread }: Reading,
  { isCopied }: { readonly isCopied: boolean },
): Prose {
  const { source, parts, items } = several;
  const blocks = items.filter(isBlock);
  const present = parts.map(({ syntax }) => syntax);
  const used = parts.find(({ read }) => read.fatal !== undefined || read.items.length > 0);
  const { asked } = used?.syntax ?? wholeFile;
  const isSure = parts.some(({ syntax, read }) => syntax.isUncertain !== true && read.items.some(isBlock));
  const [gone, named] = [new Set(blocks.flatMap(goneIn)), new Set(blocks.flatMap(namesOf))];
  const edits = new ForeignEditReader({ gone, named, isLoose: !isSure, asked });
  const unreadFences = new UnreadFences({ known: named, files: filesOf(source, blocks), asked, isCopied });
  // Sentences beside blocks tell what those do.
  const { replaces, imports, statements, leaves } = unmadeIn(blocks, (path) => settings.fileWith?.textAt(path));
  const orders = new UnreadOrders(gone, named, {
    isUnmade: (words) => imports(words) || statements(words),
    isLeft: leaves,
  });
  // Orders of what no block has. Code below them does not show it.
  const unmade = new UnreadOrders(gone, named);
  const others = new OtherSyntaxReader({ own: present, unread, hasBlock: blocks.length > 0 }, settings);
  const calls = jsonCalls(source, items);
  const ranges = rangesOf(several, barred);
  const notedLines = new Set(several.findings.map(({ line }) => line));
  // A heading tells what its section does.
  const isUnmade = (line: string, number: number): boolean =>
    !notedLines.has(number) && !/^ {0,3}#/.test(line) && replaces(line);
  const certain = parts.filter(({ syntax }) => syntax.isUncertain !== true).flatMap(({ read }) => read.items);
  const masked = source.masked(linesOfBlocks(source, certain).toSorted((left, right) => left.first - right.first));
  const fences = new FenceTracker(masked.fenceEnds);
  let lastLine: ProseLine | undefined;
  let report: number | undefined;
  let [isInReport, hasOutputs, editsBefore, before] = [false, false, 0, 0];
  // A plain edit of one sentence shows nothing of what another one orders.
  const isCode = (first: number, last: number): boolean => isSure || hasFence(source, first, last);
  source.visitOutside(ranges, (line, number) => {
    if (fences.passes(number)) unreadFences.closes(edits.count > editsBefore);
    if (number > before + 1 || calls.lines.has(number)) {
      unreadFences.passesBlock();
      if (calls.lines.has(number) || isCode(before + 1, number - 1)) orders.passesCode();
    }
    before = number;
    if (line.startsWith("=== ")) {
      if (line === "=== LOAF RESULTS ===") report ??= number;
      hasOutputs ||= line === "=== OUTPUTS ===";
      isInReport =
        line === "=== LOAF RESULTS ===" || line === "=== OUTPUTS ===" || (isInReport && line !== "=== END ===");
    }
    if (isInReport || line.trim() === "" || present.some((syntax) => syntax.wraps?.(line) === true)) return;
    lastLine = { line, number };
    const change = fences.read(line, number);
    if (change !== undefined) edits.passesFence();
    if (change === "opens" && fences.open !== undefined) {
      unreadFences.opens(fences.open);
      orders.passesCode();
      editsBefore = edits.count;
    } else if (change === "closes") unreadFences.closes(edits.count > editsBefore);
    else {
      const opensBlock = others.read(line, number);
      unreadFences.read(line, number, opensBlock);
      if (fences.open === undefined && isSure && isUnmade(line, number)) unmade.read(line, number, false);
      else if (fences.open === undefined) orders.read(line, number, isSure);
      edits.read(line, number, { opensBlock, call: calls.lines.get(number), isInFence: fences.open !== undefined });
    }
  });
  if ((ranges.at(-1)?.first ?? 0) > before) {
    unreadFences.passesBlock();
    if (isCode(before + 1, source.count)) orders.passesCode();
  }
  unreadFences.closes(edits.count > editsBefore);
  const lastOfBlocks = ranges.at(-1)?.last ?? 0;
  return {
    findings: [
      ...edits.findings(),
      ...unreadFences.findings(),
      ...orders.findings(),
      ...unmade.findings(),
      ...others.findings(),
      // Beside blocks that are no calls it may be an example, for a configuration say.
      ...(blocks.length === 0 || present.some(({ name }) => name === "tool-calls")
        ? commandFinding(calls.commands, asked)
        : []),
      // Loaf writes results above a saved answer, so results followed by other text are no pasted report.
      ...(report !== undefined && blocks.length === 0 && (hasOutputs || lastLine === undefined)
        ? [ownReport(report)]
        : []),
    ],
    lostFence: fences.lost,
    lastLine: lastLine !== undefined && lastLine.number > lastOfBlocks ? lastLine : undefined,
  };
}

/** Returns whether a code fence begins or ends in some lines, 1-based and inclusive. */
function hasFence(source: Source, first: number, last: number): boolean {
  for (let number = first; number <= last; number++) if (fenceIn(source.at(number - 1)) !== undefined) return true;
  return false;
}

/** Returns the lines that are no prose, in order. */
function rangesOf({ source, items, parts }: Several, barred: readonly Part[]): readonly Lines[] {
  const fatal = [...parts, ...barred].flatMap(({ read }) => read.fatal?.ranges ?? []);
  const all = [...linesOfBlocks(source, items), ...fatal, ...barred.flatMap(({ read }) => read.items.map(linesOf))];
  return fatal.length + barred.length === 0 ? all : all.sort((left, right) => left.first - right.first);
}

function barredFinding({ syntax: { called, asked }, read: { items, fatal } }: Part): Finding {
  const lines = items.filter(isBlock).map(({ startLine }) => startLine);
  const all = lines.length > 0 ? lines : [fatal?.diagnostic.line ?? items.map((item) => linesOf(item).first)[0] ?? 1];
  return {
    code: "answer/other-syntax",
    line: all[0] as number,
    message: `${listed(all)}: what is in ${called}, which the setting 'syntaxes' does not name, was not run`,
    request: `Send it again in a syntax that the settings name, not as ${asked.as}`,
  };
}

/** The calls in JSON outside blocks. */
interface JsonCalls {
  /** Their lines, by 1-based number. */
  readonly lines: ReadonlyMap<number, "begins" | "continues">;
  /** Those that are nothing but a command for a shell. */
  readonly commands: readonly ShellCommand[];
}

interface ShellCommand {
  readonly line: number;
  readonly words: readonly string[];
}

function jsonCalls(source: Source, items: readonly Item[]): JsonCalls {
  const lines = new Map<number, "begins" | "continues">();
  const commands: ShellCommand[] = [];
  const outside = withoutBlocks(source, items);
  for (const { startLine, endLine, span } of readJsonCalls(outside)) {
    const words = shellCommandIn(outside.text.slice(span.start, span.end));
    if (words !== undefined) commands.push({ line: startLine, words });
    for (let line = startLine; line <= (endLine ?? startLine); line++)
      lines.set(line, line === startLine && words === undefined ? "begins" : "continues");
  }
  return { lines, commands };
}

function commandFinding(commands: readonly ShellCommand[], asked: Syntax["asked"]): Finding[] {
  const [first] = commands;
  if (first === undefined) return [];
  const what = commands.length === 1 ? "a shell command" : `${commands.length} shell commands`;
  return foreignEdits(
    commands.map(({ line }) => line),
    `${what} in JSON, which Loaf does not run: ${shown(first.words)}`,
    `Send edits as ${asked.as}: a command in this form is never run`,
  );
}

/** Returns the files that a block names, and the words of a command. */
function namesOf({ properties }: ReadBlock): string[] {
  const paths = ["path", "paths", "old_path", "new_path"].flatMap((key) => properties[key]?.split("\n") ?? []);
  return [...paths, ...(properties["code"]?.split(/[\s"'`()]+/) ?? [])].map(nameOf);
}

/** Returns the files whose path stands at their fence. */
function filesOf({ text }: Source, blocks: readonly ReadBlock[]): ReadFile[] {
  return blocks.flatMap((item) => {
    const { action, path = "", content = "", guessed } = item.properties;
    if (action !== "file_put" || guessed !== undefined) return [];
    const { start, end } = item.span;
    const info = text
      .slice(start, end)
      .split("\n", MAX_LABELS)
      .map(fenceIn)
      .find((line) => line !== undefined)?.info;
    return [{ ...linesOf(item), path, content, info }];
  });
}

/** Lines above the fence of a file that belong to its block. */
const MAX_LABELS = 10;

/** Returns the file that a block deletes or renames. */
function goneIn({ properties }: ReadBlock): string[] {
  const { action, path, old_path } = properties;
  return [old_path, action === "file_delete" ? path : undefined].filter((named) => named !== undefined).map(nameOf);
}

function openFence({ line }: Fence, last: ReadBlock | undefined): Finding {
  const complete = last === undefined ? "" : ", though every block is complete";
  return {
    code: "answer/open-fence",
    line,
    message: `the code fence that opens in line ${line} is never closed: the answer may be cut off${complete}`,
    request:
      last === undefined
        ? "Was your answer cut off? If so, send it again"
        : `Was your answer complete? If not, continue after block ${last.id}`,
  };
}

function ownReport(line: number): Finding {
  return {
    code: "answer/report",
    line,
    message: "this is one of Loaf's own reports, not an answer: nothing in a report is ever run",
    request: "Paste the report into the chat, and give the model's next answer to Loaf",
  };
}
