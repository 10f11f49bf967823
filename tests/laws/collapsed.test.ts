/** The law of what an answer shows collapsed, functions, elements and values: it keeps what the file has. */
import { expect, test } from "vitest";
import { withCommentHoles } from "../../src/excerpts/placeholders/bare-holes.ts";
import { expanded } from "../../src/excerpts/placeholders/collapsed.ts";
import { growthOfItem } from "../support/work.ts";
import { answered } from "./answered.ts";

/** How a language writes a type with functions: what opens it, a function's head, its two statements, what closes both. */
interface Language {
  readonly type: readonly [string, string];
  readonly head: (name: string) => string;
  readonly body: (value: number) => readonly string[];
  readonly indent: string;
  /** What ends a body: none in Python. */
  readonly end: string;
}
const brace = (type: string, head: (name: string) => string, end = ";", indent = "    "): Language => ({ type: [`${type} {`, "}"], head: (name) => `${head(name)} {`, body: (value) => [`log("${value}")${end}`, `count += ${value}${end}`], indent, end: "}" });
const LANGUAGES: Readonly<Record<string, Language>> = {
  "a.js": brace("class Cart", (name) => `${name}(id)`, ";", "  "),
  "a.ts": brace("export class Cart", (name) => `${name}(id: string): void`, ";", "  "),
  "Cart.java": brace("public class Cart", (name) => `public void ${name}(String id)`),
  "Cart.cs": brace("public class Cart", (name) => `public void ${name}(string id)`),
  "Cart.kt": brace("class Cart", (name) => `fun ${name}(id: String)`, ""),
  "Cart.swift": brace("class Cart", (name) => `func ${name}(id: String)`, ""),
  "a.rs": brace("impl Cart", (name) => `pub fn ${name}(&mut self, id: &str)`),
  "a.dart": brace("class Cart", (name) => `void ${name}(String id)`, ";", "  "),
  "Cart.php": brace("<?php\nclass Cart", (name) => `public function ${name}(string $id): void`),
  "Cart.scala": brace("class Cart", (name) => `def ${name}(id: String): Unit =`, "", "  "),
  "a.py": { type: ["class Cart:", ""], head: (name) => `def ${name}(self, id):`, body: (value) => [`self.log("${value}")`, `self.count += ${value}`], indent: "    ", end: "" },
  "a.rb": { type: ["class Cart", "end"], head: (name) => `def ${name}(id)`, body: (value) => [`log("${value}")`, `@count += ${value}`], indent: "  ", end: "end" },
};

