/**
 * Reads patches for Codex's apply_patch:
 *
 *     patch  = "*** Begin Patch" *( add / delete / update ) "*** End Patch"
 *     add    = "*** Add File: " PATH *( "+" LINE )
 *     delete = "*** Delete File: " PATH
 *     update = "*** Update File: " PATH [ "*** Move to: " PATH ] *hunk
 *     hunk   = *( "@@" [ " " SCOPE ] ) 1*( ( " " / "+" / "-" ) LINE ) [ "*** End of File" ]
 *
 * A patch may begin with its first file, but must have its end: one without it is refused, up to where other text
 * begins. The first hunk of a file may lack its `@@`, an empty line is an empty line of context. Git's line `\ No
 * newline at end of file` is understood. Code fences around hunks, and the head of a diff before the first one, are
 * skipped. A whole patch may be indented. All of a patch runs, or nothing. Never fails. Runs in linear time.
 */
import { type DiagnosticCode, type HunkPlace, HunksOfFile, type HunkText, type ReadText } from "../../core/block.ts";
import { append } from "../../core/lists.ts";
import { isFence } from "../fence.ts";
import { FileEnd, LineBlocks } from "../line-blocks.ts";
import { isHead } from "../search-replace/markers.ts";
import { hasMargin, marginOf, type Source } from "../source.ts";
import { beginsFile } from "../unified-diff/file-head.ts";

export function readPatch(lines: Source): ReadText {
  if (!lines.text.includes("*** ")) return { items: [] };
  const blocks = new LineBlocks(lines);
  const boundaries = new Boundaries(lines);
  let patches = 0;
  for (let at = 0; at < lines.count;) {
    if (!BEGIN.test(lines.at(at)) && fileMarker(lines.at(at)) === undefined) {
      at += 1;
      continue;
    }
    patches += 1;
    // A whole patch may be indented.
    const margin = marginOf(lines.at(at));
    const isIndented = hasMargin(lines, at + 1, { margin, isEnd: (line) => END.test(line) || BEGIN.test(line) });
    const inside = isIndented ? lines.inMargin(margin) : lines;
    const patch = new PatchReader(inside, blocks, {
      first: at,
      group: `patch-${patches}`,
      hasEnd: boundaries.endsBelow(at),
    });
    patch.read();
    at = patch.at;
  }
  return { items: blocks.all };
}

/** The lines that begin and end patches. */
class Boundaries {
  readonly #all: ReadonlyArray<{ readonly at: number; readonly isEnd: boolean }>;
  #next = 0;

  constructor(lines: Source) {
    const all: Array<{ at: number; isEnd: boolean }> = [];
    for (let at = 0; at < lines.count; at++) {
      const isEnd = END.test(lines.at(at));
      if (isEnd || BEGIN.test(lines.at(at))) all.push({ at, isEnd });
    }
    this.#all = all;
  }

