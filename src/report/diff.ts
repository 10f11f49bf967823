import { isUtf8 } from "node:buffer";
import { isAbsolute, relative, sep } from "node:path";
import { formatPatch, structuredPatch, type StructuredPatch } from "diff";
import type { Change, Content } from "../core/change-set.ts";
import type { EditHunk } from "../core/outcome.ts";
import { visibleInLines, visibleOnOneLine } from "../core/visible.ts";
import { opensBlock } from "../syntaxes/index.ts";

/**
 * Prints changes in git's format: new and deleted files, modes, links. Describes in one line what git cannot express:
 * directories, and files that are binary or not shown.
 *
 * People read diffs and may paste them. So hidden characters become escapes, and `⁞ ` precedes lines that would open a
 * block without their sign. `git apply` accepts the diff unless a `note: ` says otherwise.
 *
 * @param root paths below it are shown relative to it
 */
export function unifiedDiff(changes: readonly Change[], root: string): string {
  return changes
    .map(({ path, movedFrom, before, after }) =>
      diffOf({ name: nameWithin(root, path), oldName: nameWithin(root, movedFrom ?? path), before, after }),
    )
    .join("");
}

/** Whole lines that a change replaces, without the lines around them. */
export type ChangedLines = Pick<EditHunk, "oldStart" | "oldLines" | "newStart" | "newLines">;

/**
 * Returns the lines that a change of a file or a link replaces. If they cannot be shown, returns why, as a clause.
 * Hidden characters are not escaped.
 */
export function changedLines({ before, after }: Pick<Change, "before" | "after">): readonly ChangedLines[] | string {
  const reason = reasonUnseen(before) ?? reasonUnseen(after);
  if (reason !== undefined) return reason;
  const [oldText, newText] = [textOf(before), textOf(after)];
  return oldText === undefined || newText === undefined ? "it is binary" : hunksOf(oldText, newText).flatMap(replaced);
}

/** Returns the text of a file or a link as a diff shows it. Undefined if it cannot be shown. */
export function shownText(content: Content | undefined): string | undefined {
  return reasonUnseen(content) === undefined ? textOf(content) : undefined;
}

function replaced({ oldStart, newStart, lines }: StructuredPatch["hunks"][number]): ChangedLines[] {
  const changes: Array<{ oldStart: number; oldLines: string[]; newStart: number; newLines: string[] }> = [];
  let [oldLine, newLine, isOpen] = [Math.max(1, oldStart), Math.max(1, newStart), false];
  for (const line of lines) {
    const [sign, text] = [line[0], line.slice(1)];
    if (sign === "\\") continue;
    if (sign === " ") [oldLine, newLine, isOpen] = [oldLine + 1, newLine + 1, false];
    else {
      if (!isOpen) changes.push({ oldStart: oldLine, oldLines: [], newStart: newLine, newLines: [] });
      isOpen = true;
      if (sign === "-") changes.at(-1)?.oldLines.push(text);
      else changes.at(-1)?.newLines.push(text);
      [oldLine, newLine] = sign === "-" ? [oldLine + 1, newLine] : [oldLine, newLine + 1];
    }
  }
  return changes;
}

interface Difference {
  readonly name: string;
  /** Differs from `name` if it was moved. */
  readonly oldName: string;
  readonly before: Content | undefined;
  readonly after: Content | undefined;
}

function diffOf(difference: Difference): string {
  const { name, oldName, before, after } = difference;
  // Git treats a file that becomes a link as a deleted file and a new link.
  if (before !== undefined && after !== undefined && before.kind !== after.kind) {
    return (
      diffOf({ ...difference, name: oldName, after: undefined }) +
      diffOf({ ...difference, oldName: name, before: undefined })
    );
  }
  const content = after ?? before;
  if (content === undefined) return "";
  if (content.kind !== "directory") return entryDiff(difference);
  if (oldName !== name) return `Moved directory ${visibleOnOneLine(oldName)} to ${visibleOnOneLine(name)}\n`;
  return `${before === undefined ? "New" : "Deleted"} directory ${visibleOnOneLine(name)}\n`;
}

/** Prints the diff of a file or a link. To git, a link is a file with the target as its text. */
function entryDiff({ name, oldName, before, after }: Difference): string {
  const oldFileName = before === undefined ? "/dev/null" : `a/${oldName}`;
  const newFileName = after === undefined ? "/dev/null" : `b/${name}`;
  const names = `${visibleOnOneLine(oldFileName)} and ${visibleOnOneLine(newFileName)}`;
  const reason = reasonUnseen(before) ?? reasonUnseen(after);
  if (reason !== undefined) return `Files ${names} differ (not shown: ${reason})\n`;
  const [oldText, newText] = [textOf(before), textOf(after)];
  const binary = oldText === undefined || newText === undefined;
  const patch: StructuredPatch = {
    isGit: true,
    oldFileName,
    newFileName,
    oldHeader: undefined,
    newHeader: undefined,
    isCreate: before === undefined,
    isDelete: after === undefined,
    isRename: name !== oldName,
    hunks: binary ? [] : hunksOf(oldText, newText),
    ...modesOf(before, after),
  };
  const permissions = permissionsChange(name, before, after);
  // Git rejects a header without anything after it.
  if (permissions !== "" && name === oldName && !binary && patch.hunks.length === 0) return permissions;
  const printed = formatPatch(patch);
  const shown = harmless(printed);
  if (binary) return `${shown}Binary files ${names} differ\n${permissions}`;
  const isRecoded = patch.hunks.length > 0 && (isLatin1(before) || isLatin1(after));
  return shown + (isRecoded || shown !== printed ? NOT_FOR_GIT : "") + permissions;
}

