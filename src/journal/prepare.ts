import { hash } from "node:crypto";
import * as fs from "node:fs";
import { dirname } from "node:path";
import { type Attributes, type FileState, isSame } from "../core/change-set.ts";
import { keepForMerge, MAX_HELD, readImage, readImageInPieces } from "../disk/images.ts";
import { type Look, lookOrThrow, look } from "../disk/look.ts";
import type { Basis, Wanted } from "../disk/planned.ts";
import { atEntry, mountOf, pins } from "../disk/choose-pins.ts";
import { createFile, type Kept, temporaryName } from "../disk/place-file.ts";
import { isSystemError, systemError, unlessSystemError } from "../disk/system-error.ts";
import { Changed } from "../disk/volume.ts";
import { joinPath } from "../paths/path-segments.ts";
import { type PutAttempt, pathsOf, type PreparedPut } from "./put.ts";
import { isDirectory, isTurning, type Numbered } from "./change-set.ts";
import type { PutRecord } from "./log.ts";
import type { LogWriter } from "./log-writer.ts";

/** Returns a plan that a rename of each path can carry out. */
export function practicable(planned: readonly Numbered[], isReversal: boolean): Numbered[] {
  const states = new Map(
    planned.filter(isTurning).map(({ path }) => [path, isReversal ? look(path)?.state : undefined] as const),
  );
  const mounts = new Map<string, string | undefined>();
  const across = planned.filter(({ path, after }) => after?.kind === "moved" && isAcross(after.origin, path, mounts));
  const copies = new Map(across.map(({ after, authors }) => [after?.kind === "moved" ? after.origin : "", authors]));
  return planned.map((change): Numbered => {
    const { path, after } = change;
    const authors = copies.get(path);
    if (authors !== undefined) return { ...change, authors };
    if (after?.kind === "moved") return copies.has(after.origin) ? copied(change, after.origin) : change;
    const state = states.get(path);
    if (state !== undefined && state.kind === after?.kind) return { ...change, basis: state };
    return after?.kind === "file" ? { ...change, after: held(after, path, states) } : change;
  });
}

/** Reads what would be gone once its path changes between a directory and something else. */
function held(
  { like, ...file }: Wanted & { kind: "file" },
  path: string,
  turning: ReadonlyMap<string, unknown>,
): Wanted {
  const { content } = file;
  const isCopy =
    !Buffer.isBuffer(content) && content.length <= MAX_HELD && (turning.has(content.log) || turning.has(path));
  const bytes = isCopy ? unlessSystemError(() => readImage(content), content) : content;
  const isLikeGone = like !== undefined && turning.has(like);
  const source = isLikeGone ? look(like)?.state : undefined;
  const { mode, uid, gid } = source?.kind === "file" ? source : {};
  const kept = { mode: file.mode ?? mode, uid: file.uid ?? uid, gid: file.gid ?? gid };
  return { ...file, ...kept, content: bytes, like: isLikeGone ? undefined : like };
}

/** A move to another file system is a copy and a removal, with the same authors: both are made, or neither. */
function copied(change: Numbered, origin: string): Numbered {
  const { state, bytes } = look(origin) ?? {};
  if (state?.kind === "link" && !state.target.includes("\ufffd")) return { ...change, after: state };
  if (state?.kind !== "file") return change;
  const modified = atEntry(origin, (at) => fs.lstatSync(at).mtimeMs / 1000);
  const content = bytes ?? { log: origin, offset: 0, length: state.size, sha256: state.sha256 };
  return { ...change, after: { ...state, content, modified } };
}

/** @param mounts known ones of directories */
function isAcross(from: string, to: string, mounts: Map<string, string | undefined>): boolean {
  const [source, target] = [from, to].map((path) => {
    const directory = dirname(path);
    if (!mounts.has(directory))
      mounts.set(
        directory,
        unlessSystemError(() => mountOf(nearestDirectoryAbove(path)), undefined),
      );
    return mounts.get(directory);
  });
  return source !== target;
}

export interface Preparation {
  readonly log: LogWriter;
  /** If the disk is as wanted already, the put counts as made. */
  readonly isReversal: boolean;
  /** Directories that this group will make. They do not exist yet. */
  readonly made: ReadonlySet<string>;
  /** Directories that are known to let entries be removed again. */
  readonly checked: Set<string>;
  /** Registers what must be on the disk before the first put is made. */
  sync(wait: { readonly file?: number; readonly directory: string }): void;
}

/**
 * Logs a put with its pre-image and creates its temporary file. Returns undefined if there is nothing to do. Throws a
 * system error, or `Changed` if the path differs from the basis of the change.
 */
