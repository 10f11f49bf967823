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
