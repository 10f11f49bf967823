/**
 * Reads SEARCH/REPLACE blocks:
 *
 *     block   = path-line *fence head [ numbers ] *search divider *replace end
 *     numbers = *( ":start_line:" N / ":end_line:" N ) [ "-------" ]     Roo's
 *
 * Every search and replace line is a whole line of the file. A block without a search makes a new file. A block without
 * a path line is for the file of the block before it. A damaged block is yielded with its error and ends before the
 * next one. Never fails. Runs in linear time.
 */
import type { Diagnostic, DiagnosticCode, ReadBlock, ReadText } from "../../core/block.ts";
import { labelAbove, pathInInfo } from "../damage/path-label.ts";
import { Properties } from "../properties.ts";
import { marginOf, TextLines, withoutMargin } from "../text-lines.ts";

/** @param last what the block before the text says, or only its `path` */
export function readSearchReplace(text: string, last: Edit = {}): ReadText {
  const lines = new TextLines(text);
  const paths = new PathFinder(lines, last["path"]);
  const items: ReadBlock[] = [];
  let fence: number | undefined;
  for (let at = 0; at < lines.count; at++) {
    const line = lines.at(at);
    if (FENCE.test(line)) fence = at;
    const isConflict = isConflictHead(line) && !isHead(line);
    if (!isHead(line) && !isNearHead(line) && !(isConflict && (paths.isLabelled(fence) || paths.followsBlock(at))))
      continue;
    const block = sectionsOf(lines, at, isConflict);
    items.push(
      blockOf(lines, { ...block, absent: isConflict ? line : undefined }, paths.pathFor(at), {
        id: `e${items.length + 1}`,
        before: items.at(-1)?.block.properties ?? last,
      }),
    );
    paths.passed(block.next);
    at = block.next - 1;
  }
  return { items };
}

/** The lines of a block, by index. */
interface Sections {
  readonly head: number;
  /** First lines after markers. */
  readonly search: number;
  readonly divider: number | undefined;
  readonly end: number | undefined;
  /** Where reading goes on. */
  readonly next: number;
  /** The line given by `:start_line:`, 1-based. */
  readonly line: number | undefined;
  readonly problem: Problem | undefined;
  /** A line that the file must not have: a conflict's own mark. */
  readonly absent?: string | undefined;
}

interface Problem {
  readonly at: number;
  readonly code: DiagnosticCode;
  readonly message: string;
}

function sectionsOf(lines: TextLines, head: number, isConflict: boolean): Sections {
  const { search, line } = numbersAt(lines, head + 1);
  let divider: number | undefined;
  let problem: Problem | undefined = isNearHead(lines.at(head))
    ? { at: head, code: "MALFORMED_MARKER", message: "A block begins with <<<<<<< SEARCH, with nothing after it" }
    : undefined;
  let at = search;
  for (; at < lines.count; at++) {
    const text = lines.at(at);
    if (isHead(text) || isNearHead(text)) break;
    if (isEnd(text, isConflict)) {
      if (divider === undefined)
        problem ??= {
          at,
          code: "MISSING_REPLACE",
          message: "The block has no line ======= between the old lines and the new ones",
        };
      return { head, search, divider, end: at, next: at + 1, line, problem };
    }
    if (isDivider(text)) {
      if (divider !== undefined)
        problem ??= {
          at,
          code: "MISPLACED_MARKER",
          message: "The block has a second line =======: it is unclear which one divides it",
        };
      divider ??= at;
    } else if (divider !== undefined && NUMBER.test(text))
      problem ??= { at, code: "MISPLACED_MARKER", message: `'${text.trim()}' is among the new lines` };
  }
  const missing = divider === undefined ? "=======" : ">>>>>>> REPLACE";
  problem ??= {
    at,
    code: "UNCLOSED_BLOCK",
    message: `The block has no line ${missing} before ${at < lines.count ? "the next one" : "the end"}`,
  };
  return { head, search, divider, end: undefined, next: at, line, problem };
}

const NUMBER = /^\s*:(start|end)_line:\s*(\d+)\s*$/;

function numbersAt(lines: TextLines, first: number): { readonly search: number; readonly line: number | undefined } {
  let search = first;
  let line: number | undefined;
  for (let match = NUMBER.exec(lines.at(search)); match !== null; match = NUMBER.exec(lines.at(search))) {
    if (match[1] === "start") line = Number(match[2]);
    search += 1;
  }
  return { search: search > first && /^-{5,9}\s*$/.test(lines.at(search)) ? search + 1 : search, line };
}

