/** The law of lines that a sentence puts into a section of Markdown: they stand there, and blank lines divide paragraphs. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const NAMES = ["Alpha", "Beta", "Gamma"];
const ENDINGS = ["\n", "\r\n"];
/** What a section holds, and what is added to it. */
const TEXTS: ReadonlyArray<readonly [name: string, body: string, added: string]> = [
  ["a paragraph below a paragraph", "Some text,\nin two lines.", "New text."], ["a quotation below a list", "- one\n- two", "> Note"],
  ["an item in a list", "- one\n- two", "- three"], ["a list below a paragraph", "Some text.", "- one\n- two"],
];
const TOP = ["Insert this below the `## NAME` heading of `docs/a.md`:", "In `docs/a.md`, add this at the top of the **NAME** section:", "At the beginning of the \"NAME\" section in `docs/a.md`, add:", "Add this right under the heading `## NAME` in `docs/a.md`:"];
const END = ["In `docs/a.md`, add this at the end of the `## NAME` section:", "Add this to the end of the \"NAME\" section of `docs/a.md`:", "Add this to the **NAME** section of `docs/a.md`:"];

const fileOf = (bodies: readonly string[]): string => `# Guide\n\n${NAMES.map((name, at) => `## ${name}\n\n${bodies[at]}\n`).join("\n")}`;
const joined = (one: string, other: string): string => `${one}${one.split("\n").at(-1)?.startsWith("- ") === true && other.startsWith("- ") ? "\n" : "\n\n"}${other}`;

describe.each(TEXTS)("%s", (_, body, added) => {
  describe.each([...TOP.map((sentence) => ({ sentence, isTop: true })), ...END.map((sentence) => ({ sentence, isTop: false }))])("$sentence", ({ sentence, isTop }) => {
    test.each(NAMES.flatMap((name) => ENDINGS.map((ending) => [name, ending] as const)))("%s %j", async (name, ending) => {
      const now = isTop ? joined(added, body) : joined(body, added);
      const file = fileOf(NAMES.map(() => body)).replaceAll("\n", ending);
      const wanted = fileOf(NAMES.map((one) => (one === name ? now : body))).replaceAll("\n", ending);
      expect(await answered("docs/a.md", file, `${sentence.replace("NAME", name)}\n\n\`\`\`markdown\n${added}\n\`\`\`\n`)).toBe(wanted);
    });
  });

  test.each(ENDINGS)("beside a line that is named %j", async (ending) => {
    const bodies = [body, "The only one\nhere.", body];
    const file = fileOf(bodies).replaceAll("\n", ending);
    for (const [word, now] of [["after", joined(bodies[1] as string, added)], ["before", joined(added, bodies[1] as string)]] as const)
      expect(await answered("docs/a.md", file, `In \`docs/a.md\`, add this ${word} \`The only one\`:\n\n\`\`\`markdown\n${added}\n\`\`\`\n`)).toBe(fileOf([body, now, body]).replaceAll("\n", ending));
  });
});
