/** Prints a block in the replacer's syntax. */
import { isSameBlock } from "../forms.ts";
import { readReplacer } from "./read.ts";

/** @returns undefined if reading the text would not give the properties back */
export function printReplacer(properties: Readonly<Record<string, string>>): string | undefined {
  const { action, path = "", content = "", old_text = "", new_text = "" } = properties;
  const body =
    action === "file_write" ? ["<<<OVERWRITE>>>", content] : ["<<<SEARCH>>>", old_text, "<<<REPLACE>>>", new_text];
  const text = ["<<<FILE>>>", path, ...body, "<<<END>>>"].join("\n");
  return isSameBlock(readReplacer(text), properties) ? text : undefined;
}