function blockOf(
  lines: TextLines,
  sections: Sections,
  path: string | Problem | undefined,
  { id, before }: { readonly id: string; readonly before: Edit },
): ReadBlock {
  const { head, search, divider, end, next, line, problem, absent } = sections;
  const properties = new Properties();
  const diagnostics: Diagnostic[] = [];
  const report = ({ at, code, message }: Problem): void =>
    void diagnostics.push(lines.diagnostic(at, code, id, message));
  if (path === undefined) report({ at: head, code: "INVALID_PATH", message: "No line above the block names its file" });
  else if (typeof path !== "string") report(path);
  else properties["path"] = path;
  if (problem !== undefined) report(problem);
  else if (divider !== undefined && end !== undefined) {
    const edit = editOf(lines.slice(search, divider), lines.slice(divider + 1, end), {
      line,
      margin: marginOf(lines.at(head)),
    });
    const placed = before["path"] === path ? anchored(edit, before) : edit;
    Object.assign(properties, placed, absent === undefined ? {} : { absent_line: absent });
  }
  return {
    block: { id, properties, startLine: head + 1, endLine: end === undefined ? null : end + 1 },
    diagnostics,
    span: { start: lines.start(head), end: lines.end(next - 1) },
    translation: { paths: "by-tail-with-warning" },
  };
}

type Edit = Readonly<Partial<Record<string, string>>>;

interface Around {
  /** As given by `:start_line:`. */
  readonly line: number | undefined;
  /** The white space before the block's first marker. */
  readonly margin: string;
}

function editOf(oldLines: string, newLines: string, { line, margin }: Around): Edit {
  if (oldLines.trim() === "") return { action: "file_create", content: unescaped(withoutMargin(newLines, margin)) };
  const numbered = withoutNumbers(oldLines);
  const [old_lines, new_lines] =
    numbered === undefined ? [oldLines, newLines] : [numbered.lines, withoutNumbers(newLines)?.lines ?? newLines];
  const at = line ?? numbered?.first;
  return {
    action: "file_edit_lines",
    old_lines: unescaped(old_lines),
    new_lines: unescaped(new_lines),
    ...(at !== undefined && { line: String(at) }),
  };
}

/**
 * Returns an edit with the lines that the block before it leaves in the file, which show how far its line number is
 * off: Roo's are those of the file before all blocks. Takes the number away if other blocks have moved the lines, but
 * nothing shows how far.
 */
function anchored(edit: Edit, before: Edit): Edit {
  const { line, ...unplaced } = edit;
  const { action, line: at, old_lines = "", new_lines = "", anchor_line } = before;
  if (line === undefined || action !== "file_edit_lines") return edit;
  const [oldCount, newCount] = [old_lines.split("\n").length - 1, new_lines.split("\n").length - 1];
  if (at !== undefined && oldCount === newCount && anchor_line === undefined) return edit;
  const isBelow = Number(line) >= Number(at);
  const wasOutOfOrder = Number(anchor_line) > Number(at);
  if (at === undefined || newCount === 0 || (isBelow && wasOutOfOrder)) return unplaced;
  // The lines below the block before are off by what it adds, and so is its own end.
  const end = Number(at) + (isBelow ? oldCount : newCount);
  const lines = new_lines.split("\n").slice(0, -1).slice(-end);
  const anchor_lines = lines.map((one) => `${one}\n`).join("");
  return { ...edit, anchor_lines, anchor_line: String(end - lines.length) };
}

/** Removes line numbers, which Roo shows before lines, where all lines have them in ascending order. */
function withoutNumbers(lines: string): { readonly lines: string; readonly first: number } | undefined {
  const numbers = lines.match(/^ *\d+(?= \| )/gm) ?? [];
  if (numbers.length === 0 || numbers.length !== lines.split("\n").length - 1) return undefined;
  const first = Number(numbers[0]);
  return numbers.every((number, index) => Number(number) === first + index)
    ? { lines: lines.replace(/^ *\d+ \| /gm, ""), first }
    : undefined;
}

/** Takes off the backslash with which Roo escapes markers in contents. */
function unescaped(lines: string): string {
  return lines.replace(/^\\(?=(?:<{5,9}|={5,9}|>{5,9}|-{5,9}|:(?:start|end)_line:))/gm, "");
}

/** Finds the file of a block: in the lines above it, or else that of the block before. */
class PathFinder {
  readonly #lines: TextLines;
  #last: string | undefined;
  /** Index of the line after the last block. */
  #passed = 0;
  /** The fence asked about last. */
  #fence: { readonly at: number; readonly isLabelled: boolean } | undefined;

  /** @param last the file of the block before the text */
  constructor(lines: TextLines, last: string | undefined) {
    this.#lines = lines;
    this.#last = last;
  }

  /** @param next index of the line after a block */
  passed(next: number): void {
    this.#passed = next;
  }

