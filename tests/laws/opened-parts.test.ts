/** The law of an opening that names a file: it governs the parts and the items below it, which need no verb of their own. */
import { expect, test } from "vitest";
import { loadStructure } from "../../src/addresses/structure.ts";
import { fullReport, Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly tag: string;
  /** A type with a member. */
  readonly type: (member: string) => string;
  readonly method: (value: string) => string;
  readonly head: string;
}

const LANGUAGES: readonly Language[] = [
  { path: "src/a.py", tag: "python", head: "import os\n", type: (member) => `class Store:\n    ${member} = 1\n`, method: (value) => `def load(key):\n    return ${value}\n` },
  { path: "src/a.ts", tag: "ts", head: 'import { x } from "./x";\n', type: (member) => `export interface Store {\n  ${member}: string;\n}\n`, method: (value) => `export function load(key: string) {\n  return ${value};\n}\n` },
  { path: "store.go", tag: "go", head: "package store\n", type: (member) => `type Store struct {\n\t${member} int\n}\n`, method: (value) => `func load(key string) int {\n\treturn ${value}\n}\n` },
  { path: "src/a.rs", tag: "rust", head: "use std::fmt;\n", type: (member) => `pub struct Store {\n    ${member}: u8,\n}\n`, method: (value) => `pub fn load(key: u8) -> u8 {\n    ${value}\n}\n` },
];
const gapOf = (path: string): string => (path.endsWith(".py") ? "\n\n" : "\n");
const fileOf = ({ path, head, type, method }: Language, member: string, value: string): string => [head, type(member), method(value)].join(gapOf(path));
const fence = (tag: string, text: string): string => `\`\`\`${tag}\n${text}\`\`\`\n`;

const OPENINGS = [
  "Two changes in `PATH`:", "You need to change two things in `PATH`:", "In `PATH`:", "Use another type. In `PATH`:", "Refactor `PATH` like this.", "Here's the refactored `PATH`:", "Two small fixes in `PATH`:",
];
const LABELS: ReadonlyArray<readonly [type: string, method: string]> = [
  ["The type:", "The function itself:"], ["1. The type:", "2. The function:"], ["First the type:", "Then the function:"], ["First, a new type:", "And the function:"], ["1. The new type:", "2. `load`:"],
];

test.each(OPENINGS)("%s: both parts below it land", async (opening) => {
  for (const language of LANGUAGES)
    for (const [type, method] of LABELS) {
      const { path, tag } = language;
      await loadStructure(path);
      const answer = `${opening}\n\n${type}\n\n${fence(tag, language.type("rows"))}\n${method}\n\n${fence(tag, language.method("8"))}`;
      const text = await answered(path, fileOf(language, "items", "7"), answer.replaceAll("PATH", path));
      expect([fileOf(language, "rows", "8"), fileOf(language, "rows", "8").replace("rows = 1\n", "items = 1\n    rows = 1\n")], `${path} ${type} ${method}`).toContain(text);
    }
});

/** Directly above the code, or below an edit of another file. */
const NAMES_FILE = [
  "Two changes in `PATH`:", "One small fix in `PATH`:", "One change in `PATH`:", "`load` is wrong for large keys. Two changes in `PATH`:", "In `PATH`, the function:", "To test on several versions, change `load` in `PATH`:",
  "To test against more versions, change `load` in `PATH`:", "While you're there, let `load` in `PATH` return 8:",
];
test.each(NAMES_FILE)("%s: the code below it lands", async (sentence) => {
  for (const language of LANGUAGES) {
    const { path, tag } = language;
    await loadStructure(path);
    const text = await answered(path, fileOf(language, "items", "7"), `${sentence.replace("PATH", path)}\n\n${fence(tag, language.method("8"))}`);
    expect(text, path).toBe(fileOf(language, "items", "8"));
  }
});

