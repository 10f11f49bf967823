import { join, relative, sep } from "node:path";
import type { CommitFile, FileBefore } from "./commit-file.ts";
import { pathsBeyondLinks } from "./folders-above.ts";
import { doneOperations } from "../journal/inverse.ts";
import { lookAtIfThere } from "../journal/look-at.ts";
import type { Log } from "../journal/read-log.ts";
import { choosePins } from "../disk/choose-pins.ts";
import { Disk } from "../disk/disk.ts";
import { PathMap } from "../paths/path-map.ts";
import { isWithin } from "../paths/path-segments.ts";
import { isSystemError } from "../disk/system-error.ts";
import type { Version, VersionedEntry } from "../disk/volume.ts";
import { isAlike, netChanges, type VisibleState } from "../journal/net-changes.ts";
import { PastFiles } from "../journal/past-files.ts";

const disk = new Disk();

/**
 * The files that a run has changed in a work tree, with what they held before.
 *
 * @param top of the work tree; canonical, as the log's paths are
 * @param versions of files as the run has left them, as far as they are known
 */
export function commitFiles(log: Log, top: string, versions: ReadonlyMap<string, Version>): CommitFile[] {
  const done = doneOperations(log);
  const past = new PastFiles([log]);
  const before = new Map<string, FileBefore>();
  const after = new Map<string, () => boolean>();
  const changes = netChanges(done);
  const told = new PathMap<true>();
  for (const { path, after: now } of changes) if (now !== undefined) told.set(path, true);
  for (const { path, movedFrom, before: then, after: now } of changes) {
    const place = movedFrom ?? path;
    if (then?.kind === "link") before.set(place, then);
    if (then?.kind === "file") before.set(place, { kind: "file", isExecutable: isExecutable(then.mode), size: then.size, read: (take) => past.read(place, then, 0, take) });
    if (now?.kind === "file" || now?.kind === "link") after.set(path, stillAs(path, now, versions.get(path)));
    // What moved along with its directory has not changed but for its place, unless the run says so of it, or of a directory that it is in, by itself.
    if (now?.kind === "directory" && movedFrom !== undefined) {
      for (const file of filesIn(path).filter((one) => told.nearest(one) === path)) {
        after.set(file, stillVersion(file, entryAt(file)?.version));
        const origin = join(movedFrom, relative(path, file));
        if (!before.has(origin)) before.set(origin, asItIs(file));
      }
    }
  }
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => isWithin(path, top)).map((path) => ({
    path: fromTop(path, top),
    before: before.get(path),
    exists: after.has(path),
    isUntouched: after.get(path) ?? stillGone(path, top),
  }));
}

function fromTop(path: string, top: string): string {
  return relative(top, path).split(sep).join("/");
}

function isExecutable(mode = 0): boolean {
  return (mode & 0o100) !== 0;
}

/** First by the times of the file, then by what it holds. */
function stillAs(path: string, left: VisibleState, version: Version | undefined): () => boolean {
  let known = version;
  return () => {
    const found = entryAt(path)?.version;
    if (found === undefined) return false;
    if (found !== known && !isAlikeNow(path, left)) return false;
    known = found;
    return true;
  };
}

function isAlikeNow(path: string, left: VisibleState): boolean {
  const found = lookAtIfThere(choosePins(), path)?.state;
  return found !== undefined && found.kind !== "other" && isAlike(found, left);
}

function stillVersion(path: string, version: Version | undefined): () => boolean {
  return () => entryAt(path)?.version === version;
}

/** A folder may have taken its place, or a link the place of a folder that it was in. */
function stillGone(path: string, top: string): () => boolean {
  return () => {
    const kind = entryAt(path)?.kind;
    return kind === undefined || kind === "directory" || pathsBeyondLinks(top)(fromTop(path, top));
  };
}

function asItIs(path: string): FileBefore {
  const entry = entryAt(path);
  if (entry?.kind === "link") return { kind: "link", target: disk.readLink(path) };
  return { kind: "file", isExecutable: isExecutable(entry?.mode), size: entry?.size ?? 0, read: (take) => (disk.readPieces(path, (piece) => (take(piece), true)), true) };
}

/** Files and links below a directory, but for what lies in a repository of its own. */
function filesIn(directory: string): string[] {
  return disk.readDirectory(directory).flatMap(({ name, kind }) => {
    const path = join(directory, name);
    if (kind === "directory") return entryAt(join(path, ".git")) === undefined ? filesIn(path) : [];
    return kind === "other" ? [] : [path];
  });
}

/** Where there is a file now in place of a folder, nothing is in that. */
function entryAt(path: string): VersionedEntry | undefined {
  try {
    return disk.entry(path);
  } catch (thrown) {
    if (isSystemError(thrown) && thrown.code === "ENOTDIR") return undefined;
    throw thrown;
  }
}
