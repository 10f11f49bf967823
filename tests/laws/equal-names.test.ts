/** The law of equal names: of two declarations of one name, an excerpt changes the one that it shows, or none. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly head: string;
  readonly body: readonly string[];
  readonly other: readonly string[];
  readonly end: string;
  /** What stands around a declaration, and the first line of one that stands there if it is another one. */
  readonly places: Readonly<Record<string, readonly [above: string, below: string, head?: string]>>;
}

const RUBY: Language = {
  path: "a.rb",
  head: "def load(path)",
  body: ["text = read(path)", "check(text)", "parse(text)"],
  other: ["nil"],
  end: "end\n",
  places: {
    "the file": ["", ""],
    "a class": ["class Store\n", "end\n"],
    "another class": ["class Cache\n", "end\n"],
    "a block": ["Store.class_eval do\n", "end\n"],
    "a condition": ["if ENV['A']\n", "end\n"],
  },
};
const PYTHON: Language = {
  path: "a.py",
  head: "def load(path):",
  body: ["text = read(path)", "check(text)", "return parse(text)"],
  other: ["return None"],
  end: "",
  places: {
    "the file": ["", ""],
    "a class": ["class Store:\n    @staticmethod\n", ""],
    "another class": ["class Cache:\n    @staticmethod\n", ""],
    "a condition": ["if TYPES:\n", ""],
    "a function": ["def make(name):\n", "    return load(name)\n"],
  },
};
const TYPESCRIPT: Language = {
  path: "a.ts",
  head: "function load(path: string) {",
  body: ["const text = read(path);", "check(text);", "return parse(text);"],
  other: ["return undefined;"],
  end: "}\n",
  places: {
    "the file": ["", ""],
    "a namespace": ["namespace Store {\n", "}\n"],
    "a call": ['describe("store", () => {\n', "});\n"],
    "a condition": ["if (isOld) {\n", "}\n"],
    "a function": ["function make(name: string) {\n", "  return load(name);\n}\n"],
    "a class": ["class Store {\n", "}\n", "load(path: string) {"],
  },
};
const RUST: Language = {
  path: "a.rs",
  head: "fn load(path: &str) -> Text {",
  body: ["let text = read(path);", "check(&text);", "parse(text)"],
  other: ["Text::new()"],
  end: "}\n",
  places: {
    "the file": ["", ""],
    "a module": ["mod store {\n", "}\n"],
    "a type": ["impl Store {\n", "}\n"],
    "a function": ["fn make(name: &str) -> Text {\n", "    load(name)\n}\n"],
  },
};
const PHP: Language = {
  path: "a.php",
  head: "function load($path) {",
  body: ["$text = read($path);", "check($text);", "return parse($text);"],
  other: ["return null;"],
  end: "}\n",
  places: { "the file": ["", ""], "a class": ["class Store {\n", "}\n"], "a condition": ["if (OLD) {\n", "}\n"] },
};

const RUNS = [RUBY, PYTHON, TYPESCRIPT, RUST, PHP].flatMap((language) =>
  Object.keys(language.places).flatMap((meant) =>
    Object.keys(language.places).flatMap((other) =>
      ["as it stands", "at the margin"].flatMap((shown) =>
        [true, false].map((isFirst) => ({ language, path: language.path, meant, other, shown, isFirst })),
      ),
    ),
  ),
).filter(({ meant, other }) => meant !== other);

test.each(RUNS)("$path: the one in $meant, not in $other, $shown, first: $isFirst", async ({ language, path, meant, other, shown, isFirst }) => {
  const changed = language.body.with(0, (language.body[0] ?? "").replace("read", "readAll"));
  const fileOf = (lines: readonly string[]): string => fileWith(language, [[meant, lines], [other, language.other]], isFirst);
  const indent = shown === "as it stands" && meant !== "the file" ? "    " : "";
  const text = excerptOf(language, meant, { indent, lines: changed });
  const before = fileOf(language.body);
  const result = await answered(path, before, `In \`${path}\`, change \`load\`:\n\n\`\`\`\n${text}\`\`\`\n`);
  expect(result === before ? fileOf(changed) : result, text).toBe(fileOf(changed));
});

const IN_CLASS = RUNS.filter(({ meant, other, path }) => meant === "a class" && other !== "another class" && path !== "a.ts");

