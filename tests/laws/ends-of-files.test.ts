/** The law of what is added at the end of a file that a line closes, or to a file all of which stands in one part. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const SHOP = "#include <x>\n\nnamespace shop {\n\nint a() {\n    return 1;\n}\n";
const POST = "require 'x'\n\nclass Post\n  def title\n    @title\n  end\n\n";
const FUNCTION = "int b() {\n    return 2;\n}\n";
const METHOD = "def slug\n  title.downcase\nend\n";
const SCRIPT = "<script setup>\nfunction a() {\n  return 1;\n}\n";
const SVELTE = "<script>\n  let items = [];\n\n  function add() {\n    items = [1];\n  }\n";

/** What is added goes between the two parts of the file, as deep as `indent`. Without a second one it is refused. */
type Added = readonly [path: string, sentence: string, added: string, above: string, below?: string, indent?: string];

const ADDED: readonly Added[] = [
  ["a.tex", "At the end of `a.tex`, add:", "\\section{Two}\n", "\\begin{document}\nHello.\n", "\\end{document}\n"],
  ["a.vue", "At the end of `a.vue`, add:", "function b() {\n  return 2;\n}\n", SCRIPT, "</script>\n\n<template>\n  <p>a</p>\n</template>\n"],
  ["a.svelte", "At the end of `a.svelte`, add:", "function b() {\n  return 2;\n}\n", SVELTE, "</script>\n\n<p>a</p>\n", "  "],
  ["a.svelte", "Add to `a.svelte`:", "function b() {\n  return 2;\n}\n", SVELTE, "</script>\n\n<p>a</p>\n", "  "],
  ["a.svelte", "At the end of `a.svelte`, add:", "<p>b</p>\n", `${SVELTE}</script>\n\n<p>a</p>\n\n<style>\n  a {\n    top: 0;\n  }\n</style>\n`],
  ["a.xml", "At the end of `a.xml`, add:", "<c/>\n", "<a>\n  <b/>\n", "</a>\n", "  "],
  ["a.sh", "At the end of `a.sh`, add:", "echo b\n", "#!/bin/bash\necho a\nexit 0\n"],
  ["a.cpp", "At the end of `a.cpp`, add:", FUNCTION, SHOP, "\n}  // namespace shop\n"],
  ["a.cpp", "Add a function `b` to `a.cpp`:", FUNCTION, SHOP, "\n}  // namespace shop\n"],
  ["a.cpp", "Add `b` to `a.cpp`, outside the namespace:", FUNCTION, `${SHOP}\n}  // namespace shop\n`, ""],
  ["a.cpp", "Add `b` to `a.cpp`, below the namespace:", FUNCTION, `${SHOP}\n}  // namespace shop\n`, ""],
  ["a.cpp", "Add to `a.cpp`:", "int shop::b() {\n    return 2;\n}\n", `${SHOP}\n}  // namespace shop\n`, ""],
  ["a.cpp", "Add to `a.cpp`:", "int main() {\n    return shop::a();\n}\n", `${SHOP}\n}  // namespace shop\n`, ""],
  ["a.cpp", "Add a function `b` to `a.cpp`:", FUNCTION, `${SHOP}\n}\n\nnamespace other {\n\nint z() {\n    return 1;\n}\n\n}\n`],
  ["A.cs", "Add a class `B` to `A.cs`:", "public class B\n{\n}\n", "namespace Shop\n{\n    public class A\n    {\n    }\n", "}\n", "    "],
  ["a.rb", "Add a method `slug` to `a.rb`:", METHOD, POST, "  private\n\n  def secret\n    1\n  end\nend\n", "  "],
  ["a.rb", "Add this method to `a.rb`:", "def self.find(x)\n  new\nend\n", POST, "  private\n\n  def secret\n    1\n  end\nend\n", "  "],
  ["a.rb", "At the end of `a.rb`, add:", METHOD, `${POST}  private\n\n  def secret\n    1\n  end\nend\n`],
  ["a.rb", "Add a method `slug` to `a.rb`:", METHOD, "module A\n  class B\n    def x\n      1\n    end\n  end\nend\n"],
  ["a.rb", "Add a helper `slug` to `a.rb`, outside of the class:", METHOD, `${POST}end\n`, ""],
];
const withoutBlanks = (text: string): string => text.replace(/\n\s*\n/g, "\n");

test.each(ADDED.map((one, at) => [at, one[0], one[1], one] as const))("%i %s: %s", async (_, path, sentence, [, , added, above, below, indent = ""]) => {
  const text = await answered(path, above + (below ?? ""), `${sentence}\n\n\`\`\`\n${added}\`\`\`\n`);
  const meant = below === undefined ? above : above + added.replace(/^(?=.)/gm, indent) + below;
  expect(withoutBlanks(text)).toBe(withoutBlanks(meant));
  // Functions are not glued to each other.
  if (added.includes("\n  ") && below !== undefined) expect(text).toContain(`\n\n${indent}${added.split("\n")[0]}`);
});

