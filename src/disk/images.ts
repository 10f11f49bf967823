/** Pre-images: the bytes that a change destroys, kept in the run's log. */
import * as fs from "node:fs";
import { createHash, hash } from "node:crypto";
import type { LogWriter } from "../journal/log-writer.ts";
import type { Image, ImagePlace } from "./operation.ts";
import { readAll } from "./read-all.ts";
import { systemError } from "./system-error.ts";

/** Files above this size are copied in pieces and never held in memory. */
export const MAX_HELD = 64 * 2 ** 20;

/** A file compared with other bytes: the length of their common prefix, and the rest of the file. */
export interface Remainder {
  readonly prefix: number;
  readonly rest: Buffer;
}

export function remainderOf(old: Buffer, other: Buffer): Remainder {
  const prefix = commonPrefix(old, other);
  return { prefix, rest: old.subarray(prefix) };
}

/** Stores the part of a file that its replacement does not share, as a common prefix or suffix. */
export function keepDifference(log: LogWriter, { prefix, rest }: Remainder, replacing: Buffer): ImagePlace {
  const suffix = commonSuffix(rest, replacing.subarray(prefix));
  const middle = rest.subarray(0, rest.length - suffix);
  const offset = log.image(middle.length, (add) => add(middle));
  return { offset, length: middle.length, prefix, suffix };
}

/** Stores a file's new content, for a three-way merge on undo. Binary files are never merged. */
export function keepForMerge(bytes: Buffer, log: LogWriter): { readonly image?: ImagePlace } {
  if (bytes.includes(0)) return {};
  return { image: { offset: log.image(bytes.length, (add) => add(bytes)), length: bytes.length } };
}

/** Compares a file with other bytes and returns both digests. Reads the common prefix in pieces, digests it once and does not keep it. */
export function readBeside(file: number, size: number, other: Buffer): Remainder & { readonly sha256: string; readonly otherSha256: string } {
  if (size < MIN_SHARED) {
    const bytes = readAll(file, size);
    return { sha256: hash("sha256", bytes, "hex"), otherSha256: hash("sha256", other, "hex"), ...remainderOf(bytes, other) };
  }
  const shared = createHash("sha256");
  const piece = Buffer.allocUnsafe(Math.min(SHORT_PIECE, size));
  let prefix = 0;
  for (let isSame = true; isSame && prefix < size; ) {
    const read = fs.readSync(file, piece, 0, Math.min(piece.length, size - prefix), prefix);
    const same = commonPrefix(piece.subarray(0, read), other.subarray(prefix));
    shared.update(piece.subarray(0, same));
    prefix += same;
    isSame = same === read && read > 0;
  }
  const rest = readAll(file, size - prefix, prefix);
  const sha256 = shared.copy().update(rest).digest("hex");
  return { sha256, otherSha256: shared.update(other.subarray(prefix)).digest("hex"), prefix, rest };
}

/** Reads a file in pieces and returns its digest. Stores the bytes if a log is given. */
export function keepWhole(file: number, size: number, log?: LogWriter): { readonly sha256: string; readonly image?: ImagePlace } {
  const sha256 = createHash("sha256");
  const read = (take: (piece: Buffer) => void): void =>
    forEachPiece(file, 0, size, (piece) => {
      sha256.update(piece);
      take(piece);
    });
  if (log === undefined) {
    read(() => {});
    return { sha256: sha256.digest("hex") };
  }
  const offset = log.image(size, read);
  return { sha256: sha256.digest("hex"), image: { offset, length: size } };
}

/** Error code of a damaged image. Unlike a read error, it will not go away. */
export const DAMAGED = "ENODATA";

/**
 * Returns the bytes of an image. Throws `DAMAGED` if they do not match their digest.
 *
 * @param replacing the bytes that replaced them, which may provide the image's prefix and suffix
 */
export function readImage({ log, offset, length, prefix = 0, suffix = 0, sha256 }: Image, replacing: Buffer = Buffer.alloc(0)): Buffer {
  const pieces: Buffer[] = [];
  withLog(log, (file) => forEachPiece(file, offset, length, (piece) => pieces.push(piece)));
  const bytes = Buffer.concat([replacing.subarray(0, prefix), ...pieces, replacing.subarray(replacing.length - suffix)]);
  if (hash("sha256", bytes, "hex") !== sha256) throw systemError(DAMAGED, "read", log);
  return bytes;
}

/** Like `readImage`, in pieces, for a large image without prefix and suffix. If it throws, the pieces are not the image. */
export function readImageInPieces({ log, offset, length, sha256 }: Image, take: (piece: Buffer) => void): void {
  const digest = createHash("sha256");
  withLog(log, (file) =>
    forEachPiece(file, offset, length, (piece) => {
      digest.update(piece);
      take(piece);
    }),
  );
  if (digest.digest("hex") !== sha256) throw systemError(DAMAGED, "read", log);
}

/** Returns the size of the file. */
export function sizeOf({ length, prefix = 0, suffix = 0 }: ImagePlace): number {
  return prefix + length + suffix;
}

function withLog(path: string, act: (file: number) => void): void {
  const file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  try {
    act(file);
  } finally {
    fs.closeSync(file);
  }
}

/** Stops early at the end of the file. */
function forEachPiece(file: number, start: number, length: number, take: (piece: Buffer) => void): void {
  for (let done = 0; done < length; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, length - done));
    const read = fs.readSync(file, piece, 0, piece.length, start + done);
    if (read === 0) return;
    take(piece.subarray(0, read));
    done += read;
  }
}

function commonPrefix(a: Buffer, b: Buffer): number {
  return commonLength(Math.min(a.length, b.length), (from, to) => a.compare(b, from, to, from, to) === 0);
}

function commonSuffix(a: Buffer, b: Buffer): number {
  return commonLength(Math.min(a.length, b.length), (from, to) => a.compare(b, b.length - to, b.length - from, a.length - to, a.length - from) === 0);
}

/** Returns how long two contents are equal, in decreasing steps. */
function commonLength(most: number, isSame: (from: number, to: number) => boolean): number {
  let same = 0;
  for (const step of STEPS) while (same + step <= most && isSame(same, same + step)) same += step;
  return same;
}

const STEPS = [4096, 64, 1];
/** Below this size, incremental digests are slower. */
const MIN_SHARED = 2 ** 16;
const PIECE = 2 ** 20;
/** Small enough to stay in the processor's cache until it is used again. */
const SHORT_PIECE = 2 ** 18;
