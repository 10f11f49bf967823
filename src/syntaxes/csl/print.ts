/** Prints a block as CSL. */
import { isSameBlock } from "../forms.ts";
import { readCsl } from "./read.ts";
import { type Delimiters, DELIMITERS } from "./marker.ts";

/** @returns undefined if reading the text would not give the properties back */
export function printCsl(
  properties: Readonly<Record<string, string>>,
  delimiters: Delimiters = DELIMITERS,
): string | undefined {
  const {
    action,
    path: file,
    content = "",
    old_text = "",
    old_text_beginning = "",
    old_text_end = "",
    new_text = "",
    count = "all",
    commands = "",
    dir,
  } = properties;
  const marker = (name: string, attributes: Readonly<Record<string, string | undefined>> = {}): string =>
    `${delimiters.start}${name}${printAttributes(attributes)}${delimiters.end}`;
  const write = (append?: string) => [marker("WRITE", { file, append }), content];
  const search = (text: string, more?: string) => [marker("SEARCH", { file, count: more }), text];
  const replace = [marker("REPLACE"), new_text];
  const forms: Readonly<Record<string, () => readonly string[]>> = {
    file_write: () => write(),
    file_append: () => write("true"),
    file_replace_text: () => [...search(old_text), ...replace],
    file_replace_all_text: () => [...search(old_text, count), ...replace],
    file_replace_text_range: () => [...search(old_text_beginning), marker("TO"), old_text_end, ...replace],
    run_commands: () => [marker("RUN", { dir }), commands],
  };
  const lines = forms[action ?? ""]?.();
  const text = lines && [...lines, marker("END")].join("\n");
  return text !== undefined && isSameBlock(readCsl(text, delimiters), properties) ? text : undefined;
}

function printAttributes(attributes: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(attributes)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => ` ${name}="${value.replace(/[\\"]/g, "\\$&")}"`)
    .join("");
}
