/** Finds lines of a text without splitting it. */

/** Returns the offset of the first occurrence of `wanted` that is accepted, or -1. */
export function findLine(text: string, wanted: string, accepts: (at: number) => boolean): number {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    if (accepts(at)) return at;
  }
  return -1;
}

/** Returns whether an offset is in the first column, ignoring a byte order mark. */
export function startsLine(text: string, at: number): boolean {
  return at === 0 || /[\r\n]/.test(text.charAt(at - 1)) || (at === 1 && text.charCodeAt(0) === BYTE_ORDER_MARK);
}

const BYTE_ORDER_MARK = 0xfeff;
