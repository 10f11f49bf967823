import type { AnyAction } from "../actions/define.ts";
import { exampleProperties } from "./example.ts";

/**
 * Describes the actions that a syntax other than NESL can express, each with its example.
 *
 * @param print returns a block as text, or undefined if the syntax cannot express it
 * @param words that syntax's words for the names of parameters
 */
export function forms(allowed: readonly AnyAction[], print: (properties: Readonly<Record<string, string>>) => string | undefined, words: Readonly<Record<string, string>>): string {
  const inWords = (sentence: string): string => Object.entries(words).reduce((text, [name, word]) => text.replaceAll(name, word), sentence);
  return allowed
    .flatMap((action) => {
      const example = print(exampleProperties({ ...action, example: withoutFinalNewline(action.example) }, ""));
      return example === undefined ? [] : [`${[action.summary, ...(action.notes ?? [])].map(inWords).join(" ")}\n\n~~~\n${example}\n~~~`];
    })
    .join("\n\n");
}

/** Not every syntax can end a text with a newline, and no example needs one. */
function withoutFinalNewline(example: AnyAction["example"]): AnyAction["example"] {
  return Object.fromEntries(Object.entries(example).map(([key, value]) => [key, value.replace(/\n+$/, "")]));
}
