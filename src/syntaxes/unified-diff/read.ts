/**
 * Reads unified diffs, as git and diff print them and as models write them:
 *
 *     diff = *( file-head *hunk )
 *     hunk = "@@" … *( ( " " / "+" / "-" ) LINE )
 *
 * Line numbers only choose between equal places, and counts are ignored. An empty line is an empty line of context. A fence
 * for a diff may lack the head where a path stands above it. What a diff says of one file runs as a whole. Never fails.
 * Runs in linear time.
 */
import type { DiagnosticCode, ReadText } from "../../core/block.ts";
import { labelAbove } from "../damage/path-label.ts";
import { hasMargin, LineBlocks, type LineRange, marginOf, TextLines } from "../text-lines.ts";

export function readUnifiedDiff(text: string): ReadText {
  const reader = new DiffReader(new TextLines(text));
  reader.read();
  return { items: reader.blocks.all };
}

class DiffReader {
  readonly blocks: LineBlocks;
  readonly #lines: TextLines;
  /** Index of the current line. */
  #at = 0;
  /** The marks of the fence for a diff that the current line is in. */
  #fence: string | undefined;
  /** The path above that fence. */
  #label: string | undefined;
  #files = 0;

  constructor(lines: TextLines) {
    this.#lines = lines;
    this.blocks = new LineBlocks(lines);
  }

