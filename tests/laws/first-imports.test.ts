/** The law of the first import of a file: it stands below what has to stand above it, and above all else. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

/** Files without an import, with the place of the first one. */
const FILES: readonly (readonly [path: string, text: string, statement: string])[] = [
  ["a.py", '"""\nA package.\n\nIt has more lines.\n"""\n<>X = 1\n', "import logging"],
  ["b.py", 'r"""A package.\n\nIt has more lines."""\n\n<>\nX = 1\n', "import logging"],
  ["c.py", "#!/usr/bin/env python3\n'''\nA package.\n'''\n\n<>\nX = 1\n", "import logging"],
  ["d.py", "# A licence.\n<>\nX = 1\n", "import logging"],
  ["e.py", '"""A package."""\n\n<>\nX = 1\n', "import logging"],
  ["a.go", "// A licence.\n\n//go:build linux\n\npackage a\n\n<>\nvar x = 1\n", 'import "os"'],
  ["b.go", "package a\n\n<>\nvar x = 1\n", 'import "os"'],
  ["A.java", "/*\n * A licence.\n */\n\npackage a;\n\n<>\nclass A {}\n", "import java.util.List;"],
  ["B.java", "// A licence.\n\npackage a;\n\n<>\nclass B {}\n", "import java.util.List;"],
  ["A.kt", '/* A licence. */\n\n@file:JvmName("A")\n\npackage a\n\n<>\nval x = 1\n', "import java.util.Date"],
  ["A.php", "<?php\n\ndeclare(strict_types=1);\n\nnamespace A;\n\n<>\nclass A {}\n", "use B\\C;"],
  ["B.php", "<?php declare(strict_types=1);\n\nnamespace A;\n\n<>\nclass B {}\n", "use B\\C;"],
  ["C.php", "<?php\n\nnamespace A;\n\n<>\nclass C {}\n", "use B\\C;"],
  ["a.dart", "library a;\n\n<>\nvar x = 1;\n", "import 'dart:io';"],
  ["a.css", '@charset "utf-8";\n<>\na {\n  color: red;\n}\n', '@import "b.css";'],
  ["a.vue", "<template>\n  <p>a</p>\n</template>\n\n<script setup>\n<>const x = 1;\n</script>\n", 'import { ref } from "vue";'],
  ["a.svelte", "<script>\n<>  export let x = 1;\n</script>\n\n<p>{x}</p>\n", 'import { y } from "./y.js";'],
  ["a.ts", "// A licence.\n<>\nconst x = 1;\n", 'import { y } from "./y.js";'],
  ["a.js", '"use strict";\n\n<>\nconst x = 1;\n', 'import { y } from "./y.js";'],
  ["a.rs", "//! A crate.\n#![allow(dead_code)]\n\n<>\nfn f() {}\n", "use std::fs;"],
];
const plain = (text: string): string => text.replaceAll(/\n\s*\n/g, "\n").replaceAll(/^ +/gm, "");

test.each(FILES)("%s", async (path, text, statement) => {
  const [before, after] = [text.replace(/<>\n?/, ""), text.replace("<>", `${statement}\n`)];
  for (const written of [before, before.replace(/(?<=\S\n)\n(?=\n)/, "")])
    for (const [sentence, end] of [[`Add this import to \`${path}\`:`, `\n\n\`\`\`\n${statement}\n\`\`\`\n`], [`At the top of \`${path}\`, add:`, `\n\n\`\`\`\n${statement}\n\`\`\`\n`], [`Add \`${statement}\` to the imports of \`${path}\`.`, "\n"]] as const) {
      const landed = await answered(path, written, sentence + end);
      expect([plain(written), plain(after)], `${sentence}\n${landed}`).toContain(plain(landed));
      if (sentence.startsWith("Add this")) expect(plain(landed)).toBe(plain(after));
    }
});

test("a component without a script imports nothing", async () => {
  const text = "<template>\n  <p>a</p>\n</template>\n";
  expect(await answered("a.vue", text, 'Add this import to `a.vue`:\n\n```js\nimport { ref } from "vue";\n```\n')).toBe(text);
});

/** Where imports run in turn, one that stands below code is no neighbour of those at the top. */
const LATE: readonly (readonly [path: string, text: string, statement: string, late: string])[] = [
  ["a.js", "// Listens.\n\n<>var host = 1;\n\nfunction start() {\n  return parse(host);\n}\n\nLATE\np.listen(start());\n", "var parse = require('./parse');", "var p = require('./p');"],
  ["b.js", '"use strict";\n\n<>const start = () => parse(1);\n\nLATE\np.listen(start());\n', 'const parse = require("./parse");', 'const p = require("./p");'],
  ["a.cjs", "<>function start() {\n  return parse(1);\n}\n\nLATE\np.listen(start());\n", "const { parse } = require('./parse');", "const { p } = require('./p');"],
  ["a.ts", "<>export function start(): number {\n  return parse(1);\n}\n\nLATE\np.listen(start());\n", 'const parse = require("./parse");', 'const p = require("./p");'],
  ["a.py", '"""Listens."""\n<>def start():\n    return parse(1)\n\n\nLATE\np.listen(start())\n', "from parse import parse", "from p import p"],
  ["b.py", "<>class Start:\n    at = parse(1)\n\n\nLATE\np.listen(Start)\n", "import parse", "import p"],
  ["a.rb", "# Listens.\n\n<>def start\n  parse 1\nend\n\nLATE\nlisten start\n", 'require_relative "parse"', 'require_relative "p"'],
];

test.each(LATE.flatMap(([path, text, statement, late]) => ["Add this import to `PATH`:", "Add this at the top of `PATH`:", "At the top of `PATH`, add:", "In `PATH`, import it:"].map((sentence) => ({ path, text: text.replace("LATE", late), statement, sentence }))))("$path, below code: $sentence", async ({ path, text, statement, sentence }) => {
  const landed = await answered(path, text.replace("<>", ""), `${sentence.replace("PATH", path)}\n\n\`\`\`\n${statement}\n\`\`\`\n`);
  expect(plain(landed)).toBe(plain(text.replace("<>", `${statement}\n`)));
});

test("what is loaded first stays first", async () => {
  for (const first of ["require('dotenv').config();\nconst x = process.env.X;\n", "const env = process.env;\nrequire('dotenv').config();\n"]) {
    const text = `${first}const a = require('a');\n\na(1);\n`;
    const landed = await answered("a.js", text, "Add this import to `a.js`:\n\n```js\nconst y = require('y');\n```\n");
    expect(landed).toContain(first);
    expect(landed.indexOf("require('y')")).toBeGreaterThan(landed.indexOf("config()"));
  }
});
