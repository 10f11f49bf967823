/** Tells what a sentence shows of an edit that stands in the answer as a block too. */
import type { Block, ReadBlock } from "../core/block.ts";
import { largest, smallest } from "../core/lists.ts";
import { once } from "../core/once.ts";
import { nameOf } from "../syntaxes/path-label.ts";
import type { LineRange } from "../syntaxes/line-blocks.ts";

/** Lines that hold a letter or a digit, without their indentation. */
type Shown = ReadonlySet<string>;

/** What a block takes away and what it adds. */
interface Changed {
  readonly gone: Shown;
  /** Lines around them that it shows too. */
  readonly kept: Shown;
  readonly added: Shown;
}

/** An edit of a file. Of what a block does otherwise to a file, nothing is known. */
interface Edit {
  readonly change: Changed | undefined;
  readonly places: () => Places;
}

interface EditedFile {
  readonly edits: Edit[];
  /** Undefined if there is no such file. Read when it is asked for. */
  readonly lines: () => FileLines | undefined;
}

/** The edited files by their names. */
type Edits = ReadonlyMap<string, EditedFile>;

/** @param textAt returns the text of a file of the project */
export function editsByFile(blocks: readonly ReadBlock[], textAt: (path: string) => string | undefined): Edits {
  const files = new Map<string, EditedFile>();
  for (const block of blocks)
    for (const path of pathsOf(block)) {
      const file = files.get(nameOf(path)) ?? { edits: [], lines: once(() => linesOf(textAt(path))) };
      files.set(nameOf(path), file);
      file.edits.push({ change: changedBy(block), places: once(() => placesIn(file.lines(), block)) });
    }
  return files;
}

function linesOf(text: string | undefined): FileLines | undefined {
  return text === undefined ? undefined : new FileLines(text);
}

