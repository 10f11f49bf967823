/** Output of a program. Keeps only the beginning and the end in memory, whatever its size. */
export class KeptOutput {
  /** Bytes written so far. */
  total = 0;
  readonly #half: number;
  #head: Buffer = Buffer.alloc(0);
  #headLength = 0;
  /** A ring buffer: the oldest byte is at `#end`, the newest just before it. */
  #tail: Buffer | undefined;
  #end = 0;

  /** @param limit bytes to keep: half for the beginning, half for the end */
  constructor(limit: number) {
    this.#half = Math.ceil(limit / 2);
  }

  /** Copies the bytes, because a piece would keep its much larger buffer alive. */
  add(piece: Buffer): void {
    this.total += piece.length;
    const toHead = Math.min(this.#half - this.#headLength, piece.length);
    if (toHead > 0) this.#addToHead(piece.subarray(0, toHead));
    if (toHead < piece.length) this.#addToTail(piece.subarray(toHead));
  }

  /** Bytes missing from `text()`: what did not fit, and parts of characters at the cut. */
  get omitted(): number {
    const { head, tail } = this.#ends();
    return this.total - head.length - tail.length;
  }

  /** Returns the text as UTF-8. A line in the middle says how many bytes are missing. */
  text(): string {
    const { head, tail } = this.#ends();
    const omitted = this.total - head.length - tail.length;
    return omitted === 0 ? Buffer.concat([head, tail]).toString() : `${head.toString()}\n… ${omitted} bytes are left out here …\n${tail.toString()}`;
  }

  #addToHead(bytes: Buffer): void {
    const length = this.#headLength + bytes.length;
    if (length > this.#head.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.#half, Math.max(length, 2 * this.#head.length, 4_096)));
      this.#head.copy(larger, 0, 0, this.#headLength);
      this.#head = larger;
    }
    bytes.copy(this.#head, this.#headLength);
    this.#headLength = length;
  }

  #addToTail(bytes: Buffer): void {
    const ring = (this.#tail ??= Buffer.allocUnsafe(this.#half));
    const last = bytes.subarray(Math.max(0, bytes.length - ring.length));
    const toEnd = Math.min(last.length, ring.length - this.#end);
    last.copy(ring, this.#end, 0, toEnd);
    last.copy(ring, 0, toEnd);
    this.#end = (this.#end + last.length) % ring.length;
  }

  #ends(): { readonly head: Buffer; readonly tail: Buffer } {
    const head = this.#head.subarray(0, this.#headLength);
    const behind = this.total - this.#headLength;
    if (this.#tail === undefined) return { head, tail: Buffer.alloc(0) };
    if (behind <= this.#tail.length) return { head, tail: this.#tail.subarray(0, behind) };
    const tail = Buffer.concat([this.#tail.subarray(this.#end), this.#tail.subarray(0, this.#end)]);
    return { head: head.subarray(0, wholeCharacters(head)), tail: tail.subarray(firstCharacter(tail)) };
  }
}

/** Returns the length without an incomplete last character. Invalid UTF-8 stays as it is. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function firstCharacter(bytes: Buffer): number {
  const first = bytes.subarray(0, 4).findIndex((byte) => !isContinuation(byte));
  return Math.max(0, first);
}

const isContinuation = (byte: number): boolean => (byte & 0b1100_0000) === 0b1000_0000;
