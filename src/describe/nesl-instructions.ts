/** What a model has to know to write NESL. */
import type { AnyAction } from "../actions/define.ts";
import { exampleBlock } from "./example.ts";
import { parametersOf } from "./parameters.ts";

/** @param allowed the actions that may be used */
export function neslInstructions(allowed: readonly AnyAction[], options: Place): string {
  const { root, relativePaths } = options;
  return `# Changing files: NESL blocks

You can work on the project in ${root} yourself: write NESL blocks in your answer. A tool runs them in order, and its report is pasted back to you.

${examplesOf(allowed, options).join("\n\n")}

Rules
- A block is one action. It begins with exactly \`#!nesl [@three-char-SHA-256: ID]\` and ends with \`#!end_ID\`. ID: any 3 letters or digits, new for each block.
- Put each block into a code fence; use a longer fence where the content holds one. All lines of NESL start in column 1; no comments.
- A value is \`key = "quoted"\` on one line, with JSON's escapes (\`\\"\` \`\\\\\` \`\\n\`), or a heredoc. There are no bare numbers.
- Heredoc: \`key = <<'EOT_ID'\`, then the text as it is, nothing escaped, then \`EOT_ID\` alone on a line. Use it for code and for several lines. No line of the text may end with EOT_ID.
- The newline before EOT_ID is not part of the value: to end a file with a newline, leave one blank line before EOT_ID.
- ${relativePaths ? "Paths are relative to the project's root, or absolute." : `Paths are absolute: ${root}/…`}
- Copy text to be replaced from the file character by character, indentation too. Never guess contents or line numbers: where you have not just seen the file, read it and wait for the report.
- Write contents in full; a placeholder such as "rest unchanged" would end up in the file.
- A failed block does not stop the others. Blocks marked ✅ or ⚠️ are done: never send them again. In a report, a \`⁞ \` before a line is not part of the file.

Actions, with their parameters ([optional])
${allowed.map(actionLine).join("\n")}
`;
}

interface Place {
  readonly root: string;
  readonly relativePaths: boolean;
}

/** Two blocks: one that writes, one that edits, or, where those are not allowed, one that reads. */
function examplesOf(allowed: readonly AnyAction[], { root, relativePaths }: Place): string[] {
  const kinds = ["write", "read,write", "read"].map((needed) => allowed.find(({ needs }) => Object.values(needs).join() === needed));
  return kinds
    .filter((action) => action !== undefined)
    .slice(0, 2)
    .map((action, index) => `~~~\n${exampleBlock(action, `x7${index + 1}`, relativePaths ? "" : root)}\n~~~`);
}

function actionLine(action: AnyAction): string {
  const parameters = parametersOf(action);
  const names = parameters.map(({ name, required }) => (required ? name : `[${name}]`)).join(", ");
  const explained = parameters.filter(({ required, form, description }) => !required || form === "paths" || description.includes("`"));
  const more = [...(action.notes ?? []), ...explained.map(({ name, description }) => `${name}: ${description}.`)];
  return [`- ${action.name} (${names}): ${action.summary}`, ...more].join(" ");
}
