/** Law of declarations that are shown with some of their decorators: none of the others goes without a word. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Decorated {
  readonly path: string;
  readonly name: string;
  readonly above: string;
  readonly below: string;
  readonly indent: string;
  readonly decorators: readonly string[];
  /** The declaration, with a number that an answer changes. */
  readonly lines: readonly string[];
}

const ALL: readonly Decorated[] = [
  { path: "a.py", name: "f", above: "import x\n\n\n", indent: "", decorators: ["@app.route(\"/a\")", "@login_required", "@cache(60)"], lines: ["def f(u):", "    return load(u, 1)"], below: "\n\ndef g():\n    pass\n" },
  { path: "c.py", name: "f", above: "import x\n\n\nclass C:\n", indent: "    ", decorators: ["@a.b", "@retry(3)", "@staticmethod"], lines: ["def f(u):", "    return load(u, 1)"], below: "\n    def g(self):\n        pass\n" },
  { path: "a.ts", name: "f", above: "import x from \"x\";\n\nclass S {\n", indent: "  ", decorators: ["@Get(\"/a\")", "@UseGuards(Auth)", "@HttpCode(200)"], lines: ["f(u: string) {", "  return load(u, 1);", "}"], below: "\n  g() {\n    return 2;\n  }\n}\n" },
  { path: "A.java", name: "f", above: "import x.Y;\n\nclass A {\n", indent: "    ", decorators: ["@GetMapping(\"/a\")", "@Transactional", "@Cacheable(\"a\")"], lines: ["int f(int u) {", "    return load(u, 1);", "}"], below: "\n    int g() {\n        return 2;\n    }\n}\n" },
  { path: "A.kt", name: "f", above: "import x.Y\n\nclass A {\n", indent: "    ", decorators: ["@GetMapping(\"/a\")", "@Transactional", "@Cacheable(\"a\")"], lines: ["fun f(u: Int): Int {", "    return load(u, 1)", "}"], below: "\n    fun g(): Int {\n        return 2\n    }\n}\n" },
  { path: "A.cs", name: "F", above: "using X;\n\nclass A\n{\n", indent: "    ", decorators: ["[HttpGet(\"/a\")]", "[Authorize]", "[Obsolete]"], lines: ["int F(int u)", "{", "    return Load(u, 1);", "}"], below: "\n    int G()\n    {\n        return 2;\n    }\n}\n" },
  { path: "a.rs", name: "f", above: "use std::fs;\n\n", indent: "", decorators: ["#[test]", "#[ignore]", "#[should_panic]"], lines: ["fn f() {", "    load(1);", "}"], below: "\nfn g() {}\n" },
  { path: "b.rs", name: "F", above: "use std::fs;\n\n", indent: "", decorators: ["#[derive(Debug)]", "#[serde(default)]", "#[repr(C)]"], lines: ["struct F {", "    a: [i32; 1],", "}"], below: "\nfn g() {}\n" },
  { path: "a.php", name: "f", above: "<?php\n\nclass A\n{\n", indent: "    ", decorators: ["#[Route(\"/a\")]", "#[IsGranted(\"X\")]", "#[Cache]"], lines: ["function f($u)", "{", "    return load($u, 1);", "}"], below: "\n    function g()\n    {\n        return 2;\n    }\n}\n" },
];
const codeOf = ({ indent, lines }: Decorated, decorators: readonly string[], number: number): string =>
  [...decorators, ...lines].map((line) => `${indent}${line.replace(/\b1(?=[)\]])/, String(number))}\n`).join("");
const fileOf = (one: Decorated, decorators = one.decorators, number = 1): string => one.above + codeOf(one, decorators, number) + one.below;
const ORDERS = ["Update `NAME` in `PATH`:", "Replace `NAME` in `PATH` with:", "Here is the new `NAME` for `PATH`:", "**PATH**"];

const answer = async (one: Decorated, order: string, decorators: readonly string[]): Promise<string> =>
  answered(one.path, fileOf(one), `${order.replace("NAME", one.name).replace("PATH", one.path)}\n\n\`\`\`\n${codeOf(one, decorators, 7)}\`\`\`\n`);

