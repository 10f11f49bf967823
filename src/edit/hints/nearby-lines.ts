/** Finds lines around an offset, for hints. Looks at a limited number of bytes, because a file may be one line. */
import { LF } from "../line-ending.ts";

const MAX_LINE_LENGTH = 1_000;

/** Returns the start of the line that contains an offset, or of the part within the limit. */
export function lineStart(bytes: Buffer, offset: number): number {
  const from = Math.max(0, offset - MAX_LINE_LENGTH);
  return from + bytes.subarray(from, Math.max(from, offset)).lastIndexOf(LF) + 1;
}

/** Returns the end of that line without its LF. */
export function lineEnd(bytes: Buffer, offset: number): number {
  const part = bytes.subarray(offset, offset + MAX_LINE_LENGTH);
  const lineFeed = part.indexOf(LF);
  return offset + (lineFeed === -1 ? part.length : lineFeed);
}

export function lineAround(bytes: Buffer, offset: number): string {
  return bytes.toString("utf8", lineStart(bytes, offset), lineEnd(bytes, offset)).replace(/\r$/, "");
}

/** Returns the start of the line at a distance, backwards if negative; undefined if there is none. */
export function lineStartAway(bytes: Buffer, offset: number, distance: number): number | undefined {
  let at = lineStart(bytes, offset);
  for (let step = 0; step < Math.abs(distance); step++) {
    if (distance < 0 ? at === 0 : lineEnd(bytes, at) + 1 >= bytes.length) return undefined;
    at = distance < 0 ? lineStart(bytes, at - 1) : lineEnd(bytes, at) + 1;
  }
  return at;
}
