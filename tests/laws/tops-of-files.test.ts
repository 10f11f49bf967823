/** The law of what is added at the top of a file: below what has to stand first, and code below the imports; or it is refused. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

/** A file in two parts, between which what is added goes. */
type Top = readonly [path: string, head: string, rest: string, added: string];

const TOPS: Readonly<Record<string, Top>> = {
  "a shell's name": ["a.sh", "#!/bin/bash\n", "echo a\n", "set -u\n"],
  "a shell's name and its comment": ["a.sh", "#!/bin/sh\n# Copyright x\n", "\n# Builds.\nmake\n", "set -e\n"],
  "a shell's name that is shown": ["a.sh", "#!/bin/bash\n", "make\n", "#!/bin/bash\nset -e\n"],
  "documentation of Python": ["a.py", '#!/usr/bin/env python3\n"""Doc."""\n', "\nprint(1)\n", "DEBUG = True\n"],
  "imports of Python": ["a.py", '"""Doc."""\nfrom __future__ import annotations\n\nimport os\n', "\n\ndef f():\n    return 1\n", "LIMIT = 10\n"],
  "what runs below imports": ["a.py", "import os\n", "\nlogging.basicConfig()\n\n\ndef f():\n    return 1\n", "LIMIT = 10\nOTHER = 20\n"],
  "what runs before imports": ["a.py", '"""Doc."""\n', "import os\n\n\ndef f():\n    return 1\n", "import gevent.monkey\ngevent.monkey.patch_all()\n"],
  "a comment for Python": ["a.py", "#!/usr/bin/env python3\n", "import os\n\nprint(os)\n", "# Copyright x\n"],
  "PHP": ["a.php", "<?php\n", "\necho 1;\n", "$x = 1;\n"],
  "what is declared in PHP": ["a.php", "<?php\n", "\nnamespace App;\n\nclass C\n{\n}\n", "declare(strict_types=1);\n"],
  "a namespace of PHP": ["a.php", "<?php\n\ndeclare(strict_types=1);\n", "\nuse A\\B;\n\nclass C\n{\n}\n", "namespace App;\n"],
  "a function of PHP": ["a.php", "<?php\n\nnamespace App;\n\nuse A\\B;\n", "\necho 1;\n", "function f()\n{\n    return 1;\n}\n"],
  "XML": ["a.xml", '<?xml version="1.0"?>\n', "<a>\n</a>\n", "<!-- Data -->\n"],
  "a page": ["a.html", "<!DOCTYPE html>\n", "<html>\n<body>\n</body>\n</html>\n", "<!-- Page -->\n"],
  "the head of a document": ["a.md", "---\ntitle: A\n---\n", "\nText.\n", "Note: draft.\n"],
  "a directive": ["a.js", "'use strict';\n", "\nrun();\n", "const X = 1;\n"],
  "a directive to add": ["a.js", "#!/usr/bin/env node\n", "import a from './a';\n\nrun(a);\n", "'use strict';\n"],
  "what loads settings": ["a.js", "#!/usr/bin/env node\n", "const a = require('./a');\n\nrun(a);\n", "require('dotenv').config();\n"],
  "imports of JavaScript": ["a.js", "import a from './a';\nimport {\n  b,\n} from './b';\n", "\nrun(a, b);\n", "console.log('start');\n"],
  "a component": ["a.vue", "<template>\n  <p>a</p>\n</template>\n\n<script setup>\nimport A from './a';\n", "\nrun(A);\n</script>\n", "const x = 1;\n"],
  "the guard of a header": ["a.h", "#ifndef A_H\n#define A_H\n", "\nint a(void);\n\n#endif\n", "#define X 1\n"],
  "a macro for headers": ["a.c", "/* Copyright x */\n", "#include <stdio.h>\n\nint a(void) { return 1; }\n", "#define _GNU_SOURCE\n"],
  "a macro with a value": ["a.c", "/* L */\n#include <stdio.h>\n", "\nint a(void) { return 1; }\n", "#define MAX 10\n"],
  "an attribute of Rust": ["a.rs", "", "use std::fs;\nmod b;\n\nfn a() {}\n", "#![warn(missing_docs)]\n"],
  "a constant of Rust": ["a.rs", "#![warn(missing_docs)]\nuse std::fs;\nmod b;\n", "\nfn a() {}\n", "const A: u8 = 1;\n"],
  "a style sheet": ["a.css", "@charset \"utf-8\";\n@import 'x.css';\n", "\n.a {\n  top: 0;\n}\n", ":root {\n  --c: red;\n}\n"],
  "layers": ["a.css", "@charset \"utf-8\";\n", "@import 'x.css';\n\n.a {\n  top: 0;\n}\n", "@layer base, x;\n"],
  "Sass": ["a.scss", "@use 'x';\n", "\n.a {\n  top: 0;\n}\n", "$c: red;\n"],
  "Ruby": ["a.rb", "# frozen_string_literal: true\n\nrequire 'json'\n", "\nputs 1\n", "LIMIT = 1\n"],
  "Perl": ["a.pl", "#!/usr/bin/perl\nuse strict;\n", "\nprint 1;\n", "my $x = 1;\n"],
  "Go": ["a.go", "package a\n\nimport \"fmt\"\n", "\nfunc init() {}\n\nfunc A() { fmt.Println() }\n", "const X = 1\n"],
  "a comment for Go": ["a.go", "", "//go:build linux\n\npackage a\n\nfunc A() {}\n", "// Copyright x\n"],
  "Elixir": ["a.ex", "defmodule A do\n  @moduledoc \"Doc.\"\n", "\n  def a, do: 1\nend\n", "  @timeout 5000\n"],
  "Kotlin": ["a.kt", "@file:JvmName(\"A\")\n\npackage a\n\nimport b.C\n", "\nfun a() = 1\n", "const val X = 1\n"],
  "a Dockerfile": ["Dockerfile", "# syntax=docker/dockerfile:1\n", "FROM node:20\nRUN a\n", "ARG X=1\n"],
  "the names of columns": ["a.csv", "id,name\n", "1,a\n", "0,z\n"],
  "names of columns to add": ["a.csv", "", "1,a\n2,b\n", "id,name\n"],
  "TOML": ["a.toml", "", "# Settings\na = 1\n\n[b]\nc = 1\n", "d = 1\n"],
};
const SENTENCES = [
  (path: string): string => `At the top of \`${path}\`, add:`,
  (path: string): string => `Put this at the beginning of \`${path}\`:`,
  (path: string): string => `In \`${path}\`, add at the top:`,
  (path: string): string => `Ganz oben in \`${path}\` hinzufügen:`,
];
const withoutBlanks = (text: string | undefined): string => (text ?? "").replace(/\n\s*\n/g, "\n");

