/** Reads a file's addressable parts as a tree. */
import { Failed } from "../core/failure.ts";
import { knownLanguages, languageOf } from "./languages.ts";
import { nest, type Part } from "./part.ts";
import { Unreadable } from "./unreadable.ts";

/** Loads what `partsOf` needs for a file. Does nothing for an unknown language. */
export async function loadStructure(file: string): Promise<void> {
  await languageOf(file)?.load();
}

/**
 * Returns the parts of a file's text as a tree. `loadStructure` must be called first. Throws `address/no-language`, and
 * `address/unreadable` if the text does not match its extension.
 */
export function partsOf(file: string, text: string): readonly Part[] {
  if (last?.file === file && last.text === text) return last.parts;
  const parts = readParts(file, text);
  last = { file, text, parts };
  return parts;
}

/** Cached, because edits and the report usually follow a read of the same text. */
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
