/**
 * Records a hook's changes as a completed group of the run's log, as if Loaf had made them. Undo, redo and other
 * readers of logs need no special case for hooks.
 */
import { hash } from "node:crypto";
import * as fs from "node:fs";
import { dirname } from "node:path";
import { choosePins } from "../disk/choose-pins.ts";
import { lookAtIfThere } from "../disk/look-at.ts";
import type { State } from "../disk/operation.ts";
import type { Pins } from "../disk/pin.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { versionOf } from "../disk/version.ts";
import type { Version } from "../disk/volume.ts";
import { isWithin, joinPath } from "../paths/path-segments.ts";
import type { IntentRecord } from "./log-record.ts";
import type { LogWriter } from "./log-writer.ts";

/** A path that may have changed. */
export interface Suspect {
  /** Canonical. */
  readonly path: string;
  /** Undefined if nothing was there. */
  readonly before: Snapshot | undefined;
}

export interface RecordOptions {
  readonly pins: Pins;
  readonly log: LogWriter;
  /** The project's root: only directories below it are considered. */
  readonly root: string;
  /** Start of the hook, by the clock of the file system, in nanoseconds. */
  readonly since: bigint;
}

/**
 * Records actual changes. Returns false if there are none. Skips what could not be restored. If it throws, the log is
 * unchanged.
 */
export async function recordHookChanges(suspects: readonly Suspect[], options: RecordOptions): Promise<boolean> {
  const { log } = options;
  const found = suspects.flatMap((suspect) => inspect(suspect, options.pins));
  if (found.length === 0) return false;
  const forget = log.mark();
  try {
    const intents = intentsOf(found, suspects, options);
    log.append({ type: "group", number: 0, isAtomic: false, continues: false, isRollback: false, isObserved: true });
    for (const { intent } of intents) log.append({ type: "intent", authors: [HOOK], ...intent });
    log.append({ type: "done", outcomes: intents.map(({ mode }) => (mode === undefined ? {} : { mode })) });
    await log.sync();
  } catch (thrown) {
    forget();
    throw thrown;
  }
  return true;
}

/** Author of these operations, in place of an action's position. */
const HOOK = 0;

interface ChangedPath extends Suspect {
  /** Undefined if neither a file nor a link is there now. */
  readonly after: (State & { readonly kind: "file" | "link" }) | undefined;
}

function inspect({ path, before }: Suspect, pins: Pins): ChangedPath[] {
  const found = lookAtIfThere(pins, path);
  const state = found?.state;
  if (state?.kind === "other") return [];
  const after = state === undefined || state.kind === "directory" ? undefined : state;
  return isSame(before, after) ? [] : [{ path, before, after }];
}

function isSame(before: Snapshot | undefined, after: ChangedPath["after"]): boolean {
  if (before === undefined || after === undefined) return before === undefined && after === undefined;
  if (before.kind === "link") return after.kind === "link" && after.target === before.target;
  return (
    after.kind === "file" &&
    after.sha256 === digestOf(before.bytes) &&
    (process.platform === "win32" || after.mode === before.mode)
  );
}

function digestOf(bytes: Buffer): string {
  return hash("sha256", bytes, "hex");
}

interface Done {
  readonly intent: Omit<IntentRecord, "type" | "authors">;
  /** Permission bits of the current file. */
  readonly mode?: number | undefined;
}

