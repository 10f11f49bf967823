/** Law of what a sentence takes away: a declaration that has only to do with it never goes from the file. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Code {
  readonly path: string;
  readonly head: string;
  readonly a: string;
  readonly b: string;
  readonly bNow: string;
  readonly c: string;
  readonly cNow: string;
}

const ALL: readonly Code[] = [
  { path: "a.py", head: "import os\n\n\n", a: "def a(x):\n    return x\n\n\n", b: "def b(x):\n    y = c(x)\n    return y\n\n\n", bNow: "def b(x):\n    return x\n\n\n", c: "def c(x):\n    if x < 0:\n        raise ValueError(x)\n    return x\n", cNow: "def c(x):\n    return x\n" },
  { path: "a.ts", head: "import fs from \"fs\";\n\n", a: "export function a(x: number) {\n  return x;\n}\n\n", b: "export function b(x: number) {\n  const y = c(x);\n  return y;\n}\n\n", bNow: "export function b(x: number) {\n  return x;\n}\n\n", c: "export function c(x: number) {\n  if (x < 0) throw new Error(\"x\");\n  return x;\n}\n", cNow: "export function c(x: number) {\n  return x;\n}\n" },
  { path: "a.go", head: "package a\n\nimport \"os\"\n\n", a: "func a(x int) int {\n\treturn x\n}\n\n", b: "func b(x int) int {\n\ty := c(x)\n\treturn y\n}\n\n", bNow: "func b(x int) int {\n\treturn x\n}\n\n", c: "func c(x int) int {\n\tif x < 0 {\n\t\tpanic(x)\n\t}\n\treturn x\n}\n", cNow: "func c(x int) int {\n\treturn x\n}\n" },
  { path: "a.rs", head: "use std::fs;\n\n", a: "pub fn a(x: i32) -> i32 {\n    x\n}\n\n", b: "pub fn b(x: i32) -> i32 {\n    let y = c(x);\n    y\n}\n\n", bNow: "pub fn b(x: i32) -> i32 {\n    x\n}\n\n", c: "pub fn c(x: i32) -> i32 {\n    if x < 0 {\n        panic!();\n    }\n    x\n}\n", cNow: "pub fn c(x: i32) -> i32 {\n    x\n}\n" },
  { path: "a.rb", head: "require \"json\"\n\n", a: "def a(x)\n  x\nend\n\n", b: "def b(x)\n  y = c(x)\n  y\nend\n\n", bNow: "def b(x)\n  x\nend\n\n", c: "def c(x)\n  raise if x < 0\n  x\nend\n", cNow: "def c(x)\n  x\nend\n" },
  { path: "a.php", head: "<?php\n\n", a: "function a($x)\n{\n    return $x;\n}\n\n", b: "function b($x)\n{\n    $y = c($x);\n    return $y;\n}\n\n", bNow: "function b($x)\n{\n    return $x;\n}\n\n", c: "function c($x)\n{\n    if ($x < 0) throw new E();\n    return $x;\n}\n", cNow: "function c($x)\n{\n    return $x;\n}\n" },
];
const KEPT = [
  "I removed the check in `c`.", "I also removed the call to `c`.", "I've dropped the check in `c`.", "This removes the need for `c`.", "I have removed `c` from the loop.", "We removed the validation from `c` as well.", "Removed the call to `c`.",
  "The call to `c` is gone now.", "This drops the dependency on `c`.", "`b` no longer calls `c`.", "`a` no longer depends on `c`.", "I dropped the `c` call.", "I removed `c` from `b`.", "Removed the use of `c` in `a` and `b`.", "`c`'s result is no longer used.",
  "I replaced the call to `c` with a constant.", "Now `c` is no longer needed here.", "I dropped the temporary variable; `c` stays.", "I removed the check that `c` made unnecessary.", "I stopped calling `c` and removed the variable.", "Both no longer go through `c`.", "I removed the wrapper around `c`.",
  "And rename `c` to `start`.", "**Note:** If you rename `c`, update the callers.", "`c` no longer needs to check the path.",
  "Don't remove `c`.", "Nothing was removed; `c` is unchanged.", "We could remove `c` later.", "Next time we'll delete `c`.", "You can rename `c` later.", "If you rename `c`, update the callers.", "`c` was renamed in an earlier step.",
  "`c` can drop its check now.", "`c` is gone from the docs.", "Replace the call in `c` with `a(x)`.",
];
const GONE = ["I removed `c`.", "`c` is gone.", "I dropped the unused helper `c`.", "I removed `c` from `PATH`.", "`c` is no longer needed, so I removed it.", "I've deleted `c`, which nobody calls any more.", "I inlined `c` into `b`.", "The definition of `c` is gone.", "Function `c` was removed.", "We no longer need `c`.", "There's no longer a need for `c`.", "`c` is no longer called by anything.", "`c` is no longer needed in `b` and was removed.", "`b` no longer calls `c`, so I removed it.",
  "Removed the call to `c` and the function itself.", "All traces of `c` are removed.", "Nothing calls `c` any more, so it is removed.", "Note that `c` is gone.", "Removed `c` from the public API.", "The removal of `c` is safe.", "Ich habe `c` entfernt."];
const fenced = (code: string): string => `\n\n\`\`\`\n${code.trimEnd()}\n\`\`\`\n`;

describe.each(ALL)("$path", (code) => {
  const { path, head, a, b, bNow, c, cNow } = code;
  const file = head + a + b + c;

  test.each(KEPT)("%s", async (sentence) => {
    // A part of the file, the whole file without it, and the function itself.
    const parts = await answered(path, file, `### ${path}${fenced(a + bNow)}\n${sentence}\n`);
    expect([file, head + a + bNow + c]).toContain(parts);
    for (const label of [`**${path}**`, `Here is the full \`${path}\`:`]) expect(await answered(path, file, `${label}${fenced(head + a + bNow)}\n${sentence}\n`), label).toContain(c);
    expect(await answered(path, file, `**${path}**${fenced(cNow)}\n${sentence}\n`)).toBe(head + a + b + cNow);
  });

  test("what is there already stays below words for what has gone", async () => {
    for (const sentence of ["Removed the check in `c`:", "I've dropped the check in `c`:", "Dropped the guard from `c`:", "Removing the check from `c`:", "Deleted the check in `c`:"]) {
      expect(await answered(path, head + a + b + cNow, `**${path}**\n\n${sentence}${fenced(cNow)}`), sentence).toBe(head + a + b + cNow);
      expect(await answered(path, file, `**${path}**\n\n${sentence}${fenced(cNow)}`), sentence).toBe(head + a + b + cNow);
    }
  });

  test("what a sentence plainly takes away goes with the whole file", async () => {
    for (const sentence of GONE) expect(await answered(path, file, `**${path}**${fenced(head + a + bNow)}\n${sentence.replace("PATH", path)}\n`), sentence).not.toContain(c);
  });
});
