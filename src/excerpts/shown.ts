/** An excerpt and its file, each read once. */
import type { Part } from "../addresses/part.ts";
import { once } from "../core/once.ts";
import { trimmedLines } from "../edit/lazy.ts";
import { type Grammar, readExcerpt } from "./contexts.ts";
import type { Imports } from "./declarations/import-place.ts";
import { importsIn } from "./declarations/imports.ts";
import type { Holes } from "./declarations/members.ts";
import { NO_ANCHOR, placeFragment } from "./lines/fragment.ts";
import { openIn } from "./block.ts";
import { standsApart } from "./parts.ts";
import { isCommentIn } from "./remarks.ts";
import { dedented, type Splice, Unplaced, type Within } from "./text.ts";
import { placeTold } from "./told/places.ts";
import { type Told, withinTold } from "./told/told.ts";
import { hiddenIn } from "./vanished.ts";

/** What an answer shows without the text that it replaces. */
export interface Placeable {
  readonly path: string;
  readonly content: string;
  /** The sentences about it. */
  readonly told: string;
  readonly source: Grammar;
  readonly holes: Holes;
  /** Whether its path stands at the fence. */
  readonly isLabelled?: boolean;
  /** The text before the answer, if an earlier block of it has changed that. */
  readonly original?: string | undefined;
}

export interface Placed {
  readonly splices: readonly Splice[];
  readonly done: readonly string[];
  readonly imports?: Imports;
  /** Set if it takes away what is shown. */
  readonly isRemoval?: true;
}

/** An excerpt and its file. */
export class Shown {
  readonly excerpt: Placeable;
  readonly told: Told;
  readonly file: {
    readonly text: string;
    readonly path: string;
    readonly parts: readonly Part[];
    readonly holes: Holes;
  };
  /** The trimmed lines of the file. */
  readonly there: ReadonlySet<string>;
  /** The lines of the excerpt that are not blank. */
  readonly lines: readonly string[];
  /** Its first line that is no comment, trimmed. */
  readonly first: string;
  /** The lines of the file that the sentences name. */
  readonly within: Within | undefined;
  readonly imports: Imports;
  /** What the grammar reads of it. */
  readonly read = once(() => readExcerpt(this.excerpt.path, this.excerpt.content, this.excerpt.source));
  /** The place that the sentences name. */
  readonly at = once(() =>
    placeTold(this.told, {
      ...this.file,
      isForDeclaration: this.read()?.parts.some(standsApart),
      shown: this.lines[0],
    }),
  );
  /** The lines between two that both have. */
  readonly fragment = once(() => this.#fragment());

  constructor(before: string, excerpt: Placeable, told: Told) {
    const { path, content, source, holes } = excerpt;
    [this.excerpt, this.told] = [excerpt, told];
    this.file = { text: before, path, parts: source.parts(before), holes };
    this.there = new Set(trimmedLines(before));
    this.lines = content.split("\n").filter((line) => line.trim() !== "");
    this.first = trimmedLines(content).find((line) => !isCommentIn(path, line)) ?? "";
    this.within = withinTold(before, this.file.parts, told);
    this.imports = importsIn(dedented(content));
  }

  #fragment(): Placed | Unplaced {
    const { text, parts } = this.file;
    const { content } = this.excerpt;
    const isBeside = this.told.isBeside && !CHANGES.test(this.told.text);
    const placed = placeFragment(text, content, this.within, { ...this.told, isBeside });
    if (placed instanceof Unplaced) return placed;
    if (closesOther(text, placed.splices, content)) return new Unplaced(NO_ANCHOR);
    const hidden = hiddenIn(text, placed.splices, { content, parts, told: this.told });
    return hidden === undefined ? placed : new Unplaced(`would lose ${hidden}`);
  }
}

/** Returns whether a bracket that closes one of a fragment is taken for one that closes what stands around it. */
function closesOther(file: string, splices: readonly Splice[], content: string): boolean {
  const [splice, another] = splices;
  const last = content.trimEnd().split("\n").at(-1) ?? "";
  if (splice === undefined || another !== undefined || !/^\s*[)}\]]+[;,]?$/.test(last)) return false;
  const old = file.slice(splice.start, splice.end);
  return openIn(content) === 0 && openIn(old) !== 0 && openIn(splice.text) === 0;
}

/** Verbs of what takes the place of something, wherever that stands. */
const CHANGES = /\b(?:chang|instead|replac|rewrit|swap|updat)/i;
