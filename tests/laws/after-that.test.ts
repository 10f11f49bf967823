/** Law of statements below "After that:": behind an edit it tells when, and no place in the file. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const CASES: ReadonlyArray<readonly [path: string, above: string, old: string, now: string, below: string, statements: string]> = [
  ["a.py", "import os\n\n\n", "def b(x):\n    return x\n", "def b(x):\n    return x + 1\n", "\n\ndef c(x):\n    return x\n", "log(y)\nsend(y)\n"],
  ["a.ts", "import fs from \"fs\";\n\n", "export function b(x: number) {\n  return x;\n}\n", "export function b(x: number) {\n  return x + 1;\n}\n", "\nexport function c(x: number) {\n  return x;\n}\n", "log(y);\nsend(y);\n"],
  ["a.go", "package a\n\n", "func b(x int) int {\n\treturn x\n}\n", "func b(x int) int {\n\treturn x + 1\n}\n", "\nfunc c(x int) int {\n\treturn x\n}\n", "log(y)\nsend(y)\n"],
  ["A.java", "class A {\n", "    int b(int x) {\n        return x;\n    }\n", "    int b(int x) {\n        return x + 1;\n    }\n", "\n    int c(int x) {\n        return x;\n    }\n}\n", "    int c(int x) {\n        return x + 2;\n    }\n"],
  ["a.rb", "require \"json\"\n\n", "def b(x)\n  x\nend\n", "def b(x)\n  x + 1\nend\n", "\ndef c(x)\n  x\nend\n", "log y\nsend_all y\n"],
  ["a.php", "<?php\n\n", "function b($x)\n{\n    return $x;\n}\n", "function b($x)\n{\n    return $x + 1;\n}\n", "\nfunction c($x)\n{\n    return $x;\n}\n", "log($y);\nsend($y);\n"],
];
const WORDS = ["After that:", "After this:", "And after that:", "Then, after this change:", "After these:", "Then:", "Next:", "Finally:"];

test.each(CASES)("%s", async (path, above, old, now, below, statements) => {
  const file = above + old + below;
  const fenced = (code: string): string => `\n\n\`\`\`\n${code}\`\`\`\n\n`;
  const isMember = statements.includes(" c(");
  const wanted = [above + now + below, ...(isMember ? [above + now + below.replace("return x;", "return x + 2;")] : [])];
  for (const words of WORDS)
    for (const order of [`Update \`b\` in \`${path}\`:`, `### ${path}`])
      expect(wanted, words).toContain(await answered(path, file, `${order}${fenced(now)}${words}${fenced(statements)}`));
});
