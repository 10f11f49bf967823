/** Law of code that shows what a change is good for, or what was there: it is no edit, also where a path stands at its fence. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Code {
  readonly path: string;
  readonly language: string;
  readonly comment: string;
  readonly file: string;
  /** A function of the file, and its new form. */
  readonly old: string;
  readonly now: string;
  readonly uses: readonly string[];
}

const ALL: readonly Code[] = [
  { path: "a.py", language: "python", comment: "#", file: "import os\n\n\ndef a(x):\n    return x + 1\n\n\n", old: "def b(x):\n    return a(x) * 2\n", now: "def b(x):\n    return a(x) * 3\n", uses: ["result = b(3)\nassert result == 12\n", "print(b(3))\n", "def test_b():\n    assert b(3) == 12\n"] },
  { path: "a.ts", language: "ts", comment: "//", file: "import fs from \"fs\";\n\nexport function a(x: number) {\n  return x + 1;\n}\n\n", old: "export function b(x: number) {\n  return a(x) * 2;\n}\n", now: "export function b(x: number) {\n  return a(x) * 3;\n}\n", uses: ["const result = b(3);\n", "console.log(b(3));\n", "export function testB() {\n  return b(3) === 12;\n}\n"] },
  { path: "a.go", language: "go", comment: "//", file: "package a\n\nimport \"os\"\n\nfunc a(x int) int {\n\treturn x + 1\n}\n\n", old: "func b(x int) int {\n\treturn a(x) * 2\n}\n", now: "func b(x int) int {\n\treturn a(x) * 3\n}\n", uses: ["var result = b(3)\n", "fmt.Println(b(3))\n", "func TestB(t *testing.T) {\n\tb(3)\n}\n"] },
  { path: "a.rs", language: "rust", comment: "//", file: "use std::fs;\n\npub fn a(x: i32) -> i32 {\n    x + 1\n}\n\n", old: "pub fn b(x: i32) -> i32 {\n    a(x) * 2\n}\n", now: "pub fn b(x: i32) -> i32 {\n    a(x) * 3\n}\n", uses: ["let result = b(3);\n", "println!(\"{}\", b(3));\n", "#[test]\nfn test_b() {\n    assert_eq!(b(3), 12);\n}\n"] },
  { path: "a.rb", language: "ruby", comment: "#", file: "require \"json\"\n\ndef a(x)\n  x + 1\nend\n\n", old: "def b(x)\n  a(x) * 2\nend\n", now: "def b(x)\n  a(x) * 3\nend\n", uses: ["result = b(3)\n", "puts b(3)\n", "def test_b\n  assert_equal 12, b(3)\nend\n"] },
  { path: "a.php", language: "php", comment: "//", file: "<?php\n\nfunction a($x)\n{\n    return $x + 1;\n}\n\n", old: "function b($x)\n{\n    return a($x) * 2;\n}\n", now: "function b($x)\n{\n    return a($x) * 3;\n}\n", uses: ["$result = b(3);\n", "echo b(3);\n", "function testB()\n{\n    b(3);\n}\n"] },
];
const USES = [
  "With this change, the following works:", "Now you can write:", "This lets you do:", "so that this passes:", "With that in place, this works:", "With this in `PATH`, you can write:", "This allows you to write:", "Now the following test passes:", "That makes this possible:",
  "After this change you can write:", "The following now works:", "That way, callers can simply write:", "Which means you can do:", "You can now write code such as:", "Now it can be used like so:", "It is then used as follows:", "So now in `PATH` you can do this:",
];
const OLD = ["Currently you have:", "The old code was:", "Old code:", "The current implementation:", "Your existing function:", "The problem is here:", "Usage:", "Currently, it looks like this:", "Here is what you have now:"];
const EDITS = [
  "Update `b` so that it works:", "Now update `b` in `PATH`:", "With this, `b` in `PATH` can be written as:", "Now we can write `b` in `PATH` like this:", "Then you can replace `b` in `PATH` with this:", "To make the tests pass, change `b` in `PATH`:", "Updated `b`, which now passes:", "Replace the current implementation of `b` in `PATH`:", "Rewrite the existing function in `PATH`:", "The updated code:", "Here's what changed:", "The updated file looks like this:", "Result:", "Something like this should work:", "Here's how to fix it:", "You don't need the old factor:", "So you get:", "Here is the new `b`; with it the tests pass:", "Make this change in `PATH` so the tests pass:",
];

describe.each(ALL)("$path", ({ path, language, comment, file, old, now, uses }) => {
  const fenced = (code: string): string => `\`\`\`${language}\n${code}\`\`\`\n`;
  const labelled = (code: string): readonly string[] => [`\`\`\`${language}\n${comment} ${path}\n${code}\`\`\`\n`, `\`\`\`${language} ${path}\n${code}\`\`\`\n`];

  test.each(USES)("%s", async (words) => {
    const sentence = words.replace("PATH", path);
    for (const [at, use] of uses.entries())
      for (const code of [fenced(use), labelled(use)[at % 2] ?? ""]) {
        const order = at === 1 ? `### ${path}` : `Update \`b\` in \`${path}\`:`;
        expect(await answered(path, file + old, `${order}\n\n${fenced(now)}\n${sentence}\n\n${code}`), code).toBe(file + now);
      }
  });

  test.each(OLD)("%s", async (sentence) => {
    for (const code of labelled(old).slice(sentence.length % 2, 2)) expect(await answered(path, file + now, `Some words.\n\n${sentence}\n\n${code}`), code).toBe(file + now);
    for (const label of [`**${path}**`, `### ${path}`]) expect(await answered(path, file + now, `Some words.\n\n${sentence}\n\n${label}\n\n${fenced(old)}`), label).toBe(file + now);
  });

  test.each(EDITS)("an edit: %s", async (words) => {
    for (const code of labelled(now).slice(words.length % 2, 2)) expect(await answered(path, file + old, `Some words.\n\n${words.replace("PATH", path)}\n\n${code}`), code).toBe(file + now);
  });
});

test.each(["With this change, the following works:", "With it, the following test passes:", "With that in place, you can write:"])("an edit above a use: %s", async (sentence) => {
  const text = "export function a(x) {\n  return x;\n}\n\nexport function b(y) {\n  return y;\n}\n";
  for (const order of ["Change `a` in `a.js`:", "In `a.js`, change `a`:", "Update `a` in `a.js`:"]) {
    const answer = `${order}\n\n\`\`\`js\nexport function a(x) {\n  return x + 1;\n}\n\`\`\`\n\n${sentence}\n\n\`\`\`js\na(2);\n\`\`\`\n`;
    expect(await answered("a.js", text, answer), order).toBe(text.replace("return x", "return x + 1"));
  }
});
