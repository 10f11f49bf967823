/** Instructions for a model to write CSL, with operations as examples. */
import { forms, isSameBlock } from "../forms.ts";
import type { Lesson } from "../syntax.ts";
import { type Delimiters, DELIMITERS } from "./marker.ts";
import { readCsl } from "./read.ts";

export function teach(lesson: Lesson): string {
  const { root, csl } = lesson;
  const marker = (text: string): string => `\`${csl.start}${text}${csl.end}\``;
  return `# Changing files: CSL

You can change files of the project in ${root} yourself: write CSL operations in your answer. A tool runs them in order, and its report is pasted back to you.

${forms(lesson, (properties) => printCsl(properties, csl), WORDS)}

Rules
- Each marker is alone on its line, from column 1. An operation ends with its ${marker("END")}. Attributes are quoted; \`\\"\` and \`\\\\\` stand for a quote and a backslash.
- The text between markers is taken literally, nothing escaped. The newline before the next marker is not part of it: to end a file with a newline, leave one blank line before ${marker("END")}. No line of the text may be such a marker.
- Paths are relative to the project's root, or absolute.
- Copy text to be replaced character by character, indentation too. It must occur exactly once in the file, or as often as \`count="3"\` says; \`count="all"\` takes every one. Never guess contents: if you have not seen the file, ask for it.
- Write contents in full; a placeholder such as "rest unchanged" would end up in the file.
${lesson.mayRunCommands ? `- ${marker("RUN")} … ${marker("END")}: commands, one per line, up to the first that fails, 5 s each; \`dir="src"\` says where. There is no shell: no pipes, variables or redirections. The user allows each command once; until then it is a SKIP.\n` : ""}- ${marker("TASKS")} … ${marker("END")} around several operations: all of them run, or none if one cannot. They cannot be nested.
- One wrong marker anywhere, and no part of the answer runs (FATAL). An operation that fails (ERROR) does not stop the others; a SUCCESS is done: never send it again. In a report, a \`⁞ \` before a line is not part of the file.
`;
}

/** CSL's words for NESL parameters that definitions mention. */
const WORDS: Readonly<Record<string, string>> = {
  old_text_beginning: "the text below SEARCH",
  old_text_end: "the text below TO",
  old_text: "the text below SEARCH",
};

/** Prints a block. Returns undefined if reading the text would not give the properties back */
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
