import { isBlock, type ReadBlock, type ReadText } from "../../core/block.ts";
import type { Finding } from "../../core/finding.ts";
import type { ProseLine, ReadSettings, Syntax } from "../syntax.ts";
import { withoutBlocks } from "../text-lines.ts";
import { type Fence, FenceTracker, foreignEdits, visitProse } from "./lines.ts";
import { ForeignEditReader } from "./foreign-edits.ts";
import { OtherSyntaxReader } from "./other-syntaxes.ts";
import { readJsonCalls } from "../tool-calls/read.ts";
import { shellCommandIn, shown } from "../tool-calls/shell.ts";
import { nameOf } from "../path-label.ts";

/** How a text was read. */
interface Reading {
  readonly syntax: Syntax;
  readonly settings: ReadSettings;
  /** Damage found while reading that could not be repaired. */
  readonly unrepaired: readonly Finding[];
  /** Files that it tells of. */
  readonly told: readonly string[];
}

/**
 * Finds damage in an answer, and content not written for Loaf: sorted by line, a cut-off last. Reports each kind once.
 * Runs in linear time.
 */
export function findingsIn(text: string, read: ReadText, reading: Reading): Finding[] {
  const { syntax, unrepaired } = reading;
  const blocks = read.items.filter(isBlock);
  // After a fatal error it is unknown which lines belong to blocks.
  const prose = read.fatal === undefined ? readProse(text, blocks, reading) : undefined;
  const cutOff = syntax.cutOff(text, read, prose?.lastLine);
  // A cut-off inside a fence leaves it open, and an unclosed block may contain the line that closes the fence.
  const lostFence = cutOff === undefined && blocks.every(isEnded) ? prose?.lostFence : undefined;
  const found = [
    ...(prose?.findings ?? []),
    ...unrepaired,
    syntax.damage?.(read),
    lostFence === undefined ? undefined : openFence(lostFence, blocks.at(-1)),
  ].filter((finding) => finding !== undefined);
  return [...found.sort((a, b) => a.line - b.line), ...(cutOff === undefined ? [] : [cutOff])];
}

function isEnded({ block }: ReadBlock): boolean {
  return block.endLine !== null;
}

interface Prose {
  readonly findings: readonly Finding[];
  readonly lostFence: Fence | undefined;
  /** The last non-blank line, if no block follows it. */
  readonly lastLine: ProseLine | undefined;
}

function readProse(text: string, blocks: readonly ReadBlock[], { syntax, settings, told }: Reading): Prose {
  const fences = new FenceTracker();
  const known = {
    named: new Set([...blocks.flatMap(namesOf), ...told.map(nameOf)]),
    gone: new Set(blocks.flatMap(goneIn)),
  };
  const edits = new ForeignEditReader(known, {
    isLoose: blocks.length === 0 || syntax.isUncertain === true,
    asked: syntax.asked,
  });
  const others = new OtherSyntaxReader(syntax, settings, blocks.length > 0);
  const calls = jsonCalls(text, blocks);
  const lastBlockLine = blocks.at(-1)?.block.startLine ?? 0;
  let lastLine: ProseLine | undefined;
  let report: number | undefined;
  let isInReport = false;
  let hasOutputs = false;
  visitProse(text, blocks, (line, number) => {
    if (line.startsWith("=== ")) {
      if (line === "=== LOAF RESULTS ===") report ??= number;
      hasOutputs ||= line === "=== OUTPUTS ===";
      isInReport =
        line === "=== LOAF RESULTS ===" || line === "=== OUTPUTS ===" || (isInReport && line !== "=== END ===");
    }
    if (isInReport) return;
    if (line.trim() === "" || syntax.wraps?.(line) === true) return;
    lastLine = { line, number };
    const wasOpen = fences.open;
    const change = fences.read(line, number);
    if (change === "opens" && fences.open !== undefined) edits.opens(fences.open);
    else if (change === "closes" && wasOpen !== undefined) edits.closes(wasOpen);
    else {
      edits.read(line, number, { opensBlock: others.read(line, number), call: calls.lines.get(number) });
    }
  });
  if (fences.open !== undefined) edits.closes(fences.open);
  return {
    findings: [
      ...edits.findings(),
      ...others.findings(),
      // Beside blocks that are no calls it may be an example, for a configuration say.
      ...(blocks.length === 0 || syntax.name === "tool-calls" ? commandFinding(calls.commands, syntax) : []),
      // Loaf writes results above a saved answer, so results followed by other text are no pasted report.
      ...(report !== undefined && blocks.length === 0 && (hasOutputs || lastLine === undefined)
        ? [ownReport(report)]
        : []),
    ],
    lostFence: fences.lost,
    lastLine: lastLine !== undefined && lastLine.number > lastBlockLine ? lastLine : undefined,
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

function jsonCalls(text: string, blocks: readonly ReadBlock[]): JsonCalls {
  const lines = new Map<number, "begins" | "continues">();
  const commands: ShellCommand[] = [];
  const outside = withoutBlocks(text, blocks);
  for (const { block, span } of readJsonCalls(outside)) {
    const { startLine, endLine } = block;
    const words = shellCommandIn(outside.slice(span.start, span.end));
    if (words !== undefined) commands.push({ line: startLine, words });
    for (let line = startLine; line <= (endLine ?? startLine); line++)
      lines.set(line, line === startLine && words === undefined ? "begins" : "continues");
  }
  return { lines, commands };
}

function commandFinding(commands: readonly ShellCommand[], { asked }: Syntax): Finding[] {
  const [first] = commands;
  if (first === undefined) return [];
  const what = commands.length === 1 ? "a shell command" : `${commands.length} shell commands`;
  return foreignEdits(
    commands.map(({ line }) => line),
    `${what} in JSON, which Loaf does not run: ${shown(first.words)}`,
    `Send edits as ${asked.as}: a command in this form is never run`,
  );
}

/** Returns the files that a block names. */
function namesOf({ block: { properties } }: ReadBlock): string[] {
  return ["path", "paths", "old_path", "new_path"].flatMap((key) => properties[key]?.split("\n") ?? []).map(nameOf);
}

/** Returns the file that a block deletes or renames. */
function goneIn({ block: { properties } }: ReadBlock): string[] {
  const { action, path, old_path } = properties;
  return [old_path, action === "file_delete" ? path : undefined].filter((one) => one !== undefined).map(nameOf);
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
        : `Was your answer complete? If not, continue after block ${last.block.id}`,
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
