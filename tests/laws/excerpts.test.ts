/** Laws of excerpts: what an answer does not show stays, byte for byte, and what it shows stands where it stood. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadStructure, partsOf } from "../../src/addresses/structure.ts";
import { tries } from "../support/tries.ts";
import { answered } from "./answered.ts";

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

/** A declaration between two others: its first line, lines that end and order nothing, its last line, and how lines are commented out. */
const LONG: Readonly<Record<string, { readonly above: string; readonly head: string; readonly body: readonly string[]; readonly foot: string; readonly below: string; readonly comment: string; readonly added: string }>> = {
  "b.py": { above: "import os\n\n\n", head: "def load(path):\n", body: ["    size = os.stat(path)", "    if size == 0:\n        return None", "    data = read(path)", "    print(data)", "    count = len(data)", "    return count"], foot: "", below: "\n\ndef other(a):\n    return a\n", comment: "#", added: "    log(\"begun\")" },
  "b.ts": { above: "import { read } from \"fs\";\n\n", head: "export function load(path: string): number {\n", body: ["  const size = stat(path);", "  if (size === 0) {\n    return 0;\n  }", "  const data = read(path);", "  console.log(data);", "  const count = data.length;", "  return count;"], foot: "}\n", below: "\nfunction other(a: number): number {\n  return a;\n}\n", comment: "//", added: "  log(\"begun\");" },
  "b.go": { above: "package b\n\n", head: "func Load(path string) int {\n", body: ["\tsize := Stat(path)", "\tif size == 0 {\n\t\treturn 0\n\t}", "\tdata := Read(path)", "\tfmt.Println(data)", "\tcount := len(data)", "\treturn count"], foot: "}\n", below: "\nfunc Other(a int) int {\n\treturn a\n}\n", comment: "//", added: "\tlog(\"begun\")" },
  "b.rs": { above: "use std::fs;\n\n", head: "pub fn load(path: &str) -> usize {\n", body: ["    let size = stat(path);", "    if size == 0 {\n        return 0;\n    }", "    let data = fs::read(path);", "    show(&data);", "    let count = data.len();", "    count"], foot: "}\n", below: "\nfn other(a: u8) -> u8 {\n    a\n}\n", comment: "//", added: "    log(\"begun\");" },
  "b.rb": { above: "require \"set\"\n\n", head: "def load(path)\n", body: ["  size = stat(path)", "  if size == 0\n    return nil\n  end", "  data = read(path)", "  puts data", "  count = data.length", "  count"], foot: "end\n", below: "\ndef other(a)\n  a\nend\n", comment: "#", added: "  log \"begun\"" },
  "b.yml": { above: "name: b\n\n", head: "steps:\n", body: ["  - uses: checkout", "  - name: Install\n    run: npm ci", "  - name: Lint\n    run: npm run lint", "  - name: Test\n    run: npm test"], foot: "", below: "\nother:\n  - one\n", comment: "#", added: "  - uses: setup" },
  "b.css": { above: ":root {\n  --a: 1;\n}\n\n", head: ".card {\n", body: ["  color: red;", "  margin: 0;", "  padding: 4px;", "  border: none;", "  width: 10px;"], foot: "}\n", below: "\n.other {\n  color: blue;\n}\n", comment: "/*", added: "  gap: 3px;" },
  "b.sql": { above: "CREATE TABLE a (\n  id INTEGER\n);\n\n", head: "CREATE TABLE orders (\n", body: ["  id INTEGER PRIMARY KEY,", "  customer TEXT NOT NULL,", "  total INTEGER,", "  paid BOOLEAN,", "  note TEXT"], foot: ");\n", below: "\nCREATE INDEX one ON orders (customer);\n", comment: "--", added: "  status TEXT," },
};
const WORDS = ["... rest of the code ...", "... existing code ...", "...", "... rest unchanged", "rest stays the same"];

test("lines that a placeholder stands for stay, wherever it stands and however it is written", async () => {
  for (const file of Object.keys(LONG)) await loadStructure(file);
  let [landed, tried] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(LONG)), fc.nat(), fc.nat(), fc.nat(), fc.constantFrom(...WORDS), fc.constantFrom("body", "head", "deeper"), fc.boolean(), async (file, from, to, at, words, depth, isNew) => {
      const { above, head, body, foot, below, comment, added } = LONG[file] as (typeof LONG)[string];
      const [first, last] = [from % body.length, to % body.length].sort((one, other) => one - other) as [number, number];
      // What is shown, with a new line or a changed one in it, and a placeholder for what is not.
      const place = first + (at % (last - first + 1));
      const own = isNew ? [body[place] ?? "", added] : [(body[place] ?? "").replace(/(\w)([^\w\n]*)$/m, "$12$2")];
      const shown = [...body.slice(first, place), ...own, ...body.slice(place + 1, last + 1)];
      const indent = depth === "body" ? (/^\s*/.exec(body[0] ?? "")?.[0] ?? "") : depth === "head" ? "" : "      ";
      const hole = `${indent}${comment} ${words}${comment === "/*" ? " */" : ""}`;
      const isOpen = first > 0 || last < body.length - 1;
      fc.pre(isOpen);
      const fence = `${head}${[...(first > 0 ? [hole] : []), ...shown, ...(last < body.length - 1 ? [hole] : [])].join("\n")}\n${foot}`;
      const text = `${above}${head}${body.join("\n")}\n${foot}${below}`;
      const wanted = `${above}${head}${[...body.slice(0, place), ...own, ...body.slice(place + 1)].join("\n")}\n${foot}${below}`;
      const answer = `Update this in \`${file}\`:\n\n\`\`\`\n${fence}\`\`\`\n`;
      const now = await answered(file, text, answer);
      tried += 1;
      if (now !== text) {
        landed += 1;
        expect(now, answer).toBe(wanted);
      }
    }),
    tries(80, 2_000),
  );
  expect(landed).toBeGreaterThan(tried * 0.8);
});

/** Declarations of one shape that share nothing but brackets. */
const UNLIKE: Readonly<Record<string, readonly [string, string]>> = {
  "a.ts": ["export function one(a: number): number {\n  return a + 1;\n}\n", "export function other(b: string): string {\n  return b.trim();\n}\n"],
  "a.py": ["def one(a):\n    return (\n        a + 1\n    )\n", "def other(b):\n    return b.join(\n        \"b\"\n    )\n"],
  "a.go": ["func One(a int) int {\n\treturn a + 1\n}\n", "func Other(b string) string {\n\treturn b\n}\n"],
  "a.css": [".one {\n  color: red;\n}\n", ".other {\n  margin: 4px;\n}\n"],
  "a.rs": ["pub fn one(a: u8) -> u8 {\n    a + 1\n}\n", "pub fn other(b: u16) -> u16 {\n    b * 2\n}\n"],
  "a.rb": ["def one(a)\n  a + 1\nend\n", "def other(b)\n  b.strip\nend\n"],
};

test("a text with another declaration in the place of one never takes that one away without a word", async () => {
  const forms = ["### FILE\n\n", "### FILE\n\nThis is new:\n\n", "Update `FILE`:\n\n", "### FILE\n\nThe whole file now:\n\n"];
  for (const [file, [one, other]] of Object.entries(UNLIKE)) {
    await loadStructure(file);
    const beside = SOURCES[file]?.split(/^$/m).at(-1) ?? "";
    for (const form of forms)
      for (const rest of ["", beside]) {
        const answer = `${form.replace("FILE", file)}\`\`\`\n${other + rest}\`\`\`\n`;
        expect(await answered(file, one + rest, answer), answer).toContain(one);
      }
  }
});
