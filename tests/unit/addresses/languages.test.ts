/** Tests addresses and names of language-specific constructs. tests/structure reads real files. */
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { resultInTime } from "../../../src/run/limits.ts";
import { languageOf } from "../../../src/addresses/languages.ts";
import { partsOf } from "../../../src/addresses/structure.ts";
import { addressesIn, outline } from "./outline.ts";

test.each([
  ["a.ts", "export default class { m() {} }", ["@@default", "@@default@@m"]],
  ["a.ts", "declare module 'x' { function f(): void }\ndeclare global { var g: 1 }", ["@@x", "@@x@@f", "@@global", "@@global@@g"]],
  ["a.ts", "const a = 1, b = () => 2;", ["@@a", "@@b"]],
  ["a.ts", "function f() { const local = 1; const inner = () => 2; class C {} }", ["@@f", "@@f@@inner", "@@f@@C"]],
  ["a.ts", "describe('x', () => { const local = 1; function named() {} });", ["@@named"]],
  ["a.ts", "class A { get x() { return 1 } set x(v) {} #p = 1; 'q r'() {} [Symbol.iterator]() {} }", ["@@A", "@@A@@x#1", "@@A@@x#2", "@@A@@#p", "@@A@@q r", "@@A@@[Symbol.iterator]"]],
  ["a.js", "Shape.prototype.area = function () {};\nmodule.exports = { a() {}, b: 1 };\nx = 1;", ["@@Shape.prototype.area", "@@module.exports", "@@module.exports@@a"]],
  ["a.jsx", "const App = () => <p>{() => 1}</p>;", ["@@App"]],
  ["a.tsx", "export function App<T>(): X { return <p/>; }", ["@@App"]],
  ["a.py", "a = b = 1\nif a:\n  c = 2\ndef f():\n  d = 3\n  def g(): pass", ["@@a", "@@a@@b", "@@c", "@@f", "@@f@@g"]],
  ["a.go", "func (s *Server[T]) Start() {}\nfunc (Server) Stop() {}\nconst (\n\tA, B = 1, 2\n\tC = 3\n)", ["@@Server.Start", "@@Server.Stop", "@@A, B", "@@C"]],
  ["a.rs", "impl<T: X> Display for Point<T> { fn fmt(&self) {} }\nimpl !Send for P {}", ["@@impl Display for Point<T>", "@@impl Display for Point<T>@@fmt", "@@impl !Send for P"]],
  ["a.java", "record R(int x) { R {} }\nenum E { A { void f() {} } }", ["@@R", "@@R@@R", "@@E", "@@E@@A", "@@E@@A@@f"]],
  ["a.cpp", "namespace a::b { struct S { ~S(); S& operator=(const S&); operator bool() const; int x, *y; }; }\nint a::b::S::f() { int local; }", ["@@a::b", "@@a::b@@S", "@@a::b@@S@@~S", "@@a::b@@S@@operator=", "@@a::b@@S@@operator bool", "@@a::b@@S@@x, y", "@@a::b::S::f"]],
  ["a.cpp", "typedef int (*callback)(int);\nint (*table[3])(int) = {};\ntemplate <class T> using V = X<T>;", ["@@callback", "@@table", "@@V"]],
  ["a.cs", "namespace A { class C : I { int I.P => 1; public static C operator +(C a, C b) => a; int this[int i] => 1; ~C() {} } }", ["@@A", "@@A@@C", "@@A@@C@@I.P", "@@A@@C@@operator +", "@@A@@C@@this[]", "@@A@@C@@~C"]],
  ["a.rb", "class << self\n  def a; end\nend\ndef self.b; end\nK = 1\nx = 2", ["@@class << self", "@@class << self@@a", "@@self.b", "@@K"]],
  ["a.php", "<?php namespace N { class C { public $a, $b; const K = 1; } }\n$v = 1;", ["@@N", "@@N@@C", "@@N@@C@@$a, $b", "@@N@@C@@K", "@@$v"]],
  ["a.css", "@media (x:1) { a,\n  b { color: red } }\n@import 'x';", ["@@@media (x:1)", "@@@media (x:1)@@a, b", "@@@media (x:1)@@a, b@@color", "@@@import 'x'"]],
  ["a.json", '{"a": [1, {"b": 2}], "": 3, " x": 4, "é\\n": 5}', ["@@a", "@@a@@0", "@@a@@1", "@@a@@1@@b", '@@""', '@@" x"', '@@"é\\n"']],
  ["a.json5", "{a: 1, 'b': [2,], /* c */ // d\n}", ["@@a", "@@b", "@@b@@0"]],
  ["a.json", "[[1], [2]]", ["@@0", "@@0@@0", "@@1", "@@1@@0"]],
  ["a.json", "", []],
  ["a.yml", "a: [1, {b: 2}]\n? c\n: d\n\"e f\":\n", ["@@a", "@@a@@0", "@@a@@1", "@@a@@1@@b", "@@c", "@@e f"]],
  ["a.yml", "", []],
  ["a.yml", "# nothing\n", []],
  ["a.yml", "a: 1\n---\nb: 2\n", ["@@0", "@@0@@a", "@@1", "@@1@@b"]],
  ["a.md", "# A\n\nB\n===\n\n## C ##\n\n> # quoted\n\n```\n# code\n```\n\n    # indented\n", ["@@# A", "@@# B", "@@# B@@## C"]],
  ["a.md", "---\ntitle: x\n---\n# A\n", ["@@---", "@@# A"]],
  ["a.md", "## A\r\n\r\ntext\r# B\r\n", ["@@## A", "@@# B"]],
])("%s %j", async (file, text, expected) => {
  expect(await addressesIn(file, text)).toEqual(expected);
});

