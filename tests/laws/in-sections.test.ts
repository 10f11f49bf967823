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

const NESTED = "# App\n\nIntro.\n\n## Usage\n\nRun it.\n\n- one\n- two\n\n### Options\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<details>\nmore\n</details>\n\n## Notes\n\n1. first\n2. second\n\n## License\n\nMIT\n";
/** A section that has others in it, a table, a numbered list. */
test.each([
  ["Add this to the \"Usage\" section in `docs/a.md`:", "- three", "- two\n", "- three\n"], ["Add this row to the Options section in `docs/a.md`:", "| 3 | 4 |", "| 1 | 2 |\n", "| 3 | 4 |\n"], ["Add this to the Usage section in `docs/a.md`:", "| 3 | 4 |", "| 1 | 2 |\n", "| 3 | 4 |\n"],
  ["Add this to the Usage section of `docs/a.md`:", "See below.", "- two\n", "\nSee below.\n"], ["Add this to the Notes section of `docs/a.md`:", "3. third", "2. second\n", "3. third\n"], ["Insert this at the end of the Usage section of `docs/a.md`:", "### Flags\n\nNone.", "</details>\n", "\n### Flags\n\nNone.\n"],
  ["Put this into the Notes section, not into the License section, in `docs/a.md`:", "Hello.", "2. second\n", "\nHello.\n"],
])("%s %j", async (sentence, added, above, lines) => {
  expect(await answered("docs/a.md", NESTED, `${sentence}\n\n\`\`\`markdown\n${added}\n\`\`\`\n`)).toBe(NESTED.replace(above, () => above + lines));
});

test("a link to a section is no text of it", async () => {
  const now = await answered("docs/a.md", NESTED, "Put a link to the Usage section at the top of `docs/a.md`:\n\n```markdown\n[Usage](#usage)\n```\n");
  expect(now.endsWith(NESTED.slice(NESTED.indexOf("## Usage")))).toBe(true);
});
