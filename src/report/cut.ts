/**
 * Texts that together hold at most `limit` bytes of UTF-8 (and the notices): of what is too much, the first and the last half of
 * the limit stay, counted over all of them in order. The cuts are between characters, and each says what is missing.
 */
export function cutMiddle(texts: readonly string[], limit: number): readonly string[] {
  const encoded = texts.map((text) => Buffer.from(text));
  const total = encoded.reduce((sum, { length }) => sum + length, 0);
  if (total <= limit) return texts;
  const half = Math.floor(limit / 2);
  let before = 0;
  return encoded.map((bytes) => {
    const from = characterStart(bytes, clamp(half - before, bytes.length), -1);
    const to = characterStart(bytes, clamp(total - half - before, bytes.length), 1);
    before += bytes.length;
    return from < to ? withoutMiddle(bytes, from, to) : bytes.toString();
  });
}

function withoutMiddle(bytes: Buffer, from: number, to: number): string {
  const notice = `note: ${to - from} bytes are cut here; ask for the part you need: lines by number, or a narrower search`;
  return [bytes.toString("utf8", 0, from), notice, bytes.toString("utf8", to)].filter((part) => part !== "").join("\n");
}

function clamp(offset: number, length: number): number {
  return Math.min(Math.max(offset, 0), length);
}

/** The offset itself, or the nearest in that direction at which a character starts: a byte 10xxxxxx continues one. */
function characterStart(bytes: Buffer, offset: number, step: 1 | -1): number {
  let at = offset;
  while (((bytes[at] ?? 0) & 0b1100_0000) === 0b1000_0000) at += step;
  return at;
}
