import type { AnyAction } from "../actions/define.ts";
import { exampleProperties } from "./example.ts";

/**
 * What can be asked for in a syntax other than NESL, each with its example.
 *
 * @param print gives a block as text, or undefined where the syntax cannot say it
 * @param words what stands in that syntax for the names of parameters
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

/** Not every syntax can end a text with a newline, and none has to. */
function withoutFinalNewline(example: AnyAction["example"]): AnyAction["example"] {
  return Object.fromEntries(Object.entries(example).map(([key, value]) => [key, value.replace(/\n+$/, "")]));
}
