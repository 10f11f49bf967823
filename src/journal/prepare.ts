import { hash } from "node:crypto";
import * as fs from "node:fs";
import { dirname } from "node:path";
import { type FileBytes, isSame, type Owner } from "../core/change-set.ts";
import { refuseAppendOnly } from "../disk/append-only.ts";
import { copyEntry } from "../disk/copy-entry.ts";
import { keepForMerge, MAX_HELD, readImage, readImageInPieces } from "../disk/images.ts";
import { type Look, lookOrThrow, look } from "../disk/look.ts";
import { type Basis, type Operation, pathsOf, type Staged } from "../disk/operation.ts";
import { atEntry, type Pins } from "../disk/pin.ts";
import { createFile, type Kept } from "../disk/place-file.ts";
import { systemError } from "../disk/system-error.ts";
import { Changed, type Version } from "../disk/volume.ts";
import type { PathMap } from "../paths/path-map.ts";
import { joinPath } from "../paths/path-segments.ts";
import type { SharedNames } from "./attempts.ts";
import type { IntentRecord, LoggedOperation } from "./log-record.ts";
import type { LogWriter } from "./log-writer.ts";

/** An operation that is ready to be made. */
export interface Step {
  readonly intent: IntentRecord;
  /** Expected version at its path, or at the target of a rename. Null if nothing may be there. */
  readonly expected: Version | null;
  /** Expected version of what a rename moves. */
  readonly expectedFrom?: Version;
}

export interface Preparation {
  readonly pins: Pins;
  readonly log: LogWriter;
  /** Versions that this commit has written, null for removed paths. They are not known elsewhere. */
  readonly versions: PathMap<Version | null>;
  /** Files of which earlier groups changed one of several names. */
  readonly names: SharedNames;
  /** Directories that this group will make. They do not exist yet. */
  readonly made: ReadonlySet<string>;
  /** Directories that are known to let entries be removed again. */
  readonly checked: Set<string>;
  temporaryName(): string;
  /** Registers what must be on the disk before the first operation is made. */
  sync(wait: { readonly file?: number; readonly tree?: string; readonly directory: string }): void;
}

/**
 * Logs an operation with its pre-image and creates its temporary file. Returns undefined if there is nothing to do.
 * Throws a system error, or `Changed` if the path differs from the operation's basis.
 *
 * @param crossesDevices whether a rename must copy because it crosses file systems
 */
export function prepare(
  { operation, authors, isRepeatable = false, isMerged }: Staged,
  preparation: Preparation,
  crossesDevices = false,
): Step | undefined {
  const context = { ...preparation, isRepeatable };
  const forget = context.log.mark();
  return context.log.attempt(() => {
    const { logged, ...step } = planFor(operation, context, crossesDevices);
    if (step.isDone === true) {
      forget();
      // Another program may have made it without syncing it.
      if (isRepeatable)
        for (const path of pathsOf(operation)) context.sync({ directory: nearestDirectoryAbove(path, context.pins) });
      return undefined;
    }
    const intent: IntentRecord = {
      type: "intent",
      operation: logged,
      authors,
      ...(isMerged && { isMerged }),
      ...step.intent,
    };
    context.log.append(intent);
    // The name must be in the log before the file exists, so that recovery can remove it.
    if (intent.temporary !== undefined) context.log.flush();
    step.makeTemporary?.(intent.temporary as string);
    return {
      intent,
      expected: step.expected ?? null,
      ...(step.expectedFrom !== undefined && { expectedFrom: step.expectedFrom }),
    };
  });
}

interface PlanContext extends Preparation {
  readonly isRepeatable: boolean;
}

interface Plan {
  readonly logged: LoggedOperation;
  readonly intent: Pick<IntentRecord, "before" | "moved" | "after" | "temporary" | "aside">;
  readonly expected?: Version | null;
  readonly expectedFrom?: Version;
  readonly isDone?: boolean;
  makeTemporary?(path: string): void;
}