export function prepare(entry: PutAttempt, context: Preparation): PreparedPut | undefined {
  const { log } = context;
  const forget = log.mark();
  return log.attempt(() => {
    const present = compare(entry, context);
    if (present === "done") {
      forget();
      // Another program may have made it without syncing it.
      if (context.isReversal)
        for (const path of pathsOf(entry.put)) context.sync({ directory: nearestDirectoryAbove(path) });
      return undefined;
    }
    const { makeTemporary, ...step } = plan(entry.put, present, context);
    const { temporary } = step.put;
    log.append(step.put);
    if (temporary !== undefined) {
      // The name must be in the log before the file exists, so that recovery can remove it.
      log.flush();
      makeTemporary?.(temporary);
    }
    return step;
  });
}

/** What a put finds at its path, and what a rename finds at its source. */
interface Found {
  readonly old: Look | undefined;
  readonly moved?: Look;
}

/** Returns "done" if the disk is as wanted already. Throws `Changed` if somebody else has changed it. */
function compare({ put, source }: PutAttempt, { made, log, isReversal }: Preparation): Found | "done" {
  const { path, basis, after } = put;
  const lookAtPath = (): Look | undefined => (made.has(dirname(path)) ? undefined : lookOrThrow(path, log));
  if (source !== undefined) {
    const moved = lookOrThrow(source.path);
    if (
      isReversal &&
      moved === undefined &&
      typeof source.basis === "object" &&
      isSame(lookAtPath()?.state, source.basis)
    )
      return "done";
    if (moved === undefined || moved.state.kind === "directory") throw new Changed(source.path);
    checkBasis(moved, source.basis, source.path);
    const old = lookAtPath();
    checkBasis(old, basis, path);
    return { old, moved };
  }
  const old = lookAtPath();
  const isThere = old?.state.kind === "directory";
  if (after?.kind === "directory") {
    // Somebody else made the directory first. It is theirs to keep.
    if (isThere) return "done";
    if (old !== undefined) throw new Changed(path);
    return { old };
  }
  if (isReversal && isAsWanted(old, after)) return "done";
  if (after === null && isDirectory(basis)) {
    if (!isThere) throw new Changed(path);
    return { old };
  }
  checkBasis(old, basis, path);
  if (isThere) throw systemError("EISDIR", after === null ? "unlink" : "open", path);
  if (after === null && old === undefined) throw systemError("ENOENT", "unlink", path);
  return { old };
}

function isAsWanted(old: Look | undefined, after: Wanted | null): boolean {
  if (after === null) return old === undefined;
  return after.kind === "file"
    ? isContent(old, after.content, after.mode)
    : after.kind === "link" && isSame(old?.state, after);
}

function isContent(
  old: Look | undefined,
  content: Buffer | { readonly sha256: string },
  mode: number | undefined,
): boolean {
  if (old?.state.kind !== "file" || (mode !== undefined && mode !== old.state.mode)) return false;
  return old.state.sha256 === (Buffer.isBuffer(content) ? hash("sha256", content, "hex") : content.sha256);
}

function checkBasis(old: Look | undefined, basis: Basis, path: string): void {
  // A directory's version changes with its entries. A replaced one must be empty anyway.
  if (typeof basis === "string" && old?.state.kind === "directory") return;
  const isExpected = typeof basis === "string" ? old?.version === basis : isSame(old?.state, basis);
  if (!isExpected) throw new Changed(path);
}

interface Plan extends PreparedPut {
  makeTemporary?(path: string): void;
}

function plan(put: Numbered, { old, moved }: Found, context: Preparation): Plan {
  const { path, from, after } = put;
  const record = recordOf(put);
  if (moved !== undefined && from !== undefined) {
    const before = old?.version === moved.version ? null : destroyed(old, context.log);
    return {
      put: { ...record, before, after: moved.state, isRename: true },
      expected: old?.version ?? null,
      expectedFrom: moved.version,
    };
  }
  if (after?.kind === "directory") {
    checkRemovable(existingAbove(path, context.made), context);
    const { mode, like } = after;
    const { uid, gid } = like === undefined ? after : attributesAt(like);
    return { put: { ...record, before: null, after: { kind: "directory", mode, uid, gid } }, expected: null };
  }
  if (isDirectory(put.basis) && after === null)
    return { put: { ...record, before: old?.state ?? null, after }, expected: null };
  if (after?.kind === "file") return planFile(put, after, old, context);
  const before = destroyed(old, context.log);
  const expected = old?.version ?? null;
  if (after?.kind !== "link") return { put: { ...record, before, after: null }, expected };
  const temporary = temporaryFor(path, context);
  const makeTemporary = (): void => {
    atEntry(temporary, (at) => fs.symlinkSync(after.target, at));
    context.sync({ directory: dirname(temporary) });
  };
  return { put: { ...record, before, after, temporary }, expected, makeTemporary };
}

