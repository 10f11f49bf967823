/** Instructions for a model to write CSL. */
import { forms } from "../forms.ts";
import type { Lesson } from "../syntax.ts";
import { printCsl } from "./print.ts";

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