function planFor(operation: Operation, context: PlanContext, isAcross: boolean): Plan {
  switch (operation.kind) {
    case "write":
      return planWrite(operation, context);
    case "link":
      return planLink(operation, context);
    case "unlink":
      return planUnlink(operation, context);
    case "rename":
      return planRename(operation, context, isAcross);
    case "makeDirectory":
      return planMakeDirectory(operation, context);
    case "removeDirectory":
      return planRemoveDirectory(operation, context);
  }
}

function planWrite(operation: Operation & { kind: "write" }, context: PlanContext): Plan {
  const { path, content, mode, owner, modified, basis, source, like } = operation;
  const logged = { kind: "write", path, ...(source !== undefined && { source }) } as const;
  const old = lookAtBasis(context, path, basis, (found) => isContent(found, content, mode));
  if (old === "done") return { logged, intent: { before: null }, isDone: true };
  if (old?.state.kind === "directory") throw systemError("EISDIR", "open", path);
  const bytes = Buffer.isBuffer(content) ? content : content.length > MAX_HELD ? undefined : readImage(content);
  const becomes: FileBytes = {
    size: content.length,
    sha256: Buffer.isBuffer(content) ? hash("sha256", content, "hex") : content.sha256,
  };
  const before = destroyed(old, context.log);
  const after =
    (before?.kind === "file" || source !== undefined) && bytes !== undefined
      ? { ...becomes, ...keepForMerge(bytes, becomes.sha256, context.log) }
      : becomes;
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
  return { logged, intent: { before, after, temporary }, expected: old?.version ?? null, makeTemporary };
}

function planLink({ path, target, basis }: Operation & { kind: "link" }, context: PlanContext): Plan {
  const logged = { kind: "link", path, target } as const;
  const old = lookAtBasis(context, path, basis, (found) => isSame(found?.state, { kind: "link", target }));
  if (old === "done") return { logged, intent: { before: null }, isDone: true };
  const temporary = temporaryFor(path, context);
  const makeTemporary = (): void => {
    atEntry(context.pins, temporary, (at) => fs.symlinkSync(target, at));
    context.sync({ directory: dirname(temporary) });
  };
  return {
    logged,
    intent: { before: destroyed(old, context.log), temporary },
    expected: old?.version ?? null,
    makeTemporary,
  };
}

function planUnlink({ path, basis }: Operation & { kind: "unlink" }, context: PlanContext): Plan {
  const logged = { kind: "unlink", path } as const;
  const old = lookAtBasis(context, path, basis, (found) => found === undefined);
  if (old === "done") return { logged, intent: { before: null }, isDone: true };
  if (old === undefined) throw systemError("ENOENT", "unlink", path);
  if (old.state.kind === "directory") throw systemError("EISDIR", "unlink", path);
  return { logged, intent: { before: destroyed(old, context.log) }, expected: old.version };
}

function planRename(operation: Operation & { kind: "rename" }, context: PlanContext, isAcross: boolean): Plan {
  const { from, to, basis, replaced } = operation;
  const logged = { kind: "rename", from, to } as const;
  const { pins } = context;
  const source = lookOrThrow(pins, from);
  const isThere =
    context.isRepeatable &&
    typeof basis === "object" &&
    source === undefined &&
    isSame(lookOrThrow(pins, to)?.state, basis);
  if (isThere) return { logged, intent: { before: null }, isDone: true };
  if (source === undefined || source.state.kind === "directory") throw new Changed(from);
  checkBasis(source, basis, from, context);
  const target = lookAtBasis(context, to, replaced, () => false) as Look | undefined;
  const isItself = target !== undefined && target.version === source.version;
  const before = isItself ? null : destroyed(target, context.log);
  const plan = { logged, expected: target?.version ?? null, expectedFrom: source.version };
  if (!isAcross && deviceOf(source.version) === deviceAt(to, context))
    return { ...plan, intent: { before, moved: source.state } };
  const temporary = temporaryFor(to, context);
  const makeTemporary = (): void => {
    copyEntry(pins, from, temporary);
    context.sync({ tree: temporary, directory: dirname(temporary) });
  };
  const intent = {
    before,
    moved: source.state,
    temporary,
    aside: joinPath(dirname(from), context.temporaryName()),
  };
  return { ...plan, intent, makeTemporary };
}

