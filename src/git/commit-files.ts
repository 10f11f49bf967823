import { relative, sep } from "node:path";
import { isSame, type State } from "../core/change-set.ts";
import { entryIfThere, look } from "../disk/look.ts";
import { isSpelledOtherwise, spelledThrough } from "../disk/spelling.ts";
import type { Version } from "../disk/volume.ts";
import { mergeBytes } from "../edit/merge.ts";
import { composeFiles, donePuts, netOf, PastFiles } from "../journal/change-set.ts";
import type { Log } from "../journal/log.ts";
import { isWithin } from "../paths/path-segments.ts";
import { type BlobContent, blobContent, pathsBeyondLinks } from "./entries.ts";

/**
 * Returns the files that runs changed in a work tree, with their pre-images.
 *
 * @param logs of the runs, in order
 * @param top of the work tree; canonical, like the log's paths
 * @param versions of files as the run left them, as far as known
 */
export function filesToCommit(logs: readonly Log[], top: string, versions: ReadonlyMap<string, Version>): CommitFile[] {
  const past = new PastFiles(logs);
  const before = new Map<string, FileBefore>();
  const after = new Map<string, () => boolean>();
  for (const { path, before: then, after: now } of netOf(logs.flatMap(donePuts))) {
    if (then?.kind === "link") before.set(path, then);
    if (then?.kind === "file") {
      const read: Content["read"] = (take) => past.read(path, then, take);
      before.set(path, { kind: "file", isExecutable: isExecutable(then.mode), size: then.size, read });
    }
    if (now?.kind === "file" || now?.kind === "link") after.set(path, isStillAs(path, now, versions.get(path)));
  }
  for (const [path, edited] of logs.length > 1 ? editsBetween(logs, past) : []) {
    const content = contentOf(edited);
    if (content === undefined) before.delete(path);
    else before.set(path, content);
  }
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths]
    .filter((path) => isWithin(path, top))
    .map((path) => ({
      path: fromTop(after.has(path) ? spelledThrough(path) : path, top),
      before: before.get(path),
      exists: after.has(path),
      isUntouched: after.get(path) ?? isStillGone(path, top),
    }));
}

function contentOf({ state, bytes = Buffer.alloc(0) }: EditBetween): FileBefore | undefined {
  if (state?.kind === "link") return state;
  if (state?.kind !== "file") return undefined;
  return { kind: "file", isExecutable: isExecutable(state.mode), ...blobContent(bytes) };
}

function fromTop(path: string, top: string): string {
  return relative(top, path).split(sep).join("/");
}

function isExecutable(mode = 0): boolean {
  return (mode & 0o100) !== 0;
}

/** Compares the version first, then the content. */
function isStillAs(path: string, left: State, version: Version | undefined): () => boolean {
  let known = version;
  return () => {
    const current = entryIfThere(path)?.version;
    if (current === undefined) return false;
    if (current !== known && !isSame(look(path)?.state, left)) return false;
    known = current;
    return true;
  };
}

/** Counts a path as gone if a folder took its place, or a link took the place of a parent folder. */
function isStillGone(path: string, top: string): () => boolean {
  return () => {
    const kind = entryIfThere(path)?.kind;
    const isOther = kind === "directory" || isSpelledOtherwise(path) || pathsBeyondLinks(top)(fromTop(path, top));
    return kind === undefined || isOther;
  };
}

interface EditBetween {
  readonly state: State | null;
  /** Content of a file. */
  readonly bytes?: Buffer | undefined;
}

/** What runs left at a path, and what was there before them, wherever that was. */
interface Left {
  readonly state: State | null;
  readonly origin: string;
  readonly first: State | Buffer | null;
}

/**
 * Returns such files as they would be before the first run, had they been edited then. A file in which both touched the
 * same lines is as its editor left it.
 *
 * @param logs of the runs, in order
 */
function editsBetween(logs: readonly Log[], past: PastFiles): ReadonlyMap<string, EditBetween> {
  const places = new Map<string, Left>();
  const edited = new Map<string, EditBetween>();
  for (const log of logs)
    for (const { path, from = path, before, after } of composeFiles(donePuts(log))) {
      const left = places.get(from) ?? { state: before, origin: from, first: before };
      let { first } = left;
      if (!isSame(left.state, before)) {
        const [base, ours, theirs] = [left.state, before, first].map((state) =>
          Buffer.isBuffer(state) ? state : past.before({ path, before: state }),
        );
        const bytes = (base && ours && theirs && mergeBytes(base, ours, theirs)) ?? ours;
        if (before?.kind !== "file" || bytes !== undefined) edited.set(left.origin, { state: before, bytes });
        first = bytes ?? before;
      }
      places.delete(from);
      places.set(path, { ...left, state: after, first });
    }
  return edited;
}

/** A path that a run has changed. */
export interface CommitFile {
  /** Relative to the top of the work tree, with `/`. */
  readonly path: string;
  /** State before the run; undefined if nothing was there. */
  readonly before: FileBefore | undefined;
  /** Whether something is there now. */
  readonly exists: boolean;
  /** Returns whether the path is still as the run left it. */
  isUntouched(): boolean;
}

export type FileBefore = Content | { readonly kind: "link"; readonly target: string };

interface Content extends BlobContent {
  readonly kind: "file";
  readonly isExecutable: boolean;
}
