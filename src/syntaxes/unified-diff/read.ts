/**
 * Reads unified diffs, as git and diff print them and as models write them:
 *
 *     diff = *( file-head *hunk )
 *     hunk = "@@" … *( ( " " / "+" / "-" ) LINE )
 *
 * Line numbers only choose between equal places. Counts are ignored, except that they tell prose from a hunk, and
 * whether the answer was cut off. An empty line is an empty line of context. A fence for a diff may lack the head where
 * a path stands above it. What a diff says of one file runs as a whole. Never fails. Runs in linear time.
 */
import { type DiagnosticCode, type HunkPlace, HunksOfFile, type Meant, type ReadText } from "../../core/block.ts";
import { fenceIn, type FenceLine, isFence } from "../fence.ts";
import { labelAbove, pathInComment, pathInInfo, pathTold } from "../path-label.ts";
import { beginsFile, DIFF_INFO, type FileHead, mayHoldDiff, readFileHead } from "./file-head.ts";
import { FileEnd, LineBlocks, type LineRange } from "../line-blocks.ts";
import { hasMargin, marginOf, type Source } from "../source.ts";

export function readUnifiedDiff(source: Source): ReadText {
  if (!mayHoldDiff(source.text)) return { items: [] };
  const reader = new DiffReader(source);
  reader.read();
  return { items: reader.blocks.all };
}

class DiffReader {
  readonly blocks: LineBlocks;
  #lines: Source;
  /** Index of the current line. */
  #at = 0;
  /** The marks of the fence for a diff that the current line is in, and the indentation before them. */
  #fence: { readonly marks: string; readonly margin: string } | undefined;
  #isFresh = false; // No line of that fence was read yet that may be one of a hunk.
  /** The path above that fence. */
  #label: string | undefined;
  #files = 0;
  /** Whether the numbers of a hunk above are wrong. */
  #isMiscounted = false;

  constructor(lines: Source) {
    this.#lines = lines;
    this.blocks = new LineBlocks(lines);
  }

