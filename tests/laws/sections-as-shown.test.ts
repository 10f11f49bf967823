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

/** A list may be deeper in the file than it is shown. What stands below the shown line goes with the section, or all stays. */
test.each(["In `a.md`, update the **Known issues** section:", "Replace the Known issues section in `a.md` with:", "Change to `a.md`:", "`a.md`:"])("%s", async (sentence) => {
  const fileOf = (list: string): string => `# Notes\n\nThings.\n\n## Known issues\n${list}\n## Changes\n\n${["B", "C", "D", "E", "F", "G"].map((item) => `- ${item}\n`).join("")}`;
  const file = fileOf(" - Not all images are supported.\n - The color space is not communicated.\n - Initialization is slow.\n");
  const list = "- Many decoders will panic.\n- The color space is not communicated.\n";
  const landed = await answered("a.md", file, `${sentence}\n\n\`\`\`markdown\n## Known issues\n${list}\`\`\`\n`);
  expect([file, fileOf(list), fileOf(list.replaceAll(/^/gm, " ").replace(/ $/, ""))]).toContain(landed);
});

/** A title that the file has once, with other marks or inside another section, is not that of a further section. */
test.each(["In `a.md`:", "Update `a.md`:", "Update the sections in `a.md`:", "`a.md`:"])("%s", async (sentence) => {
  const more = ["One", "Two", "Three", "Four", "Five"].map((title) => `## ${title}\n\n${title} is told here.\n\nAnd there.\n`).join("\n");
  const file = `# T\n\n## Request\n\n### Content\n\n#### request.body\n\nThe body.\n\n## Benchmarks\n\nFast.\n\n${more}`;
  for (const shown of ["## Benchmarks\n\nVery fast.\n\n#### request.body\n\nThe new body.\n", "### Benchmarks\n\nVery fast.\n", "# Benchmarks\n\nVery fast.\n"]) {
    const landed = await answered("a.md", file, `${sentence}\n\n\`\`\`markdown\n${shown}\`\`\`\n`);
    for (const title of ["Benchmarks", "request.body"]) expect(landed.match(new RegExp(`^#+ ${title}$`, "gm")), landed).toHaveLength(1);
  }
  const release = `## Unreleased\n\n### Fixed\n\n- A.\n`;
  const log = `# Changes\n\n## Unreleased\n\n## 1.0\n\n### Fixed\n\n- B.\n`;
  const landed = await answered("a.md", log, `${sentence}\n\n\`\`\`markdown\n${release}\`\`\`\n`);
  const linesOf = (text: string): string => text.replaceAll(/\n+/g, "\n");
  expect([log, log.replace("## Unreleased\n", release)].map(linesOf)).toContain(linesOf(landed));
});
