/** Instructions for a model to write NESL, and blocks as it is to write them. */
import type { Lesson, TaughtAction } from "../syntax.ts";
import { NESL } from "./lines.ts";

export function teach(lesson: Lesson): string {
  return lesson.isShort ? short(lesson) : full(lesson);
}

function full(lesson: Lesson): string {
  return `${headOf(lesson)}

${examplesOf(lesson).slice(0, 2).join("\n\n")}

Rules
- One block, one action: exactly \`#!nesl [@three-char-SHA-256: ID]\`, its values, \`#!end_ID\`. ID: 3 letters or digits, new for each block.
- Put each block into a code fence, longer than any in its content. Every line of NESL starts in column 1; no comments.
- A value is \`key = "quoted"\` on one line, with JSON's escapes, or a heredoc; numbers are quoted.
- Heredoc: \`key = <<'EOT_ID'\`, the text, nothing escaped, then \`EOT_ID\` alone on a line; no line of the text may end with it.
- The newline before EOT_ID is not part of the value: to end a file with a newline, leave one blank line there.
- ${pathsRule(lesson)}
- Copy old text from the file exactly, indentation too. Never guess contents or line numbers: read what you have not just seen, and wait for the report. Edits may carry the shown \`base\`.
- Write contents in full; placeholders ("rest unchanged") are refused.
- A failed block does not stop the others. In a report ✅ and ⚠️ are done: never send them again. \`⁞ \` before a line and \`[masked: …]\` are not in the file: omit them from edits.

Actions (parameters, [optional])
${lesson.actions.map(actionLine).join("\n")}
`;
}

/** The shortest form, for a chat with little room or one that has seen the full form before. */
function short(lesson: Lesson): string {
  return `${headOf(lesson)}

${examplesOf(lesson).slice(0, 1).join("\n\n")}

- One block, one action; ID: 3 new letters or digits. In a code fence, every line from column 1.
- A value is \`key = "JSON string"\` or a heredoc as above, nothing escaped. The newline before EOT_ID is not part of it: a blank line there ends the file with one.
- ${pathsRule(lesson)}
- Copy old text exactly; read what you have not seen, and wait for the report.
- In a report ✅ and ⚠️ are done: never send them again. \`⁞ \` and \`[masked: …]\` are not in the file.

Actions (parameters, [optional])
${bySignature(lesson.actions).join("\n")}
`;
}

function headOf({ root }: Lesson): string {
  return `# Changing files: NESL blocks

You can work on the project in ${root}: write NESL blocks in your answer. A tool runs them in order; its report is pasted back.`;
}

function pathsRule({ root, relativePaths }: Lesson): string {
  return relativePaths ? "Paths are relative to the project's root, or absolute." : `Paths are absolute: ${root}/…`;
}

/** Lists actions with the same parameters on one line. */
function bySignature(allowed: readonly TaughtAction[]): string[] {
  const lines = new Map<string, string[]>();
  for (const action of allowed)
    lines.set(signatureOf(action), [...(lines.get(signatureOf(action)) ?? []), action.name]);
  return [...lines].map(([signature, names]) => `(${signature}) ${names.join(", ")}`);
}

function signatureOf(action: TaughtAction): string {
  return action.parameters.map(({ name, required }) => (required ? name : `[${name}]`)).join(", ");
}

/** Returns up to three allowed example blocks: one that writes, one that edits, one that reads. */
function examplesOf({ actions, root, relativePaths }: Lesson): string[] {
  const kinds = ["write", "read,write", "read"].map((kind) => actions.find(({ access }) => access === kind));
  return kinds
    .filter((action) => action !== undefined)
    .map(({ example }, index) => `~~~\n${printBlock(`x7${index + 1}`, example(relativePaths ? "" : root))}\n~~~`);
}

function actionLine(action: TaughtAction): string {
  const explained = action.parameters.filter(({ required, description }) => !required || description.includes("`"));
  const more = [...action.notes, ...explained.map(({ name, description }) => `${name}: ${description}.`)];
  return [`- ${action.name} (${signatureOf(action)}): ${action.summary}`, ...more].join(" ");
}

/**
 * Prints a block as NESL, so that `parse` gives the properties back.
 *
 * @param id used unless a line of a heredoc would end with it; then another one is chosen
 * @param properties must have valid keys
 */
export function printBlock(id: string, properties: Readonly<Record<string, string>>): string {
  const entries = Object.entries(properties);
  const heredocs = entries.filter(([, value]) => belongsInHeredoc(value)).map(([, value]) => value);
  const freeId = firstFreeId(id, heredocs);
  const lines = entries.map(
    ([key, value]) => `${key} = ${belongsInHeredoc(value) ? heredoc(freeId, value) : JSON.stringify(value)}`,
  );
  return [`${NESL.header}[@three-char-SHA-256: ${freeId}]`, ...lines, `${NESL.end}${freeId}`].join("\n");
}

/** Values that need escapes when quoted go into heredocs, unless a heredoc would alter them. */
function belongsInHeredoc(value: string): boolean {
  return JSON.stringify(value) !== `"${value}"` && !LOST_IN_HEREDOC.test(value);
}

/** A CR before a line's end would be read as part of the ending. A lone surrogate cannot be written to a file. */
const LOST_IN_HEREDOC = /[\r\p{Surrogate}]/u;

function firstFreeId(id: string, heredocs: readonly string[]): string {
  const isFree = (candidate: string): boolean => !heredocs.some((value) => value.includes(NESL.heredoc + candidate));
  let free = id;
  for (let number = 0; !isFree(free); number++) free = number.toString(36).padStart(3, "0");
  return free;
}

function heredoc(id: string, value: string): string {
  const terminator = NESL.heredoc + id;
  return `<<'${terminator}'\n${value}\n${terminator}`;
}
