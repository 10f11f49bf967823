/**
 * Standard output and error without Node's streams, where they are pipes or files: setting those up would take a tenth of a short
 * run's time. A terminal needs them, for its width and its encoding.
 */
import { fstatSync, writeSync } from "node:fs";

export type StandardStream = 1 | 2;

/** False for a pipe or a file; true for a terminal, and for other devices. */
export function isDevice(stream: StandardStream): boolean {
  return fstatSync(stream).isCharacterDevice();
}

/** Writes all of it before it returns. Where nobody reads any more, as behind `| head -1`, the rest is dropped. */
export function writeWhole(stream: StandardStream, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(stream, bytes, written);
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === "EPIPE") return;
      if (code !== "EAGAIN") throw thrown;
      // The pipe is full, and whoever made it asked not to be made to wait in it.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
