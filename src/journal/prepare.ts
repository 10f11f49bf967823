import { hash } from "node:crypto";
import * as fs from "node:fs";
import { dirname } from "node:path";
import { type FileState, isSame, type Owner } from "../core/change-set.ts";
import { refuseAppendOnly } from "../disk/append-only.ts";
import { keepForMerge, MAX_HELD, readImage, readImageInPieces } from "../disk/images.ts";
import { type Look, lookOrThrow, look } from "../disk/look.ts";
import type { Basis, Planned, Wanted } from "../disk/planned.ts";
import { atEntry, mountOf, type Pins } from "../disk/pin.ts";
import { createFile, type Kept, temporaryName } from "../disk/place-file.ts";
import { systemError, unlessSystemError } from "../disk/system-error.ts";
import { Changed } from "../disk/volume.ts";
import { joinPath } from "../paths/path-segments.ts";
import { type Entry, pathsOf } from "./attempts.ts";
import { isDirectory, isTurning, modeAndOwnerOf, type Numbered } from "./change-set.ts";
import type { PutRecord } from "./log-record.ts";
import type { LogWriter } from "./log-writer.ts";
import type { Step } from "./put.ts";

/** Returns a plan that a rename of each path can carry out. */
export function practicable(planned: readonly Planned[], pins: Pins, isReversal: boolean): Planned[] {
  const states = new Map(
    planned.filter(isTurning).map(({ path }) => [path, isReversal ? look(pins, path)?.state : undefined] as const),
  );
  const mounts = new Map<string, string | undefined>();
  const across = planned.filter(
    ({ path, after }) => after?.kind === "moved" && isAcross(after.origin, path, pins, mounts),
  );
  const copies = new Map(across.map(({ after, authors }) => [after?.kind === "moved" ? after.origin : "", authors]));
  return planned.map((one): Planned => {
    const { path, after } = one;
    const authors = copies.get(path);
    if (authors !== undefined) return { ...one, authors };
    if (after?.kind === "moved") return copies.has(after.origin) ? copied(one, after.origin, pins) : one;
    const state = states.get(path);
    if (state !== undefined && state.kind === after?.kind) return { ...one, basis: state };
    return after?.kind === "file" ? { ...one, after: held(after, path, states, pins) } : one;
  });
}

/** Reads what would be gone once its path changes between a directory and something else. */
function held(
  { like, ...file }: Wanted & { kind: "file" },
  path: string,
  turning: ReadonlyMap<string, unknown>,
  pins: Pins,
): Wanted {
  const { content } = file;
  const isCopy =
    !Buffer.isBuffer(content) && content.length <= MAX_HELD && (turning.has(content.log) || turning.has(path));
  const bytes = isCopy ? unlessSystemError(() => readImage(content), content) : content;
  const isLikeGone = like !== undefined && turning.has(like);
  const source = isLikeGone ? look(pins, like)?.state : undefined;
  const kept = source?.kind === "file" ? modeAndOwnerOf(source) : like !== undefined && !isLikeGone && { like };
  return { ...kept, ...file, content: bytes };
}

/** A move to another file system is a copy and a removal, with the same authors: both are made, or neither. */
function copied(one: Planned, origin: string, pins: Pins): Planned {
  const { state, bytes } = look(pins, origin) ?? {};
  if (state?.kind === "link" && !state.target.includes("\ufffd")) return { ...one, after: state };
  if (state?.kind !== "file") return one;
  const modified = atEntry(pins, origin, (at) => fs.lstatSync(at).mtimeMs / 1000);
  const content = bytes ?? { log: origin, offset: 0, length: state.size, sha256: state.sha256 };
  return { ...one, after: { kind: "file", content, modified, ...modeAndOwnerOf(state) } };
}

/** @param mounts known ones of directories */
function isAcross(from: string, to: string, pins: Pins, mounts: Map<string, string | undefined>): boolean {
  const [source, target] = [from, to].map((path) => {
    const directory = dirname(path);
    if (!mounts.has(directory))
      mounts.set(
        directory,
        unlessSystemError(() => mountOf(pins, nearestDirectoryAbove(path, pins)), undefined),
      );
    return mounts.get(directory);
  });
  return source !== target;
}