const NOT_OPENED: ReadonlyArray<readonly [opening: string, label: string]> = [
  ...["The old function:", "The current function:", "The existing type:", "The failing test:", "The problematic function:", "The calling function:", "The generated type:", "Output:", "Usage:", "The result:", "The error:", "The cause:", "Your function:", "The same function upstream:", "The function was:"].flatMap((label) =>
    ["In `PATH`:", "Update `PATH` like this."].map((opening) => [opening, label] as const),
  ),
  ...["There are no changes in `PATH`.", "If two changes in `PATH` are too much:", "Two problems in `PATH`:", "Don't change `PATH`.", "Should I change `PATH`?", "I looked at `PATH`."].map((opening) => [opening, "The function:"] as const),
  ["Two fixes in `PATH`:", "- Your `load` currently does this:"], ["Two fixes in `PATH`:", "- You shouldn't write this:"], ["Two fixes in `PATH`:", "- The bug is here:"],
];
test.each(NOT_OPENED)("%s %s: nothing lands", async (opening, label) => {
  for (const language of LANGUAGES) {
    const { path, tag } = language;
    await loadStructure(path);
    const file = fileOf(language, "items", "7");
    expect(await answered(path, file, `${opening}\n\n${label}\n\n${fence(tag, language.method("8"))}`.replaceAll("PATH", path)), path).toBe(file);
  }
});

test.each(["and a first test, `a.test.ts`:", "And a test with supertest (`a.test.ts`):", "plus a small helper module, `a.test.ts`:", "And a test in `a.test.ts`:"])("%s: the file that is not there is written", async (sentence) => {
  await loadStructure("a.test.ts");
  const test = 'describe("a", () => {\n  it("runs", () => {\n    run();\n  });\n});\n';
  const answer = `Update \`src/a.ts\`:\n\n${fence("ts", "export function load(key: string) {\n  return 8;\n}\n")}\n${sentence}\n\n${fence("ts", test)}`;
  expect(await answered("a.test.ts", "", answer)).toBe(test);
});

test.each(["`src/a.ts` is then just:", "`src/a.ts` boils down to this:", "`src/a.ts` now only contains:", "So `src/a.ts` shrinks to three lines:", "`a.ts` is now just this:", "`src/a.ts` becomes simply:", "`src/a.ts` simply turns into:", "`src/a.ts` then simply contains this:", "`src/a.ts` (complete):", "**src/a.ts** (full file):", "### `src/a.ts` (complete)", "Then `src/a.ts` (the whole file):"])("%s: what the file has besides does not stay without a word", async (sentence) => {
  await loadStructure("src/a.ts");
  const file = 'import { x } from "./x";\n\nconst app = x();\n\napp.use(one);\napp.get("/two", two);\n\napp.listen(3);\n';
  const whole = 'import { app } from "./app";\n\napp.listen(3);\n';
  const text = await answered("src/a.ts", file, `${sentence}\n\n${fence("ts", whole)}`);
  expect([file, whole]).toContain(text);
});

const PAIR = ["Change", "to"] as const;
test.each([
  ["a.ts", "  return row(parcel, 1);\n", "b.ts", "export const b = 1;\n", true],
  ["a.ts", "  return row(parcel, 1);\n  return row(parcel, 1);\n", "b.ts", "export const b = 1;\n", false],
  ["a.ts", "  return row;\n", "b.ts", "if (x) return row(parcel, 1);\n", false],
])("a pair of one line without a path: %s %j, %s %j", async (path, line, other, text, isRead) => {
  await loadStructure(path);
  const file = `export function a() {\n${line}}\n// ${other} ${text}`;
  const answer = `${PAIR[0]}\n\n${fence("ts", "  return row(parcel, 1);\n")}\n${PAIR[1]}\n\n${fence("ts", "  return row(parcel, 2);\n")}`;
  expect(await answered(path, file, answer)).toBe(isRead ? file.replace("parcel, 1", "parcel, 2") : file);
});

/** A part that is only spoken of, also in the sentence that goes on below it, and code of another language. */
test.each([
  ["In `a.py`, the main function:", "python", "", "def load(path):\n    return 8\n"],
  ["In `a.py`, the imported function:", "python", "", "def load(path):\n    return 8\n"],
  ["Update `load` in `a.py`:", "python", "is called twice, which is why it is slow.", "def load(path):\n    return 8\n"],
  ["Two changes in `a.py`:\n\nThe migration:", "sql", "", "ALTER TABLE a ADD b int;\n"],
])("%s %s %s", async (said, tag, below, code) => {
  await loadStructure("a.py");
  const file = "def load(path):\n    return read(path)\n";
  expect(await answered("a.py", file, `${said}\n\n${fence(tag, code)}\n${below}\n`)).toBe(file);
});

