import { readSync } from "node:fs";

/**
 * Returns the bytes of an open file, or fewer than `size` if it was truncated meanwhile.
 *
 * @param start in bytes; defaults to the current position
 */
export function readAll(file: number, size: number, start?: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  let done = 0;
  for (let read = -1; done < size && read !== 0; done += read) read = readSync(file, bytes, done, size - done, start === undefined ? null : start + done);
  return bytes.subarray(0, done);
}
