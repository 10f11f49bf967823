/** Files whose parts have addresses, and the tree of those parts. */
import { Failed } from "../core/failure.ts";
import { knownLanguages, languageOf } from "./languages.ts";
import { nest, type Part } from "./part.ts";
import { Unreadable } from "./unreadable.ts";

/** Loads what reading the parts of such a file takes. Nothing for a file of a language that Loaf does not know. */
export async function loadStructure(file: string): Promise<void> {
  await languageOf(file)?.load();
}

/** Reads the parts of a large text for `partsOf`, without holding up the event loop. What is wrong with the text, `partsOf` throws. Throws `skip/stopped`. */
export async function prepareParts(file: string, text: string, isStopped?: () => boolean): Promise<void> {
  if (text.length < LARGE || known.get(file)?.text === text) return;
  try {
    await loadStructure(file);
    await languageOf(file)?.ahead(text, isStopped);
    partsOf(file, text);
  } catch (thrown) {
    const isOfText = thrown instanceof Unreadable || (thrown instanceof Failed && thrown.failure.code !== "skip/stopped");
    if (!isOfText) throw thrown;
    remember(file, { text, failure: failureOf(file, thrown) });
  }
}

/** UTF-16 units. Less is parsed in some tens of milliseconds, whatever it is. */
const LARGE = 32_768;

/**
 * The parts of a file's text, as a tree. `loadStructure` has to come first. Throws `address/no-language`, and `address/unreadable` where the
 * text is not what its name says.
 */
export function partsOf(file: string, text: string): readonly Part[] {
  const before = known.get(file);
  if (before?.text === text) {
    if ("failure" in before) throw before.failure;
    return before.parts;
  }
  const parts = readParts(file, text);
  remember(file, { text, parts });
  return parts;
}

/** A read is followed by edits, and by the report: most texts are asked for again at once. */
const known = new Map<string, Known>();
const MOST_KNOWN = 8;

type Known = { readonly text: string } & ({ readonly parts: readonly Part[] } | { readonly failure: Failed });

function remember(file: string, read: Known): void {
  known.delete(file);
  known.set(file, read);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
}

function readParts(file: string, text: string): readonly Part[] {
  const language = languageOf(file);
  if (language === undefined) throw new Failed({ code: "address/no-language", path: file, known: knownLanguages });
  try {
    return nest(language.read(text));
  } catch (thrown) {
    throw thrown instanceof Unreadable ? failureOf(file, thrown) : thrown;
  }
}

function failureOf(file: string, thrown: Failed | Unreadable): Failed {
  return thrown instanceof Failed ? thrown : new Failed({ code: "address/unreadable", path: file, language: languageOf(file)?.name ?? "", reason: thrown.message });
}