/** It is no edit of the file that is refused: nothing says that it is one. */
test("code of another language below an opening is not tried on its file", async () => {
  const root = createFolder({ "a.py": "def load(path):\n    return read(path)\n" });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
  const answer = `Two changes in \`a.py\`:\n\n${fence("python", "def load(path):\n    return 8\n")}\nThe migration:\n\n${fence("sql", "ALTER TABLE a ADD b int;\n")}`;
  expect(fullReport(await loaf.execute(answer), loaf)).not.toContain("❌");
});

/** A heading that is a path governs what stands below it, whatever its sentences say, and what stands beside that. */
const HEADINGS = ["### `PATH`", "### PATH", "**PATH**", "### 1. `PATH`"];
test.each(HEADINGS.flatMap((heading) => ["The changes here are small.", "Only these parts change:", "This one was simple."].map((sentence) => ({ heading, sentence }))))("$heading, $sentence", async ({ heading, sentence }) => {
  for (const [path, tag, language] of [["a.ts", "ts", "ts"], ["a.py", "python", "py"], ["a.go", "go", "go"]] as const) {
    const function_ = { ts: (name: string, value: string): string => `export function ${name}() {\n  return ${value};\n}\n`, py: (name: string, value: string): string => `def ${name}():\n    return ${value}\n`, go: (name: string, value: string): string => `func ${name}() int {\n\treturn ${value}\n}\n` }[language];
    const fileOf = (value: string): string => `${language === "go" ? "package a\n\n" : ""}${["load", "store", "keep"].map((name) => function_(name, name === "keep" ? "7" : value)).join(language === "py" ? "\n\n" : "\n")}`;
    const answer = `${heading.replace("PATH", path)}\n\n${sentence}\n\n${fence(tag, function_("load", "8"))}\n${fence(tag, function_("store", "8"))}`;
    expect(await answered(path, fileOf("7"), answer), path).toBe(fileOf("8"));
  }
});

/** What a heading or a sentence below only mentions stays. */
test.each([
  ["### Why `a.py` is slow\n\nThis runs twice:", ""],
  ["### The bug in `a.py`\n\nThis is what happens:", ""],
  ["### `a.py`\n\nYou get this:", ""],
  ["### Update `a.py`\n\nThe old version was:", ""],
  ["## 1. Update `a.py`\n\nThis does not work:", ""],
  ["## 1. Fix `a.py`\n\nA naive version would be:", ""],
  ["## 1. Fix `a.py`\n\nThe reason is the way `load` works:", ""],
  ["## Step 2: Modify `a.py`\n\nImagine that someone writes:", ""],
  ["## Step 2: Modify `a.py`\n\nI considered this.", ""],
  ["You can call it like this:", "It is used in `a.py` and replaces nothing."],
])("%s", async (above, below) => {
  const file = "def load():\n    return 7\n\n\ndef store():\n    return 7\n";
  expect(await answered("a.py", file, `${above}\n\n${fence("python", "def load():\n    return 8\n")}\n${below}\n`)).toBe(file);
});

test.each(["Using `8` makes `load` shorter:"])("%s: a sentence below says where it goes", async (above) => {
  for (const below of ["This goes in `a.py` and replaces the current function.", "It goes into `a.py`, replacing the old one.", "That belongs in `a.py`."]) {
    const file = "def load():\n    return 7\n\n\ndef store():\n    return 7\n";
    expect(await answered("a.py", file, `${above}\n\n${fence("python", "def load():\n    return 8\n")}\n${below}\n`), below).toBe(file.replace("7", "8"));
  }
});

test.each(["You'd change `load` in `a.py`:", "You would update `load` in `a.py`:"])("%s", async (sentence) => {
  const file = "def load():\n    return 7\n\n\ndef store():\n    return 7\n";
  expect(await answered("a.py", file, `${sentence}\n\n${fence("python", "def load():\n    return 8\n")}`)).toBe(file.replace("7", "8"));
});

test("a call for each of something, behind another order", async () => {
  const file = "function check(k) {\n  return k;\n}\n\nfunction put(path) {\n  const key = path.shift();\n\n  if (key) {\n    set(key);\n  }\n}\n";
  const answer = `In \`a.js\`:\n\n${fence("js", "const unsafe = new Set();\n")}\nPut that right above \`check\`. Then in \`put\`, call it for each key:\n\n${fence("js", "  const key = path.shift();\n  check(key);\n\n  if (key) {\n")}`;
  expect(await answered("a.js", file, answer)).toBe(`const unsafe = new Set();\n\n${file.replace("shift();\n", "shift();\n  check(key);\n")}`);
});
