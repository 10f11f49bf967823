/** Laws of excerpts: what an answer does not show stays, byte for byte, and what it shows stands where it stood. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadStructure, partsOf } from "../../src/addresses/structure.ts";
import { Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";

const SOURCES: Readonly<Record<string, string>> = {
  "a.ts": "import { x } from \"x\";\n\n/** One. */\nexport function one(a: number): number {\n  return a + 1;\n}\n\nconst two = 2;\n\nexport class Three {\n  a = 1;\n\n  /** Four. */\n  four(): number {\n    return this.a;\n  }\n\n  five(): void {\n    x();\n  }\n}\n\nfunction six(): string {\n  return `six`;\n}\n",
  "a.py": "import os\n\n\n@cached\ndef one(a):\n    return a + 1\n\n\nTWO = 2\n\n\nclass Three:\n    # Four.\n    def four(self):\n        return self.a\n\n    def five(self):\n        os.remove(self.a)\n\n\ndef six():\n    return 6\n",
  "a.go": "package a\n\nimport \"fmt\"\n\n// One adds.\nfunc One(a int) int {\n\treturn a + 1\n}\n\ntype Three struct {\n\tA int\n}\n\nfunc (t *Three) Four() int {\n\treturn t.A\n}\n\nfunc Six() {\n\tfmt.Println(6)\n}\n",
  "a.css": ".one {\n  color: red;\n}\n\n/* Two. */\n.two > a {\n  color: blue;\n}\n\n#three {\n  margin: 0;\n}\n",
  "a.rs": "use std::fs;\n\n/// One.\npub fn one(a: u8) -> u8 {\n    a + 1\n}\n\nstruct Three {\n    a: u8,\n}\n\nimpl Three {\n    fn four(&self) -> u8 {\n        self.a\n    }\n\n    fn five(&self) {\n        fs::remove_file(\"a\").unwrap();\n    }\n}\n",
};

/** Returns the whole lines of a part. */
function linesOf(text: string, { start, end }: { readonly start: number; readonly end: number }): [start: number, end: number] {
  const lineFeed = text.indexOf("\n", end - 1);
  return [text.lastIndexOf("\n", start - 1) + 1, lineFeed === -1 ? text.length : lineFeed + 1];
}

/** Changes each number and word of a body in a way that keeps it valid. */
const changed = (text: string): string => text.replace(/(return|color:|margin:|println\(|Println\()\s?([\w."]+)/gi, (all, word: string) => (/color|margin/.test(word) ? `${word} green` : all)).replace(/\b([0-9])\b/g, "4$1");

async function answered(file: string, text: string, answer: string): Promise<string> {
  const root = createFolder({ [file]: text });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
  await loaf.execute(answer);
  return readFileSync(join(root, file), "utf8");
}

test("an excerpt of any declarations gives what replacing each at its address gives", async () => {
  for (const file of Object.keys(SOURCES)) await loadStructure(file);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(SOURCES)), fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), fc.boolean(), async (file, chosen, isReversed) => {
      const text = SOURCES[file] ?? "";
      const parts = partsOf(file, text).filter((_, index) => chosen[index] === true);
      // A text of all of them is the whole file, in whatever order.
      fc.pre(parts.length > 0 && (!isReversed || parts.length < partsOf(file, text).length));
      const shown: string[] = [];
      let [wanted, at] = ["", 0];
      for (const part of parts) {
        const [start, end] = linesOf(text, part);
        const now = changed(text.slice(start, end));
        wanted += text.slice(at, start) + now;
        shown.push(now);
        at = end;
      }
      wanted += text.slice(at);
      const fence = (isReversed ? shown.toReversed() : shown).join("\n");
      const answer = `Update these in \`${file}\`:\n\n\`\`\`\n${fence}\`\`\`\n\nThat is all.\n`;
      expect(await answered(file, text, answer), answer).toBe(wanted);
    }),
    { numRuns: 60 },
  );
});

test("a fence with the file's own text changes nothing, whatever stretch of lines it shows", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(SOURCES)), fc.nat(), fc.nat(), async (file, from, count) => {
      const text = SOURCES[file] ?? "";
      const lines = text.split("\n");
      const first = from % lines.length;
      const stretch = lines.slice(first, first + 1 + (count % (lines.length - first))).join("\n");
      fc.pre(stretch.trim() !== "");
      const answer = `Look at this in \`${file}\`:\n\n\`\`\`\n${stretch}\n\`\`\`\n`;
      expect(await answered(file, text, answer), answer).toBe(text);
    }),
    { numRuns: 60 },
  );
});
