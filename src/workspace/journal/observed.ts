/**
 * What a command has changed, as a group of a run's log that is done already: as if Loaf had made these operations. So undo, redo, recovery and all
 * that reads logs need to know nothing of commands.
 */
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import type { Content, DirectoryState, FileState, LinkState } from "../volume/operation.ts";
import { isWithin } from "../volume/path-segments.ts";
import type { Pins } from "../volume/pin.ts";
import { isBornSince, isFilledSince } from "./born-since.ts";
import { comeAlong } from "./come-along.ts";
import type { IntentRecord, LoggedOperation, LoggedOutcome } from "./log-record.ts";
import type { LogWriter } from "./log-writer.ts";
import { lookAtIfThere } from "./look-at.ts";
import { keepBlobs, type KeptBlob, type ReadBlobs } from "./kept-blobs.ts";

/** A path at which something else may stand now than at the checkpoint. */
export interface Suspect {
  /** Canonical. */
  readonly path: string;
  /** What stood there; undefined where nothing did. */
  readonly before: BlobState | undefined;
  /** Nothing stands there now, though there may be a way to something through a link, or a directory. */
  readonly isGone?: boolean;
  /** The file that stands there stood here before. */
  readonly movedFrom?: string;
  /** It was moved with its directory. */
  readonly isCarried?: boolean;
}

/** A file or a link, as git knows it: `blob` names its bytes, or its target. */
export interface BlobState {
  readonly kind: "file" | "link";
  /** A file's permissions, with set-user-ID and its like. */
  readonly mode?: number;
  readonly blob: string;
}

/** What a command may have changed, found by comparing with the checkpoint before it. */
export interface Suspicion {
  readonly suspects: readonly Suspect[];
  /** Changed, but not to be undone: canonical paths. */
  readonly uncovered: readonly string[];
  /** The time of the checkpoint, by the clock of the file system, in nanoseconds. */
  readonly since: bigint;
  readonly readBlobs: ReadBlobs;
  /** The permissions that a folder had, as far as they are known. */
  readonly folderMode: (path: string) => number;
}

export interface ObserveOptions {
  readonly pins: Pins;
  readonly log: LogWriter;
  /** The project's: directories are looked at below it. */
  readonly root: string;
  /** Position of the action. */
  readonly author: number;
  /** The run is all or nothing, and not over. */
  readonly goesOn: boolean;
}

/** What a command did to a file or a link. */
export interface Observed {
  readonly path: string;
  readonly change: "created" | "changed" | "deleted";
}

export interface Observation {
  /** Sorted by path. */
  readonly changed: readonly Observed[];
  readonly uncovered: readonly string[];
}

/** Records it, safely on the disk, or that there is nothing. Where it throws, the log is as if nothing had been tried. */
export async function recordObserved({ suspects, uncovered: known, since, readBlobs, folderMode }: Suspicion, options: ObserveOptions): Promise<Observation> {
  const { pins, log, author, goesOn } = options;
  const uncovered = [...known];
  const found = suspects.flatMap((suspect) => look(suspect, pins, uncovered));
  const forget = log.mark();
  try {
    const kept = await keepBlobs(log, found.flatMap(({ before }) => before ?? []), readBlobs);
    const isLost = ({ before }: Found): boolean => before !== undefined && isUnusable(kept.get(before.blob));
    uncovered.push(...found.filter(isLost).map(({ path }) => path));
    // What is moved away from there has the only bytes then.
    const stays = new Set(uncovered);
    const isOnly = ({ movedFrom }: Found): boolean => movedFrom !== undefined && stays.has(movedFrom);
    uncovered.push(...found.filter(isOnly).map(({ path }) => path));
    const changes = found.filter((one) => !isLost(one) && !isOnly(one) && !isAlike(one, kept));
    const steps = stepsOf(changes, suspects, { ...options, since, kept, folderMode });
    if (steps.length === 0) {
      forget();
      log.append({ type: "ran" });
    } else {
      log.append({ type: "group", number: 0, isAtomic: false, goesOn, takesBack: false, isObserved: true });
      for (const { operation, before, after } of steps) log.append({ type: "intent", operation, authors: [author], before, ...(after && { after }) });
      log.append({ type: "done", outcomes: steps.map(({ outcome = {} }) => outcome) });
    }
    await log.sync();
    const changed = changes.map(({ path, before, after }) => ({ path, change: before === undefined ? "created" : after === undefined ? "deleted" : "changed" }) as const);
    return { changed: changed.toSorted((a, b) => (a.path < b.path ? -1 : 1)), uncovered };
  } catch (thrown) {
    forget();
    throw thrown;
  }
}

/** A suspect, and what stands there now: a directory counts as nothing. */
interface Found extends Suspect {
  readonly after: FileState | LinkState | undefined;
}

