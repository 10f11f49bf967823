/** Lines around an offset, for hints. They are looked at for a limited number of bytes in either direction: a file may be one line. */
const LONGEST_LINE = 1_000;

/** Where the line begins in which an offset lies, or the part of it that is looked at. */
export function lineStart(bytes: Buffer, offset: number): number {
  const from = Math.max(0, offset - LONGEST_LINE);
  return from + bytes.subarray(from, Math.max(from, offset)).lastIndexOf(LF) + 1;
}

/** Where that line ends, its LF not counted. */
export function lineEnd(bytes: Buffer, offset: number): number {
  const part = bytes.subarray(offset, offset + LONGEST_LINE);
  const lineFeed = part.indexOf(LF);
  return offset + (lineFeed === -1 ? part.length : lineFeed);
}

/** That line's text. */
export function lineAround(bytes: Buffer, offset: number): string {
  return bytes.toString("utf8", lineStart(bytes, offset), lineEnd(bytes, offset)).replace(/\r$/, "");
}

/** The beginning of the line so many lines further on, or back where it is negative; undefined where there is none. */
export function lineStartAway(bytes: Buffer, offset: number, distance: number): number | undefined {
  let at = lineStart(bytes, offset);
  for (let step = 0; step < Math.abs(distance); step++) {
    if (distance < 0 ? at === 0 : lineEnd(bytes, at) + 1 >= bytes.length) return undefined;
    at = distance < 0 ? lineStart(bytes, at - 1) : lineEnd(bytes, at) + 1;
  }
  return at;
}

const LF = 10;