  /** Returns whether the first boundary below a line is an end. The lines asked about must ascend. */
  endsBelow(at: number): boolean {
    while ((this.#all[this.#next]?.at ?? Infinity) <= at) this.#next += 1;
    return this.#all[this.#next]?.isEnd === true;
  }
}

/** Reads one patch. */
class PatchReader {
  /** Index of the current line. */
  at: number;
  readonly #lines: Source;
  readonly #blocks: LineBlocks;
  readonly #group: string;
  readonly #hasEnd: boolean;
  /** Index of the line that ends the patch, or begins the next one, from the first column. */
  #boundary: number | undefined;

  /** Index of the line where it ends at the latest. */
  #limit = Infinity;

  /** @param options.first index of the patch's first line */
  constructor(
    lines: Source,
    blocks: LineBlocks,
    { first, group, hasEnd }: { readonly first: number; readonly group: string; readonly hasEnd: boolean },
  ) {
    this.#lines = lines;
    this.#blocks = blocks;
    this.at = first;
    this.#group = group;
    this.#hasEnd = hasEnd;
  }

  read(): void {
    const first = this.at;
    const before = this.#blocks.all.length;
    const hasBegin = BEGIN.test(this.#lines.at(this.at));
    if (hasBegin) this.at += 1;
    // A fence around a patch without its end is the end.
    const isFenced = first > 0 && isFence(this.#lines.at(first - 1)) && !(hasBegin && this.#hasEnd);
    const fenceEnd = isFenced ? this.#fenceBelow(first) : Infinity;
    this.#limit = fenceEnd;
    for (let line = this.#line(); line !== undefined; line = this.#line()) {
      if (END.test(line)) {
        this.at += 1;
        if (this.#blocks.all.length === before) this.#refuse(first, "EMPTY_SECTION", "The patch has no file");
        return;
      }
      if (BEGIN.test(line) || (!this.#hasEnd && !belongs(line))) break;
      this.#readFile(line);
    }
    if (hasBegin || this.at < fenceEnd) {
      const last = this.#lastBefore(this.at);
      this.#blocks.refuse(
        { first: last, next: last + 1 },
        { code: "UNCLOSED_BLOCK", message: "The patch has no line *** End Patch" },
        { group: this.#group },
      );
    }
  }

  /** Returns the index of the last line above another one that is not blank. */
  #lastBefore(next: number): number {
    let at = next - 1;
    while (at > 0 && this.#lines.at(at).trim() === "") at -= 1;
    return at;
  }

  #line(): string | undefined {
    if (!this.#hasEnd && this.at < this.#limit && this.#isOther(this.at)) this.#limit = this.at;
    return this.at < Math.min(this.#limit, this.#lines.count) ? this.#lines.at(this.at) : undefined;
  }

  /** Returns whether a block of another syntax begins at a line that looks like a removed one. */
  #isOther(at: number): boolean {
    const line = this.#lines.at(at);
    if (!line.startsWith("---")) return false;
    return isHead(line) || (beginsFile(this.#lines, at) && this.#lines.at(at - 1) === "");
  }

  /** Returns the index of the line that closes the fence; Infinity if none does. */
  #fenceBelow(first: number): number {
    let at = first;
    while (at < this.#lines.count && !isFence(this.#lines.at(at))) at += 1;
    return at < this.#lines.count ? at : Infinity;
  }

  #readFile(line: string): void {
    const marker = fileMarker(line);
    const first = this.at;
    this.at += 1;
    if (marker === undefined) {
      if (line.trim() !== "" && !isFence(line))
        this.#refuse(
          first,
          "MISPLACED_MARKER",
          line.startsWith("*** ") ? "A patch cannot contain this line" : "The line belongs to no file of the patch",
        );
    } else if (marker.path === "") this.#refuse(first, "INVALID_PATH", `*** ${marker.kind} File has no path`);
    else if (marker.kind === "Add") this.#create(first, marker.path);
    else if (marker.kind === "Delete") this.#add(first, { action: "file_delete", path: marker.path });
    else this.#update(first, marker.path);
  }

  #create(first: number, path: string): void {
    let content = "";
    for (let line = this.#line(); line !== undefined; line = this.#line()) {
      if (NO_NEWLINE.test(line)) {
        content = content.replace(/\n$/, "");
        this.at += 1;
        break;
      }
      const blanks = this.#blanks("+");
      if (blanks === undefined && !line.startsWith("+")) break;
      content += blanks ?? `${line.slice(1)}\n`;
      this.at += blanks?.length ?? 1;
    }
    this.#add(first, { action: "file_write", path, content });
  }

  #update(first: number, path: string): void {
    const target = MOVE.exec((this.#line() ?? "").trimEnd())?.[1];
    if (target !== undefined) this.at += 1;
    let from = this.#diffHead(path);
    const hunks: HunkText[] = [];
    while (this.#isHunk()) {
      this.#readHunk(path, from ?? this.at, hunks);
      from = undefined;
    }
    // Reports list blocks by their lines, and a file is renamed after it was changed.
    if (target !== undefined) this.#add(this.at - 1, { action: "file_move", old_path: path, new_path: target });
    else if (hunks.length === 0) this.#refuse(first, "EMPTY_SECTION", "*** Update File has no line to change");
  }

  /**
   * Skips `--- a/path` and `+++ b/path`, which look like a removed and an added line. Returns the index of the first.
   */
  #diffHead(path: string): number | undefined {
    this.#skipBetween();
    const names = [0, 1].map((offset) => this.#lines.at(this.at + offset));
    const isHead = ["---", "+++"].every(
      (sign, index) => names[index]?.startsWith(`${sign} `) === true && names[index]?.endsWith(path) === true,
    );
    if (isHead) this.at += 2;
    return isHead ? this.at - 2 : undefined;
  }

  /** Skips what may stand between hunks: blank lines, and a code fence around one. An indented one is context. */
  #skipBetween(): void {
    const isBetween = (line: string): boolean => line === "" || (isFence(line) && !line.startsWith(" "));
    for (let line = this.#line(); line !== undefined && isBetween(line); line = this.#line()) this.at += 1;
  }

  #isHunk(): boolean {
    this.#skipBetween();
    const line = this.#line() ?? "";
    return /^(?:@@|[+\- ])/.test(line) && !this.#isEnd(line);
  }

  /** @param hunks those of the file, to which this one is added */
  #readHunk(path: string, first: number, hunks: HunkText[]): void {
    const scopes: string[] = [];
    for (let line = this.#line(); line?.startsWith("@@") === true; line = this.#line()) {
      append(scopes, scopesIn(line));
      this.at += 1;
    }
    let [oldLines, newLines, changes] = ["", "", 0];
    const end = new FileEnd();
    for (let line = this.#line(); line !== undefined && !this.#isEnd(line); line = this.#line()) {
      if (NO_NEWLINE.test(line)) {
        end.read(this.#lines.at(this.at - 1).charAt(0));
        this.at += 1;
        continue;
      }
      const blanks = this.#blanks("+- ");
      if (blanks === undefined && !/^[+\- ]/.test(line)) break;
      if (blanks !== undefined || line.startsWith(" ") || line.startsWith("-"))
        oldLines += blanks ?? `${line.slice(1)}\n`;
      if (!line.startsWith("-")) newLines += blanks ?? `${line.slice(1)}\n`;
      if (/^[+-]/.test(line)) changes += 1;
      this.at += blanks?.length ?? 1;
    }
    const isAtEnd = END_OF_FILE.test(this.#line() ?? "");
    if (isAtEnd) this.at += 1;
    const among = new HunksOfFile(hunks, hunks.push({ oldLines, newLines }) - 1);
    if (changes === 0) return this.#refuse(first, "EMPTY_SECTION", "The hunk changes no line");
    const given = { action: "file_edit_lines", path, old_lines: oldLines, new_lines: newLines };
    this.#add(first, given, { scopes, among, ...(isAtEnd && { isAtEnd }), ...end.facts });
  }

  /**
   * Returns the empty lines from the current one on, if a line with one of the signs follows them: they belong to it.
   */
  #blanks(signs: string): string | undefined {
    let next = this.at;
    while (next < this.#lines.count && this.#lines.at(next) === "") next += 1;
    const after = next > this.at && next < this.#lines.count ? this.#lines.at(next) : "";
    return after !== "" && signs.includes(after.charAt(0)) && !this.#isEnd(after)
      ? "\n".repeat(next - this.at)
      : undefined;
  }

  /** Returns whether a line ends the patch. An indented end may be a line of context, if there is another one. */
  #isEnd(line: string): boolean {
    if (!END.test(line) || line.startsWith("***")) return END.test(line);
    this.#boundary ??= this.#nextBoundary();
    return !this.#lines.at(this.#boundary).startsWith("*** End");
  }

  #nextBoundary(): number {
    let next = this.at + 1;
    while (next < this.#lines.count && !/^\*\*\* (?:End|Begin) Patch/.test(this.#lines.at(next))) next += 1;
    return next;
  }

  #add(first: number, given: Readonly<Record<string, string>>, place?: HunkPlace): void {
    this.#blocks.add({ first, next: this.at }, given, { group: this.#group, ...(place && { place }) });
  }

  #refuse(first: number, code: DiagnosticCode, message: string): void {
    this.#blocks.refuse({ first, next: this.at }, { code, message }, { group: this.#group });
  }
}

/** Returns whether a line may be one of a patch, outside its hunks. */
function belongs(line: string): boolean {
  return line.trim() === "" || line.startsWith("*** ") || isFence(line);
}

// The marker lines of Codex's patches. White space may stand around those of a whole patch.
export const BEGIN = /^\s*\*\*\* Begin Patch\s*$/;
const END = /^\s*\*\*\* End Patch\s*(?:<\/[\w:]+>\s*)?$/;
const END_OF_FILE = /^\s*\*\*\* End of File\s*$/;
const MOVE = /^\*\*\* Move to:\s*[`"]?(\S.*?)[`"]?$/;
const NO_NEWLINE = /^\\ No newline at end of file\s*$/;

/** Returns the lines that a line `@@` names, outermost first. The numbers of a diff name none. */
function scopesIn(line: string): readonly string[] {
  if (/^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(line)) return [];
  return line
    .slice(2)
    .split(/ @@(?: |$)/)
    .map((scope) => scope.trim())
    .filter((scope) => scope !== "");
}

/** Returns what the head of a file in a patch says. Undefined for other lines. */
export function fileMarker(
  line: string,
): { readonly kind: "Add" | "Delete" | "Update"; readonly path: string } | undefined {
  const match = FILE.exec(line.trimEnd());
  return match === null ? undefined : { kind: match[1] as "Add" | "Delete" | "Update", path: match[2] ?? "" };
}

const FILE = /^\*\*\* (Add|Delete|Update) File:\s*[`"]?(\S.*?)?[`"]?$/;