describe("what belongs to a part", () => {
  test.each([
    ["a.ts", "let x; // about x\n/** Doc. */\n// more\nexport class A {}\n", "@@A", "/** Doc. */\n// more\nexport class A {}"],
    ["a.ts", "// apart\n\nclass A {}\n", "@@A", "class A {}"],
    ["a.ts", "@Dec({ a: 1 })\nexport class A {\n  @Input()\n  // why\n  x = 1;\n}\n", "@@A@@x", "  @Input()\n  // why\n  x = 1;"],
    ["a.ts", "export function f(a: string): void;\nexport function f(a: any) {}\n", "@@f", "export function f(a: string): void;\nexport function f(a: any) {}"],
    ["a.ts", "#!/usr/bin/env node\nlet x;", "@@x", "let x;"],
    ["a.py", "#!/usr/bin/env python3\n# Starts it.\ndef f(): pass", "@@f", "# Starts it.\ndef f(): pass"],
    ["a.py", "@dec\n# why\n@dec2\ndef f():\n    pass\n\n\nx = 1\n", "@@f", "@dec\n# why\n@dec2\ndef f():\n    pass"],
    ["a.rs", "/// Doc.\n#[derive(X)]\n\npub struct A;\n", "@@A", "/// Doc.\n#[derive(X)]\n\npub struct A;"],
    ["a.cpp", "// Doc.\ntemplate <class T>\nclass A {};\n", "@@A", "// Doc.\ntemplate <class T>\nclass A {};"],
    ["a.c", "#define A 1\nint b;\n", "@@A", "#define A 1"],
    ["a.json", '{\n  // why\n  "a": {\n    "b": 1\n  },\n}', "@@a", '  // why\n  "a": {\n    "b": 1\n  }'],
    ["a.yml", "# top\na:\n  # why\n  - b: |\n      text\n\n  - c\n", "@@a@@0", "  # why\n  - b: |\n      text"],
    ["a.md", "# A\n\none\n\n## B\n\n# C\n", "@@# A", "# A\n\none\n\n## B\n\n"],
  ])("%s %j %s", async (file, text, address, expected) => {
    expect((await outline(file, text))[address]).toBe(expected);
  });
});

