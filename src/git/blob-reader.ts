/** Is handed the bytes of objects, one object after another. */
export interface BlobSink {
  begin(id: string, size: number): void;
  add(piece: Buffer): void;
  end(): void;
}

/** Reads what `git cat-file --batch` prints, in pieces of any size: `<id> blob <size>`, a newline, so many bytes, a newline. What is missing is passed over. */
export class BlobReader {
  readonly #sink: BlobSink;
  /** Of a line that is not whole yet. */
  #line = Buffer.alloc(0);
  /** Bytes of the object, and the newline after them, that are still to come. */
  #left = 0;

  constructor(sink: BlobSink) {
    this.#sink = sink;
  }

  take(piece: Buffer): void {
    let rest = piece;
    while (rest.length > 0) rest = this.#left > 0 ? this.#takeBytes(rest) : this.#takeLine(rest);
  }

  #takeBytes(piece: Buffer): Buffer {
    const bytes = piece.subarray(0, Math.min(piece.length, this.#left - 1));
    if (bytes.length > 0) this.#sink.add(bytes);
    this.#left -= bytes.length;
    if (this.#left > 1 || bytes.length === piece.length) return NOTHING;
    this.#left = 0;
    this.#sink.end();
    return piece.subarray(bytes.length + 1);
  }

  #takeLine(piece: Buffer): Buffer {
    const end = piece.indexOf(10);
    this.#line = Buffer.concat([this.#line, end === -1 ? piece : piece.subarray(0, end)]);
    if (end === -1) return NOTHING;
    const [id = "", kind, size] = this.#line.toString("latin1").split(" ");
    this.#line = NOTHING;
    if (kind === "blob") {
      this.#left = Number(size) + 1;
      this.#sink.begin(id, Number(size));
    }
    return piece.subarray(end + 1);
  }
}

const NOTHING = Buffer.alloc(0);