test.each(["In `a.md`, add the new option to the table:", "Add a row to the options table in `a.md`:", "Update the options table in `a.md`:", "**a.md**"])(
  "a table that is shown whole does not stand beside the old one: %s",
  async (sentence) => {
    const rows = ["| Name | Default |", "|------|---------|", "| port | 80 |", "| host | local |"];
    const aligned = ["| Name   | Default |", "|--------|---------|", "| port   | 80      |", "| host   | local   |"];
    const before = `# Options\n\nThe options:\n\n${rows.join("\n")}\n\n## Other\n\n| Name | Value |\n|---|---|\n| a | 1 |\n`;
    for (const shown of [rows, aligned])
      for (const head of ["", "# Options\n\nThe options:\n\n"]) {
        const now = [...shown, "| secure | no |"].join("\n");
        const text = await answered("a.md", before, `${sentence}\n\n\`\`\`markdown\n${head}${now}\n\`\`\`\n`);
        const meant = [now, [...rows, "| secure | no |"].join("\n")].map((table) => before.replace(rows.join("\n"), table));
        expect([before, ...meant]).toContain(text);
      }
  },
);

test.each(["Append to `schema.sql`:", "Then append this to `schema.sql`:", "Finally, append the following to your `schema.sql` file:"])("%s", async (sentence) => {
  const [file, added] = ["CREATE TABLE a (\n    id INT\n);\n\nCREATE INDEX i ON a (id);\n", "CREATE TABLE b (\n    id INT\n);\n"];
  expect(await answered("schema.sql", file, `${sentence}\n\n\`\`\`sql\n${added}\`\`\`\n`)).toBe(`${file}\n${added}`);
});

test("a blank line above the last line of a template stays above what goes between", async () => {
  const answer = "In `a.html.erb`, list the notes above the link:\n\n```erb\n<% notes.each do |note| %>\n  <p><%= note %></p>\n<% end %>\n\n<%= link %>\n```\n";
  expect(await answered("a.html.erb", "<p>a</p>\n\n<%= link %>\n", answer)).toBe("<p>a</p>\n\n<% notes.each do |note| %>\n  <p><%= note %></p>\n<% end %>\n\n<%= link %>\n");
});

test("a table with columns of another width takes the place of the old one if it shows all its rows", async () => {
  const [rows, now] = ["| Name | Default |\n|------|---------|\n| port | 80 |\n| host | local |", "| Name   | Default |\n|--------|---------|\n| port   | 80      |\n| host   | local   |\n| secure | no      |"];
  const file = `# Options\n\n${rows}\n\nMore | text.\n`;
  const answer = (table: string): string => `Add the option to the table in \`a.md\`:\n\n\`\`\`markdown\n${table}\n\`\`\`\n`;
  expect(await answered("a.md", file, answer(now))).toBe(file.replace(rows, now));
  for (const table of [now.replace("80", "90"), now.replace(/\n\| host.*/, "")]) expect(await answered("a.md", file, answer(table))).toBe(file);
  expect(await answered("a.md", `${file}\n## B\n\n${rows}\n`, answer(now))).toBe(`${file}\n## B\n\n${rows}\n`);
});

test("a type in one line gets a further field, and a function no other parameters", async () => {
  const [type, fun] = ["data class Item(val name: String, val price: Int)", "fun total(items: List<Item>): Int = items.sumOf { it.price }"];
  const file = `package a\n\n${type}\n\n${fun}\n`;
  const answer = (what: string, code: string): string => `Add a ${what} to \`M.kt\`:\n\n\`\`\`kotlin\n${code}\n\`\`\`\n`;
  const longer = type.replace(")", ", val count: Int = 1)");
  expect(await answered("M.kt", file, answer("count with a default", longer))).toBe(file.replace(type, longer));
  expect(await answered("M.kt", file, answer("function", fun.replace(">)", ">, tax: Int)").replace("price", "price + tax")))).toContain(fun);
  expect(await answered("M.kt", file, answer("class", longer.replace("Item", "Row")))).toContain(`${type}\n`);
});

test.each(["A", "B"])("a constructor goes into the class of its name: %s", async (name) => {
  const classOf = (one: string, inner = ""): string => `class ${one} {\n    int f() {\n        return 1;\n    }\n${inner}}\n`;
  const code = `${name}(int x) {\n    start(x);\n}`;
  const inner = `\n${code.replace(/^/gm, "    ")}\n`;
  const text = await answered("A.java", `${classOf("A")}\n${classOf("B")}`, `Add a constructor to \`A.java\`:\n\n\`\`\`java\n${code}\n\`\`\`\n`);
  expect(text).toBe(["A", "B"].map((one) => classOf(one, one === name ? inner : "")).join("\n"));
});
