import { readSync } from "node:fs";

/**
 * The bytes of an open file: as many as it had, or fewer where it has been cut meanwhile.
 *
 * @param start in bytes; without, where the last reading ended
 */
export function readAll(file: number, size: number, start?: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  let done = 0;
  for (let read = -1; done < size && read !== 0; done += read) read = readSync(file, bytes, done, size - done, start === undefined ? null : start + done);
  return bytes.subarray(0, done);
}
