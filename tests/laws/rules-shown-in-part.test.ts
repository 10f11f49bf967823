/** Styles and fields that an answer does not show stay; a rule with a longer list of selectors is the same rule. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const MEMBERS = ["  color: red;", "  width: 30px;", "  margin: 0;", "  padding: 1px;", "  border: none;"];
const BELOW = "\n\n.g {\n  color: blue;\n}\n";
const fileOf = (members: readonly string[]): string => `.f {\n${members.join("\n")}\n}${BELOW}`;
const shown = (words: string, members: readonly string[]): string => `${words}\n\n\`\`\`css\n.f {\n${members.join("\n")}\n}\n\`\`\`\n`;

test.each(["In `a.css`, `.f` also needs a `gap`:", "Set the `gap` of `.f` in `a.css`:", "Update the `.f` rule in `a.css`:", "Update the margin in `a.css`:", "In `a.css`, turn `.f` blue:", "In `a.css`, change `color` to blue:"])("styles that are not shown stay: %s", async (words) => {
  for (const gone of [0, 2, 4]) {
    const text = await answered("a.css", fileOf(MEMBERS), shown(words, [...MEMBERS.toSpliced(gone, 1), "  gap: 1px;"]));
    expect(text).toContain(MEMBERS[gone]);
  }
});

test("fields of a class that are not shown stay", async () => {
  const before = "class F:\n    \"\"\"Of g.\"\"\"\n    id: int\n    size: int = 0\n    name: str = ''\n    secret = g()\n";
  for (const words of ["Update `F` in `a.py`:", "Change the default of `size` in `a.py`:", "**a.py**"]) {
    const text = await answered("a.py", before, `${words}\n\n\`\`\`python\nclass F:\n    id: int\n    size: int = 1\n    name: str = ''\n\`\`\`\n`);
    for (const line of ["    secret = g()", "    \"\"\"Of g.\"\"\""]) expect(text).toContain(line);
  }
});

test("a list of selectors does not shrink", async () => {
  const before = "h1,\nh2 {\n  margin: 0;\n  top: 1px;\n}\n\n.c {\n  top: 0;\n}\n";
  for (const words of ["In `a.css`:", "In `a.css`, make the title larger:", "Update `h1` in `a.css`:"]) {
    const text = await answered("a.css", before, `${words}\n\n\`\`\`css\nh1 {\n  margin: 0;\n  top: 1px;\n  font-size: 2em;\n}\n\`\`\`\n`);
    expect(text).toContain("h1,\nh2 {\n  margin: 0;\n  top: 1px;\n}\n");
  }
});

test.each(["`a.css`:", "Update `.f` in `a.css`:", "In `a.css`, change the rule:"])("a property with a name of its own stays: %s", async (sentence) => {
  const before = ":root {\n  --a: 1px;\n  --b: 2px;\n  --c: 3px;\n}\n\n.f {\n  width: var(--c);\n}\n";
  const text = await answered("a.css", before, `${sentence}\n\n\`\`\`css\n:root {\n  --a: 1px;\n  --b: 5px;\n}\n\`\`\`\n`);
  expect(text).toContain("--c: 3px;");
});

test.each(["", "@media (max-width: 600px) {"])("a list of selectors that grows is that of the same rule: %s", async (media) => {
  const wrapped = (rules: string): string => (media === "" ? rules : `${media}\n${rules.replace(/^(?=.)/gm, "  ")}}\n`);
  const other = ".c {\n  top: 0;\n}\n";
  for (const [old, now] of [[".b:hover", ".b:hover,\n.b:focus"], [".b,\n.d", ".b,\n.d,\n.e"]] as const)
    for (const sentence of ["Update the rules in `a.css`:", "In `a.css`:", "**a.css**"]) {
      const rulesOf = (selectors: string): string => wrapped(`${selectors} {\n  color: blue;\n}\n\n${other}`);
      const [before, after] = [old, now].map((selectors) => `.a {\n  color: red;\n}\n\n.z {\n  color: red;\n}\n\n${rulesOf(selectors)}`);
      const text = await answered("a.css", before ?? "", `${sentence}\n\n\`\`\`css\n${rulesOf(now)}\`\`\`\n`);
      expect(text).toBe(after);
    }
  // A rule for several is another one than that of one of them, which has other styles.
  const before = `.a {\n  color: red;\n  width: 1px;\n}\n\n${other}`;
  const text = await answered("a.css", before, "Add this rule to `a.css`:\n\n```css\n.a,\n.b {\n  margin: 0;\n}\n```\n");
  expect(text).toContain("  color: red;\n  width: 1px;\n");
});
