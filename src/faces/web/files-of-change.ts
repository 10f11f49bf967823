/** What a change of the project looks like on the page, file by file. */
import { resolve } from "node:path";
import { type Change, changedLines, type Content, type EditHunk, nameWithin, shownText, visibleInLines } from "../../index.ts";
import { hunkViews, type Place } from "./lines.ts";
import type { FileView } from "./protocol.ts";

/** The lines of files before their change, by path, to show more of them. */
export type OldLines = Map<string, readonly string[]>;

interface Shown {
  readonly root: string;
  /** Places that can be chosen, of any of the files. */
  readonly hunks?: readonly EditHunk[];
  /** Receives the lines of each file. */
  readonly oldLines?: OldLines;
}

export function fileViews(changes: readonly Change[], { root, hunks = [], oldLines }: Shown): FileView[] {
  const shown = withMoves(changes.filter((change) => !isImplied(change, changes)));
  return shown.map((change) => {
    // A hunk has the path as the block writes it, which may lead through a link.
    const inFile = shown.length === 1 ? hunks : hunks.filter(({ path }) => resolve(root, path) === change.path);
    return fileView(change, inFile.length > 0 ? inFile : undefined, { root, oldLines });
  });
}

/** Shows a deleted file and a new one with the same bytes as one that moved. */
function withMoves(changes: readonly Change[]): readonly Change[] {
  const gone = changes.filter(({ after }) => after === undefined);
  const moved = changes.map((change) => {
    const from = gone.findIndex((old) => change.before === undefined && isSameFile(old.before, change.after));
    const [old] = from === -1 ? [] : gone.splice(from, 1);
    return old === undefined ? change : { ...change, before: old.before, movedFrom: old.path };
  });
  return moved.filter((change) => change.after !== undefined || gone.includes(change));
}

function isSameFile(old: Content | undefined, now: Content | undefined): boolean {
  if (old?.kind !== "file" || now?.kind !== "file" || old.bytes === undefined || now.bytes === undefined) return false;
  return old.size > 0 && Buffer.from(old.bytes).equals(now.bytes);
}

/** Whether a change makes a folder for another one. */
function isImplied({ path, before, after }: Change, changes: readonly Change[]): boolean {
  return (
    after?.kind === "directory" && before === undefined && changes.some((other) => other.path.startsWith(`${path}/`))
  );
}

function fileView(
  change: Change,
  hunks: readonly EditHunk[] | undefined,
  { root, oldLines }: { readonly root: string; readonly oldLines: OldLines | undefined },
): FileView {
  const { before, after, movedFrom } = change;
  const path = visibleInLines(nameWithin(root, change.path));
  const named = { path, movedFrom: movedFrom && visibleInLines(nameWithin(root, movedFrom)) };
  const kind = kindOf(change);
  const content = after ?? before;
  const places: readonly Place[] | string =
    hunks ?? (content === undefined || content.kind === "directory" ? [] : changedLines(change));
  if (typeof places === "string") return { ...named, kind, hunks: [], unseen: places };
  const lines = linesOf(shownText(before));
  oldLines?.set(path, lines);
  return { ...named, kind, ...hunkViews(places, lines) };
}

function kindOf({ before, after, movedFrom }: Change): FileView["kind"] {
  if ((after ?? before)?.kind === "directory") return "folder";
  if (after === undefined) return "deleted";
  if (movedFrom !== undefined) return "moved";
  if (before === undefined) return "new";
  return after.kind === "link" ? "link" : "changed";
}

/** Returns the lines of a text. A final line feed starts no line. */
export function linesOf(text = ""): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
