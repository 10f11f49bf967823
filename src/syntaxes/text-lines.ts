import type { Diagnostic, DiagnosticCode } from "../core/block.ts";

/** A whole text by its lines, which end with LF or CRLF. Indices are 0-based, offsets in UTF-16 units. */
export class TextLines {
  readonly count: number;
  readonly #text: string;
  readonly #starts: number[] = [];

  constructor(text: string) {
    this.#text = text;
    this.#starts.push(text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0);
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
    // A final newline adds no line.
    this.count = this.#starts.at(-1) === text.length && this.#starts.length > 1 ? this.#starts.length - 1 : this.#starts.length;
  }

  /** Returns a line without its ending. */
  at(index: number): string {
    return this.#text.slice(this.start(index), this.end(index));
  }

  start(index: number): number {
    return this.#starts[index] ?? this.#text.length;
  }

  /** Returns the offset before a line's ending. */
  end(index: number): number {
    const next = this.#starts[index + 1];
    if (next === undefined) return this.#text.length;
    return this.#text.charCodeAt(next - 2) === CARRIAGE_RETURN && next - 2 >= this.start(index) ? next - 2 : next - 1;
  }

  /** Returns lines from one index up to another, without that one, each with LF. */
  slice(from: number, to: number): string {
    let text = "";
    for (let index = from; index < to; index++) text += `${this.at(index)}\n`;
    return text;
  }

  diagnostic(index: number, code: DiagnosticCode, blockId: string | null, message: string): Diagnostic {
    const content = index < this.count ? this.at(index) : "";
    const first = Math.max(0, Math.min(index - 2, this.count - 5));
    const context = Array.from({ length: Math.min(5, this.count - first) }, (_, offset) => this.at(first + offset)).join("\n");
    return { code, line: index + 1, column: 1, length: content.length, blockId, content, context, message };
  }
}

const BYTE_ORDER_MARK = 0xfeff;
const CARRIAGE_RETURN = 0x0d;
