/** The law of code that sentences move to another file: it stands there and is gone from where it was, or both files stay. */
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
  "Move this function from `A` to `B`:",
  "Move `load` out of `A` into `B`:",
  "Cut `load` from `A` and paste it into `B`:",
  "Cut this function from `A` and paste it at the end of `B`:",
  "Cut this function from `A`:|Paste it into `B`:",
  "Cut `load` from `A`|and paste it into `B`.",
  "Take `load` out of `A`:|Then add it to `B`.",
  "In `A`, cut this function:|Paste it into `B`.",
  "Move `load` from `A`|to `B`.",
  "Move `load` to `B`:",
  "`load` belongs in `B`. Move it there:",
  "`load` moves from `A` to `B`:",
  "You should move `load` from `A` to `B`:",
  "Good question! Move `load` from `A` to `B`:",
];
/** None names what goes, so that it has to be shown as it is. */
const NAMELESS = SENTENCES.filter((words) => !words.includes("load"));

const fenced = (language: Language, code: string): string => `\`\`\`${language.fence}\n${code}\n\`\`\`\n`;

function answerOf(extension: string, words: string, code: string, hasImport: boolean): string {
  const language = LANGUAGES[extension] as Language;
  const named = words.replaceAll("`A`", `\`src/a.${extension}\``).replaceAll("`B`", `\`src/b.${extension}\``);
  const [above, below] = named.split("|");
  const imported = hasImport ? `\nThen import it in \`src/a.${extension}\`:\n\n${fenced(language, language.imported ?? "")}` : "";
  return `${above}\n\n${fenced(language, code)}${below === undefined ? "" : `\n${below}\n`}${imported}`;
}

const RUNS = Object.entries(LANGUAGES).flatMap(([extension, { imported }]) =>
  SENTENCES.flatMap((words) =>
    (["moved", "changed"] as const).flatMap((how) =>
      (imported === undefined ? [false] : [false, true]).map((hasImport) => ({ extension, words, how, hasImport })),
    ),
  ),
);
const lines = (text: string | undefined): string => (text ?? "").replace(/\n{2,}/g, "\n").trim();

test.each(RUNS)("$extension, $how, import: $hasImport: $words", async ({ extension, words, how, hasImport }) => {
  const { head, gap, moved, [how]: code, stays, there, imported = "" } = LANGUAGES[extension] as Language;
  const [from, to] = [`src/a.${extension}`, `src/b.${extension}`];
  const files = { [from]: `${head}${moved}${gap}${stays}\n`, [to]: `${head}${there}\n` };
  const after = await answeredIn(files, answerOf(extension, words, code, hasImport));
  if (how === "changed" && NAMELESS.includes(words)) return expect(after).toEqual(files);
  expect(lines(after[from])).toBe(lines(`${head}${hasImport ? `${imported}\n` : ""}${stays}`));
  expect(lines(after[to])).toBe(lines(`${head}${there}${gap}${code}`));
});

/** The file that has it has something else of its name, too, has it not at all, or there is no place for it. */
test.each(
  Object.keys(LANGUAGES).flatMap((extension) =>
    ["twice", "missing", "taken"].flatMap((why) =>
      SENTENCES.flatMap((words) => [false, true].map((hasImport) => ({ extension, why, words, hasImport }))),
    ),
  ),
)("$extension, $why, import: $hasImport: $words", async ({ extension, why, words, hasImport }) => {
  const { head, gap, moved, changed, stays, there, imported } = LANGUAGES[extension] as Language;
  if (hasImport && imported === undefined) return;
  const parts = why === "twice" ? [moved, stays, moved] : why === "missing" ? [stays] : [moved, stays];
  const [from, to] = [`src/a.${extension}`, `src/b.${extension}`];
  const files = {
    [from]: `${head}${parts.join(gap)}\n`,
    [to]: `${head}${(why === "taken" ? [there, changed] : [there]).join(gap)}\n`,
  };
  const after = await answeredIn(files, answerOf(extension, words, moved, hasImport));
  expect(after).toEqual(files);
});

/** What stands beside it stays: imports, functions of other names. What is written right above it goes with it. */
const [LOAD, STORE, SAVE, KEEP] = ["def load(x):\n    return x\n", "def store(x):\n    return load(x)\n", "def save(x):\n    return [x]\n", "def keep(x):\n    return {x}\n"] as const;
const ABOVE = "# Reads it.\n@cached\n";
const GAP = "\n\n";

test.each([
  ["a new file", "Move `load` from `src/a.py` to a new file `src/c.py`:", LOAD, { "src/c.py": ABOVE + LOAD }],
  ["a place", "Move `load` from `src/a.py` to `src/b.py`, above `keep`:", LOAD, { "src/b.py": ["import os\n", SAVE, ABOVE + LOAD, KEEP].join(GAP) }],
  ["its import", "Move `load` from `src/a.py` to `src/b.py`:", `import os\n\n\n${LOAD.replace("x\n", "os.sep\n")}`, { "src/b.py": ["import os\n", SAVE, KEEP, ABOVE + LOAD.replace("x\n", "os.sep\n")].join(GAP) }],
])("%s", async (_, words, code, expected) => {
  const files = { "src/a.py": ["import os\n", ABOVE + LOAD, STORE].join(GAP), "src/b.py": ["import os\n", SAVE, KEEP].join(GAP) };
  const after = await answeredIn(files, `${words}\n\n\`\`\`python\n${code}\`\`\`\n`, [...Object.keys(files), "src/c.py"]);
  expect(after).toEqual({ ...files, "src/a.py": ["import os\n", STORE].join(GAP), ...expected });
});

/** What a sentence names and the fence does not show would go and come nowhere. */
test.each(["Move `load` and `keep` from `src/a.py` to `src/b.py`:", "Move `load` from `src/a.py` to `src/b.py` and `src/c.py`:", "Don't move `load` from `src/a.py` to `src/b.py`:", "Should I move `load` from `src/a.py` to `src/b.py`?", "If you move `load` from `src/a.py` to `src/b.py`:", "Bob moved `load` from `src/a.py` to `src/b.py`:"])("%s", async (words) => {
  const files = { "src/a.py": [LOAD, STORE, KEEP].join(GAP), "src/b.py": SAVE };
  const shown = LOAD.replace("x\n", "x + 1\n");
  expect(await answeredIn(files, `${words}\n\n\`\`\`python\n${shown}\`\`\`\n`)).toEqual(files);
});
