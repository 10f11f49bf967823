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
