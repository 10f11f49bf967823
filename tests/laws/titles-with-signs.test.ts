/** Law of titles with signs: what a sentence puts beside a section of Markdown, or into it, goes there or nowhere. */
import { expect, test } from "vitest";
import { loadStructure } from "../../src/addresses/structure.ts";
import { answered } from "./answered.ts";

const TITLES = [
  "Setup & Install", "FAQ: common questions", "1.2 Notes", "API (v2)", "Using `loaf`", "🚀 Quick start", "What's new?", "C++ / C#", "Node.js", "Tips, tricks", "Usage", "C++",
];
const SECTION = "## Contributing\n\nSend patches.\n";
const fileOf = (title: string): string => `# Loaf\n\nIntro.\n\n## Before\n\nFirst.\n\n## ${title}\n\nText of it.\n\n## C\n\nOther.\n\n## License\n\nMIT\n`;
const fenced = (text: string): string => `\n\n\`\`\`markdown\n${text}\`\`\`\n`;
const forms = (words: string): readonly string[] => [`Add this section to \`README.md\` ${words}:`, `In \`README.md\`, ${words}, add:`];

test.each(TITLES)("beside %s", async (title) => {
  await loadStructure("README.md");
  const file = fileOf(title);
  const [below, above] = ["## C\n", `## ${title}\n`].map((next) => file.replace(next, () => `${SECTION}\n${next}`));
  const named = [`**${title}**`, `the **${title}** section`, `the "${title}" section`, `the ## ${title} section`, `*${title}*`, ...(title.includes("`") ? [] : [`\`${title}\``])];
  for (const name of named) {
    for (const [word, now] of [["after", below], ["before", above]] as const)
      for (const form of forms(`${word} ${name}`)) {
        const result = await answered("README.md", file, form + fenced(SECTION));
        // A comma may end what a sentence begins with.
        if (!(title.includes(",") && result === file)) expect(result, form).toBe(now);
      }
  }
});

test.each(TITLES)("into %s", async (title) => {
  const file = fileOf(title);
  const now = file.replace("Text of it.\n", () => "Text of it.\n\nA closing line.\n");
  for (const words of [`to the **${title}** section of`, `at the end of the "${title}" section of`, `below **${title}** in`])
    expect(await answered("README.md", file, `Add this ${words} \`README.md\`:${fenced("A closing line.\n")}`), words).toBe(now);
});

test("a title that the file does not have, or has twice, is no place", async () => {
  const file = `${fileOf("Setup & Install")}\n## Notes\n\none\n\n### Notes\n\ntwo\n`;
  const words = ["after **Setup**", "after **Setup and run**", "below the **Install** section", "before \"Everything else\"", "after the **C#** section", "after **Notes**", "under the Notes section"];
  for (const form of words.flatMap(forms)) expect(await answered("README.md", file, form + fenced(SECTION)), form).toBe(file);
  for (const form of ["Rename the section after **C** in `README.md`:", "Replace the section before **License** in `README.md` with:"])
    expect(await answered("README.md", file, form + fenced(SECTION)), form).toBe(file);
});

test("a section below a heading stands below the section", async () => {
  const file = fileOf("Setup & Install");
  for (const heading of ["the **Setup & Install** heading", "the heading `## Setup & Install`"])
    expect(await answered("README.md", file, `Add this section below ${heading} in \`README.md\`:${fenced(SECTION)}`)).toBe(file.replace("## C\n", `${SECTION}\n## C\n`));
});

test("lines below a heading begin its section", async () => {
  const file = fileOf("Setup & Install");
  expect(await answered("README.md", file, `Add this line under the **Setup & Install** heading of \`README.md\`:${fenced("A first line.\n")}`)).toBe(
    file.replace("Text of it.\n", "A first line.\n\nText of it.\n"),
  );
});
