/** The law of a section of Markdown whose last shown line is not its last: all of it is replaced where a sentence says so, and no half. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const SECTIONS: Readonly<Record<string, string>> = {
  last: "# T\n\nText.\n\n@",
  first: "# T\n\n@\n## Usage\n\nUse it.\n",
  deep: "# T\n\n## More\n\n@\n### Other\n\nText.\n",
};
const OLD = "H License\n\nLicensed under either of\n\n * Apache\n * MIT\n\nat your option.\n";
const NOW = "H License\n\nLicensed under either of these, at your option:\n\n * Apache\n * MIT\n";

describe.each(Object.keys(SECTIONS))("%s", (where) => {
  const head = where === "deep" ? "###" : "##";
  const [old, now] = [OLD, NOW].map((text) => text.replace("H", head)) as [string, string];
  const fileOf = (section: string): string => (SECTIONS[where] ?? "").replace("@", section);
  const answerOf = (sentence: string, shown: string): string => `${sentence}\n\n\`\`\`markdown\n${shown}\`\`\`\n`;

  test.each(["The license section of `README.md` should read:", "Replace the License section in `README.md` with:", "Here is the whole license section of `README.md`:", 'Update the "License" section of `README.md`:'])("%s", async (sentence) => {
    expect(await answered("README.md", fileOf(old), answerOf(sentence, now))).toBe(fileOf(now));
  });

  test.each(["In `README.md`:", "**README.md**", "Update `README.md`:"])("%s", async (sentence) => {
    expect([fileOf(old), fileOf(now)]).toContain(await answered("README.md", fileOf(old), answerOf(sentence, now)));
  });

  test("what is only added above the last lines lands", async () => {
    const shown = `${head} License\n\nLicensed under either of\n\n * Apache\n * BSD\n * MIT\n`;
    expect(await answered("README.md", fileOf(old), answerOf("In `README.md`:", shown))).toBe(fileOf(old.replace(" * MIT", " * BSD\n * MIT")));
  });
});

/** A title may hold any sign. One that the file does not have gives no place. */
test.each(["1.2.0 (May 11, 2023)", "🔎 Preview", "What's new / next?", "Use: `a`, b"])("a new section beside %s", async (title) => {
  const [above, named, below, added] = ["## First\n\nOne.\n", `## ${title}\n\nTwo.\n`, "## Last\n\nThree.\n", "## Added\n\nFour.\n"];
  const fileOf = (...sections: readonly string[]): string => ["# Title\n", ...sections].join("\n");
  const file = fileOf(above, named, below);
  for (const quoted of [`"${title}"`, `**${title}**`, `“${title}”`])
    for (const [word, wanted] of [["before", fileOf(above, added, named, below)], ["after", fileOf(above, named, added, below)]] as const) {
      const answerOf = (name: string): string => `Add this section ${word} the ${name} section in \`a.md\`:\n\n\`\`\`markdown\n${added}\`\`\`\n`;
      expect(await answered("a.md", file, answerOf(quoted)), quoted).toBe(wanted);
      expect(await answered("a.md", fileOf(above, below), answerOf(quoted)), quoted).toBe(fileOf(above, below));
    }
});
