/** Pre-images: the bytes that a change destroys, kept in the run's log. */
import * as fs from "node:fs";
import { createHash, hash } from "node:crypto";
import type { ImagePlace } from "../core/change-set.ts";
import type { Image } from "./planned.ts";
import { openFile, withFile } from "./choose-pins.ts";
import { systemError } from "./system-error.ts";

/** Keeps pre-images, as a run's log does. */
export interface ImageStore {
  /** Stores bytes, unless it has them already. */
  keep(bytes: Buffer, sha256: string): ImagePlace;
  /**
   * Stores bytes that are passed in pieces, and returns their offset. Throws ESTALE if there are more or fewer than
   * `length`.
   */
  image(length: number, write: (add: (bytes: Buffer) => void) => void): number;
}

/** Files above this size are copied in pieces and never held in memory. */
export const MAX_HELD = 64 * 2 ** 20;

/** Stores a file's new content, for a three-way merge on undo. Binary files are never merged. */
export function keepForMerge(bytes: Buffer, sha256: string, log: ImageStore): { readonly image?: ImagePlace } {
  return bytes.includes(0) ? {} : { image: log.keep(bytes, sha256) };
}

/** Reads a file in pieces and returns its digest. Stores the bytes if a log is given. */
export function keepWhole(
  file: number,
  size: number,
  log?: ImageStore,
): { readonly sha256: string; readonly image?: ImagePlace } {
  const digest = createHash("sha256");
  const read = (take: (piece: Buffer) => void): void =>
    forEachPiece(file, 0, size, (piece) => {
      digest.update(piece);
      take(piece);
    });
  const image = log && { offset: log.image(size, read), length: size };
  if (image === undefined) read(() => {});
  return { sha256: digest.digest("hex"), ...(image && { image }) };
}

/** Returns the bytes of a file that nobody changes any more. */
export function imageOf(path: string): Image {
  return withFile(openFile(path), (file) => {
    const { size } = fs.fstatSync(file);
    return { log: path, offset: 0, length: size, sha256: keepWhole(file, size).sha256 };
  });
}

/** Error code of a damaged image. Unlike a read error, it will not go away. */
export const DAMAGED = "ENODATA";

/** Returns the bytes of an image. Throws `DAMAGED` if they do not match their digest. */
export function readImage({ log, offset, length, sha256 }: Image): Buffer {
  const pieces: Buffer[] = [];
  withLog(log, (file) => forEachPiece(file, offset, length, (piece) => pieces.push(piece)));
  const bytes = Buffer.concat(pieces);
  if (hash("sha256", bytes, "hex") !== sha256) throw systemError(DAMAGED, "read", log);
  return bytes;
}

/** Returns the first bytes of an image, unchecked. */
export function readBeginning({ log, offset, length }: Image, most: number): Buffer {
  const pieces: Buffer[] = [];
  withLog(log, (file) => forEachPiece(file, offset, Math.min(length, most), (piece) => pieces.push(piece)));
  return Buffer.concat(pieces);
}

/** Like `readImage`, in pieces, for a large image. If it throws, the pieces are not the image. */
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

/** Writes an image to a new file of the user's alone. */
export function writeImage(image: Image, to: string): void {
  withFile(fs.openSync(to, "wx", 0o600), (file) => readImageInPieces(image, (piece) => void fs.writeSync(file, piece)));
}

function withLog(path: string, act: (file: number) => void): void {
  withFile(openFile(path), act);
}

/** Stops early at the end of the file. */
function forEachPiece(file: number, start: number, length: number, take: (piece: Buffer) => void): void {
  for (let done = 0; done < length;) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, length - done));
    const read = fs.readSync(file, piece, 0, piece.length, start + done);
    if (read === 0) return;
    take(piece.subarray(0, read));
    done += read;
  }
}

const PIECE = 2 ** 20;
