/** The law of an import for a file that has none: it never stands inside what begins the file, nor above what has to. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly statement: string;
  /** What has to stand above all imports, in this order, any of it missing. */
  readonly heads: ReadonlyArray<readonly string[]>;
  readonly body: string;
  /** What stands around all of that. */
  readonly around?: readonly [above: string, below: string];
}

const [HASH, SLASH, STAR] = ["# Copyright A.\n# import nothing\n", "// Copyright A.\n// import nothing\n", "/*\n * Copyright A.\n *\n   import a;\nimport b;\n */\n"];
const NODE = ["", "#!/usr/bin/env node\n"];
const LICENCES = ["", SLASH, STAR];
const DOCUMENTED = ["", '"""A module."""\n', "'''A module.'''\n", '"""\nA module.\n\n    import nothing\n\nimport nothing\n"""\n', "'''\nA module.\n\nIt has more.'''\n", 'r"""A module.\n\nIt has \\d.\n"""\n'];
const PHP = ["<?php\n", "<?php declare(strict_types=1);\n"];

const LANGUAGES: readonly Language[] = [
  { path: "a.py", statement: "import logging", heads: [["", "#!/usr/bin/env python3\n"], ["", HASH, "# -*- coding: utf-8 -*-\n"], DOCUMENTED], body: "X = 1\n" },
  { path: "b.py", statement: "from logging import INFO", heads: [["", HASH], DOCUMENTED], body: "def f():\n    return 1\n" },
  { path: "a.go", statement: 'import "os"', heads: [LICENCES, ["", "//go:build linux\n\n"], ["", "// Package a does it.\n", "/*\nPackage a does it.\n*/\n"], ["package a\n"]], body: "var x = 1\n" },
  { path: "A.java", statement: "import java.util.List;", heads: [LICENCES, ["", "/**\n * About it.\n */\n"], ["package a.b;\n"]], body: "class A {}\n" },
  { path: "A.kt", statement: "import java.util.Date", heads: [LICENCES, ["", '@file:JvmName("A")\n', '@file:JvmName("A")\n@file:Suppress("b")\n'], ["package a.b\n"]], body: "val x = 1\n" },
  { path: "A.scala", statement: "import a.b.C", heads: [LICENCES, ["package a\n", "package a\npackage b\n"]], body: "object A\n" },
  { path: "A.php", statement: "use B\\C;", heads: [PHP, LICENCES, ["", "namespace A;\n", "declare(strict_types=1);\nnamespace A;\n", "declare(strict_types=1);\n"]], body: "class A {}\n" },
  { path: "A.cs", statement: "using System.Linq;", heads: [LICENCES, ["", "#nullable enable\n"]], body: "class A {}\n" },
  { path: "A.swift", statement: "import Foundation", heads: [NODE.slice(0, 1), LICENCES], body: "struct A {}\n" },
  { path: "a.dart", statement: "import 'dart:io';", heads: [LICENCES, ["", "library a;\n", "library a.b;\n"]], body: "var x = 1;\n" },
  { path: "a.rs", statement: "use std::fs;", heads: [LICENCES, ["", "//! A crate.\n//!\n//! use it\n"], ["", "#![allow(dead_code)]\n", "#![allow(\n    dead_code\n)]\n"]], body: "fn f() {}\n" },
  { path: "a.ts", statement: 'import { y } from "./y.js";', heads: [NODE, LICENCES], body: "const x = 1;\n" },
  { path: "a.js", statement: 'import { y } from "./y.js";', heads: [NODE, LICENCES, ["", '"use strict";\n', "'use client'\n"]], body: "const x = 1;\n" },
  { path: "b.js", statement: 'const y = require("y");', heads: [NODE, LICENCES, ["", '"use strict";\n']], body: "module.exports = 1;\n" },
  { path: "a.rb", statement: 'require "json"', heads: [["", "#!/usr/bin/env ruby\n"], ["", "# frozen_string_literal: true\n"], ["", HASH, "=begin\nCopyright A.\n=end\n"]], body: "x = 1\n" },
  { path: "a.c", statement: "#include <stdio.h>", heads: [LICENCES], body: "int x;\n" },
  { path: "a.h", statement: "#include <stdio.h>", heads: [LICENCES, ["#pragma once\n", "#ifndef A_H\n#define A_H\n"]], body: "int x;\n" },
  { path: "a.cpp", statement: "#include <vector>", heads: [LICENCES], body: "int x;\n" },
  { path: "a.css", statement: '@import "b.css";', heads: [["", '@charset "utf-8";\n'], ["", STAR]], body: "a {\n  color: red;\n}\n" },
  { path: "a.scss", statement: '@use "b";', heads: [["", '@charset "utf-8";\n'], LICENCES], body: "$a: red;\n" },
  { path: "a.vue", statement: 'import { ref } from "vue";', heads: [["<script>\n", '<script setup lang="ts">\n', '<script\n  setup\n  lang="ts"\n>\n'], LICENCES], body: "const x = 1;\n", around: ["<template>\n  <p>a</p>\n</template>\n\n", "</script>\n"] },
  { path: "b.vue", statement: 'import { ref } from "vue";', heads: [["<script setup>\n"], LICENCES], body: "const x = 1;\n", around: ["", "</script>\n\n<template>\n  <p>a</p>\n</template>\n"] },
  { path: "a.svelte", statement: 'import { y } from "./y.js";', heads: [["<script>\n", '<script lang="ts">\n'], ["", "  // Copyright A.\n"]], body: "  export let x = 1;\n", around: ["", "</script>\n\n<p>{x}</p>\n"] },
  { path: "a.ex", statement: "import B.C", heads: [["defmodule A do\n"], ['  @moduledoc """\n  About it.\n\n  alias nothing\n  """\n', "  @moduledoc false\n"]], body: "  def f, do: 1\n", around: ["", "end\n"] },
];