test.each(IN_CLASS)("$path: a sentence tells the class, not $other, $shown, first: $isFirst", async ({ language, path, other, shown, isFirst }) => {
  const fileOf = (lines: readonly string[]): string => fileWith(language, [["a class", lines], [other, language.body]], isFirst);
  const text = excerptOf(language, "a class", { indent: shown === "as it stands" ? "    " : "", lines: language.other });
  const result = await answered(path, fileOf(language.body), `In \`${path}\`, empty the \`load\` of the \`Store\` class:\n\n\`\`\`\n${text}\`\`\`\n`);
  expect([fileOf(language.other), fileOf(language.body)]).toContain(result);
  if (other !== "a function") expect(result).toBe(fileOf(language.other));
});

test("a text with nothing of either is that of the indentation, or none", async () => {
  for (const language of [RUBY, PYTHON]) {
    const fileOf = (lines: readonly string[]): string => fileWith(language, [["a class", lines], ["the file", language.body]], true);
    const text = excerptOf(language, "a class", { indent: "    ", lines: language.other });
    const result = await answered(language.path, fileOf(language.body), `In \`${language.path}\`, change \`load\`:\n\n\`\`\`\n${text}\`\`\`\n`);
    expect([fileOf(language.other), fileOf(language.body)]).toContain(result);
  }
});

function excerptOf({ head, end, places }: Language, place: string, { indent, lines }: { readonly indent: string; readonly lines: readonly string[] }): string {
  const [, , ownHead = head] = places[place] ?? [];
  return indented(indent, [ownHead, ...lines.map((line) => `    ${line}`)]) + (end && indent + end);
}

function fileWith(language: Language, both: ReadonlyArray<readonly [place: string, body: readonly string[]]>, isFirst: boolean): string {
  const blocks = both.map(([place, body]) => blockOf(language, place, language.head, body));
  return `${language.path.endsWith("php") ? "<?php\n" : ""}${(isFirst ? blocks : blocks.toReversed()).join("\n")}`;
}

function blockOf(language: Language, place: string, head: string, body: readonly string[]): string {
  const [above, below, ownHead = head] = language.places[place] ?? ["", ""];
  const indent = place === "the file" ? "" : "    ";
  return above + indented(indent, [ownHead, ...body.map((line) => `    ${line}`)]) + (language.end && indent + language.end) + below;
}

function indented(indent: string, lines: readonly string[]): string {
  return lines.map((line) => `${indent}${line}\n`).join("");
}

test("one in a condition is no more the file's than one in a class", async () => {
  const file = "import sys\n\nif sys.platform == 'win32':\n    def area(x):\n        return x\n\n\nclass Shape:\n    def area(x):\n        return x\n";
  expect(await answered("a.py", file, "Update `area` in `a.py`:\n\n```python\ndef area(x):\n    return x * 2\n```\n")).toBe(file);
});

test("of two with other parameters, the one is meant that stands beside what is shown beside it", async () => {
  const [first, second] = ["class A:\n    def call(self):\n        return 1\n\n    def run(self, x):\n        return x\n", "class B:\n    def call(self, y):\n        return 2\n\n    def go(self):\n        return 3\n"];
  const file = `${first}\n\n${second}`;
  const answer = (text: string): string => `Change \`a.py\`:\n\n\`\`\`python\n${text}\`\`\`\n`;
  expect(await answered("a.py", file, answer("def call(self):\n    return 9\n\ndef run(self, x):\n    return 8\n"))).toBe(file.replace("return 1", "return 9").replace("return x", "return 8"));
  expect(await answered("a.py", file, answer("def call(self, y):\n    return 9\n\ndef go(self):\n    return 8\n"))).toBe(file.replace("return 2", "return 9").replace("return 3", "return 8"));
  for (const text of ["def call(self, y):\n    return 9\n\ndef run(self, x):\n    return 8\n", "def call(self, z):\n    return 9\n\ndef go(self):\n    return 8\n", "def call(self):\n    return 9\n\ndef new(self):\n    return 8\n", "def call(self):\n    return 9\n\ndef run(self, x):\n    return 8\n\ndef go(self):\n    return 7\n"])
    expect(await answered("a.py", file, answer(text)), text).toBe(file);
});