/** Describes a change of permissions that git's modes do not express. */
function permissionsChange(name: string, before: Content | undefined, after: Content | undefined): string {
  if (
    before?.kind !== "file" ||
    after?.kind !== "file" ||
    before.mode === after.mode ||
    modeOf(before) !== modeOf(after)
  )
    return "";
  return `Permissions of ${visibleOnOneLine(name)} changed from ${before.mode.toString(8)} to ${after.mode.toString(8)}\n`;
}

const NOT_FOR_GIT = "note: not for git apply: the text is not UTF-8, or has characters shown as escapes or after ⁞\n";

/** Ensures that no line opens a block if its sign or indentation gets lost when pasted. */
function harmless(patch: string): string {
  const mark = (line: string) => (opensBlock(line.slice(1), undefined, true) ? `⁞ ${line}` : line);
  return visibleInLines(patch).split("\n").map(mark).join("\n");
}

/** Returns why an existing file's bytes are not shown, or undefined. */
function reasonUnseen(content: Content | undefined): string | undefined {
  return content?.kind === "file" && content.bytes === undefined
    ? (content.withheld ?? "it may not be read, or is too large")
    : undefined;
}

function isLatin1(content: Content | undefined): boolean {
  return content?.kind === "file" && content.bytes !== undefined && !isUtf8(content.bytes);
}

/** Returns undefined for binary files. Decodes invalid UTF-8 as Latin-1, which accepts any byte. */
function textOf(content: Content | undefined): string | undefined {
  if (content?.kind === "link") return content.target;
  const bytes = content?.kind === "file" ? content.bytes : undefined;
  if (bytes !== undefined && isBinary(bytes)) return undefined;
  return Buffer.from(bytes ?? "").toString(isLatin1(content) ? "latin1" : "utf8");
}

/** Shells skip NUL and stop at `exit`, so a script counts as text whatever it contains. */
function isBinary(bytes: Uint8Array): boolean {
  if (!bytes.includes(0) || (bytes[0] === 0x23 && bytes[1] === 0x21)) return false;
  const beginning = bytes.subarray(0, MAX_JUDGED);
  const others = beginning.filter((byte) => byte !== 0);
  const controls = others.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127);
  return !isUtf8(others) || controls.length * 50 > others.length;
}

const MAX_JUDGED = 65_536;

function modesOf(before: Content | undefined, after: Content | undefined): { oldMode?: string; newMode?: string } {
  const [oldMode, newMode] = [modeOf(before), modeOf(after)];
  if (oldMode === newMode) return {};
  return { ...(oldMode !== undefined && { oldMode }), ...(newMode !== undefined && { newMode }) };
}

/** Returns git's mode, which only distinguishes executable files. */
function modeOf(content: Content | undefined): string | undefined {
  if (content?.kind === "link") return "120000";
  if (content?.kind === "file") return (content.mode & 0o111) === 0 ? "100644" : "100755";
  return undefined;
}

/** Beyond this number of changed lines, the shortest diff takes long (quadratic time) and is hard to read. */
const MAX_EDITS = 2_000;

function hunksOf(before: string, after: string): StructuredPatch["hunks"] {
  if (before === after) return [];
  const shortest =
    before === "" || after === ""
      ? undefined
      : structuredPatch("", "", before, after, undefined, undefined, { maxEditLength: MAX_EDITS });
  return shortest?.hunks ?? [replaceAllLines(patchLines("-", before), patchLines("+", after))];
}

function replaceAllLines(removed: readonly string[], added: readonly string[]): StructuredPatch["hunks"][number] {
  const count = (lines: readonly string[]) => lines.length - (lines.at(-1) === NO_NEWLINE ? 1 : 0);
  return { oldStart: 1, oldLines: count(removed), newStart: 1, newLines: count(added), lines: [...removed, ...added] };
}

const NO_NEWLINE = "\\ No newline at end of file";

function patchLines(sign: "+" | "-", text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n").map((line) => sign + line);
  return lines.at(-1) === sign ? lines.slice(0, -1) : [...lines, NO_NEWLINE];
}

/** Returns a path for display: relative to the root if it is below, otherwise unchanged. */
export function nameWithin(root: string, path: string): string {
  const name = relative(root, path);
  const outside = name === "" || name === ".." || name.startsWith(`..${sep}`) || isAbsolute(name);
  return (outside ? path : name).replaceAll(sep, "/");
}