/** Every choice of the heads, apart by blank lines and not. */
function beginningsOf({ heads }: Language): readonly string[] {
  const all = heads.reduce<ReadonlyArray<readonly string[]>>((lists, options) => lists.flatMap((list) => options.map((option) => [...list, option])), [[]]);
  return [...new Set(all.flatMap((list) => ["", "\n"].map((gap) => list.filter(Boolean).map((head) => head + gap).join(""))))];
}

const shown = (text: string): readonly string[] => text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
const askedFor = (path: string, statement: string): readonly string[] => [
  `Add this import to \`${path}\`:\n\n\`\`\`\n${statement}\n\`\`\`\n`,
  `Add \`${statement}\` to the imports of \`${path}\`.\n`,
];

test.each(LANGUAGES)("$path", async (language) => {
  const { path, statement, body, around: [above, below] = ["", ""] } = language;
  let landed = 0;
  const beginnings = beginningsOf(language);
  const wrong: unknown[] = [];
  for (const [index, beginning] of beginnings.entries()) {
    const isDos = index % 2 === 1;
    const text = (above + beginning + body + below).replaceAll("\n", isDos ? "\r\n" : "\n");
    const now = await answered(path, text, askedFor(path, statement)[Math.floor(index / 2) % 2] as string);
    const wanted = [...shown(above + beginning), statement, ...shown(body + below)];
    if (now === text) continue;
    landed += 1;
    if (JSON.stringify(shown(now)) !== JSON.stringify(wanted) || (isDos && /[^\r]\n/.test(now))) wrong.push([text, now]);
  }
  expect(wrong).toEqual([]);
  // An at-rule of CSS in a sentence is taken for none of its imports.
  expect(landed).toBeGreaterThanOrEqual(path.endsWith("css") ? beginnings.length / 2 : beginnings.length);
});

/** What stands right above a declaration is said of that, if it says nothing of the file. */
test.each([
  ["A.java", "package a;\n\n", "/**\n * About it.\n */\nclass A {}\n", "import java.util.List;"],
  ["B.java", "", "/** About it. */\n@Deprecated\nclass B {}\n", "import java.util.List;"],
  ["a.py", '"""A module."""\n\n', "# How many.\nX = 1\n", "import logging"],
  ["a.ts", "", "// Adds.\n// And more.\nfunction f() {}\n", 'import { y } from "./y.js";'],
  ["a.rs", "//! A crate.\n\n", "/// Adds.\n#[inline]\nfn f() {}\n", "use std::fs;"],
  ["A.kt", "package a\n\n", "/* Adds. */\n@A\nfun f() {}\n", "import a.b"],
  ["a.dart", "library a;\n\n", "/// Adds.\nvoid f() {}\n", "import 'dart:io';"],
  ["a.svelte", "<script>\n", "  // Shown.\n  export let x = 1;\n</script>\n", 'import { y } from "./y.js";'],
])("above the comment of a declaration: %s", async (path, above, below, statement) => {
  for (const ask of askedFor(path, statement))
    expect(shown(await answered(path, above + below, ask))).toEqual([...shown(above), statement, ...shown(below)]);
});

/** Files that have no place for an import. */
test.each([
  ["a.vue", "<template>\n  <p>a</p>\n</template>\n", 'import { ref } from "vue";'],
  ["a.svelte", "<p>a</p>\n\n<style>\n  p {\n    color: red;\n  }\n</style>\n", 'import { y } from "./y.js";'],
  ["b.svelte", "<script>let x = 1;</script>\n\n<p>{x}</p>\n", 'import { y } from "./y.js";'],
  ["a.astro", "<p>a</p>\n", 'import A from "./A.astro";'],
  ["a.php", "<p>a</p>\n<?php\n$a = 1;\n", "use A\\B;"],
  ["b.php", "<?php $a = 1; ?>\n<p>a</p>\n", "use A\\B;"],
])("none in %s", async (path, text, statement) => {
  for (const ask of askedFor(path, statement)) expect(await answered(path, text, ask)).toBe(text);
});

