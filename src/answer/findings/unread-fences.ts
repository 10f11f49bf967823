/** Tells of the code fences outside blocks: what may be a file, commands for a shell, and code without a path. */
import type { Lines } from "../../core/block.ts";
import type { Finding } from "../../core/finding.ts";
import { namedFew } from "../../core/visible.ts";
import { actionInHeading } from "../../syntaxes/headings.ts";
import {
  isRule,
  nameOf,
  pathAbove,
  pathInFirstLine,
  pathInInfo,
  pathTold,
  pathToldBelow,
} from "../../syntaxes/path-label.ts";
import type { Syntax } from "../../syntaxes/syntax.ts";
import type { Fence } from "../../syntaxes/fence.ts";
import { WRITTEN_BY_SHELL } from "./foreign-edits.ts";
import { foreignEdits } from "../../syntaxes/advice.ts";

interface UnreadFence extends Fence {
  /** The file that the line above names, or the info string, or the first line. */
  labelled: string | undefined;
  /** The file that a heading or a sentence names, which may be about it. */
  guessed: string | undefined;
  /** The line above names that file. */
  readonly isIntroduced: boolean;
  /** The block above, if the same path governs it. */
  readonly governed: ReadFile | undefined;
  /** Whether nothing stands between them. */
  readonly isBeside: boolean;
  /** Up to a number of them, without blank ones. */
  readonly lines: string[];
  changes: number;
  hasBlock: boolean;
}

/** A block that gives a file its whole text. */
export interface ReadFile extends Lines {
  readonly path: string;
  readonly content: string;
  /** The info string of its fence. */
  readonly info: string | undefined;
}

interface UnreadFencesOptions {
  /** Names of the files that the blocks change; showing one in a fence may only explain it. */
  readonly known: ReadonlySet<string>;
  readonly files: readonly ReadFile[];
  readonly asked: Syntax["asked"];
  /** Whether another finding speaks of the code without fences. */
  readonly isCopied: boolean;
}

/** Reads the lines outside blocks in order. */
export class UnreadFences {
  readonly #fences: UnreadFence[] = [];
  readonly #asked: Syntax["asked"];
  readonly #known: ReadonlySet<string>;
  #open: UnreadFence | undefined;
  /** Those in quotations, and whether one is open. */
  readonly #quoted: Array<Pick<Fence, "line">> = [];
  #isQuoted = false;
  /** Indented code below a path. */
  readonly #indented: Array<Pick<Fence, "line">> = [];
  /** The last line outside fences that is not blank, and the file told last. */
  #label = { text: "", line: 0 };
  #told: string | undefined;
  #toldLine = 0;
  /** The fence above the next line outside fences. */
  #above: UnreadFence | undefined;

  /** In order. Those above the current line are taken out, but for the last one. */
  readonly #files: ReadFile[];

  readonly #isCopied: boolean;

  constructor({ known, files, asked, isCopied }: UnreadFencesOptions) {
    this.#known = known;
    this.#files = [...files];
    this.#asked = asked;
    this.#isCopied = isCopied;
  }

