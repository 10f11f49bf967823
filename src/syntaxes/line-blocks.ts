import {
  type Diagnostic,
  type DiagnosticCode,
  type HunkPlace,
  isBlock,
  type Lines,
  type ReadBlock,
  type ReadText,
  type Meant,
} from "../core/block.ts";
import { Source } from "./source.ts";

/** Lines of a text, by index. */
export interface LineRange {
  readonly first: number;
  /** The index after the last one. */
  readonly next: number;
}

/** Returns the lines of an item. A block that is never closed counts as its first one. */
export function linesOf(item: ReadBlock | Diagnostic): Lines {
  if (!isBlock(item)) return { first: item.line, last: item.line };
  const { startLine, endLine } = item;
  return { first: startLine, last: endLine ?? startLine };
}

/** Returns the lines that the blocks of a text have, in order, up to the end of those that are never closed. */
export function linesOfBlocks(source: Source, items: ReadText["items"]): readonly Lines[] {
  return items.filter(isBlock).map(({ startLine, endLine, span }, index, blocks) => {
    if (endLine !== null) return { first: startLine, last: endLine };
    const next = blocks[index + 1]?.startLine ?? Infinity;
    return { first: startLine, last: Math.min(next - 1, source.lineAt(span.end) + 1) };
  });
}

/** Returns a block's properties, which inherit nothing. */
export function bareProperties(given: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.assign(Object.create(null), given) as Record<string, string>;
}

/** Collects the blocks of a text that are ranges of its lines. */
export class LineBlocks {
  readonly all: ReadBlock[] = [];
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  add(
    { first, next }: LineRange,
    given: Readonly<Record<string, string>>,
    meant: Partial<Meant> = {},
    warnings: readonly string[] = [],
  ): void {
    this.all.push({
      id: this.#nextId(),
      properties: bareProperties(given),
      startLine: first + 1,
      endLine: Math.max(first + 1, next),
      diagnostics: [],
      span: { start: this.#source.start(first), end: this.#source.end(Math.max(first, next - 1)) },
      ...(warnings.length > 0 && { warnings }),
      meant: { paths: "by-tail-with-warning", ...meant },
    });
  }

  /**
   * Adds a block with an error.
   *
   * @param at index of the line with the error
   * @param given what is known of the block nevertheless
   */
  refuse(
    range: LineRange,
    error: { readonly code: DiagnosticCode; readonly message: string; readonly at?: number },
    meant: Partial<Meant> = {},
    given: Readonly<Record<string, string>> = {},
  ): void {
    const diagnostic = this.#source.diagnostic(error.at ?? range.first, error.code, this.#nextId(), error.message);
    this.add(range, given, meant);
    this.all.push(damaged(this.all.pop() as ReadBlock, diagnostic));
  }

  #nextId(): string {
    return `e${this.all.length + 1}`;
  }
}

/** Returns a block with an error. `UNCLOSED_BLOCK` leaves it without an end. */
export function damaged(read: ReadBlock, error: Diagnostic): ReadBlock {
  return { ...read, ...(error.code === "UNCLOSED_BLOCK" && { endLine: null }), diagnostics: [error] };
}

/** Returns a text with empty lines in place of its blocks, whose text is no file of the answer. */
export function withoutBlocks({ text }: Source, items: ReadText["items"]): Source {
  let [outside, at] = ["", 0];
  for (const { span } of items.filter(isBlock)) {
    // The edits of one call have the same place.
    const start = Math.max(at, span.start);
    outside += text.slice(at, start) + "\n".repeat(text.slice(start, span.end).split("\n").length - 1);
    at = span.end;
  }
  return new Source(outside + text.slice(at));
}

/** Collects what the lines `\ No newline at end of file` of a hunk say of the end of its file. */
export class FileEnd {
  #isOldOpen = false;
  #isNewOpen = false;

  /** @param sign that of the line above */
  read(sign: string): void {
    this.#isOldOpen ||= sign !== "+";
    this.#isNewOpen ||= sign !== "-";
  }

  get facts(): Pick<HunkPlace, "isAtEnd" | "finalNewline"> {
    if (this.#isOldOpen !== this.#isNewOpen) return { finalNewline: !this.#isNewOpen };
    return this.#isOldOpen ? { isAtEnd: true } : {};
  }
}
