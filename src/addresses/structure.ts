/** Reads a file's addressable parts as a tree. */
import { Failed } from "../core/failure.ts";
import type { Candidates } from "../core/failure-words.ts";
import { type Addressed, addresses, find, STEP } from "../paths/address.ts";
import { Unreadable } from "./grammar.ts";
import { knownLanguages, languageOf } from "./languages.ts";
import { nest, type Part } from "./part.ts";

/**
 * Loads what `partsOf` needs for a file. Does nothing for an unknown language. Throws `address/unreadable` if Loaf's
 * package lacks the grammar.
 */
export async function loadStructure(file: string): Promise<void> {
  const language = languageOf(file);
  try {
    await language?.load();
  } catch (thrown) {
    throw asFailed(thrown, file, language?.name);
  }
}

/**
 * Returns the parts of a file's text as a tree. `loadStructure` must be called first. Throws `address/no-language`, and
 * `address/unreadable` if the text does not match its extension.
 */
export function partsOf(file: string, text: string): readonly Part[] {
  const known = recent.find((entry) => entry.file === file && entry.text === text);
  if (known !== undefined) return known.parts;
  const parts = readParts(file, text);
  recent = [{ file, text, parts }, ...recent.slice(0, MOST_RECENT - 1)];
  return parts;
}

/** Cached, because edits and the report follow a read of the same text, and an excerpt compares a few versions of it. */
let recent: ReadonlyArray<{ readonly file: string; readonly text: string; readonly parts: readonly Part[] }> = [];
const MOST_RECENT = 4;

function readParts(file: string, text: string): readonly Part[] {
  const language = languageOf(file);
  if (language === undefined) throw new Failed({ code: "address/no-language", path: file, known: knownLanguages });
  try {
    return nest(language.read(text));
  } catch (thrown) {
    throw asFailed(thrown, file, language.name);
  }
}

function asFailed(thrown: unknown, file: string, language = ""): unknown {
  return thrown instanceof Unreadable
    ? new Failed({ code: "address/unreadable", path: file, language, reason: thrown.message })
    : thrown;
}

/** Maximum number of candidates for a wrong address: more would overwhelm a reader and a report. */
const MAX_LISTED = 15;

/**
 * Suggests parts for an address that names nothing: all parts if they are few, else those of a similar name, else the
 * siblings.
 */
export function nearest(parts: readonly Part[], address: string): Candidates {
  const all = [...addresses(parts)];
  if (all.length <= MAX_LISTED) return listed(all, all.length);
  const wanted = plain(address.slice(address.lastIndexOf(STEP) + STEP.length));
  const alike = all.filter(({ part }) => isAlike(plain(part.name), wanted));
  const isExact = ({ part }: Addressed) => plain(part.name) === wanted;
  if (alike.length > 0)
    return listed([...alike.filter(isExact), ...alike.filter((candidate) => !isExact(candidate))], all.length);
  return listed(siblings(parts, address), all.length);
}

/** Lists the parts that an ambiguous address names. */
export function several(matches: readonly Addressed[], lineOf: (part: Part) => number): Candidates {
  return { ...listed(matches, matches.length, ({ address, part }) => `${address} (line ${lineOf(part)})`) };
}

function listed(matches: readonly Addressed[], total: number, write = ({ address }: Addressed) => address): Candidates {
  const shown = matches.slice(0, MAX_LISTED);
  return { candidates: shown.map(write), omitted: total - shown.length };
}

/**
 * Returns the siblings of the first step that leads nowhere. A prefix that names nothing may end inside a name that
 * contains `@@`.
 */
function siblings(parts: readonly Part[], address: string): Addressed[] {
  let deepest: Addressed | undefined;
  let misses = 0;
  for (
    let end = address.indexOf(STEP, STEP.length);
    end !== -1 && misses < MAX_MISSES;
    end = address.indexOf(STEP, end + STEP.length)
  ) {
    const [first, second] = find(parts, address.slice(0, end));
    if (first === undefined) misses += 1;
    else if (second === undefined) deepest = first;
  }
  return [...addresses(deepest?.part.children ?? parts, 1, deepest?.address)];
}

/** Checking every prefix of a long address would take quadratic time. */
const MAX_MISSES = 3;

function isAlike(name: string, wanted: string): boolean {
  return name === wanted || (wanted.length > 2 && name.includes(wanted)) || (name.length > 2 && wanted.includes(name));
}

/** Keeps only letters and digits: models drop hashes, dots and brackets, and change case. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