  read(): void {
    while (this.#at < this.#lines.count) {
      const line = this.#lines.at(this.#at);
      const fence = fenceIn(line);
      if (beginsFile(this.#lines, this.#at)) this.#readFile();
      else if (this.#beginsHunk(line)) this.#readHunks(this.#at, this.#label);
      // A hunk of a diff that text has interrupted may be of any file.
      else if (this.#files > 0 && NUMBERED_HEAD.test(line)) this.#readHunks(this.#at, undefined);
      else {
        if (fence !== undefined) this.#readFence(fence);
        this.#at += 1;
      }
    }
  }

  #readFence({ marks, info }: FenceLine): void {
    if (this.#fence !== undefined) {
      if (marks.startsWith(this.#fence.marks) && info === "") {
        this.#fence = undefined;
        this.#lines = this.#lines.inMargin("");
      }
      return;
    }
    if (!DIFF_INFO.test(info)) return;
    const margin = marginOf(this.#lines.at(this.#at));
    const isEnd = (line: string): boolean => fenceIn(line)?.marks.startsWith(marks) === true && line.trim() === marks;
    const isIndented = hasMargin(this.#lines, this.#at + 1, { margin, isEnd });
    if (isIndented) this.#lines = this.#lines.inMargin(margin);
    this.#fence = { marks, margin: isIndented ? "" : margin };
    this.#isFresh = true;
    let above = this.#at - 1;
    if (above >= 0 && this.#lines.at(above).trim() === "") above -= 1;
    const inside = this.#at + 1 < this.#lines.count ? pathInComment(this.#lines.at(this.#at + 1), true) : undefined;
    const line = above < 0 ? "" : this.#lines.at(above);
    this.#label = pathInInfo(info.replace(/^\s*\w+/, "")) ?? inside ?? labelAbove(line);
    // Of a file that only a sentence names, the reader of sentences knows more.
    if (this.#label === undefined && pathTold(line) !== undefined && isHunkHead(this.#lines.at(this.#at + 1))) {
      this.#lines = this.#lines.inMargin("");
      this.#fence = undefined;
    }
  }

  /** Returns whether a line of a fence begins a hunk. The first one may lack its head where others have one. */
  #beginsHunk(line: string): boolean {
    if (this.#fence === undefined || isHunkHead(line)) return this.#fence !== undefined;
    if (this.#label === undefined || !this.#isFresh || !/^[ +-]/.test(line)) return false;
    this.#isFresh = false;
    const next = (isThis: (text: string) => boolean): string =>
      this.#lines.firstOf(this.#at, (text) => isThis(text) || isHunkHead(text) || this.#endsFence(text)) ?? "";
    return isHunkHead(next(() => false)) && /^[+-]/.test(next((text) => /^[+-]/.test(text)));
  }

  #readFile(): void {
    const first = this.#at;
    const head = readFileHead(this.#lines, first);
    this.#at = head.next;
    this.#readHunks(first, head.oldPath ?? head.newPath, head);
  }

  /** Reads the hunks of one file, and what its head says beside them. */
  #readHunks(first: number, path: string | undefined, head?: FileHead): void {
    this.#files += 1;
    const before = this.blocks.all.length;
    let created = "";
    const hunks: Hunk[] = [];
    const seen = new Set<string>();
    while (this.#at < this.#lines.count) {
      if (this.#lines.at(this.#at) === "") this.#at += 1;
      else if (!isHunkHead(this.#lines.at(this.#at)) && this.#at !== first) break;
      else {
        const hunk = this.#readHunk();
        // Models repeat a hunk. Without numbers, it may stand for another place.
        if (seen.has(hunk.text) && hunk.oldLine > 0) continue;
        seen.add(hunk.text);
        if (head?.isNew === true && hunk.oldLines.trim() === "" && hunk.cutOff === undefined)
          created += hunk.end.finalNewline === false ? hunk.newLines.slice(0, -1) : hunk.newLines;
        else hunks.push(hunk);
      }
    }
    for (const [index, hunk] of hunks.entries()) {
      const isAll = head?.isDeleted === true && index === hunks.length - 1;
      const among = new HunksOfFile(hunks, index);
      const place = { ...placeIn(hunks, index), ...hunk.end, among, ...(isAll && { isAll }) };
      this.#yieldHunk(path, hunk, place, index === 0 ? head?.warnings : []);
    }
    if (head === undefined) return;
    // Reports list blocks by their lines, and a file is deleted or renamed after it was changed.
    const range = { first: hunks.length === 0 ? first : this.#at - 1, next: this.#at };
    if (head.problem !== undefined) this.#refuse(range, "INVALID_OPERATION", head.problem);
    if (head.isNew)
      this.#add(range, { action: "file_create", path: head.newPath ?? "", content: created }, head.warnings);
    else if (head.isDeleted) this.#add(range, { action: "file_delete", path: head.oldPath ?? "" });
    else if (head.isRenamed)
      this.#add(
        range,
        { action: "file_move", old_path: head.oldPath ?? "", new_path: head.newPath ?? "" },
        head.warnings,
      );
    else if (this.blocks.all.length === before)
      this.#refuse(range, "EMPTY_SECTION", head.warnings.length > 0 ? ONLY_MODE : NO_HUNK);
  }

  #readHunk(): Hunk {
    const first = this.#at;
    const [, oldLine, oldCount = "1", newLine, newCount = "1"] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))?/.exec(this.#lines.at(first)) ?? [];
    // Lines that the counts leave. Without counts, there may always be more.
    const left =
      oldLine === undefined ? { old: Infinity, new: Infinity } : { old: Number(oldCount), new: Number(newCount) };
    if (isHunkHead(this.#lines.at(first))) this.#at += 1;
    let [oldLines, newLines, changes, blanks, last, contextBelow] = ["", "", 0, "", "", 0];
    const end = new FileEnd();
    let bad: number | undefined;
    for (; this.#at < this.#lines.count; this.#at++) {
      const text = this.#lines.at(this.#at);
      if (this.#endsHunk(text)) break;
      if (text === "") {
        if (left.old === blanks.length && left.new === blanks.length && this.#isProseBelow()) break;
        blanks += "\n";
        continue;
      }
      const sign = text.charAt(0);
      if (sign === "\\") {
        end.read(last);
        continue;
      }
      if (!" +-".includes(sign)) {
        if (this.#fence === undefined) break;
        // Looks below only once in a hunk, so that the work stays linear.
        const mayBeText = bad === undefined && oldLine !== undefined && left.old === 0 && left.new === 0;
        if (mayBeText && !this.#changesBelow()) break;
        bad ??= this.#at;
        continue;
      }
      left.old -= blanks.length + (sign === "+" ? 0 : 1);
      left.new -= blanks.length + (sign === "-" ? 0 : 1);
      [oldLines, newLines, blanks] = [oldLines + blanks, newLines + blanks, ""];
      if (sign !== "+") oldLines += `${text.slice(1)}\n`;
      if (sign !== "-") newLines += `${text.slice(1)}\n`;
      if (sign !== " ") changes += 1;
      contextBelow = sign === " " ? contextBelow + 1 : 0;
      last = sign;
    }
    const missing = Math.max(left.old, left.new) - blanks.length;
    const isShort = missing > 0;
    if (isShort && this.#mayGoOnBelowFence()) bad ??= this.#at;
    // Counts may be wrong, but at the end of the text they may also show that lines are missing: unless few are, or
    // counts above are wrong, too, or the hunk ends as git ends one. A fence that is never closed shows it, too.
    const isOpen = this.#fence !== undefined;
    const isEnded = this.#lines.endsWithNewline;
    const isLikely = missing <= MAX_MISCOUNT || this.#isMiscounted || contextBelow >= CONTEXT;
    const isWhole = isLikely && (isEnded || last === " ");
    const isMissing = isShort && oldLine !== undefined && !isWhole;
    const isCutOff = this.#at >= this.#lines.count && (isOpen ? isShort || !isEnded : isMissing);
    const isOff = missing > MAX_MISCOUNT || Math.min(left.old, left.new) < -MAX_MISCOUNT;
    this.#isMiscounted ||= isOff && oldLine !== undefined;
    const text = this.#lines.slice(first, this.#at).trimEnd();
    return {
      first,
      next: this.#at,
      text,
      oldLines,
      newLines,
      changes,
      bad,
      cutOff: isCutOff ? (isOpen ? CUT_OFF : `${CUT_OFF}, or the numbers behind its @@ are wrong`) : undefined,
      end: end.facts,
      oldLine: Number(oldLine ?? 0),
      newLine: Number(newLine ?? 0),
    };
  }

  /**
   * Returns whether a list is below the current empty line and those after it, outside a fence. Where another hunk of
   * the file follows the list, it would be lost.
   */
  #isProseBelow(): boolean {
    let next = this.#at;
    while (next < this.#lines.count && this.#lines.at(next) === "") next += 1;
    if (this.#fence !== undefined || next >= this.#lines.count || !LIST_ITEM.test(this.#lines.at(next))) return false;
    while (next < this.#lines.count && !isHunkHead(this.#lines.at(next)) && !beginsFile(this.#lines, next)) next += 1;
    return next >= this.#lines.count || !isHunkHead(this.#lines.at(next));
  }

  /**
   * Returns whether the current line, which ends the fence, may be a line of context without its space: changed lines
   * are below it, before a fence that can only end.
   */
  #mayGoOnBelowFence(): boolean {
    if (!this.#endsFence(this.#lines.at(this.#at))) return false;
    let fences = 0;
    const end = Math.min(this.#lines.count, this.#at + MAX_LINES_BELOW);
    for (let at = this.#at + 1; at < end && fences < 2; at++) {
      const line = this.#lines.at(at);
      const info = fenceIn(line)?.info;
      if (info !== undefined) fences += 1;
      if ((info ?? "") !== "" || beginsFile(this.#lines, at)) return false;
      if (CHANGED_LINE.test(line)) return true;
    }
    return false;
  }

  /** Returns whether changed lines are below the current one, before the next hunk or the end of the fence. */
  #changesBelow(): boolean {
    for (let at = this.#at + 1; at < this.#lines.count; at++) {
      const line = this.#lines.at(at);
      if (isHunkHead(line) || isFence(line) || beginsFile(this.#lines, at)) return false;
      if (/^[+-]/.test(line)) return true;
    }
    return false;
  }

  #endsHunk(text: string): boolean {
    // git's mails end with its version.
    if (/^-- ?$/.test(text) && /^\d+\.\d+/.test(this.#lines.at(this.#at + 1))) return true;
    if (isHunkHead(text) || this.#endsFence(text)) return true;
    return /^(?:diff --git |--- |Index: )/.test(text) && beginsFile(this.#lines, this.#at);
  }

  /** Returns false for an indented line, which is context, unless the fence is indented alike. */
  #endsFence(text: string): boolean {
    if (this.#fence === undefined) return false;
    const { marks, margin } = this.#fence;
    const line = text.startsWith(margin) ? text.slice(margin.length) : text;
    return line.startsWith(marks) && /^(?:`+|~+)\s*$/.test(line);
  }

  #yieldHunk(
    path: string | undefined,
    { first, next, oldLines, newLines, changes, bad, cutOff }: Hunk,
    place: HunkPlace,
    warnings: readonly string[] = [],
  ): void {
    if (path === undefined)
      return this.#refuse({ first, next }, "INVALID_PATH", "No line above the hunk names its file");
    if (cutOff !== undefined) return this.#refuse({ first, next }, "UNCLOSED_BLOCK", cutOff);
    if (bad !== undefined)
      return this.#refuse({ first, next }, "MISPLACED_MARKER", "A line of a hunk begins with a space, + or -", bad);
    if (changes === 0) return this.#refuse({ first, next }, "EMPTY_SECTION", "The hunk changes no line");
    const given = { action: "file_edit_lines", path, old_lines: oldLines, new_lines: newLines };
    this.#add({ first, next }, given, warnings, { place });
  }

  #add(
    range: LineRange,
    given: Readonly<Record<string, string>>,
    warnings?: readonly string[],
    meant: Partial<Meant> = {},
  ): void {
    this.blocks.add(range, given, { group: `file-${this.#files}`, ...meant }, warnings);
  }

  #refuse(range: LineRange, code: DiagnosticCode, message: string, at = range.first): void {
    this.blocks.refuse(range, { code, message, at }, { group: `file-${this.#files}` });
  }
}

interface Hunk extends LineRange {
  readonly text: string;
  readonly oldLines: string;
  readonly newLines: string;
  /** The number of lines with a sign. */
  readonly changes: number;
  /** Index of the first line that no hunk has. */
  readonly bad: number | undefined;
  /** Why the text seems to end in it. */
  readonly cutOff: string | undefined;
  readonly end: FileEnd["facts"];
  /** The lines in its head, 1-based; 0 if there are none. */
  readonly oldLine: number;
  readonly newLine: number;
}

/**
 * Returns where a hunk stands by its head. Another hunk of the file shows how far such lines are off: the one before
 * it, which the file then holds, or else the one after it.
 */
function placeIn(hunks: readonly Hunk[], index: number): HunkPlace {
  const [hunk, before, after] = [hunks[index] as Hunk, hunks[index - 1], hunks[index + 1]];
  const line = before === undefined ? hunk.oldLine : hunk.newLine;
  // Added lines without context go to the end of no file but an empty one.
  if (line === 0) return hunk.oldLines === "" ? { line: 1 } : {};
  const anchor =
    before === undefined
      ? { lines: after?.oldLines ?? "", line: after?.oldLine ?? 0 }
      : { lines: before.newLines, line: before.newLine };
  return { line, ...(anchor.lines !== "" && { anchor }) };
}

function isHunkHead(line: string): boolean {
  return /^@@(?: |$)/.test(line);
}

const ONLY_MODE = "The diff only changes the file's mode, which no action does";
const NO_HUNK = "The diff has no hunk: each begins with a line @@";
const CUT_OFF = "The answer ends inside the hunk";
/** By how many lines models often miscount. */
const MAX_MISCOUNT = 3;
/** Lines of context below the changes of a hunk, as git writes them. */
const CONTEXT = 3;
/** A sign and one space. Wrong counts may end above changed lines, of which few begin like that. */
const LIST_ITEM = /^[+-] \S/;
/** A sign that is neither a list item's nor part of a rule. */
const CHANGED_LINE = /^[+-](?! \S|[+-]*$)/;
const NUMBERED_HEAD = /^@@ -\d/;
const MAX_LINES_BELOW = 200;
