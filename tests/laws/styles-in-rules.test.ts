/** The law of styles that a sentence adds: they stand at the end of the rule that it names, or nothing is edited. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const RULES = [".card", "#top", "nav a", ".button", ".button:hover", "@media print"];
const fileOf = (at: string, added: string): string =>
  `${RULES.map((rule) => (rule.startsWith("@") ? `${rule} {\n  .button {\n    color: black;\n    margin: 1px;\n${at === "print" ? added : ""}  }\n}\n` : `${rule} {\n  padding: 8px;\n  color: red;\n${rule === at ? added : ""}}\n`)).join("\n")}`;
const STYLES = ["cursor: pointer;\n", "cursor: pointer;\nmargin: 0;\n", "  cursor: pointer;\n  margin: 0;\n"];
const NAMED = ["In `a.css`, add this to the `RULE` rule:", "Add this to `RULE` in `a.css`:", "In `a.css`, inside `RULE`, add:", "Add these styles in `RULE` (`a.css`):", "In `a.css`, at the end of `RULE`, add:", "In `RULE` in `a.css`, add:"];
const indented = (styles: string): string => styles.replace(/^ */gm, "  ").trimEnd() + "\n";
const answerOf = (sentence: string, styles: string): string => `${sentence}\n\n\`\`\`css\n${styles}\`\`\`\n`;

describe.each(NAMED)("%s", (sentence) => {
  // The file has `.button` twice.
  test.each(RULES.filter((rule) => !rule.startsWith("@") && rule !== ".button"))("%s", async (rule) => {
    for (const styles of STYLES)
      expect(await answered("a.css", fileOf("", ""), answerOf(sentence.replace("RULE", rule), styles))).toBe(fileOf(rule, indented(styles)));
  });

  test.each([".button", ".other", "padding"])("%s, which is no rule or several, lands nowhere", async (rule) => {
    for (const styles of STYLES) expect(await answered("a.css", fileOf("", ""), answerOf(sentence.replace("RULE", rule), styles))).toBe(fileOf("", ""));
  });
});

test.each(["Add this to `a.css`:", "In `a.css`, add:", "Add this below `.card` in `a.css`:", "In `a.css`, add this after the `nav a` rule:"])("%s tells no rule", async (sentence) => {
  for (const styles of STYLES) expect(await answered("a.css", fileOf("", ""), answerOf(sentence, styles))).toBe(fileOf("", ""));
});

test("a style is changed in the rule that is named, or nowhere", async () => {
  const [file, now] = [0, 1].map((at) => `.card {\n  padding: 8px;\n}\n\n.button {\n  margin: ${["1px", "2px"][at]};\n  color: red;\n}\n`);
  const answer = (rule: string): string => answerOf(`In \`a.css\`, change \`margin\`${rule} to \`2px\`:`, "margin: 2px;\n");
  expect(await answered("a.css", file ?? "", answer(" in `.button`"))).toBe(now);
  expect(await answered("a.css", file ?? "", answer(""))).toBe(now);
  expect(await answered("a.css", file ?? "", answer(" in `.other`"))).toBe(file);
  expect(await answered("a.css", file ?? "", answer(" in `.card`"))).toBe(file);
});

test("a rule inside another is meant where both are named", async () => {
  const answer = answerOf("In `a.css`, add this to `.button` in `@media print`:", "cursor: pointer;\n");
  expect(await answered("a.css", fileOf("", ""), answer)).toBe(fileOf("print", "    cursor: pointer;\n"));
});
