/** The law of functions that nothing closes: where an answer shows the first lines of one, the lines below them stay. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const BODIES: Readonly<Record<string, readonly string[]>> = {
  plain: ["total = 0", "for item in items:", "    total += item.price", "log(total)", "return total"],
  "a text at its top": ['"""Adds prices."""', "total = 0", "for item in items:", "    total += item.price", "return total"],
  "an early return": ["if not items:", "    return None", "value = items[0]", "value.touch()", "return value"],
};
const GUARD = ["if items is None:", '    raise ValueError("items")'];
const SENTENCES = [
  "Add a guard at the start of `f` in `a.py`:",
  "In `a.py`, add validation to the beginning of `f`:",
  "`a.py`: `f` should start with a check:",
  "In `a.py`, `f` needs an early return:",
  "Change the first lines of `f` in `a.py`:",
  "Add a check to `f` in `a.py`:",
  "Update `f` in `a.py`:",
];

test.each(Object.keys(BODIES))("the lines below those that are shown stay: %s", async (kind) => {
  const body = BODIES[kind] ?? [];
  const top = kind === "a text at its top" ? 1 : 0;
  for (const indent of ["", "    "])
    for (const sentence of SENTENCES)
      for (const count of [0, 1, 2, 3])
        for (const hole of ["", "...", "# ..."]) {
          const fn = (lines: readonly string[]): string =>
            ["def f(items, path):", ...lines.map((line) => `    ${line}`)].map((line) => indent + line).join("\n");
          const around = (text: string): string => `${indent === "" ? "" : "class C:\n"}${text}\n\n${indent}def g():\n${indent}    return 1\n`;
          const before = around(fn(body));
          const shown = [...body.slice(0, top), ...GUARD, ...body.slice(top, top + count), ...(hole === "" ? [] : [hole])];
          // A block without lines is no code.
          if (shown.at(-1)?.endsWith(":") || shown.at(-2)?.endsWith(":")) continue;
          const text = await answered("a.py", before, `${sentence}\n\n\`\`\`python\n${fn(shown)}\n\`\`\`\n`);
          const meant = around(fn([...body.slice(0, top), ...GUARD, ...body.slice(top)]));
          expect([before, meant], `${sentence} ${fn(shown)}`).toContain(text);
        }
});

test("a function inside another one may end earlier", async () => {
  const inner = (end: string): string => `def f(g):\n    def inner(x):\n        value = g(x)\n        log(x)\n${end}    log(g)\n    return inner\n`;
  const text = await answered("a.py", inner("        return value\n"), `Update \`f\` in \`a.py\`:\n\n\`\`\`python\n${inner("")}\`\`\`\n`);
  expect(text).toBe(inner(""));
});

test("a whole function may have fewer lines than before", async () => {
  const before = "def f(items):\n    a = 1\n    b = 2\n    log(a)\n    return a\n";
  for (const now of ["    a = 1\n    return a\n", "    a = 1\n    b = 2\n    return b\n"]) {
    const text = await answered("a.py", before, `Simplify \`f\` in \`a.py\`:\n\n\`\`\`python\ndef f(items):\n${now}\`\`\`\n`);
    expect(text).toBe(`def f(items):\n${now}`);
  }
});
