import type { DiagnosticCode, ReadBlock, Translation } from "../core/block.ts";
import { Properties } from "./properties.ts";
import type { TextLines } from "./text-lines.ts";

/** Lines of a text, by index. */
export interface LineRange {
  readonly first: number;
  /** The index after the last one. */
  readonly next: number;
}

/** Collects the blocks of a text that are ranges of its lines. */
export class LineBlocks {
  readonly all: ReadBlock[] = [];
  readonly #lines: TextLines;

  constructor(lines: TextLines) {
    this.#lines = lines;
  }

  add({ first, next }: LineRange, given: Readonly<Record<string, string>>, translation: Partial<Translation> = {}, warnings: readonly string[] = []): void {
    const block = { id: this.#nextId(), properties: Object.assign(new Properties(), given), startLine: first + 1, endLine: Math.max(first + 1, next) };
    const span = { start: this.#lines.start(first), end: this.#lines.end(Math.max(first, next - 1)) };
    this.all.push({ block, diagnostics: [], span, ...(warnings.length > 0 && { warnings }), translation: { paths: "by-told-tail", ...translation } });
  }

  /**
   * Adds a block with an error. `UNCLOSED_BLOCK` leaves it without an end.
   *
   * @param at index of the line with the error
   */
  refuse(range: LineRange, error: { readonly code: DiagnosticCode; readonly message: string; readonly at?: number }, translation: Partial<Translation> = {}): void {
    const diagnostic = this.#lines.diagnostic(error.at ?? range.first, error.code, this.#nextId(), error.message);
    this.add(range, {}, translation);
    const added = this.all.pop() as ReadBlock;
    this.all.push({ ...added, diagnostics: [diagnostic], ...(error.code === "UNCLOSED_BLOCK" && { block: { ...added.block, endLine: null } }) });
  }

  #nextId(): string {
    return `e${this.all.length + 1}`;
  }
}