  /**
   * @param head index of a block's first line
   * @returns undefined if no line names a file, a problem if several may be meant
   */
  pathFor(
    head: number,
  ): string | { readonly at: number; readonly code: DiagnosticCode; readonly message: string } | undefined {
    const found = this.#labelOf(head);
    if (found !== undefined) this.#last = found;
    else if (this.#last !== undefined && this.#namesAnother(head, this.#last)) {
      return {
        at: head,
        code: "INVALID_PATH",
        message: `No line above the block is the path of its file; the text before names another one than '${this.#last}'`,
      };
    }
    return this.#last;
  }

  /**
   * Returns whether the last fence before a line has a path, and begins after the last block.
   *
   * @param fence index of that fence
   */
  isLabelled(fence: number | undefined): boolean {
    if (fence === undefined || fence < this.#passed) return false;
    if (this.#fence?.at !== fence) this.#fence = { at: fence, isLabelled: this.#labelOf(fence + 1) !== undefined };
    return this.#fence.isLabelled;
  }

  /** Returns whether nothing but blank lines is between the last block and a line. */
  followsBlock(head: number): boolean {
    if (this.#last === undefined) return false;
    let at = head - 1;
    while (at >= this.#passed && this.#lines.at(at).trim() === "") at -= 1;
    return at < this.#passed;
  }

  /** Looks over fences and blank lines, and stops at the first other line. */
  #labelOf(head: number): string | undefined {
    let seen = 0;
    for (let at = head - 1; at >= this.#passed && at >= head - MAX_LINES_ABOVE && seen < MAX_LABELS; at--) {
      const line = this.#lines.at(at);
      if (line.trim() === "") continue;
      seen += 1;
      if (line.length > MAX_LINE_LENGTH) return undefined;
      const tagged = TAGGED_PATH.exec(line)?.[1];
      const path = tagged ?? (FENCE.test(line) ? pathInInfo(line.replace(/^\s*[`~]+/, "")) : labelAbove(line));
      if (path !== undefined) return path;
      if (!FENCE.test(line) && !TAG.test(line.trim())) return undefined;
    }
    return undefined;
  }

  /** Returns whether the prose since the last block names a file, but not this one. */
  #namesAnother(head: number, last: string): boolean {
    const name = last.slice(last.lastIndexOf("/") + 1);
    for (let at = Math.max(this.#passed, head - MAX_PROSE_LINES); at < head; at++) {
      const line = this.#lines.at(at);
      if (isEnd(line, true)) continue;
      if (NAMED_FILE.test(line.slice(0, MAX_LINE_LENGTH)) && !line.includes(name)) return true;
    }
    return false;
  }
}

/** Labels with fences between them: path, fence, tag. */
const MAX_LABELS = 4;
const MAX_LINES_ABOVE = 8;
const MAX_PROSE_LINES = 40;
/** In UTF-16 units. */
const MAX_LINE_LENGTH = 1_000;
const FENCE = /^\s*(?:`{3,}|~{3,})/;
const TAGGED_PATH = /^\s*<path>\s*(\S.*?)\s*<\/path>\s*$/;
/** Tags that aider and Roo write where others have a fence. */
const TAG =
  /^(?:<(?:source|code|pre|codename|sourcecode|diff|content|args|file)>\w*|<apply_diff>|<replace_in_file>)?\s*(?:<!\[CDATA\[)?$/;
const NAMED_FILE = /(?:`[\w./@+-]*\.[A-Za-z]\w{0,9}`|(?:^|\s)[\w@+-]+(?:\/[\w.@+-]+)+\.[A-Za-z]\w{0,9}\b)/;

/** Returns whether a line begins a block. */
export function isHead(line: string): boolean {
  return HEAD.test(line);
}

/** Returns whether a line is meant to begin a block: `<<<<<<< SEARCH>>`. */
export function isNearHead(line: string): boolean {
  return NEAR_HEAD.test(line) && !HEAD.test(line);
}

/** Returns whether a line begins a conflict with any label. Such blocks count only in a code fence with a path. */
function isConflictHead(line: string): boolean {
  return CONFLICT_HEAD.test(line);
}

function isDivider(line: string): boolean {
  return DIVIDER.test(line);
}

/** @param isConflict whether the block begins with any label, and so ends with any */
export function isEnd(line: string, isConflict: boolean): boolean {
  return END.test(line) || (isConflict && CONFLICT_END.test(line));
}

const HEAD = /^\s*[<-]{3,9} (?:SEARCH|ORIGINAL)>?\s*$/;
const NEAR_HEAD = /^\s*[<-]{5,9} ?SEARCH\b(?:[^\p{L}\p{N}]*|[ :(]+`?[\w./@+-]+\.\w+`?\)?)$/u;
const CONFLICT_HEAD = /^<{7}(?: .*)?$/;
const DIVIDER = /^\s*={5,9}\s*$/;
const END = /^\s*[>+]{3,9} (?:REPLACE|UPDATED)>?\s*$/;
const CONFLICT_END = /^>{7}(?: .*)?$/;
