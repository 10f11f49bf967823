import { isBlock, type ReadBlock, type ReadText } from "../core/block.ts";
import { Source } from "./source.ts";
import type { ArrivingSyntax } from "./syntax.ts";

export interface LineSyntax {
  /** Reads a text whose blocks are whole lines, numbered `e1`, `e2` …. The blocks before it are given as `last`. */
  read(source: Source, last: ReadBlock | undefined): ReadText;
  /** Returns whether a line may be the last one of what runs together: a block, or a patch. */
  mayEnd(line: string): boolean;
}

/**
 * Reads such a text while it arrives: what stands since the last complete block, each time a line may end the next.
 * From the first damaged block on, everything waits for the whole text.
 */
export function arrivingBlocks(syntax: LineSyntax): ArrivingSyntax {
  return {
    parser: (onItem) => new BlockParser(syntax, onItem),
    mustWait: () => true,
  };
}

/** Returns the blocks before the first damaged one, without those that run only together with it. */
function soundItems(items: ReadText["items"]): readonly ReadBlock[] {
  const sound: ReadBlock[] = [];
  for (const item of items) {
    if (isBlock(item) && item.diagnostics.length === 0) {
      sound.push(item);
      continue;
    }
    const group = isBlock(item) ? item.meant?.group : undefined;
    return sound.slice(0, sound.findLastIndex((block) => group === undefined || block.meant?.group !== group) + 1);
  }
  return sound;
}

class BlockParser {
  readonly #syntax: LineSyntax;
  readonly #onBlock: (block: ReadBlock) => void;
  /** The text from the newline after the last complete block on, without its incomplete last line. */
  #text = "";
  #line = "";
  /** Number of lines and of UTF-16 units before that text, and of blocks. */
  #before = { lines: 0, units: 0, blocks: 0 };
  #last: ReadBlock | undefined;
  /**
   * Minimum length of a text to read. Doubles after each text without a complete block, so that the work stays linear.
   */
  #readFrom = 0;
  #isStopped = false;

  constructor(syntax: LineSyntax, onBlock: (block: ReadBlock) => void) {
    this.#syntax = syntax;
    this.#onBlock = onBlock;
  }

  write(piece: string): void {
    let start = 0;
    for (let end = piece.indexOf("\n"); end !== -1 && !this.#isStopped; end = piece.indexOf("\n", start)) {
      const line = this.#line + piece.slice(start, end);
      this.#text += `${line}\n`;
      this.#line = "";
      start = end + 1;
      if (this.#text.length >= this.#readFrom && this.#syntax.mayEnd(line.replace(/\r$/, ""))) this.#read();
    }
    this.#line += piece.slice(start);
  }

  #read(): void {
    const { items } = this.#syntax.read(new Source(this.#text), this.#last);
    const last = items.at(-1);
    if (last === undefined || !isBlock(last) || last.endLine === null) {
      this.#readFrom = 2 * this.#text.length;
      return;
    }
    const sound = soundItems(items);
    for (const [index, item] of sound.entries()) this.#onBlock(this.#inWholeText(item, index));
    this.#isStopped = sound.length < items.length;
    this.#last = last;
    const lines = this.#text.split("\n").length - 1;
    const { lines: linesBefore, units, blocks } = this.#before;
    this.#before = {
      lines: linesBefore + lines - 1,
      units: units + this.#text.length - 1,
      blocks: blocks + items.length,
    };
    this.#text = "\n";
    this.#readFrom = 0;
  }

  #inWholeText(item: ReadBlock, index: number): ReadBlock {
    const { lines, units, blocks } = this.#before;
    const { startLine, endLine, span, meant } = item;
    return {
      ...item,
      // Groups are numbered in the text that was read.
      ...(meant?.group !== undefined && {
        meant: { ...meant, group: `${blocks}:${meant.group}` },
      }),
      id: `e${blocks + index + 1}`,
      startLine: startLine + lines,
      endLine: endLine === null ? null : endLine + lines,
      span: { start: span.start + units, end: span.end + units },
    };
  }
}
