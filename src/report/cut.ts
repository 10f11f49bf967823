/** A text, and how it is shown. */
export interface Cuttable {
  readonly text: string;
  /**
   * Writes at least one byte for two UTF-16 units. Doing it twice changes nothing more.
   *
   * @param isRest whether the text begins within a line
   */
  readonly show: (text: string, isRest: boolean) => string;
}

/**
 * Texts as they are shown, that together hold at most `limit` bytes of UTF-8 (and the notices): of what is too much, the first
 * and the last half of the limit stay, counted over all of them in order. The cuts are between characters, and each says what is
 * missing. What a cut leaves is shown anew: it may look like what the whole line did not.
 */
export function cutMiddle(items: readonly Cuttable[], limit: number): readonly string[] {
  // However long the texts are, only what may come into view is shown and measured: twice what will, and some for the seam.
  const nearEnds = middlesOf(items.map(({ text }) => text), limit + 10);
  const shown = items.map(({ text, show }, index) => {
    const [from, to] = nearEnds[index] ?? [0, 0];
    const ends = text.slice(0, from) + text.slice(to);
    return { bytes: Buffer.from(show(ends, false)), left: Buffer.byteLength(text) - Buffer.byteLength(ends), show };
  });
  const encoded = shown.map(({ bytes }) => bytes);
  if (lengthOf(encoded) <= limit) return encoded.map(String);
  const middles = middlesOf(encoded, Math.floor(limit / 2));
  return shown.map((one, index) => withoutMiddle(one, middles[index] ?? [0, 0]));
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

interface Encoded {
  readonly bytes: Buffer;
  /** Bytes of the middle that are left out already. */
  readonly left: number;
  readonly show: Cuttable["show"];
}

function withoutMiddle({ bytes, left, show }: Encoded, [start, end]: Range): string {
  if (start === end && left === 0) return bytes.toString();
  const [from, to] = [characterStart(bytes, start, -1), characterStart(bytes, end, 1)];
  const notice = `note: ${to - from + left} bytes are cut here; ask for the part you need: lines by number, or a narrower search`;
  return [show(bytes.toString("utf8", 0, from), false), notice, show(bytes.toString("utf8", to), true)].filter((part) => part !== "").join("\n");
}

/** The offset itself, or the nearest in that direction at which a character starts: a byte 10xxxxxx continues one. */
function characterStart(bytes: Buffer, offset: number, step: 1 | -1): number {
  let at = offset;
  while (((bytes[at] ?? 0) & 0b1100_0000) === 0b1000_0000) at += step;
  return at;
}