function planMakeDirectory(operation: Operation & { kind: "makeDirectory" }, context: PlanContext): Plan {
  const { path, mode, source, owner = ownerOf(operation.like, context) } = operation;
  const logged = {
    kind: "makeDirectory",
    path,
    ...(mode !== undefined && { mode }),
    ...(owner !== undefined && { owner }),
    ...(source !== undefined && { source }),
  } as const;
  const isBelowMade = context.made.has(dirname(path));
  const old = isBelowMade ? undefined : lookOrThrow(context.pins, path);
  // Somebody else made the directory first. It is theirs to keep.
  if (old?.state.kind === "directory") return { logged, intent: { before: null }, isDone: true };
  if (old !== undefined) throw new Changed(path);
  checkRemovable(existingAbove(path, context.made), context);
  return { logged, intent: { before: null } };
}

function ownerOf(like: string | undefined, { pins }: PlanContext): Owner | undefined {
  const state = like === undefined ? undefined : look(pins, like)?.state;
  return state?.kind === "directory" && state.uid !== undefined && state.gid !== undefined
    ? { uid: state.uid, gid: state.gid }
    : undefined;
}

function planRemoveDirectory({ path }: Operation & { kind: "removeDirectory" }, context: PlanContext): Plan {
  const logged = { kind: "removeDirectory", path } as const;
  const old = lookOrThrow(context.pins, path);
  if (old === undefined && context.isRepeatable) return { logged, intent: { before: null }, isDone: true };
  if (old?.state.kind !== "directory") throw new Changed(path);
  return { logged, intent: { before: old.state } };
}

/** Returns the state that an operation destroys, and stores its pre-image in the log. */
function destroyed(look: Look | undefined, log: LogWriter): IntentRecord["before"] {
  if (look === undefined) return null;
  const { state, bytes } = look;
  if (state.kind !== "file") return state;
  const image = look.image ?? log.keep(bytes ?? Buffer.alloc(0), state.sha256);
  return { ...state, image };
}

/** Returns the state at a path. Throws `Changed` if it differs from the operation's basis. */
function lookAtBasis(
  context: PlanContext,
  path: string,
  basis: Basis,
  isAlreadyDone: (found: Look | undefined) => boolean,
): Look | undefined | "done" {
  const found = context.made.has(dirname(path)) ? undefined : lookOrThrow(context.pins, path, context.log);
  if (context.isRepeatable && isAlreadyDone(found)) return "done";
  checkBasis(found, basis, path, context);
  return found;
}

function checkBasis(found: Look | undefined, basis: Basis, path: string, { versions, names }: PlanContext): void {
  // A directory's version changes with its entries. A replaced one must be empty anyway.
  if (typeof basis === "string" && found?.state.kind === "directory") return;
  const own = versions.get(path);
  const expected = own !== undefined && (typeof basis === "string" || basis === null) ? own : basis;
  const isExpected =
    typeof expected === "string"
      ? found !== undefined && (found.version === expected || names.isOwnChange(expected, found.version))
      : isSame(found?.state, expected);
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
  return joinPath(directory, context.temporaryName());
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

function deviceOf(version: Version): string | undefined {
  return version.split(":")[0];
}

function deviceAt(to: string, { pins, made }: PlanContext): string {
  return pins.inDirectory(existingAbove(to, made), (at) => fs.lstatSync(at("."), { bigint: true }).dev.toString());
}
