/** A block as the replacer's text. */
import { isSameBlock } from "../is-same-block.ts";
import { readReplacer } from "./read.ts";

/** @returns undefined where the replacer cannot say it: reading it would not give the properties back */
export function printReplacer(properties: Readonly<Record<string, string>>): string | undefined {
  const { action, path = "", content = "", old_text = "", new_text = "" } = properties;
  const body = action === "file_write" ? ["<<<OVERWRITE>>>", content] : ["<<<SEARCH>>>", old_text, "<<<REPLACE>>>", new_text];
  const text = ["<<<FILE>>>", path, ...body, "<<<END>>>"].join("\n");
  return isSameBlock(readReplacer(text), properties) ? text : undefined;
}
