/** Laws of lazy files: what they show stands in their order, and a rule that is shown whole may lack styles. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const STYLES = ["display: block;", "-webkit-appearance: none;", "appearance: none;", "color: red;", "margin: 0;"];
const HOLE = "/* ... existing code ... */\n";
const rule = (styles: readonly string[], selector = ".f"): string => `${selector} {\n${styles.map((style) => `  ${style}\n`).join("")}}\n`;
const TOP = ".top {\n  color: red;\n}\n";
const FILE = { above: `${TOP}\n.q {\n  left: 0;\n}\n\n`, below: "\n.mid {\n  top: 1px;\n}\n\n.end {\n  top: 0;\n}\n" };
const file = (...rules: readonly string[]): string => `${FILE.above}${rules.join("\n.x {\n  top: 2px;\n}\n\n")}${FILE.below}`;
const lazy = (...rules: readonly string[]): string => `### a.css\n\n\`\`\`css\n${[TOP, ...rules].join(`\n${HOLE}\n`)}\n${HOLE}\`\`\`\n`;

test("a rule of a lazy file that repeats most styles and the last one is whole", async () => {
  for (const gone of [0, 1, 2, 3]) {
    const now = STYLES.toSpliced(gone, 1);
    expect(await answered("a.css", file(rule(STYLES)), lazy(rule(now)))).toBe(file(rule(now)));
    expect(await answered("a.css", file(rule(STYLES)), lazy(rule([...now, "gap: 1px;"])))).toBe(file(rule([...now, "gap: 1px;"])));
  }
  // A comment belongs to the style below it.
  const [old, now] = [STYLES, STYLES.toSpliced(1, 1)].map((styles) => rule(["/* Structure */", ...styles]));
  expect(await answered("a.css", file(old ?? ""), lazy(now ?? ""))).toBe(file(now ?? ""));
  // Of two rules of one name, both are shown.
  const others = ["width: 1px;", "height: 2px;", "left: 3px;", "right: 4px;"];
  const both = [rule(STYLES.toSpliced(1, 1)), rule(others.toSpliced(1, 1))];
  expect(await answered("a.css", file(rule(STYLES), rule(others)), lazy(...both))).toBe(file(...both));
});

test("a rule of a lazy file that repeats few styles, or lacks the last one, loses none", async () => {
  const before = file(rule(STYLES));
  const shown = [STYLES.slice(0, -1), ["color: blue;"], ["display: block;", "margin: 2px;"], ["color: blue;", "margin: 0;"], ["color: blue;", "display: block;", "margin: 0;"], [HOLE.trim(), "color: red;", "margin: 1px;"], ["display: flex;", HOLE.trim()], ["display: block;", "color: red;", HOLE.trim(), "margin: 0;"]];
  for (const styles of shown) {
    const text = await answered("a.css", before, lazy(rule(styles)));
    for (const name of ["display:", "-webkit-appearance:", "  appearance:", "color:", "margin:"]) expect(text).toContain(name);
  }
  // What has a name of its own may be used anywhere, and the excerpt of a rule shows only some.
  const root = rule(["--a: 1px;", "--b: 2px;", "--c: 3px;", "--d: 4px;"], ":root");
  expect(await answered("a.css", file(root), lazy(rule(["--a: 1px;", "--c: 3px;", "--d: 5px;"], ":root")))).toContain("--b: 2px;");
  for (const words of ["Update `.f` in `a.css`:", "**a.css**", "Add a gap to `.f` in `a.css`:"])
    expect(await answered("a.css", before, `${words}\n\n\`\`\`css\n${rule([...STYLES.toSpliced(1, 1), "gap: 1px;"])}\`\`\`\n`)).toContain("-webkit-appearance");
  // The other rule of that name is behind a placeholder.
  const twice = file(rule(STYLES), rule(["width: 1px;", "height: 2px;", "left: 3px;", "right: 4px;"]));
  expect(await answered("a.css", twice, lazy(rule(["width: 1px;", "left: 3px;", "right: 5px;"])))).toBe(twice);
});

test("what a lazy file shows at its head is not what stands elsewhere in the file", async () => {
  const body = (name: string, value: number): string => `function ${name}(a) {\n  check(a);\n  return a + ${value};\n}\n`;
  const names = ["one", "two", "three"];
  const before = `"use strict";\nexports.two = exports.one = void 0;\n${names.map((name, at) => `${body(name, at)}exports.${name} = ${name};\n`).join("")}`;
  const head = names.map((name) => `exports.${name} = ${name};\n`).join("");
  for (const rest of [body("three", 7), `${body("two", 5)}${body("three", 7)}`]) {
    const text = await answered("a.js", before, `### a.js\n\n\`\`\`js\n"use strict";\n${head}${body("one", 9)}\n// ... existing code ...\n\n${rest}\`\`\`\n`);
    if (text !== before) expect(text.indexOf(head)).toBe('"use strict";\n'.length);
  }
});

test("new lines above a function with the attribute of the next one are not in that one", async () => {
  const fn = (name: string, lines: string): string => `#[test]\nfn ${name}() {\n${lines}}\n`;
  const same = "    let a = run();\n    check(a, 1);\n";
  const [hidden, last] = [fn("closure", same), fn("unary", same)];
  const [old, now] = ["", "    check(b(), 2);\n"].map((more) => fn("low", `    let a = low();\n    check(a, 1);\n${more}`));
  const fresh = fn("high", "    let a = high();\n    check(a, 1);\n");
  const text = await answered("a.rs", `use x::y;\n\n${old}\n${hidden}\n${last}`, `### a.rs\n\n\`\`\`rs\nuse x::y;\n\n${now}\n${fresh}\n// ... existing code ...\n\`\`\`\n`);
  expect(text).toBe(`use x::y;\n\n${now}\n${fresh}\n${hidden}\n${last}`);
});

test("a group of Go that a lazy file adds is no stray member", async () => {
  const [f, g, h] = ["f", "g", "h"].map((name, at) => `func ${name}() int {\n\treturn ${at}\n}\n`);
  for (const word of ["const", "var"]) {
    const group = `${word} (\n\t// A is the first.\n\tA = 1\n\tB = 2\n)\n`;
    const shown = `package a\n\ntype T int\n\n${group}\n${f}\n// ... existing code ...\n`;
    const text = await answered("a.go", `package a\n\ntype T int\n\n${f}\n${g}\n${h}`, `### a.go\n\n\`\`\`go\n${shown}\`\`\`\n`);
    expect(text).toBe(`package a\n\ntype T int\n\n${group}\n${f}\n${g}\n${h}`);
  }
});

test("an import from the future stands above all others", async () => {
  const body = "\n\ndef f():\n    return 1\n";
  for (const words of ["Update `f` in `a.py`:", "In `a.py`:"]) {
    const text = await answered("a.py", `import sys\nimport typing\nprint(sys, typing)\n${body}`, `${words}\n\n\`\`\`python\nfrom __future__ import annotations\nimport typing\n\n\ndef f():\n    return 2\n\`\`\`\n`);
    expect(text.indexOf("from __future__")).toBeLessThanOrEqual(text.includes("from __future__") ? 0 : -1);
  }
});
