/** The law of what stands above a declaration: a new one with the same comment or attribute takes it from no old one. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const SENTENCES = [
  "In `PATH`:", "**PATH**", "Add this to `PATH`:", "Here's a new one for `PATH`:", "You also need this in `PATH`:", "Update `PATH`:",
];
const RENAMED = "Rename the `old_go` method of `PATH` to `new_go`. You need to update the definition:";
/** A line that stands above one declaration, that declaration with NAME for its name, and what stands around all. */
const SHOWN: ReadonlyArray<readonly [path: string, lead: string, declaration: string, above: string, below: string]> = [
  ["a.py", "@pytest.fixture\n", "def NAME():\n    return 1\n", "", ""],
  ["p.py", "    @property\n", "    def NAME(self):\n        return self.x\n", "class A:\n", ""],
  ["A.java", "    @Override\n", "    public int NAME() {\n        return x;\n    }\n", "public class A {\n", "}\n"],
  ["a.rs", "#[test]\n", "fn NAME() {\n    assert!(go());\n}\n", "", ""],
  ["A.kt", "    @Test\n", "    fun NAME() {\n        check(go())\n    }\n", "class A {\n", "}\n"],
  ["a.go", "//go:noinline\n", "func NAME() int {\n\treturn 1\n}\n", "package a\n\n", ""],
  ["a.cpp", "template <typename T>\n", "T NAME(T x) {\n    return x;\n}\n", "", ""],
  ["a.ex", "  @doc false\n", "  def NAME do\n    1\n  end\n", "defmodule A do\n", "end\n"],
  ["a.js", "// Tells the state.\n", "function NAME() {\n  return config.x;\n}\n", "", ""],
  ["d.js", "/** Tells the state. */\n", "function NAME() {\n  return config.x;\n}\n", "", ""],
  ["a.rb", "  # Tells the state.\n", "  def NAME\n    config[:x]\n  end\n", "class A\n", "end\n"],
  ["a.sh", "# Tells the state.\n", 'NAME() {\n    echo "$state"\n}\n', "", ""],
];

describe.each([...SENTENCES, RENAMED])("%s", (sentence) => {
  test.each(SHOWN)("%s %s", async (path, lead, declaration, above, below) => {
    const named = (name: string): string => declaration.replace("NAME", name);
    for (const place of [0, 1, 2]) {
      const declarations = [named("first_go"), named("last_go")];
      declarations.splice(place, 0, lead + named("old_go"));
      const file = above + declarations.join("\n") + below;
      const after = await answered(path, file, `${sentence.replace("PATH", path)}\n\n\`\`\`\n${lead}${named("new_go")}\`\`\`\n`);
      const added = (lead + named("new_go")).trim();
      const blocks = after.slice(above.length, after.length - below.length).split(BLANK).map((block) => block.trim());
      const before = declarations.map((block) => block.trim());
      const isRenamed = sentence === RENAMED && !after.includes("old_go");
      if (isRenamed) expect(blocks).toEqual(before.with(place, added));
      else expect(blocks.filter((block) => block !== added || sentence === RENAMED)).toEqual(before);
    }
  });
});

const BLANK = /\n\n(?=\S|\s+[@#]|\s+(?:def|fun|public) )/;