export interface Preparation {
  readonly pins: Pins;
  readonly log: LogWriter;
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
export function prepare(entry: Entry, preparation: Preparation): Step | undefined {
  const { log, pins } = preparation;
  const { isRepeatable } = entry;
  const context = { ...preparation, isRepeatable };
  const forget = log.mark();
  return log.attempt(() => {
    const plan = planFor(entry, context);
    if (plan === "done") {
      forget();
      // Another program may have made it without syncing it.
      if (isRepeatable)
        for (const path of pathsOf(entry.put)) context.sync({ directory: nearestDirectoryAbove(path, pins) });
      return undefined;
    }
    const { makeTemporary, ...step } = plan;
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

interface PlanContext extends Preparation {
  readonly isRepeatable: boolean;
}

interface Plan extends Step {
  makeTemporary?(path: string): void;
}

function planFor({ put, source }: Entry, context: PlanContext): Plan | "done" {
  const { after } = put;
  if (source !== undefined) return planRename(put, source, context);
  switch (after?.kind) {
    case "file":
      return planFile(put, after, context);
    case "link":
      return planLink(put, after.target, context);
    case "directory":
      return planDirectory(put, after, context);
    default:
      return isDirectory(put.basis) ? planDirectoryRemoval(put, context) : planRemoval(put, context);
  }
}

function recordOf(
  { path, from, authors, isMerged }: Numbered,
  states: Pick<PutRecord, "before" | "after" | "temporary">,
): PutRecord {
  return { type: "put", path, ...(from !== undefined && { from }), authors, ...(isMerged && { isMerged }), ...states };
}

function planFile(put: Numbered, wanted: Wanted & { kind: "file" }, context: PlanContext): Plan | "done" {
  const { path, basis } = put;
  const { content, mode, owner, modified, like } = wanted;
  const old = lookAtBasis(context, path, basis, (found) => isContent(found, content, mode));
  if (old === "done") return "done";
  if (old?.state.kind === "directory") throw systemError("EISDIR", "open", path);
  const bytes = Buffer.isBuffer(content) ? content : content.length > MAX_HELD ? undefined : readImage(content);
  const sha256 = Buffer.isBuffer(content) ? hash("sha256", content, "hex") : content.sha256;
  const before = destroyed(old, context.log);
  const isMergeable = (before?.kind === "file" || put.from !== undefined) && bytes !== undefined;
  const after: FileState = {
    kind: "file",
    size: content.length,
    sha256,
    ...(isMergeable && keepForMerge(bytes, sha256, context.log)),
  };
  const replaced = like === undefined || like === path ? old : lookOrThrow(context.pins, like);
  const kept = mode === undefined && like === undefined ? undefined : keptOf(mode, owner, replaced);
  const temporary = temporaryFor(path, context);
  const makeTemporary = (): void => {
    const write = (file: number): void => {
      if (bytes !== undefined) fs.writeFileSync(file, bytes);
      else
        readImageInPieces(content as Exclude<typeof content, Buffer>, (piece) => void fs.appendFileSync(file, piece));
      if (modified !== undefined) fs.futimesSync(file, modified, modified);
    };
    const file = atEntry(context.pins, temporary, (at) =>
      createFile(at, modified === undefined ? (bytes ?? write) : write, kept),
    );
    context.sync({ file, directory: dirname(temporary) });
  };
  return { put: recordOf(put, { before, after, temporary }), expected: old?.version ?? null, makeTemporary };
}

function planLink(put: Numbered, target: string, context: PlanContext): Plan | "done" {
  const after = { kind: "link", target } as const;
  const old = lookAtBasis(context, put.path, put.basis, (found) => isSame(found?.state, after));
  if (old === "done") return "done";
  const temporary = temporaryFor(put.path, context);
  const makeTemporary = (): void => {
    atEntry(context.pins, temporary, (at) => fs.symlinkSync(target, at));
    context.sync({ directory: dirname(temporary) });
  };
  const before = destroyed(old, context.log);
  return { put: recordOf(put, { before, after, temporary }), expected: old?.version ?? null, makeTemporary };
}

function planRemoval(put: Numbered, context: PlanContext): Plan | "done" {
  const { path, basis } = put;
  const old = lookAtBasis(context, path, basis, (found) => found === undefined);
  if (old === "done") return "done";
  if (old === undefined) throw systemError("ENOENT", "unlink", path);
  if (old.state.kind === "directory") throw systemError("EISDIR", "unlink", path);
  return { put: recordOf(put, { before: destroyed(old, context.log), after: null }), expected: old.version };
}

function planRename(put: Numbered, source: Numbered, context: PlanContext): Plan | "done" {
  const { path: from, basis } = source;
  const moved = lookOrThrow(context.pins, from);
  const isThere =
    context.isRepeatable &&
    typeof basis === "object" &&
    moved === undefined &&
    isSame(lookOrThrow(context.pins, put.path)?.state, basis);
  if (isThere) return "done";
  if (moved === undefined || moved.state.kind === "directory") throw new Changed(from);
  checkBasis(moved, basis, from);
  const target = lookAtBasis(context, put.path, put.basis, () => false) as Look | undefined;
  const isItself = target !== undefined && target.version === moved.version;
  const states = { before: isItself ? null : destroyed(target, context.log), after: moved.state };
  return {
    put: { ...recordOf(put, states), from, isRename: true },
    expected: target?.version ?? null,
    expectedFrom: moved.version,
  };
}

function planDirectory(put: Numbered, wanted: Wanted & { kind: "directory" }, context: PlanContext): Plan | "done" {
  const { path } = put;
  const isBelowMade = context.made.has(dirname(path));
  const old = isBelowMade ? undefined : lookOrThrow(context.pins, path);
  // Somebody else made the directory first. It is theirs to keep.
  if (old?.state.kind === "directory") return "done";
  if (old !== undefined) throw new Changed(path);
  checkRemovable(existingAbove(path, context.made), context);
  const { mode, owner = ownerOf(wanted.like, context) } = wanted;
  const after = { kind: "directory", ...(mode !== undefined && { mode }), ...owner } as const;
  return { put: recordOf(put, { before: null, after }), expected: null };
}

function ownerOf(like: string | undefined, { pins }: PlanContext): Owner | undefined {
  const state = like === undefined ? undefined : look(pins, like)?.state;
  return state?.kind === "directory" && state.uid !== undefined && state.gid !== undefined
    ? { uid: state.uid, gid: state.gid }
    : undefined;
}

function planDirectoryRemoval(put: Numbered, { pins, isRepeatable }: PlanContext): Plan | "done" {
  const old = lookOrThrow(pins, put.path);
  if (old === undefined && isRepeatable) return "done";
  if (old?.state.kind !== "directory") throw new Changed(put.path);
  return { put: recordOf(put, { before: old.state, after: null }), expected: null };
}

/** Returns the state that a put destroys, and stores its pre-image in the log. */
function destroyed(look: Look | undefined, log: LogWriter): PutRecord["before"] {
  if (look === undefined) return null;
  const { state, bytes } = look;
  if (state.kind !== "file") return state;
  const image = look.image ?? log.keep(bytes ?? Buffer.alloc(0), state.sha256);
  return { ...state, image };
}

/** Returns the state at a path. Throws `Changed` if it differs from the basis of the change. */
function lookAtBasis(
  context: PlanContext,
  path: string,
  basis: Basis,
  isAlreadyDone: (found: Look | undefined) => boolean,
): Look | undefined | "done" {
  const found = context.made.has(dirname(path)) ? undefined : lookOrThrow(context.pins, path, context.log);
  if (context.isRepeatable && isAlreadyDone(found)) return "done";
  checkBasis(found, basis, path);
  return found;
}

function checkBasis(found: Look | undefined, basis: Basis, path: string): void {
  // A directory's version changes with its entries. A replaced one must be empty anyway.
  if (typeof basis === "string" && found?.state.kind === "directory") return;
  const isExpected = typeof basis === "string" ? found?.version === basis : isSame(found?.state, basis);
  if (!isExpected) throw new Changed(path);
}

function keptOf(mode: number | undefined, owner: Owner | undefined, old: Look | undefined): Kept | undefined {
  const replaced = old?.state.kind === "file" ? old.state : undefined;
  const wanted = mode ?? replaced?.mode;
  if (wanted === undefined) return undefined;
  const { uid, gid } = owner ?? replaced ?? {};
  return { mode: wanted, ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
}

function isContent(
  found: Look | undefined,
  content: Buffer | { readonly sha256: string },
  mode: number | undefined,
): boolean {
  if (found?.state.kind !== "file" || (mode !== undefined && mode !== found.state.mode)) return false;
  return found.state.sha256 === (Buffer.isBuffer(content) ? hash("sha256", content, "hex") : content.sha256);
}

/** Returns a temporary path beside the target, or in the nearest existing directory above it. */
function temporaryFor(path: string, context: PlanContext): string {
  const directory = existingAbove(path, context.made);
  checkRemovable(directory, context);
  return joinPath(directory, temporaryName());
}

function checkRemovable(directory: string, { pins, checked }: PlanContext): void {
  if (checked.has(directory)) return;
  refuseAppendOnly(pins, directory);
  checked.add(directory);
}

function existingAbove(path: string, made: ReadonlySet<string>): string {
  let directory = dirname(path);
  while (made.has(directory)) directory = dirname(directory);
  return directory;
}

/** Returns the nearest existing directory above a path. */
function nearestDirectoryAbove(path: string, pins: Pins): string {
  const directory = dirname(path);
  return directory === path || look(pins, directory)?.state.kind === "directory"
    ? directory
    : nearestDirectoryAbove(directory, pins);
}
