/** Files whose parts have addresses, and the tree of those parts. */
import { Failed } from "../core/failure.ts";
import { knownLanguages, languageOf } from "./languages.ts";
import { nest, type Part } from "./part.ts";
import { Unreadable } from "./unreadable.ts";

/** Loads what reading the parts of such a file takes. Nothing for a file of a language that Loaf does not know. */
export async function loadStructure(file: string): Promise<void> {
  await languageOf(file)?.load();
}

/**
 * The parts of a file's text, as a tree. `loadStructure` has to come first. Throws `address/no-language`, and `address/unreadable` where the
 * text is not what its name says.
 */
export function partsOf(file: string, text: string): readonly Part[] {
  if (last?.file === file && last.text === text) return last.parts;
  const parts = readParts(file, text);
  last = { file, text, parts };
  return parts;
}

/** A read is followed by edits, and by the report: most texts are asked for again at once. */
let last: { readonly file: string; readonly text: string; readonly parts: readonly Part[] } | undefined;

function readParts(file: string, text: string): readonly Part[] {
  const language = languageOf(file);
  if (language === undefined) throw new Failed({ code: "address/no-language", path: file, known: knownLanguages });
  try {
    return nest(language.read(text));
  } catch (thrown) {
    if (thrown instanceof Unreadable) throw new Failed({ code: "address/unreadable", path: file, language: language.name, reason: thrown.message });
    throw thrown;
  }
}
