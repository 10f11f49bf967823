/** Reads many files and directories fast, for a search, and asks the system only for what is needed. */
import { isUtf8 } from "node:buffer";
import * as fs from "node:fs";
import { systemError } from "./system-error.ts";
import type { Entry } from "./volume.ts";

/** Returns the names in a directory with their kinds. Escapes bytes that are not UTF-8. */
export function namesIn(directory: string): Array<{ readonly name: string; readonly kind: Entry["kind"] }> {
  const entries = fs.readdirSync(directory, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes("\ufffd")))
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  return fs
    .readdirSync(Buffer.from(directory), { withFileTypes: true, encoding: "buffer" })
    .map((entry) => ({ name: readableName(entry.name), kind: kindOf(entry) }));
}

/** Converts a name to text, with bytes that are not UTF-8 as `\xe9`. */
export function readableName(bytes: Buffer): string {
  const name = bytes.toString("utf8");
  if (!name.includes("\ufffd") || isUtf8(bytes)) return name;
  return bytes
    .toString("latin1")
    .replace(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/**
 * Reads a regular file in pieces, until its end or until `visit` returns false, and closes it. A piece is valid only
 * during the call. Reads no more bytes than the file had at the start. Throws EMLINK if it has too many names.
 *
 * @param file a non-blocking descriptor
 * @param path for messages
 */
export function readPieces(file: number, path: string, visit: (piece: Buffer) => boolean, mostNames?: number): void {
  try {
    if (mostNames !== undefined && fs.fstatSync(file).nlink > mostNames) throw systemError("EMLINK", "open", path);
    let size = fs.readSync(file, piece, 0, piece.length, null);
    // Most files end here, so their size is never needed.
    let left = size < piece.length ? 0 : sizeOf(file) - size;
    while (size > 0 && visit(piece.subarray(0, size)) && left > 0) {
      size = fs.readSync(file, piece, 0, Math.min(piece.length, left), null);
      left -= size;
    }
  } finally {
    fs.closeSync(file);
  }
}

/** Shared, because allocating it takes longer than reading a small file. */
const piece = Buffer.allocUnsafeSlow(65_536);

function sizeOf(file: number): number {
  const stats = fs.fstatSync(file);
  return stats.isFile() ? stats.size : 0;
}

function kindOf(entry: fs.Dirent | fs.Dirent<Buffer>): Entry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}