  read(): void {
    while (this.#at < this.#lines.count) {
      const line = this.#lines.at(this.#at);
      const fence = FENCE.exec(line);
      if (beginsFile(this.#lines, this.#at)) this.#readFile();
      else if (this.#fence !== undefined && isHunkHead(line)) this.#readHunks({ path: this.#label, first: this.#at });
      else {
        if (fence !== null) this.#readFence(fence[1] as string, fence[2] as string);
        this.#at += 1;
      }
    }
  }

  #readFence(marks: string, info: string): void {
    if (this.#fence !== undefined) {
      if (marks.startsWith(this.#fence) && info.trim() === "") {
        this.#fence = undefined;
        this.#lines.margin = "";
      }
      return;
    }
    if (!DIFF_INFO.test(info)) return;
    this.#fence = marks;
    const margin = marginOf(this.#lines.at(this.#at));
    const isEnd = (line: string): boolean => FENCE.exec(line)?.[1]?.startsWith(marks) === true && line.trim() === marks;
    if (hasMargin(this.#lines, this.#at + 1, { margin, isEnd })) this.#lines.margin = margin;
    let above = this.#at - 1;
    if (above >= 0 && this.#lines.at(above).trim() === "") above -= 1;
    this.#label = above < 0 ? undefined : labelAbove(this.#lines.at(above));
  }

  #readFile(): void {
    const first = this.#at;
    const head = readFileHead(this.#lines, first);
    this.#at = head.next;
    this.#readHunks({ path: head.oldPath ?? head.newPath, first, head });
  }

  /** Reads the hunks of one file, and what its head says beside them. */
  #readHunks({ path, first, head }: { readonly path: string | undefined; readonly first: number; readonly head?: FileHead }): void {
    this.#files += 1;
    const before = this.blocks.all.length;
    let created = "";
    const hunks: Hunk[] = [];
    const seen = new Set<string>();
    while (this.#at < this.#lines.count) {
      if (this.#lines.at(this.#at) === "") this.#at += 1;
      else if (!isHunkHead(this.#lines.at(this.#at))) break;
      else {
        const hunk = this.#readHunk();
        // Models repeat a hunk.
        if (seen.has(hunk.text)) continue;
        seen.add(hunk.text);
        if (head?.isNew === true && hunk.oldLines.trim() === "") created += hunk.isOpen === true ? hunk.newLines.slice(0, -1) : hunk.newLines;
        else hunks.push(hunk);
      }
    }
    for (const [index, hunk] of hunks.entries()) {
      const isLastOfDeleted = head?.isDeleted === true && index === hunks.length - 1;
      this.#yieldHunk(path, hunk, { ...placeIn(hunks, index), ...(isLastOfDeleted && { all: "true" }), warnings: index === 0 ? (head?.warnings ?? []) : [] });
    }
    if (head === undefined) return;
    // Reports list blocks by their lines, and a file is deleted or renamed after it was changed.
    const own = { first: hunks.length === 0 ? first : this.#at - 1, next: this.#at };
    if (head.problem !== undefined) this.#refuse(own, "INVALID_OPERATION", head.problem);
    if (head.isNew) this.#add(own, { action: "file_create", path: head.newPath ?? "", content: created }, head.warnings);
    else if (head.isDeleted) this.#add(own, { action: "file_delete", path: head.oldPath ?? "" });
    else if (head.isRenamed) this.#add(own, { action: "file_move", old_path: head.oldPath ?? "", new_path: head.newPath ?? "" }, head.warnings);
    else if (this.blocks.all.length === before) this.#refuse(own, "EMPTY_SECTION", this.#problemOfEmpty(head));
  }

  #problemOfEmpty({ warnings }: FileHead): string {
    return warnings.length > 0 ? "The diff only changes the file's mode, which no action does" : "The diff has no hunk: each begins with a line @@";
  }

  #readHunk(): Hunk {
    const first = this.#at;
    const [, oldLine, newLine] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(this.#lines.at(first)) ?? [];
    this.#at += 1;
    let [oldLines, newLines, changes, blanks] = ["", "", 0, ""];
    let [last, isOldOpen, isOpen] = ["", false, undefined as boolean | undefined];
    let bad: number | undefined;
    for (; this.#at < this.#lines.count; this.#at++) {
      const text = this.#lines.at(this.#at);
      if (this.#endsHunk(text)) break;
      if (text === "") {
        blanks += "\n";
        continue;
      }
      const sign = text.charAt(0);
      if (sign === "\\") {
        if (last === "-") isOldOpen = true;
        else isOpen = true;
        continue;
      }
      if (!" +-".includes(sign)) {
        if (this.#fence === undefined) break;
        bad ??= this.#at;
        continue;
      }
      [oldLines, newLines, blanks] = [oldLines + blanks, newLines + blanks, ""];
      if (sign !== "+") oldLines += `${text.slice(1)}\n`;
      if (sign !== "-") newLines += `${text.slice(1)}\n`;
      if (sign !== " ") changes += 1;
      last = sign;
    }
    const text = this.#lines.slice(first, this.#at).trimEnd();
    return { first, next: this.#at, text, oldLines, newLines, changes, bad, ...(isOpen !== undefined ? { isOpen } : isOldOpen && { isOpen: false }), oldLine: Number(oldLine ?? 0), newLine: Number(newLine ?? 0) };
  }

  #endsHunk(text: string): boolean {
    // git's mails end with its version.
    if (/^-- ?$/.test(text) && /^\d+\.\d+/.test(this.#lines.at(this.#at + 1))) return true;
    if (isHunkHead(text) || (this.#fence !== undefined && FENCE.exec(text)?.[1]?.startsWith(this.#fence) === true && /^\s*[`~]+\s*$/.test(text))) return true;
    return /^(?:diff --git |--- |Index: )/.test(text) && beginsFile(this.#lines, this.#at);
  }

  #yieldHunk(path: string | undefined, { first, next, oldLines, newLines, changes, bad, isOpen }: Hunk, { warnings, ...place }: Placed): void {
    if (path === undefined) return this.#refuse({ first, next }, "INVALID_PATH", "No line above the hunk names its file");
    if (bad !== undefined) return this.#refuse({ first, next }, "MISPLACED_MARKER", "A line of a hunk begins with a space, + or -", bad);
    if (changes === 0) return this.#refuse({ first, next }, "EMPTY_SECTION", "The hunk changes no line");
    const facts = { ...place, ...(isOpen !== undefined && { final_newline: String(!isOpen) }) };
    this.#add({ first, next }, { action: "file_edit_lines", path, old_lines: oldLines, new_lines: newLines, ...facts }, warnings);
  }

  #add(range: LineRange, given: Readonly<Record<string, string>>, warnings?: readonly string[]): void {
    this.blocks.add(range, given, { group: `file-${this.#files}` }, warnings);
  }

  #refuse(range: LineRange, code: DiagnosticCode, message: string, at = range.first): void {
    this.blocks.refuse(range, { code, message, at }, { group: `file-${this.#files}` });
  }
}

/** Parameters that tell the place of a hunk. */
interface Placed {
  readonly line?: string;
  readonly anchor_lines?: string;
  readonly anchor_line?: string;
  readonly all?: string;
  readonly warnings: readonly string[];
}

interface Hunk extends LineRange {
  readonly text: string;
  readonly oldLines: string;
  readonly newLines: string;
  /** The number of lines with a sign. */
  readonly changes: number;
  /** Index of the first line that no hunk has. */
  readonly bad: number | undefined;
  /** Whether the file ends without a newline afterwards. */
  readonly isOpen?: boolean;
  /** The lines in its head, 1-based; 0 if there are none. */
  readonly oldLine: number;
  readonly newLine: number;
}

/**
 * Returns where a hunk stands by its head. Another hunk of the file shows how far such lines are off: the one before it,
 * which the file then holds, or else the one after it.
 */
function placeIn(hunks: readonly Hunk[], index: number): Omit<Placed, "warnings"> {
  const [hunk, before, after] = [hunks[index] as Hunk, hunks[index - 1], hunks[index + 1]];
  const line = before === undefined ? hunk.oldLine : hunk.newLine;
  // Added lines without context go to the end of no file but an empty one.
  if (line === 0) return hunk.oldLines === "" ? { line: "1" } : {};
  const [lines, at] = before === undefined ? [after?.oldLines, after?.oldLine] : [before.newLines, before.newLine];
  return { line: String(line), ...(lines !== undefined && lines !== "" && { anchor_lines: lines, anchor_line: String(at) }) };
}

function isHunkHead(line: string): boolean {
  return /^@@(?: |$)/.test(line);
}

const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;
export const DIFF_INFO = /^\s*(?:diff|patch|udiff)\b/i;

/** What the lines above the hunks of a file say. */
export interface FileHead {
  /** Index of the line after it. */
  readonly next: number;
  /** Undefined for a file that does not exist. */
  readonly oldPath: string | undefined;
  readonly newPath: string | undefined;
  readonly isNew: boolean;
  readonly isDeleted: boolean;
  readonly isRenamed: boolean;
  readonly warnings: readonly string[];
  /** Why it cannot be done. */
  readonly problem?: string;
}

/** Returns whether the lines that name a file begin at an index. */
function beginsFile(lines: TextLines, at: number): boolean {
  const line = lines.at(at);
  if (line.startsWith("diff --git ")) return true;
  if (!line.startsWith("--- ") || !lines.at(at + 1).startsWith("+++ ")) return false;
  // A removed line "-- x" above an added one "++ x" looks the same.
  return /^(?:@@|[+\-\s]|```|~~~|$)/.test(lines.at(at + 2));
}

function readFileHead(lines: TextLines, first: number): FileHead {
  let at = first;
  const facts = new Map<string, string>();
  if (lines.at(at).startsWith("diff --git ")) {
    facts.set("git", lines.at(at).slice("diff --git ".length));
    for (at += 1; at < lines.count; at++) {
      const match = EXTENDED.exec(lines.at(at));
      if (match === null) break;
      facts.set(match[1] as string, match[2] ?? "");
    }
  }
  let names = namesInGit(facts.get("git"));
  if (lines.at(at).startsWith("--- ") && lines.at(at + 1).startsWith("+++ ")) {
    names = [nameIn(lines.at(at).slice(4)), nameIn(lines.at(at + 1).slice(4))];
    at += 2;
  }
  return headOf(facts, names, at);
}

/** Lines of git's heads. */
const EXTENDED = /^(old mode|new mode|deleted file mode|new file mode|similarity index|dissimilarity index|rename from|rename to|copy from|copy to|index|GIT binary patch|Binary files)(?: (.*))?$/;

function headOf(facts: ReadonlyMap<string, string>, [oldName, newName]: Names, next: number): FileHead {
  const isNew = oldName === NOTHING || facts.has("new file mode");
  const isDeleted = newName === NOTHING || facts.has("deleted file mode");
  const [from, to] = [facts.get("rename from"), facts.get("rename to")];
  const isRenamed = from !== undefined && to !== undefined;
  const [oldPath, newPath] = isRenamed ? [from, to] : withoutCopySuffix(withoutPrefixes(oldName, newName));
  const mode = facts.get("new mode") ?? (facts.get("new file mode") === "100755" ? "100755" : undefined);
  const problem = problemOf(facts, { oldPath, newPath, isNew, isDeleted, isRenamed });
  return {
    next,
    oldPath: isNew ? undefined : oldPath,
    newPath: isDeleted ? undefined : newPath,
    isNew,
    isDeleted,
    isRenamed,
    warnings: mode === undefined ? [] : [`the file's mode was not changed to ${mode}`],
    ...(problem !== undefined && { problem }),
  };
}

function problemOf(facts: ReadonlyMap<string, string>, { oldPath, newPath, isNew, isDeleted, isRenamed }: Omit<FileHead, "next" | "warnings">): string | undefined {
  if (facts.has("GIT binary patch") || facts.has("Binary files")) return "The diff changes a binary file, which only git can do";
  if (facts.has("copy from")) return "The diff copies a file, which no action does";
  if (isNew && isDeleted) return "The diff both creates and deletes a file";
  if (!isNew && !isDeleted && !isRenamed && oldPath !== newPath) return `The diff names two files, '${oldPath ?? ""}' and '${newPath ?? ""}', without a rename from and a rename to`;
  return undefined;
}

type Names = readonly [oldName: string | undefined, newName: string | undefined];

const NOTHING = "/dev/null";

/** Returns the names in `a/x b/x`. Names with spaces are found by being the same twice. */
function namesInGit(names: string | undefined): Names {
  if (names === undefined) return [undefined, undefined];
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(names);
  if (quoted !== null) return [nameIn(quoted[1] as string), nameIn(quoted[2] as string)];
  const half = (names.length - 1) / 2;
  const [left, right] = [names.slice(0, half), names.slice(half + 1)];
  return left.slice(2) === right.slice(2) ? [left, right] : [undefined, undefined];
}

/** Returns a name without the time behind it, and without git's quotes. */
function nameIn(text: string): string {
  const name = text
    .replace(/\t.*$/, "")
    .replace(/(?<!\s)\s+\d{4}-\d{2}-\d{2}[ T].*$/, "")
    .trim();
  return name.startsWith('"') && name.endsWith('"') && name.length > 1 ? unquoted(name.slice(1, -1)) : name;
}

/** Decodes git's escapes, of which octal ones are bytes of UTF-8. */
function unquoted(text: string): string {
  const bytes = [...text.matchAll(/\\([0-7]{3}|.)|[^\\]+/g)].map(([piece, escape]) => {
    if (escape === undefined) return Buffer.from(piece);
    return /^[0-7]{3}$/.test(escape) ? Buffer.from([Number.parseInt(escape, 8) & 0xff]) : Buffer.from(ESCAPES[escape] ?? escape);
  });
  return Buffer.concat(bytes).toString("utf8");
}

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", a: "\u0007", b: "\b", f: "\f", v: "\v" };

/** What some models write behind a name. */
const NOTE = /(?<! ) +\((?:old|original|before|new|updated|modified|after)\)$/;

/** Takes `a/` and `b/`, or git's other prefixes, off where both names have them. */
function withoutPrefixes(oldName: string | undefined, newName: string | undefined): Names {
  const isPrefixed = (name: string | undefined, letters: string): boolean => name === NOTHING || (name !== undefined && name[1] === "/" && letters.includes(name.charAt(0)));
  const bare = (name: string | undefined): string | undefined => (name === NOTHING ? NOTHING : name?.slice(2));
  const arePrefixed = isPrefixed(oldName, "aiwco") && isPrefixed(newName, "biwco") && oldName?.[0] !== newName?.[0];
  return arePrefixed ? [bare(oldName), bare(newName)] : [oldName, newName];
}

/** `diff app.js.orig app.js` shows what became of app.js, and so does `app.js (old)` beside `app.js (new)`. */
function withoutCopySuffix([oldName, newName]: Names): Names {
  if (oldName === newName) return [oldName, newName];
  const [oldBare, newBare] = [oldName?.replace(NOTE, ""), newName?.replace(NOTE, "")];
  if (oldBare === newBare || oldName === NOTHING || newName === NOTHING) return [oldBare, newBare];
  const isCopy = newBare !== undefined && [".orig", ".old", ".bak"].some((suffix) => oldBare === newBare + suffix);
  return isCopy ? [newBare, newBare] : [oldName, newName];
}