/** A file of which only an import is shown. */
test.each([
  ["a.py", "#", '"""A module.\n\nIt has more.\n"""\n\n', "import logging", "\nX = 1\n"],
  ["a.go", "//", "// Copyright A.\n\npackage a\n\n", 'import "os"', "\nvar x = 1\n"],
  ["a.ts", "//", 'import { b } from "./b";\n', 'import { a } from "./a";', "\nconst x = b;\n"],
  ["A.kt", "//", "package a\n\n", "import a.b", "\nval x = 1\n"],
])("with placeholders alone: %s", async (path, comment, above, statement, below) => {
  for (const words of ["... rest of the file", "... existing code ...", "..."])
    for (const end of ["\n", "\r\n"]) {
      const text = `\`\`\`\n${comment} ${path}\n${statement}\n\n${comment} ${words}\n\`\`\`\n`;
      const now = await answered(path, (above + below.trimStart()).replaceAll("\n", end), text);
      expect(shown(now)).toEqual([...shown(above), statement, ...shown(below)]);
    }
});

/** Go writes an import by its path alone, inside of the brackets. */
test.each([
  ['"context"', 'import (\n\t"fmt"\n\t"os"\n)\n', 'import (\n\t"context"\n\t"fmt"\n\t"os"\n)\n'],
  ['"os"', 'import (\n\t"fmt"\n\t"os"\n)\n', 'import (\n\t"fmt"\n\t"os"\n)\n'],
  ['\tm "math"', 'import (\n\t"fmt"\n)\n', 'import (\n\t"fmt"\n\tm "math"\n)\n'],
  ['"os"', 'import "fmt"\n', 'import "fmt"\nimport "os"\n'],
  ['"fmt"', "", 'import "fmt"\n\n'],
  ['import "fmt"', "", 'import "fmt"\n\n'],
])("paths alone: %s", async (shown, imports, wanted) => {
  const fileOf = (text: string): string => `package a\n\n${text}${text === "" || text.endsWith("\n\n") ? "" : "\n"}var x = 1\n`;
  for (const sentence of ["Add the import to `a.go`", "In `a.go`, add these imports at the top", "Add this to the import block of `a.go`"])
    expect((await answered("a.go", fileOf(imports), `${sentence}:\n\n\`\`\`go\n${shown}\n\`\`\`\n`)).replaceAll(/\n+/g, "\n")).toBe(fileOf(wanted).replaceAll(/\n+/g, "\n"));
  const list = 'package a\n\nvar names = []string{\n\t"a",\n}\n';
  expect(await answered("a.go", list, `Add this name to \`a.go\`:\n\n\`\`\`go\n${shown}\n\`\`\`\n`)).not.toContain('import "context"');
});

/** What stands above an import of Rust belongs to it. */
test("attributes", async () => {
  const fileOf = (...lines: readonly string[]): string => `${lines.join("\n")}\n\nfn f() {}\n`;
  const [plain, marked, other] = ["use a::b;", '#[cfg(unix)]\nuse c::d;', "use e::f;"];
  const answerOf = (text: string): string => `Add this import to \`a.rs\`:\n\n\`\`\`rust\n${text}\n\`\`\`\n`;
  expect(await answered("a.rs", fileOf(plain, other), answerOf(marked))).toBe(fileOf(plain, marked, other));
  expect(await answered("a.rs", fileOf(marked, other), answerOf(plain))).toBe(fileOf(plain, marked, other));
  expect(await answered("a.rs", fileOf(plain, marked), answerOf(marked))).toBe(fileOf(plain, marked));
  expect(await answered("a.rs", fileOf(plain, "use c::d;"), answerOf(marked))).toBe(fileOf(plain, marked));
  expect(await answered("a.rs", fileOf(plain, marked), answerOf("use c::d;"))).toBe(fileOf(plain, marked));
});

/** A blank line divides groups of imports, and those beside one in its group tell its place. */
test.each([
  ["a.rs", "use std::env;\n\nuse app::run;\n\nfn f() {}\n", "use std::env;\n\nuse anyhow::Result;\nuse app::run;", "use std::env;\n\nuse anyhow::Result;\nuse app::run;\n\nfn f() {}\n"],
  ["a.py", "from fastapi import FastAPI\n\nfrom app.routers import items\n\napp = FastAPI()\n", "from contextlib import suppress\n\nfrom app.db import Base", "from contextlib import suppress\n\nfrom fastapi import FastAPI\n\nfrom app.db import Base\nfrom app.routers import items\n\napp = FastAPI()\n"],
])("%s: imports in groups", async (path, file, shown, wanted) => {
  expect(await answered(path, file, `Add these imports to \`${path}\`:\n\n\`\`\`\n${shown}\n\`\`\`\n`)).toBe(wanted);
});

test.each([
  ["a.ts", "export function load() {}\n\nexport const LIMIT = 1;\n", "import { load } from './a';"],
  ["a.py", "import os\n\n\ndef load():\n    return 1\n", "from a import load"],
])("%s: a file does not import what it declares", async (path, file, shown) => {
  expect(await answered(path, file, `Update the import in \`${path}\`:\n\n\`\`\`\n${shown}\n\`\`\`\n`)).toBe(file);
});
