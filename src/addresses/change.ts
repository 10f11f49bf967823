/** Finds what differs between two versions of a text. */

/** UTF-16 offsets, end exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What differs between two versions, in each of them. */
export interface ChangedRanges {
  readonly before: Range;
  readonly after: Range;
}

/** Returns what stands between the beginning and the end that two texts share. */
export function changeBetween(before: string, after: string): ChangedRanges {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let same = 0;
  while (
    same < shorter - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same += 1;
  return { before: { start, end: before.length - same }, after: { start, end: after.length - same } };
}
