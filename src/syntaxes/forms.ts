import type { ReadText } from "../core/block.ts";
import type { Lesson } from "./syntax.ts";

/**
 * Describes the actions that a syntax other than NESL can express, each with its example.
 *
 * @param print returns a block as text, or undefined if the syntax cannot express it
 * @param words that syntax's words for the names of parameters
 */
export function forms(
  { actions }: Lesson,
  print: (properties: Readonly<Record<string, string>>) => string | undefined,
  words: Readonly<Record<string, string>>,
): string {
  const inWords = (sentence: string): string =>
    Object.entries(words).reduce((text, [name, word]) => text.replaceAll(name, word), sentence);
  return actions
    .flatMap(({ summary, notes, example }) => {
      const printed = print(withoutFinalNewlines(example("")));
      return printed === undefined ? [] : [`${[summary, ...notes].map(inWords).join(" ")}\n\n~~~\n${printed}\n~~~`];
    })
    .join("\n\n");
}

/** Not every syntax can end a text with a newline, and no example needs one. */
function withoutFinalNewlines(properties: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, value.replace(/\n+$/, "")]));
}

/** Returns whether a text was read as exactly one block with these properties. */
export function isSameBlock({ items, fatal }: ReadText, properties: Readonly<Record<string, string>>): boolean {
  const [item] = items;
  if (
    fatal !== undefined ||
    items.length !== 1 ||
    item === undefined ||
    !("properties" in item) ||
    item.diagnostics.length > 0
  )
    return false;
  const names = Object.keys(item.properties);
  return (
    names.length === Object.keys(properties).length && names.every((name) => item.properties[name] === properties[name])
  );
}
