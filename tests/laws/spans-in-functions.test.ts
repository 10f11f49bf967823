/** The law of a code span that stands in several functions: it is that of the function in which the sentence says it is. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

/** A file of which each function has the same two lines. */
const LANGUAGES: ReadonlyArray<readonly [path: string, head: string, block: (name: string, value: number) => string, line: (value: number) => string]> = [
  ["a.py", "import os\n", (name, value) => `def ${name}(x):\n    a = x + 1\n    b = a * ${value}\n    return b\n`, (value) => `b = a * ${value}`],
  ["a.ts", 'import { c } from "./c";\n', (name, value) => `export function ${name}(x: number): number {\n  const a = x + 1;\n  const b = a * ${value};\n  return b;\n}\n`, (value) => `const b = a * ${value};`],
  ["a.go", "package a\n", (name, value) => `func ${name}(x int) int {\n\ta := x + 1\n\tb := a * ${value}\n\treturn b\n}\n`, (value) => `a * ${value}`],
  ["a.rb", 'require "c"\n', (name, value) => `def ${name}(x)\n  a = x + 1\n  a * ${value}\nend\n`, (value) => `a * ${value}`],
  ["a.rs", "use std::fmt;\n", (name, value) => `fn ${name}(x: u32) -> u32 {\n    let a = x + 1;\n    a * ${value}\n}\n`, (value) => `a * ${value}`],
  ["a.c", "#include <a.h>\n", (name, value) => `int ${name}(int x)\n{\n    int a = x + 1;\n    return a * ${value};\n}\n`, (value) => `return a * ${value};`],
];
const NAMES = ["load", "f2", "save_all"];
const INSIDE = [
  "In `FUNC` in `PATH`, change `OLD` to `NEW`.", "In `PATH`, in `FUNC`, replace `OLD` with `NEW`.", "In the `FUNC` function of `PATH`, change `OLD` to `NEW`.",
  "In `PATH`, inside `FUNC`, change `OLD` to `NEW`.", "In `PATH`, change `OLD` to `NEW` in `FUNC`.",
];
/** The function is named, but not as the place. */
const ELSEWHERE = [
  "In `PATH`, change `OLD` to `NEW`.", "In `PATH`, change `OLD` to `NEW`, as `FUNC` expects.", "In `PATH`, change `OLD` to `NEW` so that `FUNC` works.", "In `other` in `PATH`, change `OLD` to `NEW`.",
];

describe.each(LANGUAGES)("%s", (path, head, block, line) => {
  const fileOf = (changed?: string): string => [head, ...NAMES.map((name) => block(name, name === changed ? 9 : 1)), block("other", 5)].join("\n");
  const answerOf = (sentence: string, name: string): string =>
    `${sentence.replace("FUNC", name).replace("PATH", path).replace("OLD", line(1)).replace("NEW", line(9))}\n`;

  test.each(INSIDE.flatMap((sentence) => NAMES.map((name) => [sentence, name] as const)))("%s %s", async (sentence, name) => {
    expect(await answered(path, fileOf(), answerOf(sentence, name))).toBe(fileOf(name));
  });

  test.each(ELSEWHERE.flatMap((sentence) => NAMES.map((name) => [sentence, name] as const)))("%s %s: none", async (sentence, name) => {
    expect(await answered(path, fileOf(), answerOf(sentence, name))).toBe(fileOf());
  });
});