/** How an answer shows a function without its body. */
const FORMS: Readonly<Record<string, (head: string, end: string, indent: string) => readonly string[] | undefined>> = {
  "{ ... }": (head) => (head.endsWith("{") ? [`${head} ... }`] : undefined),
  "{ … }": (head) => (head.endsWith("{") ? [`${head} … }`] : undefined),
  "{ /* unchanged */ }": (head) => (head.endsWith("{") ? [`${head} /* unchanged */ }`] : undefined),
  "{ ... } // unchanged": (head) => (head.endsWith("{") ? [`${head} ... } // unchanged`] : undefined),
  "{}": (head) => (head.endsWith("{") ? [`${head}}`] : undefined),
  "head;": (head) => (head.endsWith(" {") ? [head.replace(/ \{$/, ";")] : undefined),
  "remark at the head's column": (head, end) => (head.endsWith("{") ? [head, "// unchanged", end] : undefined),
  "remark inside": (head, end, indent) => [head, `${indent}${head.endsWith("{") ? "//" : "#"} … same as before`, ...(end === "" ? [] : [end])],
  "dots inside": (head, end, indent) => (head.endsWith("{") ? undefined : [head, `${indent}...  # unchanged`, ...(end === "" ? [] : [end])]),
  "pass": (head, _, indent) => (head.endsWith(":") ? [head, `${indent}pass  # unchanged`] : undefined),
  "pass alone": (head, _, indent) => (head.endsWith(":") ? [head, `${indent}pass`] : undefined),
  "head: ...": (head) => (head.endsWith(":") ? [`${head} ...`] : undefined),
  "a docstring": (head, _, indent) => (head.endsWith(":") ? [head, `${indent}"""Unchanged."""`] : undefined),
  "nothing": (head, end) => (end === "end" ? [head, end] : undefined),
};
const SENTENCES = ["Update `Cart` in `P`:", "`P`", "Update `drop` in `P`:"];
const NAMES = ["add", "drop", "total"];

const isWritten = ({ head, end, indent }: Language, form: string): boolean => FORMS[form]?.(head("f"), end, indent) !== undefined;
const combinations = Object.entries(LANGUAGES).flatMap(([path, language]) => Object.keys(FORMS).flatMap((form) => (isWritten(language, form) ? [[path, form] as const] : [])));

test.each(combinations)("%s, %s", async (path, form) => {
  const { type: [open, close], head, body, indent, end } = LANGUAGES[path] as Language;
  const whole = (name: string, value: number): readonly string[] => [head(name), ...body(value).map((line) => indent + line), ...(end === "" ? [] : [end])];
  const fileOf = (functions: readonly (readonly string[])[]): string => `${open}\n${functions.map((lines) => lines.map((line) => indent + line).join("\n")).join("\n\n")}\n${close === "" ? "" : `${close}\n`}`;
  const collapsed = NAMES.map((name) => FORMS[form]?.(head(name), end, indent) ?? []);
  const before = fileOf(NAMES.map((name, index) => whole(name, index)));
  for (const sentence of SENTENCES) {
    const shown = fileOf(NAMES.map((name, index) => (name === "drop" ? whole(name, 42) : (collapsed[index] ?? []))));
    const text = await answered(path, before, `${sentence.replace("P", path)}\n\n\`\`\`\n${shown}\`\`\`\n`);
    expect([before, fileOf(NAMES.map((name, index) => whole(name, name === "drop" ? 42 : index)))]).toContain(text);
  }
  // What is empty, and named, may be meant so. What is marked is not.
  const named = await answered(path, before, `Update \`total\` in \`${path}\`:\n\n\`\`\`\n${(collapsed[2] ?? []).join("\n")}\n\`\`\`\n`);
  if (!/^(?:\{\}|head;|pass alone|nothing|head: \.\.\.)$/.test(form)) expect(named).toBe(before);
});

test("a function that the file declares alone, and what a sentence empties, stays as it is shown", async () => {
  const overloads = "class A {\n  add(a: number): this;\n  add(a: any) {\n    return this.sum(a);\n  }\n\n  sum(a: any) {\n    return this;\n  }\n}\n";
  const shown = "class A {\n  add(a: number): this;\n  add(a: any) {\n    return this.sum(a + 1);\n  }\n\n  sum(a: any) {\n    return this;\n  }\n}\n";
  expect(await answered("a.ts", overloads, `Update \`A\` in \`a.ts\`:\n\n\`\`\`ts\n${shown}\`\`\`\n`)).toBe(shown);
  const file = "int add(int a) {\n    return a;\n}\n\nint sum(int a) {\n    return add(a);\n}\n";
  const declared = await answered("a.c", file, "Add these declarations at the top of `a.c`:\n\n```c\nint add(int a);\nint sum(int a);\n```\n");
  expect([file, `int add(int a);\nint sum(int a);\n${file}`, `int add(int a);\nint sum(int a);\n\n${file}`]).toContain(declared);
  const emptied = await answered("a.js", "function f() {\n  go();\n}\n\nfunction g() {\n  stop();\n}\n", "Make `f` a no-op in `a.js`, and `g` too:\n\n```js\nfunction f() {}\n\nfunction g() {}\n```\n");
  expect(emptied).toBe("function f() {}\n\nfunction g() {}\n");
});

const ELEMENTS = ["<ul>...</ul>", "<ul> … </ul>", "<ul>(unchanged)</ul>"];
const HTML_ELEMENTS = [...ELEMENTS, "<ul><!-- ... --></ul>"];
const JSX_ELEMENTS = [...ELEMENTS, "<ul>{/* ... */}</ul>", "<ul>/* unchanged */</ul>"];
const LIST = "<ul>\n      <li>One</li>\n      <li>Two</li>\n    </ul>";
const PAGES: Readonly<Record<string, readonly [page: (title: string, list: string) => string, elements: readonly string[]]>> = {
  "a.html": [(title, list) => `<body>\n    <h1>${title}</h1>\n    ${list}\n    <p>End</p>\n</body>\n`, HTML_ELEMENTS],
  "a.vue": [(title, list) => `<template>\n  <div>\n    <h1>${title}</h1>\n    ${list}\n  </div>\n</template>\n`, HTML_ELEMENTS],
  "A.tsx": [(title, list) => `export function A() {\n  return (\n    <main>\n    <h1>${title}</h1>\n    ${list}\n    </main>\n  );\n}\n`, JSX_ELEMENTS],
};
test.each(Object.entries(PAGES).flatMap(([path, [page, elements]]) => elements.map((element) => [path, element, page] as const)))("%s, %s", async (path, element, page) => {
  const before = page("Old", LIST);
  for (const sentence of ["Update `P`:", "**P**", "Change the heading in `P`:"]) {
    const text = await answered(path, before, `${sentence.replace("P", path)}\n\n\`\`\`\n${page("New", element)}\`\`\`\n`);
    expect([before, page("New", LIST)]).toContain(text);
  }
});

/** A value that holds another, and how an answer shows that collapsed. */
const VALUES: Readonly<Record<string, readonly [file: (port: number, inner: string) => string, inner: string, collapsed: readonly string[]]>> = {
  "a.js": [(port, inner) => `const config = {\n  port: ${port},\n  ${inner},\n};\nstart(config);\n`, "paths: {\n    home: 1,\n    away: 2,\n  }", ["paths: { ... }", "paths: {…}", "paths: { /* unchanged */ }"]],
  "a.py": [(port, inner) => `config = {\n    "port": ${port},\n    ${inner},\n}\nstart(config)\n`, "\"paths\": [\n        1,\n        2,\n    ]", ["\"paths\": [...]", "\"paths\": […]"]],
  "a.rb": [(port, inner) => `CONFIG = {\n  port: ${port},\n  ${inner}\n}\nstart(CONFIG)\n`, "paths: [1, 2]", ["paths: [...]"]],
};
test.each(Object.entries(VALUES).flatMap(([path, [file, inner, collapsed]]) => collapsed.map((value) => [path, value, file, inner] as const)))("%s, %s", async (path, value, file, inner) => {
  const before = file(1, inner);
  for (const sentence of ["Update `P`:", "**P**"]) {
    const text = await answered(path, before, `${sentence.replace("P", path)}\n\n\`\`\`\n${file(2, value)}\`\`\`\n`);
    expect([before, file(2, inner)]).toContain(text);
  }
});

test("thousands of functions that are shown collapsed take linear time", () => {
  const growth = growthOfItem(8_000, (count) => {
    const functions = Array.from({ length: count }, (_, index) => `function f${index}() {\n  call(${index});\n  return ${index};\n}\n\n`);
    const shown = functions.map((text, index) => (index % 2 === 0 ? text.replace("call(", "change(") : `function f${index}() { ... }\n\n`)).join("");
    expect(expanded("a.js", withCommentHoles("a.js", shown, functions.join("")), functions.join(""), "")).not.toContain("...");
  });
  expect(growth).toBeLessThan(8);
});

test("what is collapsed, and has no head in the file, is refused", async () => {
  const kotlin = "class Cart {\n    fun add(id: String) {\n        log(id)\n    }\n\n    fun total(): Int {\n        return 1\n    }\n}\n";
  const shown = kotlin.replace("return 1", "return 2").replace("fun add(id: String) {\n        log(id)\n    }", "fun add(id: String, count: Int) { ... }");
  expect(await answered("Cart.kt", kotlin, `Update \`Cart\` in \`Cart.kt\`:\n\n\`\`\`kotlin\n${shown}\`\`\`\n`)).toBe(kotlin);
  const page = "<body>\n  <h1>Old</h1>\n  <ul>\n    <li>One</li>\n  </ul>\n</body>\n";
  const other = '<body>\n  <h1>New</h1>\n  <ul class="list">...</ul>\n</body>\n';
  expect(await answered("a.html", page, `Update \`a.html\`:\n\n\`\`\`html\n${other}\`\`\`\n`)).toBe(page);
});

test("the dots of Flow's types are code", async () => {
  const before = "// @flow\nexport type Props = {\n  name: string,\n};\nstart();\n";
  const now = before.replace("  name: string,\n", "  name: string,\n  other: {...},\n  ...\n");
  expect(await answered("a.js", before, `Here is the full \`a.js\`:\n\n\`\`\`js\n${now}\`\`\`\n`)).toBe(now);
});

test("selectors that a comma divides are no functions that are shown collapsed", async () => {
  const body = "  color: red;\n  margin: 0;\n  padding: 1px;\n";
  for (const [old, now] of [[":where(:root)", ":where(:root),\n:where(:host)"], ["a:not(.b)", "a:not(.b),\na:is(.c)"], [".a:nth-child(2)", ".b,\n.a:nth-child(2),\n.c"]] as const) {
    const fileOf = (selector: string, color: string): string => `a {\n  top: 0;\n}\n\n${selector} {\n${body.replace("red", color)}}\n`;
    expect(await answered("a.scss", fileOf(old, "red"), `Here is the full updated \`a.scss\`:\n\n\`\`\`scss\n${fileOf(now, "blue")}\`\`\`\n`)).toBe(fileOf(now, "blue"));
  }
});
