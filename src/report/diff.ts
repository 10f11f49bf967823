import { isUtf8 } from "node:buffer";
import { isAbsolute, relative, sep } from "node:path";
import { formatPatch, structuredPatch, type StructuredPatch } from "diff";
import type { Change, Content } from "../core/change.ts";
import { visible } from "./visible.ts";

/**
 * The changes as git would print them, so that `git apply` reads them: new and deleted files, modes, links. What git cannot
 * express is said in a line: directories, and that a binary file differs. Hidden characters are shown, not sent to the terminal.
 *
 * @param root paths below it are shown relative to it
 */
export function unifiedDiff(changes: readonly Change[], root: string): string {
  return changes.map(({ path, before, after }) => visible(diffOf(nameWithin(root, path), before, after))).join("");
}

function nameWithin(root: string, path: string): string {
  const name = relative(root, path);
  const outside = name === "" || name === ".." || name.startsWith(`..${sep}`) || isAbsolute(name);
  return (outside ? path : name).replaceAll(sep, "/");
}

function diffOf(name: string, before: Content | undefined, after: Content | undefined): string {
  // To git, a file that becomes a link is a file deleted and a link made.
  if (before !== undefined && after !== undefined && before.kind !== after.kind) {
    return diffOf(name, before, undefined) + diffOf(name, undefined, after);
  }
  const content = after ?? before;
  if (content === undefined) return "";
  if (content.kind === "directory") return `${before === undefined ? "New" : "Deleted"} directory ${onOneLine(name)}\n`;
  return entryDiff(name, before, after);
}

/** Of a file or a link; git holds a link as a file whose text is the target. */
function entryDiff(name: string, before: Content | undefined, after: Content | undefined): string {
  const oldFileName = before === undefined ? "/dev/null" : `a/${name}`;
  const newFileName = after === undefined ? "/dev/null" : `b/${name}`;
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
    hunks: binary ? [] : hunksOf(oldText, newText),
    ...modesOf(before, after),
  };
  return formatPatch(patch) + (binary ? `Binary files ${onOneLine(oldFileName)} and ${onOneLine(newFileName)} differ\n` : "");
}

function onOneLine(name: string): string {
  return name.replaceAll("\n", "\\n");
}

/** Undefined for what is binary. Bytes that are not UTF-8 are read as Latin-1, which can show any. */
function textOf(content: Content | undefined): string | undefined {
  if (content === undefined || content.kind === "directory") return "";
  if (content.kind === "link") return content.target;
  if (content.bytes.includes(0)) return undefined;
  return Buffer.from(content.bytes).toString(isUtf8(content.bytes) ? "utf8" : "latin1");
}

function modesOf(before: Content | undefined, after: Content | undefined): { oldMode?: string; newMode?: string } {
  const [oldMode, newMode] = [modeOf(before), modeOf(after)];
  if (oldMode === newMode) return {};
  return { ...(oldMode !== undefined && { oldMode }), ...(newMode !== undefined && { newMode }) };
}

/** In git's words, which know only whether a file is executable. */
function modeOf(content: Content | undefined): string | undefined {
  if (content?.kind === "link") return "120000";
  if (content?.kind === "file") return (content.mode & 0o111) === 0 ? "100644" : "100755";
  return undefined;
}

/** Beyond so many changed lines the shortest diff is slow to find (time grows with the square) and no help to read. */
const MOST_EDITS = 2_000;

function hunksOf(before: string, after: string): StructuredPatch["hunks"] {
  if (before === after) return [];
  const shortest =
    before === "" || after === "" ? undefined : structuredPatch("", "", before, after, undefined, undefined, { maxEditLength: MOST_EDITS });
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
