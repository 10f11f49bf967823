import * as fs from "node:fs";
import { hash } from "node:crypto";
import { basename, dirname } from "node:path";
import { keepWhole, MOST_HELD, readBeside, type Remainder } from "../disk/images.ts";
import type { LogWriter } from "./log-writer.ts";
import type { ImagePlace, State } from "../disk/operation.ts";
import type { Pins } from "../disk/pin.ts";
import { readAll } from "../disk/read-all.ts";
import { isSystemError } from "../disk/system-error.ts";
import { Changed, type Version } from "../disk/volume.ts";
import { versionOf } from "../disk/version.ts";

export interface Look<Seen = State> {
  readonly state: Seen;
  readonly version: Version;
  /** Of a file that is held in memory. */
  readonly bytes?: Buffer;
  /** In place of them where it is looked at beside other bytes, with the digest of those. */
  readonly beside?: Remainder & { readonly otherSha256: string };
  /** Where the bytes of one that is not are kept. */
  readonly image?: ImagePlace;
}

/** Something else, or what cannot be seen: nothing that Loaf has put there. */
export interface Other {
  readonly kind: "other";
}

/**
 * What stands at a path, with the digest of a file's bytes; undefined where nothing does, or there is not even a directory for it to be in. Throws `Changed`
 * where it is neither a file, a link nor a directory, as Loaf leaves none of those, and a system error where it cannot be read.
 *
 * @param log keeps the bytes of a file that is too large to be held
 * @param beside bytes to be digested with a file's that is held: mostly they are much the same
 */
export function lookAt(pins: Pins, path: string, log?: LogWriter, beside?: Buffer): Look | undefined {
  try {
    return pins.inDirectory(dirname(path), (at) => look(at(basename(path) || "."), path, { log, beside }));
  } catch (thrown) {
    if (isSystemError(thrown) && NOT_THERE.includes(thrown.code)) return undefined;
    throw thrown;
  }
}

/** @param entry the way to it, through a pin */
function look(entry: string, path: string, { log, beside }: { readonly log: LogWriter | undefined; readonly beside: Buffer | undefined }): Look | undefined {
  const stats = fs.lstatSync(entry, { throwIfNoEntry: false, bigint: true });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return { state: { kind: "link", target: fs.readlinkSync(entry) }, version: versionOf(stats) };
  if (stats.isDirectory()) return { state: { kind: "directory", ...keptOf(stats), identity: identityOf(stats) }, version: versionOf(stats) };
  if (!stats.isFile()) throw new Changed(path);
  return lookInto(entry, path, { log, beside });
}

function lookInto(entry: string, path: string, { log, beside }: { readonly log: LogWriter | undefined; readonly beside: Buffer | undefined }): Look {
  const file = fs.openSync(entry, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  try {
    const stats = fs.fstatSync(file, { bigint: true });
    if (!stats.isFile()) throw new Changed(path);
    const size = Number(stats.size);
    const { sha256, ...rest } = size > MOST_HELD ? keepWhole(file, size, log) : held(file, size, beside);
    return { state: { kind: "file", ...keptOf(stats), size, sha256 }, version: versionOf(stats), ...rest };
  } finally {
    fs.closeSync(file);
  }
}

/** The same, long after: there may be another thing by now, or one that cannot be seen. */
export function lookAtIfThere(pins: Pins, path: string): Look<State | Other> | undefined {
  try {
    return lookAt(pins, path);
  } catch (thrown) {
    if (thrown instanceof Changed || (isSystemError(thrown) && SOMETHING_ELSE.includes(thrown.code))) return { state: { kind: "other" }, version: "other" };
    throw thrown;
  }
}

/** Whether a state is the one that is expected, in so far as that says. */
export function isState(found: State | Other | undefined, expected: State | null): boolean {
  if (found === undefined || expected === null) return found === undefined && expected === null;
  if (found.kind === "file" && expected.kind === "file") return found.sha256 === expected.sha256 && (expected.mode === undefined || found.mode === expected.mode);
  if (found.kind === "link" && expected.kind === "link") return found.target === expected.target;
  return found.kind === expected.kind;
}

/** The same; of directories, which all are alike, only the very one is. */
export function isSameOne(found: State | Other | undefined, expected: State | null): boolean {
  if (found?.kind === "directory" && expected?.kind === "directory") return found.identity === expected.identity;
  return isState(found, expected);
}

export function identityOf({ dev, ino }: fs.BigIntStats): string {
  return `${dev}:${ino}`;
}

const NOT_THERE = ["ENOENT", "ENOTDIR"];
/** A link in the way, a file or directory that was closed to us. */
const SOMETHING_ELSE = ["ESTALE", "ELOOP", "EACCES", "EPERM"];

function keptOf({ mode, uid, gid }: fs.BigIntStats): { readonly mode: number; readonly uid: number; readonly gid: number } {
  return { mode: Number(mode) & 0o7777, uid: Number(uid), gid: Number(gid) };
}

function held(file: number, size: number, beside: Buffer | undefined): { readonly sha256: string } & Pick<Look, "bytes" | "beside"> {
  if (beside === undefined) {
    const bytes = readAll(file, size);
    return { sha256: hash("sha256", bytes, "hex"), bytes };
  }
  const { sha256, ...rest } = readBeside(file, size, beside);
  return { sha256, beside: rest };
}
