import { resolve } from "node:path";
import { countLineFeeds } from "../text/line-numbers.ts";
import type { Splices } from "../text/splice.ts";
import type { Files } from "./workspace.ts";

/** Where an edit of the run changed the number of lines, as an offset in the file as it is now. */
interface Move {
  offset: number;
  readonly lines: number;
}

/** Remembers what the edits of one run did to the numbers of lines: a model that writes several counts them as they were before the first. */
export class LineMoves {
  readonly #moves = new Map<string, Move[]>();

  /** The same files, whose edits are remembered. */
  watch(files: Files): Files {
    return {
      read: (path) => files.read(path),
      peek: (path) => files.peek(path),
      list: (path) => files.list(path),
      edit: (path, change) => {
        let before: Buffer = Buffer.alloc(0);
        const edit = files.edit(path, (bytes, file) => change((before = bytes), file));
        this.#remember(resolve(path), before, edit.splices);
        return edit;
      },
      // Whoever writes a file anew does not count by its old lines.
      write: (path, content, revise) => {
        this.#moves.delete(resolve(path));
        return files.write(path, content, revise);
      },
      append: (path, content) => files.append(path, content),
      remove: (path) => files.remove(path),
      move: (from, to) => files.move(from, to),
      createDirectory: (path) => files.createDirectory(path),
      removeDirectory: (path) => files.removeDirectory(path),
    };
  }

  /** By how many lines edits before an offset have moved what stands there. */
  before(path: string, offset: number): number {
    return (this.#moves.get(resolve(path)) ?? []).reduce((sum, move) => sum + (move.offset <= offset ? move.lines : 0), 0);
  }

  #remember(path: string, before: Buffer, splices: Splices): void {
    const moves = this.#moves.get(path) ?? [];
    this.#moves.set(path, moves);
    if (moves.length + splices.length > MOST_MOVES) return;
    for (const { start, end, text } of [...splices].toReversed()) {
      const added = Buffer.from(text);
      const grown = added.length - (end - start);
      for (const move of moves) if (move.offset > start) move.offset += grown;
      const lines = countLineFeeds(added, 0, added.length) - countLineFeeds(before, start, end);
      if (lines !== 0) moves.push({ offset: end + grown, lines });
    }
  }
}

/** In one file. Each edit looks at all of them, and nobody who makes so many counts lines. */
const MOST_MOVES = 1_000;
