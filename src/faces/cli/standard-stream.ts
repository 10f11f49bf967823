/**
 * Writes to standard output and error without Node's streams, if they are pipes or files. Creating the streams takes a
 * tenth of the time of a short run. A terminal needs them for its width and encoding.
 */
import { fstatSync, writeSync } from "node:fs";

export type StandardStream = 1 | 2;

/** Returns true for a terminal or another device, false for a pipe or a file. */
export function isDevice(stream: StandardStream): boolean {
  return fstatSync(stream).isCharacterDevice();
}

/** Writes the whole text before it returns. Drops the rest if the reader has closed the pipe, as in `| head -1`. */
export function writeWhole(stream: StandardStream, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(stream, bytes, written);
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === "EPIPE") return;
      if (code !== "EAGAIN") throw thrown;
      // The pipe is full, and its creator made it non-blocking.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
