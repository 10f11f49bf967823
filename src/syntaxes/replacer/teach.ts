/** Instructions for a model to write the replacer's syntax, with blocks as examples. */
import { forms, isSameBlock } from "../forms.ts";
import { Source } from "../source.ts";
import type { Lesson } from "../syntax.ts";
import { readReplacer } from "./read.ts";

export function teach(lesson: Lesson): string {
  const { root, endsWithNewline } = lesson;
  return `# Changing files: replacement blocks

You can change files of the project in ${root} yourself: write blocks like these in your answer. A tool runs them in order, and its report is pasted back to you.

${forms(lesson, printReplacer, WORDS)}

Rules
- Each marker is alone on its line, from column 1. One block changes one place of one file, and has one \`<<<END>>>\`. No line of the text between may be a marker.
- The text between markers is taken literally, nothing escaped, without empty lines at its start and end: a file that is overwritten ends ${endsWithNewline ? "with one newline" : "without a newline"}. To delete text, leave one empty line below \`<<<REPLACE>>>\`.
- Paths are relative to the project's root, or absolute. To edit a file, the end of its path is enough if only one file's path ends with it.
- Copy text to be replaced character by character, indentation too; it must occur exactly once in the file. Never guess contents: if you have not seen the file, ask for it.
- Write contents in full; a placeholder such as "rest unchanged" would end up in the file.
- You may explain yourself below a line \`<<<EXPLANATION>>>\` before a block; it is ignored.
- A failed block does not stop the others. Blocks marked ✅ or ⚠️ are done: never send them again. In a report, a \`⁞ \` before a line is not part of the file.
`;
}

/** The syntax's words for NESL parameters that definitions mention. */
const WORDS: Readonly<Record<string, string>> = { old_text: "the text below SEARCH" };

/** Prints a block. Returns undefined if reading the text would not give the properties back */
export function printReplacer(properties: Readonly<Record<string, string>>): string | undefined {
  const { action, path = "", content = "", old_text = "", new_text = "" } = properties;
  const body =
    action === "file_write" ? ["<<<OVERWRITE>>>", content] : ["<<<SEARCH>>>", old_text, "<<<REPLACE>>>", new_text];
  const text = ["<<<FILE>>>", path, ...body, "<<<END>>>"].join("\n");
  return isSameBlock(readReplacer(new Source(text)), properties) ? text : undefined;
}
