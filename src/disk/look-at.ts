import { hash } from "node:crypto";
import * as fs from "node:fs";
import type { LogWriter } from "../journal/log-writer.ts";
import { readAll } from "./disk.ts";
import { keepWhole, MAX_HELD } from "./images.ts";
import type { ImagePlace, State } from "./operation.ts";
import { atEntry, openFile, type Pins, withFile } from "./pin.ts";
import { isSystemError, unlessSystemError } from "./system-error.ts";
import { versionOf } from "./version.ts";
import { Changed, type Version } from "./volume.ts";

export interface Look<Seen = State> {
  readonly state: Seen;
  readonly version: Version;
  /** Content of a file that is small enough to hold in memory. */
  readonly bytes?: Buffer;
  /** Where the log keeps the bytes of a file too large to hold. */
  readonly image?: ImagePlace;
}

/** Something else, or unreadable: Loaf never puts such a thing there. */
export interface Other {
  readonly kind: "other";
}

/**
 * Returns the state at a path, with a digest of a file's bytes. Undefined if nothing is there, or its directory is
 * missing. Throws `Changed` for anything but a file, link or directory, and a system error if it cannot be read.
 *
 * @param log receives the bytes of a file too large to hold
 */
export function lookAt(pins: Pins, path: string, log?: LogWriter): Look | undefined {
  return unlessSystemError(
    () => atEntry(pins, path, (entry) => look(entry, path, log)), undefined, NOT_THERE
  );
}

/** @param entry path of it through a pin */
function look(entry: string, path: string, log: LogWriter | undefined): Look | undefined {
  const stats = fs.lstatSync(entry, { throwIfNoEntry: false, bigint: true });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink())
    return { state: { kind: "link", target: fs.readlinkSync(entry) }, version: versionOf(stats) };
  if (stats.isDirectory())
    return { state: { kind: "directory", ...keptOf(stats), identity: identityOf(stats) }, version: versionOf(stats) };
  if (!stats.isFile()) throw new Changed(path);
  return lookInto(entry, path, log);
}

function lookInto(entry: string, path: string, log: LogWriter | undefined): Look {
  return withFile(openFile(entry), (file) => {
    const stats = fs.fstatSync(file, { bigint: true });
    if (!stats.isFile()) throw new Changed(path);
    const size = Number(stats.size);
    const { sha256, ...rest } = size > MAX_HELD ? keepWhole(file, size, log) : held(file, size);
    return { state: { kind: "file", ...keptOf(stats), size, sha256 }, version: versionOf(stats), ...rest };
  });
}

/**
 * Like `lookAt`, for a path that anybody may have changed since: reports other kinds and unreadable entries as `other`.
 */
export function lookAtIfThere(pins: Pins, path: string): Look<State | Other> | undefined {
  try {
    return lookAt(pins, path);
  } catch (thrown) {
    if (thrown instanceof Changed || (isSystemError(thrown) && SOMETHING_ELSE.includes(thrown.code)))
      return { state: { kind: "other" }, version: "other" };
    throw thrown;
  }
}

/** Returns whether a state matches the expected one, in the fields that the expected one sets. */
export function isState(found: State | Other | undefined, expected: State | null): boolean {
  if (found === undefined || expected === null) return found === undefined && expected === null;
  if (found.kind === "file" && expected.kind === "file")
    return found.sha256 === expected.sha256 && (expected.mode === undefined || found.mode === expected.mode);
  if (found.kind === "link" && expected.kind === "link") return found.target === expected.target;
  return found.kind === expected.kind;
}

/** Like `isState`, but a directory must be the same one, not any directory. */
export function isSameEntry(found: State | Other | undefined, expected: State | null): boolean {
  if (found?.kind === "directory" && expected?.kind === "directory") return found.identity === expected.identity;
  return isState(found, expected);
}

export function identityOf({ dev, ino }: fs.BigIntStats): string {
  return `${dev}:${ino}`;
}

const NOT_THERE = ["ENOENT", "ENOTDIR"];
/** A link on the path, or an entry that we may not read. */
const SOMETHING_ELSE = ["ESTALE", "ELOOP", "EACCES", "EPERM"];

function keptOf({ mode, uid, gid }: fs.BigIntStats): {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
} {
  return { mode: Number(mode) & 0o7777, uid: Number(uid), gid: Number(gid) };
}

function held(file: number, size: number): { readonly sha256: string; readonly bytes: Buffer } {
  const bytes = readAll(file, size);
  return { sha256: hash("sha256", bytes, "hex"), bytes };
}