/** Nothing, where nothing has changed, or where what stands there now cannot be told: that goes to `uncovered`. */
function look(suspect: Suspect, pins: Pins, uncovered: string[]): Found[] {
  const { path, before, isGone = false } = suspect;
  const found = isGone ? undefined : lookAtIfThere(pins, path);
  const after = found?.state;
  if (after?.kind === "other" || (after?.kind === "link" && after.target.includes("\ufffd"))) {
    uncovered.push(path);
    return [];
  }
  if (after === undefined || after.kind === "directory") return before === undefined ? [] : [{ ...suspect, after: undefined }];
  const bytes = after.kind === "link" ? Buffer.from(after.target) : found?.bytes;
  const isSame = before?.kind === after.kind && bytes !== undefined && blobOf(bytes) === before.blob && isModeKept(before, after);
  return isSame ? [] : [{ ...suspect, after }];
}

/** It is not there, by some damage, or a link to a name that is not UTF-8. */
function isUnusable(kept: KeptBlob | undefined): boolean {
  return kept === undefined || kept.text?.includes("\ufffd") === true;
}

/** Of a large file that tells only its digest. */
function isAlike({ before, after }: Found, kept: ReadonlyMap<string, KeptBlob>): boolean {
  return before?.kind === "file" && after?.kind === "file" && kept.get(before.blob)?.sha256 === after.sha256 && isModeKept(before, after);
}

/** A set-user-ID bit that is gone does not count: it does not come back. */
function isModeKept({ mode }: BlobState, after: FileState | LinkState): boolean {
  return process.platform === "win32" || after.kind === "link" || modeBack(mode, after.mode) === after.mode;
}

/** Whose a file was is not known, and with that who its set-user-ID bit would be about: that stays where it still stands, and is not made anew. */
function modeBack(before = 0o600, now = 0): number {
  return before & (0o777 | now);
}

/** The name that git has for bytes. */
function blobOf(bytes: Buffer): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

interface Step {
  readonly operation: LoggedOperation;
  readonly before: IntentRecord["before"];
  readonly after?: Content;
  readonly outcome?: LoggedOutcome;
}

interface Circumstances extends ObserveOptions {
  readonly since: bigint;
  readonly kept: ReadonlyMap<string, KeptBlob>;
  readonly folderMode: Suspicion["folderMode"];
}

/** In an order in which they could have been made: away with the old from the bottom up, in with the new from the top down. */
function stepsOf(changes: readonly Found[], suspects: readonly Suspect[], circumstances: Circumstances): Step[] {
  const { pins, root, since, kept, folderMode } = circumstances;
  const known = suspects.filter(({ before }) => before !== undefined);
  const stood = directoriesAbove(known, root);
  const replaced = new Set(known.map(({ path }) => path));
  const isDirectory = (path: string): boolean => lookAtIfThere(pins, path)?.state.kind === "directory";
  const gone = changes.filter(({ after }) => after === undefined);
  const there = changes.filter(({ after }) => after !== undefined);
  const removed = [...directoriesAbove(gone, root)].filter((path) => !isDirectory(path)).toSorted().toReversed();
  // An empty directory in the place of a file was certainly not there before.
  const inPlaceOfFiles = gone.map(({ path }) => path).filter(isDirectory);
  const carried = there.filter(({ isCarried }) => isCarried);
  const [come, aboveCarried] = [comeAlong(carried, root, isDirectory), directoriesAbove(carried, root)];
  // One with a file in it that was carried along, and that nothing was put into, has come there itself.
  const isMade = (path: string): boolean => replaced.has(path) || come.has(path) || isBornSince(path, since) || (aboveCarried.has(path) && !isFilledSince(path, since));
  const above = [...directoriesAbove(there, root)].filter((path) => !stood.has(path) && isMade(path));
  const made = [...new Set([...above, ...inPlaceOfFiles])].toSorted();
  return [
    ...gone.map(({ path, before }): Step => ({ operation: { kind: "unlink", path }, before: stateOf(before, undefined, kept) })),
    ...removed.map((path): Step => ({ operation: { kind: "removeDirectory", path }, before: directoryOf(folderMode(path)) })),
    ...made.map((path): Step => ({ operation: { kind: "makeDirectory", path }, before: null })),
    ...there.map(({ path, before, after }): Step => {
      const old = stateOf(before, after, kept);
      if (after?.kind === "link") return { operation: { kind: "link", path, target: after.target }, before: old };
      const { size = 0, sha256 = "", mode } = after ?? {};
      return { operation: { kind: "write", path }, before: old, after: { size, sha256 }, outcome: mode === undefined ? {} : { mode } };
    }),
  ];
}

function directoriesAbove(all: ReadonlyArray<{ readonly path: string }>, root: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { path } of all) for (let at = dirname(path); at !== root && isWithin(at, root) && !found.has(at); at = dirname(at)) found.add(at);
  return found;
}

function stateOf(before: BlobState | undefined, after: FileState | LinkState | undefined, kept: ReadonlyMap<string, KeptBlob>): IntentRecord["before"] {
  const { size, sha256, image, text } = (before && kept.get(before.blob)) ?? {};
  if (before === undefined || size === undefined || sha256 === undefined || image === undefined) return null;
  if (before.kind === "link") return { kind: "link", target: text ?? "" };
  const { mode: now, uid, gid } = after?.kind === "file" ? after : {};
  return { kind: "file", size, sha256, image, mode: modeBack(before.mode, now), ...(uid !== undefined && gid !== undefined && { uid, gid }) };
}

function directoryOf(mode: number): DirectoryState {
  return { kind: "directory", mode, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, identity: "" };
}
