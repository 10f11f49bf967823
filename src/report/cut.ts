export interface Cuttable {
  readonly text: string;
  /**
   * Escapes the text for the report. Idempotent. Returns at least one byte for two UTF-16 units.
   *
   * @param isRest whether the text begins within a line
   */
  readonly show: (text: string, isRest: boolean) => string;
}

/**
 * Truncates texts in the middle, so that together they have at most `limit` bytes of UTF-8 as shown, without notices.
 * Keeps the first and the last half of the limit, counted over all texts in order.
 *
 * Cuts between characters, and inserts a notice at each cut. Escapes the remaining parts again, since the rest of a
 * line may look like one of the report's own.
 */
export function cutMiddle(items: readonly Cuttable[], limit: number): readonly string[] {
  // Escape and measure only what may be kept, however long the texts are: twice the limit, and some for the seam.
  const nearEnds = middlesOf(items.map(({ text }) => text), limit + 10);
  const shown = items.map(({ text, show }, index) => {
    const [from, to] = nearEnds[index] ?? [0, 0];
    const ends = text.slice(0, from) + text.slice(to);
    return { bytes: Buffer.from(show(ends, false)), dropped: Buffer.byteLength(text) - Buffer.byteLength(ends), show };
  });
  const encoded = shown.map(({ bytes }) => bytes);
  if (lengthOf(encoded) <= limit) return encoded.map(String);
  const middles = middlesOf(encoded, Math.floor(limit / 2));
  return shown.map((one, index) => withoutMiddle(one, middles[index] ?? [0, 0]));
}

type Range = readonly [from: number, to: number];

/** Returns the range of each item outside the first and the last `kept` units of all items. May be empty. */
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

interface Encoded {
  readonly bytes: Buffer;
  /** Bytes of the middle that were dropped before encoding. */
  readonly dropped: number;
  readonly show: Cuttable["show"];
}

function withoutMiddle({ bytes, dropped, show }: Encoded, [start, end]: Range): string {
  if (start === end && dropped === 0) return bytes.toString();
  const [from, to] = [characterStart(bytes, start, -1), characterStart(bytes, end, 1)];
  const notice = `note: ${to - from + dropped} bytes are cut here; ask for the part you need: lines by number, or a narrower search`;
  return [show(bytes.toString("utf8", 0, from), false), notice, show(bytes.toString("utf8", to), true)].filter((part) => part !== "").join("\n");
}

/**
 * Returns the nearest start of a character in that direction, or the offset itself. A byte 10xxxxxx continues a
 * character.
 */
function characterStart(bytes: Buffer, offset: number, step: 1 | -1): number {
  let at = offset;
  while (((bytes[at] ?? 0) & 0b1100_0000) === 0b1000_0000) at += step;
  return at;
}
