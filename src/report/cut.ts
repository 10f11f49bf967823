/**
 * Texts, as `show` writes them, that together hold at most `limit` bytes of UTF-8 (and the notices): of what is too much, the first
 * and the last half of the limit stay, counted over all of them in order. The cuts are between characters, and each says what is
 * missing.
 *
 * @param show writes at least one byte for two UTF-16 units
 */
export function cutMiddle(texts: readonly string[], limit: number, show: (text: string) => string): readonly string[] {
  // However long the texts are, only what may come into view is shown and measured: twice what will, and some for the seam.
  const nearEnds = middlesOf(texts, limit + 10);
  const shown = texts.map((text, index) => {
    const [from, to] = nearEnds[index] ?? [0, 0];
    const ends = text.slice(0, from) + text.slice(to);
    return { bytes: Buffer.from(show(ends)), left: Buffer.byteLength(text) - Buffer.byteLength(ends) };
  });
  const encoded = shown.map(({ bytes }) => bytes);
  if (lengthOf(encoded) <= limit) return encoded.map(String);
  const middles = middlesOf(encoded, Math.floor(limit / 2));
  return shown.map(({ bytes, left }, index) => withoutMiddle(bytes, middles[index] ?? [0, 0], left));
}

type Range = readonly [from: number, to: number];

/** Of each item what lies neither in the first nor in the last `kept` units of all of them; an empty range where that is nothing. */
function middlesOf(items: ReadonlyArray<{ readonly length: number }>, kept: number): Range[] {
  const total = lengthOf(items);
  let before = 0;
  return items.map(({ length }) => {
    const within = (offset: number) => Math.min(Math.max(offset - before, 0), length);
    const [from, to] = [within(kept), within(total - kept)];
    before += length;
    return [from, Math.max(from, to)];
  });
}

function lengthOf(items: ReadonlyArray<{ readonly length: number }>): number {
  return items.reduce((sum, { length }) => sum + length, 0);
}

/** @param left bytes of the middle that are left out already */
function withoutMiddle(bytes: Buffer, [start, end]: Range, left: number): string {
  if (start === end && left === 0) return bytes.toString();
  const [from, to] = [characterStart(bytes, start, -1), characterStart(bytes, end, 1)];
  const notice = `note: ${to - from + left} bytes are cut here; ask for the part you need: lines by number, or a narrower search`;
  return [bytes.toString("utf8", 0, from), notice, bytes.toString("utf8", to)].filter((part) => part !== "").join("\n");
}

/** The offset itself, or the nearest in that direction at which a character starts: a byte 10xxxxxx continues one. */
function characterStart(bytes: Buffer, offset: number, step: 1 | -1): number {
  let at = offset;
  while (((bytes[at] ?? 0) & 0b1100_0000) === 0b1000_0000) at += step;
  return at;
}