test.each(ALL)("$path: some of them, and the others stay or the answer is refused", async (one) => {
  for (const order of ORDERS)
    for (const shown of [[0], [1], [2], [0, 1], [0, 2], [1, 2]])
      expect([fileOf(one), fileOf(one, one.decorators, 7)], `${order} ${shown.join()}`).toContain(
        await answer(one, order, shown.map((at) => one.decorators[at] ?? "")),
      );
});

test.each(ALL)("$path: all of them, none, other arguments, one more", async (one) => {
  const [first = "", second = "", third = ""] = one.decorators;
  const changed = [first.replace(/\/a|Debug/, "b"), second, third];
  const more = [first, second.replace(/\w+/, "extra").replace(/\(.*\)/, ""), second, third];
  const other = [first, second.replace(/\w+/, "extra"), third];
  for (const shown of [one.decorators, changed, more, other]) expect(await answer(one, "Update `NAME` in `PATH`:", shown)).toBe(fileOf(one, shown, 7));
  expect(await answer(one, "Update `NAME` in `PATH`:", [])).toBe(fileOf(one, one.decorators, 7));
});

test.each(ALL)("$path: those that a sentence takes away", async (one) => {
  const [first = "", second = "", third = ""] = one.decorators;
  const word = /\w+/.exec(second)?.[0] ?? "";
  for (const order of [`Remove the \`${second}\` decorator from \`NAME\` in \`PATH\`:`, `Update \`NAME\` in \`PATH\`, without \`${word}\`:`, `Drop the \`${word}\` from \`NAME\` in \`PATH\`:`])
    expect(await answer(one, order, [first, third]), order).toBe(fileOf(one, [first, third], 7));
});

const PROPERTY = "class C:\n    @property\n    @cached\n    def v(self):\n        return self._v\n\n    @v.setter\n    @logged\n    def v(self, n):\n        self._v = n\n";
test("a property and its setter", async () => {
  const now = PROPERTY.replace("return self._v", "return self._v or 0").replace("= n", "= n + 1");
  const shown = (text: string): string => `Update \`v\` in \`a.py\`:\n\n\`\`\`python\n${text.slice(text.indexOf("\n") + 1)}\`\`\`\n`;
  expect(await answered("a.py", PROPERTY, shown(now))).toBe(now);
  expect(await answered("a.py", PROPERTY, shown(now.replace("    @logged\n", "")))).toBe(PROPERTY);
});

test("attributes of a field, and annotations in a line", async () => {
  const rust = "use a;\n\npub struct S {\n    #[serde(skip)]\n    #[b]\n    a: i32,\n}\n\nfn g() {}\n";
  expect(await answered("a.rs", rust, "Update `S` in `a.rs`:\n\n```rust\npub struct S {\n    #[serde(skip)]\n    a: i64,\n}\n```\n")).toBe(rust);
  const java = "class A {\n    @Override @Deprecated public String toString() {\n        return \"a\";\n    }\n\n    void g() {}\n}\n";
  expect(await answered("A.java", java, "Update `toString` in `A.java`:\n\n```java\n    @Override public String toString() {\n        return \"b\";\n    }\n```\n")).toBe(java);
});

test("one over several lines above another, and old lines that show the one that goes", async () => {
  const text = 'import a\n\n\n@app.route("/users")\n@login\ndef users():\n    return 1\n';
  const now = text.replace('("/users")', '(\n    "/users",\n    methods=["GET"],\n)');
  expect(await answered("a.py", text, `Update \`users\` in \`a.py\`:\n\n\`\`\`python\n${now.slice(now.indexOf("@"))}\`\`\`\n`)).toBe(now);
  const pair = "In `a.py`, replace:\n\n```python\n@login\ndef users():\n    return 1\n```\n\nwith:\n\n```python\ndef users():\n    return 1\n```\n";
  expect(await answered("a.py", text, pair)).toBe(text.replace("@login\n", ""));
  const three = text.replace("@login\n", "@login\n@cached\n");
  expect(await answered("a.py", three, pair.replaceAll("@login\n", "@login\n@cached\n").replace("with:\n\n```python\ndef", "with:\n\n```python\n@cached\ndef"))).toBe(three.replace("@login\n", ""));
});