/** Returns whether a block shows what one of the edits changes, or cannot be told from it. */
export function showsAgain(block: Block, edits: Edits): boolean {
  const change = changedBy(block);
  const isSpan = block.properties["old"]?.endsWith("\n") === false;
  return pathsOf(block).some((path) => {
    const { edits: ofFile = [], lines } = edits.get(nameOf(path)) ?? {};
    const placesHere = once(() => placesIn(lines?.(), block));
    return (
      ofFile.length > MAX_COMPARED ||
      ofFile.some(({ change: edit, places }) => {
        if (isApart(placesHere(), places())) return false;
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

/** Returns whether one of the edits makes what a sentence alone orders. */
export function isMade(block: Block, edits: Edits): boolean {
  const { old, now } = textsOf(block.properties);
  const isIn = (part: string, lines: Shown): boolean =>
    part === "" || [...lines].some((line) => line.includes(part.trim()));
  const ofFiles = pathsOf(block).flatMap((path) => edits.get(nameOf(path))?.edits ?? []);
  return ofFiles.some(({ change }) =>
    now === undefined || change === undefined ? now === change : isIn(old, change.gone) && isIn(now, change.added),
  );
}

/** Returns where a block may change a file, or has changed it before. */
function placesIn(lines: FileLines | undefined, { properties }: Block): Places {
  const { old, now = "" } = textsOf(properties);
  const sentences = properties["told"] ?? "";
  const [places, after] = [old, now].map((text) => (text === "" ? undefined : lines?.placesOf(text, sentences)));
  return places ?? after;
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

function textsOf(properties: Block["properties"]): { readonly old: string; readonly now: string | undefined } {
  const { old_text = "", old_lines = old_text, old = old_lines } = properties;
  const { new_text, new_lines = new_text, content = new_lines } = properties;
  return { old, now: content };
}

function changedBy({ properties }: Block): Changed | undefined {
  const { old, now } = textsOf(properties);
  if (now === undefined) return undefined;
  const [before, after] = [new Set(wordyLines(old)), new Set(wordyLines(now))];
  const without = (lines: Shown, others: Shown): Shown => new Set([...lines].filter((line) => !others.has(line)));
  return {
    gone: without(before, after),
    kept: new Set([...before].filter((line) => after.has(line))),
    added: without(after, before),
  };
}

function pathsOf({ properties: { path, old_path } }: Block): string[] {
  return [path, old_path].filter((named) => named !== undefined);
}

/** Undefined if nobody knows. */
type Places = readonly LineRange[] | undefined;

/** Returns whether lines cannot be those of others. */
function isApart(places: Places, others: Places): boolean {
  if (places === undefined || others === undefined) return false;
  return places.every(({ first, next }) => others.every((other) => next <= other.first || other.next <= first));
}

/** Returns the lines that hold a letter or a digit, without their indentation. */
function wordyLines(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => (WORDY.test(line) ? [line.trim()] : []));
}

const WORDY = /[\p{L}\p{N}]/u;

class FileLines {
  readonly #lines: readonly string[];
  readonly #indents: readonly number[];
  /** The only line with a text, or -1 if there are several. */
  readonly #only = new Map<string, number>();

  constructor(text: string) {
    const lines = text.split("\n").filter((line) => WORDY.test(line));
    this.#lines = lines.map((line) => line.trim());
    this.#indents = lines.map((line) => line.length - line.trimStart().length);
    for (const [at, line] of this.#lines.entries()) this.#only.set(line, this.#only.has(line) ? -1 : at);
  }

  /**
   * @param text whole lines, or a part of one
   * @param told the sentence about it, which may name what it stands in
   */
  placesOf(text: string, told: string): Places {
    const lines = wordyLines(text);
    const places = text.endsWith("\n") || lines.length > 1 ? this.#equal(lines) : this.#holding(text.trim());
    if (places.length > MAX_PLACES) return undefined;
    const named = [...told.matchAll(NAMED)].map(([, name = ""]) => name);
    const inside = places.filter(({ first }) => named.some((name) => this.#isInside(first, name)));
    if (inside.length > 0) return inside;
    return places.length > 0 ? places : this.#around(lines);
  }

  #equal(lines: readonly string[]): readonly LineRange[] {
    const [head = ""] = lines;
    const only = this.#only.get(head) ?? 0;
    const starts = only === -1 ? [...this.#lines.keys()] : [only];
    return starts
      .filter((at) => lines.every((line, index) => this.#lines[at + index] === line))
      .map((first) => ({ first, next: first + lines.length }));
  }

  #holding(part: string): readonly LineRange[] {
    return this.#lines.flatMap((line, first) => (line.includes(part) ? [{ first, next: first + 1 }] : []));
  }

  /** Returns whether a line with a name, indented less, stands around a line. */
  #isInside(at: number, name: string): boolean {
    let indent = this.#indents[at] ?? 0;
    for (let above = at - 1; above >= 0 && indent > 0; above--) {
      const depth = this.#indents[above] ?? 0;
      if (depth >= indent) continue;
      if (this.#lines[above]?.split(/[^\p{L}\p{N}_$]+/u).includes(name) === true) return true;
      indent = depth;
    }
    return false;
  }

  /** Returns the range that changed lines take up, by those of them that the file has once. */
  #around(lines: readonly string[]): Places {
    const anchors = lines.flatMap((line, index) => {
      const at = this.#only.get(line) ?? -1;
      return at === -1 ? [] : [{ above: at - index, below: at + lines.length - index }];
    });
    if (anchors.length === 0) return undefined;
    const first = smallest(anchors.map(({ above }) => above));
    return [{ first, next: largest(anchors.map(({ below }) => below)) }];
  }
}

/** Occurrences of a text. More are nobody's place. */
const MAX_PLACES = 100;
/** A name in backticks: `load`, `load()`, `Cart.load`. */
const NAMED = /`(?:[\p{L}\p{N}_$]+[.#:]+)?([\p{L}_$][\p{L}\p{N}_$]*)(?:\(\))?`/gu;