function recordOf({ path, from, authors, isMerged }: Numbered): Omit<PutRecord, "before" | "after"> {
  return { type: "put", path, ...(from !== undefined && { from }), authors, ...(isMerged && { isMerged }) };
}

/** Bytes of a created file to keep. */
const MAX_CREATED = 2 ** 16;

function planFile(put: Numbered, wanted: Wanted & { kind: "file" }, old: Look | undefined, context: Preparation): Plan {
  const { path, from } = put;
  const { content, modified, like } = wanted;
  const before = destroyed(old, context.log);
  const bytes = Buffer.isBuffer(content) ? content : content.length > MAX_HELD ? undefined : readImage(content);
  const sha256 = Buffer.isBuffer(content) ? hash("sha256", content, "hex") : content.sha256;
  // Of a small file that an action creates, later runs can tell the user's lines from its own.
  const isKept = before?.kind === "file" || from !== undefined || (bytes === content && bytes.length <= MAX_CREATED);
  const after: FileState = {
    kind: "file",
    size: content.length,
    sha256,
    ...(isKept && bytes !== undefined && keepForMerge(bytes, sha256, context.log)),
  };
  const replaced = like === undefined || like === path ? old : lookOrThrow(like);
  const kept = wanted.mode === undefined && like === undefined ? undefined : keptOf(wanted, replaced);
  const temporary = temporaryFor(path, context);
  const makeTemporary = (): void => {
    const write = (file: number): void => {
      if (bytes !== undefined) fs.writeFileSync(file, bytes);
      else
        readImageInPieces(content as Exclude<typeof content, Buffer>, (piece) => void fs.appendFileSync(file, piece));
      if (modified !== undefined) fs.futimesSync(file, modified, modified);
    };
    const file = atEntry(temporary, (at) => createFile(at, modified === undefined ? (bytes ?? write) : write, kept));
    context.sync({ file, directory: dirname(temporary) });
  };
  return { put: { ...recordOf(put), before, after, temporary }, expected: old?.version ?? null, makeTemporary };
}

function attributesAt(directory: string): Attributes {
  const state = look(directory)?.state;
  return state?.kind === "directory" ? state : {};
}

/** Returns the state that a put destroys, and stores its pre-image in the log. */
function destroyed(look: Look | undefined, log: LogWriter): PutRecord["before"] {
  if (look === undefined) return null;
  const { state, bytes } = look;
  if (state.kind !== "file") return state;
  const image = look.image ?? log.keep(bytes ?? Buffer.alloc(0), state.sha256);
  return { ...state, image };
}

function keptOf(wanted: Attributes, old: Look | undefined): Kept | undefined {
  const replaced: Attributes = old?.state.kind === "file" ? old.state : {};
  const { uid, gid } = wanted.uid === undefined ? replaced : wanted;
  const mode = wanted.mode ?? replaced.mode;
  return mode === undefined ? undefined : { mode, uid, gid };
}

/** Returns a temporary path beside the target, or in the nearest existing directory above it. */
function temporaryFor(path: string, context: Preparation): string {
  const directory = existingAbove(path, context.made);
  checkRemovable(directory, context);
  return joinPath(directory, temporaryName());
}

function checkRemovable(directory: string, { checked }: Preparation): void {
  if (checked.has(directory)) return;
  refuseAppendOnly(directory);
  checked.add(directory);
}

/**
 * Throws EPERM if entries can be made in a directory but neither renamed nor removed (`chattr +a`): a temporary file
 * would stay, and nothing could be rolled back. Node cannot read the attribute, but the system lets nobody set the mode
 * of such a directory, not even to what it is. Anybody's but the owner's attempt says nothing.
 */
function refuseAppendOnly(directory: string): void {
  pins.inDirectory(directory, (at) => {
    const { mode, uid } = fs.statSync(at("."));
    // Setting a mode may clear these bits.
    if (uid !== process.geteuid?.() || (mode & SET_ID) !== 0) return;
    try {
      fs.chmodSync(at("."), mode & 0o7777);
    } catch (thrown) {
      if (isSystemError(thrown) && thrown.code === "EPERM") throw systemError("EPERM", "open", directory);
    }
  });
}

const SET_ID = 0o6000;

function existingAbove(path: string, made: ReadonlySet<string>): string {
  let directory = dirname(path);
  while (made.has(directory)) directory = dirname(directory);
  return directory;
}

/** Returns the nearest existing directory above a path. */
function nearestDirectoryAbove(path: string): string {
  const directory = dirname(path);
  return directory === path || look(directory)?.state.kind === "directory"
    ? directory
    : nearestDirectoryAbove(directory);
}