describe("C with the grammar of C++", () => {
  test("names that are keywords of C++", async () => {
    const text = "typedef struct namespace { int public; } template;\ntemplate *operator(template *class) { return class ? new(class, this) : &class->using; }\nint typename;\n";
    expect(await addressesIn("a.c", text)).toEqual(["@@template", "@@template@@namespace", "@@template@@namespace@@public", "@@operator", "@@typename"]);
  });
  test("a header counts as C++ only if necessary", async () => {
    expect(await addressesIn("a.h", "int new(int class);\n")).toEqual(["@@new"]);
    expect(await addressesIn("a.h", "class A {\npublic:\n  void f();\n};\n")).toEqual(["@@A", "@@A@@f"]);
  });
  test("macros between words", async () => {
    const text = "static int __init start(void) { return 0; }\nclass API Reader {\n  Q_OBJECT\n Q_SIGNALS:\n  void f() API_NOEXCEPT { }\n};\n";
    expect(await addressesIn("a.cpp", text)).toEqual(["@@start", "@@Reader", "@@Reader@@f"]);
  });
});

describe("a syntax error that makes an end uncertain", () => {
  test.each([
    ["a.js", "class A {\n  a() {\n    if (x) {\n  }\n  b() {}\n}\n", ["@@A (read only)", "@@A@@a (read only)"]],
    ["a.js", "function a() { f((1); }\nfunction b() {}", ["@@a (read only)", "@@b"]],
    ["a.js", "function a() { let = = 1; }", ["@@a"]],
    ["a.py", "def a():\n    f((1)\n\ndef b():\n    pass\n", ["@@a (read only)"]],
    ["a.c", "int a(void) { MACRO(int, ;) }\n", ["@@a"]],
    ["a.json", '{"a": {"b": [1, 2}, "c": 1}', ["@@a (read only)", "@@a@@b (read only)", "@@a@@b@@0 (read only)", "@@a@@b@@1 (read only)", "@@c"]],
  ])("%s %j", async (file, text, expected) => {
    expect(await addressesIn(file, text)).toEqual(expected);
  });
});

const manyWays = (size: number): string => "a<".repeat(size);

test("102: discards an interrupted parser, and parses the next text", async () => {
  await addressesIn("a.ts", "");
  const parsing = (): unknown => partsOf("a.ts", manyWays(200_000));
  expect(resultInTime(parsing, 50)).toBeUndefined();
  expect(parsing).toThrow(expect.objectContaining({ failure: expect.objectContaining({ code: "address/unreadable" }) }));
  expect(await addressesIn("a.ts", "class B {}")).toEqual(["@@B"]);
});

test("102: fails if a parser's memory is full, and parses the next text", { timeout: 60_000 }, async () => {
  await expect(addressesIn("a.ts", manyWays(1_000_000))).rejects.toMatchObject({ failure: { code: "address/unreadable", reason: "parsing it takes more memory than is available" } });
  // Its memory was freed, so a text that needs much memory can be read.
  expect(await addressesIn("a.ts", `class B {}\n${"f(1);\n".repeat(300_000)}`)).toEqual(["@@B"]);
});

test("refuses YAML with over two million characters, or with an error", async () => {
  await expect(addressesIn("a.yml", `a: ${"x".repeat(2_000_000)}`)).rejects.toMatchObject({ failure: { code: "address/unreadable" } });
  await expect(addressesIn("a.yml", "a: [1\nb: 2\n")).rejects.toMatchObject({ failure: { code: "address/unreadable", language: "YAML" } });
});

test("frees trees: reading many texts takes no more memory than reading one", async () => {
  const text = (seed: number): string => `class A${seed} { m() { return [${"1, ".repeat(100_000)}]; } }`;
  for (let seed = 0; seed < 3; seed++) await addressesIn("a.ts", text(seed));
  const before = process.memoryUsage().external;
  for (let seed = 3; seed < 15; seed++) await addressesIn("a.ts", text(seed));
  expect(process.memoryUsage().external - before).toBeLessThan(20 * 2 ** 20);
});

test("the package has the grammar of each language", async () => {
  const files = ["a.ts", "a.tsx", "a.js", "a.json", "a.py", "a.go", "a.rs", "a.java", "a.c", "a.h", "a.cpp", "a.cs", "a.rb", "a.php", "a.css", "a.toml"];
  const grammars = new Set(files.map((file) => languageOf(file)?.grammar));
  const { grammarNames } = (await import(resolve("scripts/grammars.mjs"))) as { grammarNames: () => string[] };
  expect(grammarNames().sort()).toEqual([...grammars].sort());
});
