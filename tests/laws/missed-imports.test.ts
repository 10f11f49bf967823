/** A text that lacks imports whose names it uses shows a part of its file: all imports stay, and a new one is added. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly above?: string;
  readonly imports: readonly string[];
  readonly fresh: string;
  readonly old: string;
  readonly now: string;
}

const LANGUAGES: readonly Language[] = [
  { path: "src/a.ts", imports: ['import { A } from "./types";', 'import { b } from "./b";', 'import c from "./c";'], fresh: 'import { log } from "./log";', old: "export function f(a: A): number {\n  return b(a.x, c);\n}", now: "export function f(a: A): number {\n  log(a);\n  return b(a.x, c);\n}" },
  { path: "src/a.js", imports: ["const { A } = require('./types');", "const b = require('./b');", "const c = require('./c');"], fresh: "const log = require('./log');", old: "function f(a) {\n  return b(a.x, c, A);\n}", now: "function f(a) {\n  log(a);\n  return b(a.x, c, A);\n}" },
  { path: "a/b.py", imports: ["import os", "import a.re as re", "from typing import Any"], fresh: "import logging", old: "def f(a: Any) -> str:\n    return re.sub('x', os.sep, a)", now: "def f(a: Any) -> str:\n    logging.info(a)\n    return re.sub('x', os.sep, a)" },
  { path: "a.go", above: "package a\n\n", imports: ['import "os"', 'import text "strings"', 'import "io/ioutil"'], fresh: 'import "log"', old: "func f(a string) string {\n\treturn text.Trim(a, os.Args[0]) + ioutil.Name\n}", now: "func f(a string) string {\n\tlog.Println(a)\n\treturn text.Trim(a, os.Args[0]) + ioutil.Name\n}" },
  { path: "src/a.rs", imports: ["use std::fs::File;", "use std::io::{self};", "use crate::types::A;"], fresh: "use log::info;", old: "pub fn f(a: &A) -> usize {\n    a.x + File::len(io::x())\n}", now: 'pub fn f(a: &A) -> usize {\n    info!("f");\n    a.x + File::len(io::x())\n}' },
];
const LABELS = ["**P**", "### `P`", "Update `f` in `P`:", "In `P`:", "Update `P`:", "Here's the updated `f` for `P`:"];
const sorted = (text: string): string => text.split("\n").filter((line) => line !== "").sort().join("\n");

test.each(LANGUAGES.flatMap((language) => LABELS.map((label) => [language.path, label, language] as const)))("%s under %s", async (path, label, { above = "", imports, fresh, old, now }) => {
  for (const count of [1, 2, 3])
    for (const known of [0, 1].filter((number) => number < count)) {
      // What is not imported is not used.
      const used = (code: string): string => (count < 3 ? code.replace(/ \+ ioutil\.Name|, c(?=[,)])|A::(?=x)/, "") : code);
      const file = `${above}${imports.slice(0, count).join("\n")}\n\n${used(old)}\n`;
      const shown = `${[...imports.slice(0, known), fresh].join("\n")}\n\n${used(now)}`;
      const text = await answered(path, file, `${label.replace("P", path)}\n\n\`\`\`\n${shown}\n\`\`\`\n`);
      const wanted = sorted(`${above}${[...imports.slice(0, count), fresh].join("\n")}\n${used(now)}`);
      expect([sorted(file), wanted], text).toContain(sorted(text));
      if (known === 0) expect(sorted(text)).toBe(wanted);
    }
});

test.each(["**src/a.ts**", "### `src/a.ts`", "Here is the complete `src/a.ts`:"])("an import that nothing uses goes with a whole file: %s", async (label) => {
  const file = 'import { A } from "./types";\nimport { b } from "./b";\n\nexport function f(a: A): number {\n  return b(a.x);\n}\n';
  const now = 'import { A } from "./types";\nimport { log } from "./log";\n\nexport function f(a: A): number {\n  log(a);\n  return a.x;\n}\n';
  expect(await answered("src/a.ts", file, `${label}\n\n\`\`\`ts\n${now}\`\`\`\n`)).toBe(now);
});

/** What a whole file does not use any more goes with it. */
const WHOLE: readonly (readonly [name: string, path: string, file: string, now: string])[] = [
  ["a name behind a dot", "a.ts", "import { join } from 'path';\nimport { b } from './b';\n\nexport function f(c: string): string {\n  return b(join(c, 'd'));\n}\n", "import * as path from 'path';\nimport { b } from './b';\n\nexport function f(c: string): string {\n  return b(path.join(c, 'd'));\n}\n"],
  ["a key", "a.ts", "import { format } from './f';\nimport { b } from './b';\n\nexport function f(c: string) {\n  return b(format(c));\n}\n", "import { g } from './g';\nimport { b } from './b';\n\nexport function f(c: string) {\n  return b(g(c, { format: 1 }));\n}\n"],
  ["a comment and a text", "a.ts", "import { format } from './f';\nimport { b } from './b';\n\nexport function f(c: string) {\n  return b(format(c));\n}\n", "import { g } from './g';\nimport { b } from './b';\n\n// No format any more.\nexport function f(c: string) {\n  return b(g(c, 'format'));\n}\n"],
  ["a local name of Go", "a.go", "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc f() string {\n\treturn fmt.Sprint(os.Args)\n}\n", "package a\n\nimport (\n\t\"fmt\"\n)\n\n// f is run without os.\nfunc f() string {\n\tos := 1\n\treturn fmt.Sprint(\"os\", os)\n}\n"],
  ["a docstring", "a.py", "import os\nfrom typing import Any, List\n\n\ndef f(a: List) -> Any:\n    return os.b(a)\n", 'import os\nfrom typing import Any\n\n\ndef f(a: list) -> Any:\n    """Take no List."""\n    return os.b(a)\n'],
  ["another type of Rust", "a.rs", "use std::collections::HashMap;\nuse std::fmt;\n\npub fn f(a: HashMap<u8, u8>) -> fmt::Result {\n    g(a)\n}\n", "use std::collections::BTreeMap;\nuse std::fmt;\n\npub fn f(a: BTreeMap<u8, u8>) -> fmt::Result {\n    g(a)\n}\n"],
];
test.each(WHOLE)("an import goes with a whole file that has only %s", async (_, path, file, now) => {
  for (const label of [`**${path}**`, `### \`${path}\``])
    expect(await answered(path, file, `${label}\n\n\`\`\`\n${now}\`\`\`\n`)).toBe(now);
});

test("what a sentence says is gone goes with a whole file that uses the name of an import", async () => {
  const file = "import { join } from 'path';\n\nexport function a(b) {\n  return join(b);\n}\n\nexport function two(b) {\n  return a(b);\n}\n";
  const now = "import * as path from 'path';\n\nexport function a(b) {\n  const join = path.join;\n  return join(b);\n}\n";
  const text = await answered("a.js", file, `**a.js**\n\n\`\`\`js\n${now}\`\`\`\n\nI removed \`two\`, which only called \`a\`.\n`);
  expect(text).toBe(now);
});
