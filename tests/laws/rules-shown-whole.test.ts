/** A rule of CSS, or a class of fields, of which an answer shows most members is shown whole; one with few keeps the others. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Container {
  readonly path: string;
  readonly name: string;
  readonly head: string;
  readonly members: readonly string[];
  readonly changed: (member: string) => string;
  readonly fresh: string;
  readonly end: string;
  readonly below: string;
}

const CONTAINERS: readonly Container[] = [
  { path: "a.css", name: ".f", head: ".f {", members: ["  color: red;", "  width: 30px;", "  margin: 0;", "  padding: 1px;", "  border: none;"], changed: (line) => line.replace(/: .*/, ": inherit;"), fresh: "  opacity: 1;", end: "}", below: "\n\n.g {\n  color: blue;\n}\n" },
  { path: "a.py", name: "F", head: "class F:", members: ["    id: int", "    bytes: int = 0", "    name: str = ''", "    status: str = 'a'", "    extra: bool = False"], changed: (line) => line.replace(/: .*/, ": Any = None"), fresh: "    more: int = 1", end: "", below: "\n\ndef g():\n    return 1\n" },
  { path: "a.ts", name: "F", head: "export interface F {", members: ["  id: string;", "  bytes: number;", "  name: string;", "  status: string;", "  extra: boolean;"], changed: (line) => line.replace(/: .*/, ": unknown;"), fresh: "  more: number;", end: "}", below: "\n\nexport function g() {\n  return 1;\n}\n" },
];
const SENTENCES = ["Update `N` in `P`:", "In `P`, change `N` to:", "`P`:", "**P**"];

const cases = CONTAINERS.flatMap((container) => SENTENCES.map((sentence) => [container.path, sentence, container] as const));
test.each(cases)("%s: %s", async (path, sentence, { name, head, members, changed, fresh, end, below }) => {
  const fileOf = (some: readonly string[]): string => `${[head, ...some].join("\n")}\n${end === "" ? "" : end}${below}`;
  const words = sentence.replace("N", name).replace("P", path);
  const shown = (some: readonly string[]): string => `${words}\n\n\`\`\`\n${[head, ...some, ...(end === "" ? [] : [end])].join("\n")}\n\`\`\`\n`;
  for (const gone of [0, 2, 4])
    for (const now of [members.toSpliced(gone, 1), members.toSpliced(gone, 1).with(1, changed(members[gone === 1 ? 0 : 2] ?? "")), [...members.toSpliced(gone, 1), fresh]]) {
      if (new Set(now.map((line) => line.trim().split(/[:\s]/)[0])).size < now.length) continue;
      const text = await answered(path, fileOf(members), shown(now));
      expect(text).toBe(fileOf(now));
    }
  // One alone of five says nothing of the others.
  const text = await answered(path, fileOf(members), shown([changed(members[1] ?? "")]));
  for (const member of members.toSpliced(1, 1)) expect(text).toContain(member);
});

test.each(["`a.css`:", "Update `.f` in `a.css`:", "In `a.css`, change the rule:"])("a property with a name of its own stays: %s", async (sentence) => {
  const before = ":root {\n  --a: 1px;\n  --b: 2px;\n  --c: 3px;\n}\n\n.f {\n  width: var(--c);\n}\n";
  const text = await answered("a.css", before, `${sentence}\n\n\`\`\`css\n:root {\n  --a: 1px;\n  --b: 5px;\n}\n\`\`\`\n`);
  expect(text).toContain("--c: 3px;");
});

test.each(["", "@media (max-width: 600px) {"])("a list of selectors that grows or shrinks is that of the same rule: %s", async (media) => {
  const wrapped = (rules: string): string => (media === "" ? rules : `${media}\n${rules.replace(/^(?=.)/gm, "  ")}}\n`);
  const other = ".c {\n  top: 0;\n}\n";
  for (const [old, now] of [[".b:hover", ".b:hover,\n.b:focus"], [".b:hover,\n.b:focus", ".b:hover"], [".b,\n.d", ".b,\n.d,\n.e"]] as const)
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