/** Returns intents in an order in which they could have been made: removals bottom-up, then creations top-down. */
function intentsOf(
  found: readonly ChangedPath[],
  suspects: readonly Suspect[],
  { pins, log, root, since }: RecordOptions,
): Done[] {
  const isDirectory = (path: string): boolean => lookAtIfThere(pins, path)?.state.kind === "directory";
  const gone = found.filter(({ after }) => after === undefined);
  const there = found.filter(({ after }) => after !== undefined);
  const existingDirectories = directoriesAbove(suspects.filter(({ before }) => before !== undefined), root);
  const removed = [...directoriesAbove(gone, root)].filter((path) => !isDirectory(path)).toSorted().toReversed();
  const inPlaceOfFiles = gone.map(({ path }) => path).filter(isDirectory);
  const created = new Set(there.filter(({ before }) => before === undefined).map(({ path }) => path));
  // A moved directory, like the files that moved with it, is older than the hook.
  const directoriesMovedWithFiles = directoriesAbove(
    [...created].flatMap((path) => (existedBefore(path, since) ? [{ path }] : [])),
    root,
  );
  const holdsOnlyNewFiles = (directory: string): boolean =>
    fs
      .readdirSync(directory)
      .map((name) => joinPath(directory, name))
      .every((path) => created.has(path) || (directoriesMovedWithFiles.has(path) && holdsOnlyNewFiles(path)));
  const createdDirectories = [...directoriesAbove(there, root)].filter(
    (path) =>
      !existingDirectories.has(path) &&
      (isBornSince(path, since) || (directoriesMovedWithFiles.has(path) && holdsOnlyNewFiles(path))),
  );
  return [
    ...gone.map(({ path, before }): Done => ({
      intent: { operation: { kind: "unlink", path }, before: stateOf(before, log) },
    })),
    ...removed.map((path): Done => ({
      intent: {
        operation: { kind: "removeDirectory", path },
        before: {
          kind: "directory",
          mode: 0o755,
          uid: process.getuid?.() ?? 0,
          gid: process.getgid?.() ?? 0,
          identity: "",
        },
      },
    })),
    ...[...new Set([...createdDirectories, ...inPlaceOfFiles])]
      .toSorted()
      .map((path): Done => ({ intent: { operation: { kind: "makeDirectory", path }, before: null } })),
    ...there.map(({ path, before, after }): Done => {
      const old = stateOf(before, log);
      if (after?.kind === "link")
        return { intent: { operation: { kind: "link", path, target: after.target }, before: old } };
      const { size = 0, sha256 = "", mode } = after?.kind === "file" ? after : {};
      return { intent: { operation: { kind: "write", path }, before: old, after: { size, sha256 } }, mode };
    }),
  ];
}

function directoriesAbove(all: ReadonlyArray<{ readonly path: string }>, root: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { path } of all)
    for (let at = dirname(path); at !== root && isWithin(at, root) && !found.has(at); at = dirname(at)) found.add(at);
  return found;
}

/** Stores a file's bytes in the log. */
function stateOf(before: Snapshot | undefined, log: LogWriter): State | null {
  if (before === undefined) return null;
  if (before.kind === "link") return before;
  const { bytes, mode } = before;
  const offset = log.image(bytes.length, (add) => add(bytes));
  return { kind: "file", size: bytes.length, sha256: digestOf(bytes), mode, image: { offset, length: bytes.length } };
}

/** A file or link, kept to restore it. */
export type Snapshot =
  | { readonly kind: "file"; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: "link"; readonly target: string };

/** Returns the version, undefined if there is no file or link. The size is in bytes. */
export function sizeAndVersion(path: string): { readonly size?: number; readonly version: Version | undefined } {
  const stats = statsIfThere(path);
  return stats === undefined || stats.isDirectory()
    ? { version: undefined }
    : { size: Number(stats.size), version: versionOf(stats) };
}

/** Returns undefined if there is no file or link, or the file is too large to hold. */
export function takeSnapshot(path: string): Snapshot | undefined {
  const found = lookAtIfThere(choosePins(), path);
  if (found?.state.kind === "link") return { kind: "link", target: found.state.target };
  if (found?.state.kind !== "file" || found.bytes === undefined) return undefined;
  return { kind: "file", bytes: found.bytes, mode: found.state.mode ?? 0o644 };
}

/** Takes over the permissions of the current file, unless they differ in being executable. Git records nothing else. */
export function withCurrentPermissions(path: string, before: Snapshot): Snapshot {
  const stats = statsIfThere(path);
  if (before.kind === "link" || stats?.isFile() !== true) return before;
  const mode = Number(stats.mode) & 0o7777;
  return (mode & 0o100) === (before.mode & 0o100) ? { ...before, mode } : before;
}

/** Returns undefined also if a parent is not a directory. */
function statsIfThere(path: string): fs.BigIntStats | undefined {
  return unlessSystemError(() => fs.lstatSync(path, { bigint: true, throwIfNoEntry: false }), undefined, ["ENOTDIR"]);
}

/** The overlay file system of containers copies a file on its first change, which gives it a new birth time. */
const OVERLAY = 0x794c7630;

/**
 * Returns whether the entry at a path was created at or after a time. False where the file system has no birth times.
 *
 * @param time by the clock of the file system, in nanoseconds
 */
function isBornSince(path: string, time: bigint): boolean {
  const born = bornAt(path);
  return born !== undefined && born >= time;
}

/** Returns whether the entry certainly existed before a time. False where the file system has no birth times. */
export function existedBefore(path: string, time: bigint): boolean {
  const born = bornAt(path);
  return born !== undefined && born < time;
}

function bornAt(path: string): bigint | undefined {
  const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  // Of its directory, because a link may lead elsewhere, or nowhere.
  return stats === undefined || stats.birthtimeNs === 0n || fs.statfsSync(dirname(path)).type === OVERLAY
    ? undefined
    : stats.birthtimeNs;
}
