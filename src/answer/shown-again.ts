/** Tells what a sentence shows of an edit that stands in the answer as a block too. */
import type { Block, ReadBlock } from "../core/block.ts";
import { nameOf } from "../syntaxes/path-label.ts";

/** Lines that hold a letter or a digit, without their indentation. */
type Shown = ReadonlySet<string>;

/** What a block takes away and what it adds. */
interface Changed {
  readonly gone: Shown;
  /** Lines around them that it shows too. */
  readonly kept: Shown;
  readonly added: Shown;
}

/** The edits of each file by its name. Of what a block does otherwise to a file, nothing is known. */
type Edits = ReadonlyMap<string, ReadonlyArray<Changed | undefined>>;

export function editsByFile(blocks: readonly ReadBlock[]): Edits {
  const edits = new Map<string, Array<Changed | undefined>>();
  for (const block of blocks)
    for (const name of namesOf(block)) {
      const ofFile = edits.get(name) ?? [];
      ofFile.push(changedBy(block));
      edits.set(name, ofFile);
    }
  return edits;
}

/** Returns whether a block shows what one of the edits changes, or cannot be told from it. */
export function showsAgain(block: Block, edits: Edits): boolean {
  const change = changedBy(block);
  const isSpan = block.properties["old"]?.endsWith("\n") === false;
  return namesOf(block).some((name) => {
    const ofFile = edits.get(name) ?? [];
    return (
      ofFile.length > MAX_COMPARED ||
      ofFile.some((edit) => {
        if (change === undefined || edit === undefined) return true;
        const shown = new Set([...change.gone, ...change.added]);
        // Signs alone, and another indentation, may be anybody's.
        if (shown.size === 0) return true;
        if (isSpan) return [...shown].some((span) => [...edit.gone, ...edit.added].some((line) => line.includes(span)));
        return (
          isAround(edit, shown) ||
          isMostlyIn(edit.gone, shown) ||
          isMostlyIn(edit.added, shown) ||
          isMostlyIn(shown, edit.added)
        );
      })
    );
  });
}

/** Edits of a file. */
const MAX_COMPARED = 100;

/** Returns whether all that stands around an edit is shown: then a text without the edit takes it back. */
function isAround({ kept }: Changed, shown: Shown): boolean {
  return kept.size > 0 && [...kept].every((line) => shown.has(line));
}

function isMostlyIn(lines: Shown, others: Shown): boolean {
  return lines.size > 0 && [...lines].filter((line) => others.has(line)).length * 2 >= lines.size;
}

function changedBy({ properties }: Block): Changed | undefined {
  const { old_text, old_lines = old_text, old = old_lines } = properties;
  const { new_text, new_lines = new_text, content = new_lines } = properties;
  if (content === undefined) return undefined;
  const [before, after] = [linesOf(old ?? ""), linesOf(content)];
  const without = (lines: Shown, others: Shown): Shown => new Set([...lines].filter((line) => !others.has(line)));
  return {
    gone: without(before, after),
    kept: new Set([...before].filter((line) => after.has(line))),
    added: without(after, before),
  };
}

function linesOf(text: string): Set<string> {
  return new Set(text.split("\n").flatMap((line) => (/[\p{L}\p{N}]/u.test(line) ? [line.trim()] : [])));
}

function namesOf({ properties: { path, old_path } }: Block): string[] {
  return [path, old_path].flatMap((named) => (named === undefined ? [] : [nameOf(named)]));
}
