/** The law of code that a sentence moves to another file: one fence shows one of two edits, so that both files stay. */
import { expect, test } from "vitest";
import { answeredIn } from "./answered.ts";

interface Language {
  readonly fence: string;
  /** What begins a file. */
  readonly head: string;
  readonly gap: string;
  readonly moved: string;
  /** The same, and not as the file has it. */
  readonly changed: string;
  readonly stays: string;
  readonly there: string;
  readonly name: string;
  readonly imported?: string;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  py: { fence: "python", head: "", gap: "\n\n\n", moved: "def load(x):\n    return x", changed: "def load(x, y=1):\n    return x + y", stays: "def store(x):\n    return load(x)", there: "def save(x):\n    return [x]", name: "load", imported: "from b import load" },
  js: { fence: "js", head: "", gap: "\n\n", moved: "function load(x) {\n  return x;\n}", changed: "export function load(x) {\n  return x;\n}", stays: "function store(x) {\n  return load(x);\n}", there: "function save(x) {\n  return [x];\n}", name: "load", imported: "import { load } from './b.js';" },
  ts: { fence: "ts", head: "", gap: "\n\n", moved: "export function load(x: number): number {\n  return x;\n}", changed: "export function load(x: string): string {\n  return x;\n}", stays: "export const stored = load(1);", there: "export type Saved = number[];", name: "load", imported: 'import { load } from "./b.js";' },
  go: { fence: "go", head: "package p\n\n", gap: "\n\n", moved: "func load(x int) int {\n\treturn x\n}", changed: "func load(x int) int {\n\treturn x + 1\n}", stays: "func store(x int) int {\n\treturn load(x)\n}", there: "func save(x int) []int {\n\treturn nil\n}", name: "load" },
  rs: { fence: "rust", head: "", gap: "\n\n", moved: "pub fn load(x: u8) -> u8 {\n    x\n}", changed: "pub(crate) fn load(x: u16) -> u16 {\n    x\n}", stays: "fn store(x: u8) -> u8 {\n    load(x)\n}", there: "fn save(x: u8) -> Vec<u8> {\n    vec![x]\n}", name: "load", imported: "use crate::b::load;" },
  rb: { fence: "ruby", head: "", gap: "\n\n", moved: "def load(x)\n  x\nend", changed: "def load(x, y)\n  x + y\nend", stays: "def store(x)\n  load(x)\nend", there: "def save(x)\n  [x]\nend", name: "load", imported: "require_relative 'b'" },
};
const SENTENCES = [
  "Move `load` from `A` to `B`:",
  "Now move the `load` function from `A` to `B`:",
  "Good question! Move `load` from `A` to `B`:",
  "Move this function from `A` to `B`:",
  "Move `load` out of `A` into `B`:",
  "Cut `load` from `A` and paste it into `B`:",
  "Cut this function from `A` and paste it at the end of `B`:",
  "Cut this function from `A`:|Paste it into `B`:",
  "Cut `load` from `A`|and paste it into `B`.",
  "Take `load` out of `A`:|Then add it to `B`.",
  "In `A`, cut this function:|Paste it into `B`.",
  "Move `load` from `A`|to `B`.",
  "You should move `load` from `A` to `B`:",
  "Cut `load`:|and paste it into `B`.",
  "Take `load` out:|Then add it to `B`.",
];

const fenced = (language: Language, code: string): string => `\`\`\`${language.fence}\n${code}\n\`\`\`\n`;
const named = (words: string, extension: string): string => words.replaceAll("`A`", `\`src/a.${extension}\``).replaceAll("`B`", `\`src/b.${extension}\``);

test.each(Object.keys(LANGUAGES).flatMap((extension) => SENTENCES.map((words) => [extension, words] as const)))("%s: %s", async (extension, words) => {
  const language = LANGUAGES[extension] as Language;
  const { head, gap, moved, changed, stays, there, imported } = language;
  const files = { [`src/a.${extension}`]: `${head}${moved}${gap}${stays}\n`, [`src/b.${extension}`]: `${head}${there}\n` };
  const [above, below] = named(words, extension).split("|");
  for (const code of [moved, changed])
    for (const further of imported === undefined ? [""] : ["", named("\nThen import it in `A`:\n\n", extension) + fenced(language, imported)]) {
      const answer = `${above}\n\n${fenced(language, code)}${below === undefined ? "" : `\n${below}\n`}${further}`;
      expect(await answeredIn(files, answer), answer).toEqual(files);
    }
});

test.each(Object.keys(LANGUAGES))("%s: both edits, each with its own fence", async (extension) => {
  const language = LANGUAGES[extension] as Language;
  const { head, gap, moved, stays, there } = language;
  const [from, to] = [`src/a.${extension}`, `src/b.${extension}`];
  const files = { [from]: `${head}${moved}${gap}${stays}\n`, [to]: `${head}${there}\n` };
  const answer = `Delete this from \`${from}\`:\n\n${fenced(language, moved)}\nAdd this to \`${to}\`:\n\n${fenced(language, moved)}`;
  const after = await answeredIn(files, answer);
  const lines = (text: string | undefined): string => (text ?? "").replace(/\n{2,}/g, "\n").trim();
  expect(lines(after[from])).toBe(lines(head + stays));
  expect(lines(after[to])).toBe(lines(`${head}${there}${gap}${moved}`));
});

test("a helper that is extracted is the text of a new file", async () => {
  const files = { "src/a.py": "def load(x):\n    return x + 1\n" };
  const answer = "Extract a helper from `src/a.py` into a new file `src/c.py`:\n\n```python\ndef helper(x):\n    return x + 1\n```\n";
  expect(await answeredIn(files, answer, ["src/a.py", "src/c.py"])).toEqual({ ...files, "src/c.py": "def helper(x):\n    return x + 1\n" });
});
