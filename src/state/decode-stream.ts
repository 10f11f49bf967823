import { isUtf8 } from "node:buffer";

export class NotUtf8Error extends Error {}

/**
 * Decodes UTF-8 in pieces, cut anywhere. Throws `NotUtf8Error` after yielding the valid lines before the invalid bytes.
 */
export async function* decodeStream(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([begun, piece]);
    const end = endOfWhole(bytes);
    begun = bytes.subarray(end);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) {
      yield validLines(whole).toString("utf8");
      throw new NotUtf8Error("not UTF-8");
    }
    if (end > 0) yield whole.toString("utf8");
  }
  if (begun.length > 0) throw new NotUtf8Error("not UTF-8");
}

/** Returns the offset of an incomplete last character, or the length. */
function endOfWhole(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function validLines(bytes: Buffer): Buffer {
  let end = 0;
  for (let next = bytes.indexOf("\n"); next !== -1 && isUtf8(bytes.subarray(end, next)); next = bytes.indexOf("\n", end)) end = next + 1;
  return bytes.subarray(0, end);
}
