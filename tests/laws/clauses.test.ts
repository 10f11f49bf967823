/** The law of a statement of Python that is shown with other clauses: it takes the place of the old one, whatever the verb is. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const OLD = "try:\n    parts = split(value)\n    stamp = parse(parts)\nexcept ValueError:\n    pass";
const STATEMENTS: readonly (readonly [old: string, now: string])[] = [
  [OLD, OLD.replace("ValueError", "(ValueError, KeyError)")],
  [OLD, OLD.replace("ValueError:\n    pass", "Exception:\n    log(value)\n    raise")],
  [OLD, `${OLD}\nexcept KeyError:\n    stamp = 1`],
  [OLD, `${OLD}\nfinally:\n    close()`],
  ["if value:\n    parts = split(value)\n    stamp = parse(parts)\nelse:\n    stamp = 0", "if value:\n    parts = split(value)\n    stamp = parse(parts)\nelif other:\n    stamp = 1"],
];
const SENTENCES = ["Add error handling to `load` in `a.py`:", "Add a check to `load` in `a.py`:", "Introduce a better way in `load` of `a.py`:", "Implement this in `load` of `a.py`:", "The implementation of `load` (`a.py`) should be:", "Update `load` in `a.py`:", "In `a.py`, change this part of `load`:", "In `a.py`:"];
const indented = (text: string, by: string): string => text.split("\n").map((line) => by + line).join("\n");
const fileOf = (statement: string): string => `import os\n\n\ndef first():\n    return 1\n\n\nclass A:\n    def load(self, value):\n        stamp = None\n${indented(statement, "        ")}\n        if stamp is None:\n            raise Bad(value)\n        return stamp\n\n\ndef last():\n    return 2\n`;

test.each(SENTENCES.flatMap((sentence) => STATEMENTS.map(([old, now]) => [sentence, now.slice(now.indexOf("\n", 40)), old, now] as const)))("%s %s", async (sentence, _, old, now) => {
  const [before, after] = [fileOf(old), fileOf(now)];
  for (const indent of ["", "    ", "        "]) {
    const text = await answered("a.py", before, `${sentence}\n\n\`\`\`python\n${indented(now, indent)}\n\`\`\`\n`);
    expect([before, after], text).toContain(text);
    if (sentence.startsWith("Add error")) expect(text).toBe(after);
  }
});

test("what is below the last line that is shown stays", async () => {
  const lines = ["        raise", "    message = 1", "    raise Bad(message)"];
  const before = fileOf(`try:\n    a = split(value)\nexcept ValueError as error:\n    if error.b:\n${lines.join("\n")}`);
  const after = before.replace("ValueError", "(ValueError, KeyError)");
  for (const sentence of SENTENCES)
    for (const count of [1, 2, 3]) {
      const shown = `try:\n    a = split(value)\nexcept (ValueError, KeyError) as error:\n    if error.b:\n${lines.slice(0, count).join("\n")}`;
      const text = await answered("a.py", before, `${sentence}\n\n\`\`\`python\n${shown}\n\`\`\`\n`);
      expect([before, after], `${sentence}\n${shown}`).toContain(text);
    }
});

const CHAINS: readonly (readonly string[])[] = [
  ["    if x:", "        if p(a):", "            one(a)", "        elif q(a):", "            two(a)", "            three(a)", "        else:", "            four(a)", "    elif len(a) == 2:", "        five(a)"],
  ["    try:", "        one(a)", "    except A:", "        two(a)", "        three(a)", "    except B:", "        four(a)", "    finally:", "        five(a)"],
  ["    for b in a:", "        if p(b):", "            one(b)", "        elif q(b):", "            two(b)", "        six(b)"],
];
test.each(CHAINS.map((lines) => [lines[1]?.trim() ?? "", lines] as const))("a fragment that ends inside a chain ends there: %s", async (_, lines) => {
  const fileOf = (some: readonly string[]): string => `def f(a, x):\n${some.join("\n")}\n    return a\n`;
  const depths = lines.map((line) => line.search(/\S/));
  for (const from of [0, 1])
    for (let end = from + 3; end < lines.length; end++)
      // Where the last line is new too, the whole may be.
      for (let changed = from; changed < end - 1; changed++) {
        if ((depths[end - 1] ?? 0) <= (depths[from] ?? 0)) continue;
        const now = lines.with(changed, (lines[changed] ?? "").replace(/:$|\)$/, (sign) => (sign === ":" ? " and c:" : ", c)")));
        const shown = now.slice(from, end).join("\n");
        const text = await answered("a.py", fileOf(lines), `In \`f\` in \`a.py\`, change this part:\n\n\`\`\`python\n${shown}\n\`\`\`\n`);
        expect([fileOf(lines), fileOf(now)], `${shown}\n\n${text}`).toContain(text);
      }
});

test("the values of a statement stay in it", async () => {
  const before = fileOf(OLD);
  for (const sentence of SENTENCES) {
    const shown = "try:\n    other = read(value)\n    stamp = parse(other)\nexcept OSError:\n    stamp = 0";
    const text = await answered("a.py", before, `${sentence}\n\n\`\`\`python\n${shown}\n\`\`\`\n`);
    expect(text).not.toMatch(/^(?:other|stamp) =/m);
  }
});
