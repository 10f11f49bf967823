/** What is at a path. */
import { hash } from "node:crypto";
import * as fs from "node:fs";
import type { Attributes, ImagePlace, Other, State } from "../core/change-set.ts";
import { atEntry, openFile, withFile } from "./choose-pins.ts";
import { entryAt, readAll } from "./disk.ts";
import { type ImageStore, keepWhole, MAX_HELD } from "./images.ts";
import { isSystemError, unlessSystemError } from "./system-error.ts";
import { Changed, type Version, type VersionedEntry, versionOf, type Volume } from "./volume.ts";

export interface Look<Seen = State> {
  readonly state: Seen;
  readonly version: Version;
  /** Content of a file that is small enough to hold in memory. */
  readonly bytes?: Buffer;
  /** Where the log keeps the bytes of a file too large to hold. */
  readonly image?: ImagePlace;
}

/**
 * Returns the state at a path, with a digest of a file's bytes. Undefined if nothing is there, or its directory is
 * missing. Throws `Changed` for anything but a file, link or directory, and a system error if it cannot be read.
 *
 * @param log receives the bytes of a file too large to hold
 */
export function lookOrThrow(path: string, log?: ImageStore): Look | undefined {
  return unlessSystemError(() => atEntry(path, (entry) => lookAt(entry, path, log)), undefined, NOT_THERE);
}

/**
 * Like `lookOrThrow`, inside a pin.
 *
 * @param entry the path, through that
 */
export function lookAt(entry: string, path: string, log?: ImageStore): Look | undefined {
  const stats = fs.lstatSync(entry, { throwIfNoEntry: false, bigint: true });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink())
    return { state: { kind: "link", target: fs.readlinkSync(entry) }, version: versionOf(stats) };
  if (stats.isDirectory()) return { state: { kind: "directory", ...keptOf(stats) }, version: versionOf(stats) };
  if (!stats.isFile()) throw new Changed(path);
  return lookInto(entry, path, log);
}

function lookInto(entry: string, path: string, log: ImageStore | undefined): Look {
  return withFile(openFile(entry), (file) => {
    const stats = fs.fstatSync(file, { bigint: true });
    if (!stats.isFile()) throw new Changed(path);
    const size = Number(stats.size);
    const { sha256, ...facts } = size > MAX_HELD ? keepWhole(file, size, log) : held(file, size);
    return { state: { kind: "file", ...keptOf(stats), size, sha256 }, version: versionOf(stats), ...facts };
  });
}

/**
 * Like `lookOrThrow`, for a path that anybody may have changed since: reports other kinds and unreadable entries as `other`.
 */
export function look(path: string): Look<State | Other> | undefined {
  try {
    return lookOrThrow(path);
  } catch (thrown) {
    if (thrown instanceof Changed || (isSystemError(thrown) && SOMETHING_ELSE.includes(thrown.code)))
      return { state: { kind: "other" }, version: "other" };
    throw thrown;
  }
}

/** Returns the entry at a path, without reading it. Undefined also if a parent is a file. */
export function entryIfThere(
  path: string,
  volume: Pick<Volume, "entry"> = { entry: entryAt },
): VersionedEntry | undefined {
  return unlessSystemError(() => volume.entry(path), undefined, ["ENOTDIR"]);
}

const NOT_THERE = ["ENOENT", "ENOTDIR"];
/** A link on the path, or an entry that we may not read. */
const SOMETHING_ELSE = ["ESTALE", "ELOOP", "EACCES", "EPERM"];

function keptOf({ mode, uid, gid }: fs.BigIntStats): Required<Attributes> {
  return { mode: Number(mode) & 0o7777, uid: Number(uid), gid: Number(gid) };
}

function held(file: number, size: number): { readonly sha256: string; readonly bytes: Buffer } {
  const bytes = readAll(file, size);
  return { sha256: hash("sha256", bytes, "hex"), bytes };
}
