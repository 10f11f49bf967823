/** All generated cases, the same in every run. */
import { applied } from "./applied.ts";
import type { Made, Maker } from "./cases.ts";
import { choosePassage, commonIndentation } from "./passage.ts";
import { Random } from "./random.ts";
import { refused } from "./refused.ts";
import { type Language, languages, type Source, sourcesOf } from "./sources.ts";

export interface EditCase extends Made {
  readonly kind: string;
  readonly language: Language;
  /** Enough to find it again: its source, the passage's first line there, and its number. */
  readonly name: string;
}

/** Of each kind in each language. */
const CASES = 40;
/** Not every passage has a string, a comment or an indentation. */
const TRIES = 400;

export function* generateCases(): Generator<EditCase> {
  const kinds = Object.entries({ ...applied, ...refused });
  for (const [nth, language] of languages.entries()) {
    const sources = sourcesOf(language);
    for (const [number, [kind, maker]] of kinds.entries()) {
      yield* casesOf(kind, maker, { language, sources, random: new Random(1 + number + nth * 1_000) });
    }
  }
}

interface Ground {
  readonly language: Language;
  readonly sources: readonly Source[];
  readonly random: Random;
}

function* casesOf(kind: string, maker: Maker, { language, sources, random }: Ground): Generator<EditCase> {
  let count = 0;
  for (let tries = 0; tries < TRIES && count < CASES; tries++) {
    const source = random.one(sources);
    const passage = choosePassage(source, random, kind.includes("dedented") ? (lines) => commonIndentation(lines) !== "" : undefined);
    const made = passage && maker(passage, random);
    if (passage === undefined || made === undefined || made.oldText === made.newText) continue;
    count += 1;
    yield { ...made, kind, language, name: `${kind}, ${source.path}:${passage.start + 1} (${count})` };
  }
}