  opens(fence: Fence): void {
    const isNear = fence.line - this.#label.line <= 2;
    const label = isNear ? this.#label.text : "";
    const labelled = pathInInfo(fence.info) ?? actionInHeading(label)?.["new_path"] ?? pathAbove(label, false);
    const isIntroduced = pathTold(label) !== undefined;
    while (this.#files[1] !== undefined && this.#files[1].last < fence.line) this.#files.shift();
    const [above] = this.#files;
    const governed = above !== undefined && above.last < fence.line && this.#toldLine < above.last ? above : undefined;
    const isBeside = this.#label.line < (governed?.last ?? 0);
    const read = { lines: [], changes: 0, hasBlock: false };
    this.#open = { ...fence, labelled, guessed: this.#told, isIntroduced, governed, isBeside, ...read };
  }

  /** @param isTold whether it is named elsewhere */
  closes(isTold: boolean): void {
    if (this.#open === undefined) return;
    // Another finding names the file that a shell fence writes, and not its other commands.
    const isCovered = isTold && (!SHELL_INFO.test(this.#open.info) || commandsIn(this.#open.lines).length === 0);
    if (!isCovered && !this.#open.hasBlock) this.#fences.push(this.#open);
    this.#above = this.#open;
    this.#open = undefined;
  }

  /** Notes that a block stands above the next line. */
  passesBlock(): void {
    if (this.#open !== undefined) this.#open.hasBlock = true;
    this.#above = undefined;
  }

  /** @param line not blank */
  read(line: string, number: number, opensBlock: boolean): void {
    if (this.#open === undefined) this.#readLabel(line, number);
    else this.#readInFence(this.#open, line, opensBlock);
  }

  #readInFence(fence: UnreadFence, line: string, opensBlock: boolean): void {
    if (fence.lines.length === 0) fence.labelled ??= pathInFirstLine(line, fence.info);
    if (fence.lines.length < MAX_LINES) fence.lines.push(line);
    if (/^[+-]/.test(line)) fence.changes += 1;
    if (opensBlock) fence.hasBlock = true;
  }

  #readLabel(text: string, line: number): void {
    if (QUOTED_FENCE.test(text)) {
      if (!this.#isQuoted) this.#quoted.push({ line });
      this.#isQuoted = !this.#isQuoted;
    }
    if (isRule(text)) {
      this.#label = { ...this.#label, line };
      return;
    }
    const isIndented = /^(?: {4}|\t)/.test(text);
    if (isIndented && !this.#isCopied && line > this.#label.line + 1 && pathAbove(this.#label.text, true) !== undefined)
      this.#indented.push({ line });
    this.#label = { text, line };
    const path = pathTold(text) ?? pathAbove(text, false);
    if (path !== undefined || /^#{1,6} /.test(text)) {
      this.#told = path;
      this.#toldLine = line;
    }
    if (this.#above !== undefined) this.#above.guessed ??= pathToldBelow(text);
    this.#above = undefined;
  }

  findings(): Finding[] {
    const all = this.#fences.map((fence) => ({ fence, kind: this.#kindOf(fence) }));
    const of = (kind: Kind): UnreadFence[] => all.filter((entry) => entry.kind === kind).map(({ fence }) => fence);
    return [
      ...diffFindings(of("diff"), this.#asked),
      ...of("file").map(fileFinding),
      ...of("second").map(secondFinding),
      ...commandFindings(of("shell")),
      ...notRead(of("shown"), "that shows a file of these blocks", "that show files of these blocks"),
      ...notRead(of("other"), "without a path", "without a path"),
      ...notRead(this.#indented, "without a fence", "without fences"),
      ...notRead(this.#quoted, "in a quotation", "in quotations"),
    ];
  }

  #kindOf(fence: UnreadFence): Kind {
    const { info, labelled, guessed, isIntroduced, changes } = fence;
    if (DIFF_INFO.test(info) && changes > 0) return "diff";
    const path = labelled ?? guessed;
    if (SHELL_INFO.test(info) && !/\.(?:sh|bash|zsh|fish|ps1|bat)$/.test(path ?? "")) return "shell";
    if (labelled === undefined && isSecond(fence)) return "second";
    if (path === undefined) return "other";
    if (!this.#known.has(nameOf(path))) return "file";
    return labelled !== undefined || isIntroduced ? "shown" : "other";
  }
}

type Kind = "diff" | "shell" | "file" | "second" | "shown" | "other";

/** Returns whether a fence looks like another whole text of the file above. Output has another language. */
function isSecond({ governed, isBeside, info, lines }: UnreadFence): boolean {
  if (governed === undefined || info === "" || governed.info?.split(/[\s:]/, 1)[0] !== info) return false;
  const known = new Set(governed.content.split("\n").map((line) => line.trim()));
  const first = governed.content.split("\n").find((line) => line.trim() !== "");
  return (isBeside || first === lines[0]) && lines.some((line) => !known.has(line.trim()));
}

/** Enough to show the commands of one, and the files between them. */
const MAX_LINES = 200;
const DIFF_INFO = /^(?:diff|patch|udiff)\b/i;
const SHELL_INFO =
  /^(?:bash|sh|shell|zsh|fish|ksh|csh|tcsh|console|terminal|cmd|bat|batch|powershell|ps1|pwsh|shell-?session)\b/i;

function diffFindings(fences: readonly UnreadFence[], { as, change }: Syntax["asked"]): Finding[] {
  const isOne = fences.length === 1;
  return foreignEdits(
    fences.map(({ line }) => line),
    `${isOne ? "a diff" : `${fences.length} diffs`} without the lines that name ${isOne ? "its file" : "their files"}, not run`,
    `Write the lines --- a/PATH and +++ b/PATH above ${isOne ? "its hunks" : "the hunks of each"}, or send ${isOne ? "it" : "them"} as ${as}: ${change}`,
  );
}

function fileFinding({ line, labelled, guessed = "", lines }: UnreadFence): Finding {
  const path = labelled ?? guessed;
  if (lines.length === 0)
    return {
      code: "answer/foreign-edit",
      line,
      message: `line ${line}: the code fence of ${path} is empty: nothing was written`,
      request: `To make ${path} an empty file, say so; else send its text`,
    };
  return {
    code: "answer/foreign-edit",
    line,
    message: `line ${line}: the code fence may be meant for ${path}, but nothing says so for sure: it was not read`,
    fences: [line],
    request: `If it changes ${path}, send whole functions or the whole file in a code fence, with ${path} alone on the line above`,
  };
}

function secondFinding({ line, governed }: UnreadFence): Finding {
  const path = governed?.path ?? "";
  return {
    code: "answer/foreign-edit",
    line,
    message: `line ${line}: a second code fence below the text of ${path}: it was not read`,
    request: `If ${path} needs both, send its whole text in one code fence, with ${path} alone on the line above`,
  };
}

function commandFindings(fences: readonly UnreadFence[]): Finding[] {
  const commands = fences.flatMap(({ lines, line }) => {
    const [first = "nothing", ...more] = commandsIn(lines);
    return [`${first}${more.length === 0 ? "" : ` … ${more.length} more`} (line ${line})`];
  });
  const [first] = fences;
  if (first === undefined) return [];
  return [{ code: "answer/not-read", line: first.line, message: `not run: ${namedFew(commands, MAX_NAMED)}` }];
}

/** Returns the commands of a shell fence, without comments and without files that they write line by line. */
function commandsIn(lines: readonly string[]): string[] {
  let end: string | undefined;
  return lines.flatMap((line) => {
    const command = line.replace(/^\s*(?:[$%>]|PS>) /, "").trim();
    if (end !== undefined) {
      if (command === end) end = undefined;
      return [];
    }
    end = /<<[-~]?\s*(["']?)(\w+)\1/.exec(command)?.[2];
    return /^\s*#/.test(line) || (end !== undefined && WRITTEN_BY_SHELL.test(line)) ? [] : command;
  });
}

function notRead(fences: ReadonlyArray<Pick<Fence, "line">>, singular: string, many: string): Finding[] {
  const [first] = fences;
  if (first === undefined) return [];
  const isOne = fences.length === 1;
  const numbers = namedFew(
    fences.map(({ line }) => String(line)),
    MAX_NAMED,
  );
  const what = isOne ? `1 code block ${singular}` : `${fences.length} code blocks ${many}`;
  return [
    {
      code: "answer/not-read",
      line: first.line,
      message: `not read: ${what} (${isOne ? "line" : "lines"} ${numbers})`,
      fences: fences.map(({ line }) => line),
    },
  ];
}

const MAX_NAMED = 8;
const QUOTED_FENCE = /^\s*>\s*(?:`{3}|~{3})/;