test.each(Object.keys(TOPS))("what is added at the top stands below what has to be first: %s", async (name) => {
  const [path, head, rest, added] = TOPS[name] as Top;
  for (const sentence of SENTENCES) {
    const text = await answered(path, head + rest, `${sentence(path)}\n\n\`\`\`\n${added.trimStart()}\`\`\`\n`);
    const only = added.startsWith(head) ? added.slice(head.length) : added;
    expect(withoutBlanks(text)).toBe(withoutBlanks(head + only + rest));
  }
});

test.each([
  ["a.sh", "#!/bin/sh\nmake\n", "#!/bin/bash\nset -e\n"],
  ["a.php", "<html>\n<?php echo 1; ?>\n</html>\n", "$x = 1;\n"],
  ["a.vue", "<script setup>\nrun();\n</script>\n\n<template>\n  <p>a</p>\n</template>\n", "<p>Hello</p>\n"],
  ["a.svelte", "<script>\n  let a = 1;\n</script>\n\n<p>a</p>\n", "<h1>Hello</h1>\n"],
  ["a.html", "<!DOCTYPE html>\n<html>\n<body>\n<p>a</p>\n</body>\n</html>\n", "<p>Hello</p>\n"],
  ["a.xml", "<a>\n  <b/>\n</a>\n", '<b id="2"/>\n'],
  ["a.csv", "id,name\n1,a\n", "key,value\n"],
])("what may not stand at the top is refused: %s", async (path, before, added) => {
  for (const sentence of SENTENCES)
    expect(await answered(path, before, `${sentence(path)}\n\n\`\`\`\n${added}\`\`\`\n`)).toBe(before);
});
