/** Laws of lazy files that begin as their file does: they land to the byte under any sentence that hands them over, and lose nothing that no line takes the place of. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Lazy {
  readonly path: string;
  /** The lines of the file, of which `|` begins those that a placeholder stands for, and `>` those that become the next line with `<`. */
  readonly lines: string;
  readonly mark: string;
}

const FILES: readonly Lazy[] = [
  { path: "a.py", mark: "#", lines: "import os\n<import sys\n\n|LIMIT = 5\n|\n|\n|def first(a):\n|    log(a)\n|    return a\n\n\nclass A:\n    size = 1\n>    color = 'red'\n<    colour = 'red'\n    name = 'a'\n\n|    def total(self):\n|        return self.size\n|\n|    def clear(self):\n|        self.size = 0\n" },
  { path: "a.ts", mark: "//", lines: 'import a from "a";\n<import b from "b";\n\n|const LIMIT = 5;\n|\n|export function first(n: number) {\n|  log(n);\n|  return n;\n|}\n\nexport interface A {\n  size: number;\n>  color: string;\n<  colour: string;\n  name: string;\n}\n\n|export function last() {\n|  return LIMIT;\n|}\n' },
  { path: "a.go", mark: "//", lines: 'package a\n\n<import "os"\nimport "fmt"\n\n|func First(n int) int {\n|\tfmt.Println(n)\n|\treturn n\n|}\n\ntype A struct {\n\tSize int\n>\tColor string\n<\tColour string\n\tName string\n}\n\n|func Last() int {\n|\treturn 1\n|}\n' },
  { path: "a.rs", mark: "//", lines: "use std::fmt;\n<use std::io;\n\n|pub fn first(n: i32) -> i32 {\n|    log(n);\n|    n\n|}\n\npub struct A {\n    size: i32,\n>    color: String,\n<    colour: String,\n    name: String,\n}\n\n|pub fn last() -> i32 {\n|    1\n|}\n" },
  { path: "a.css", mark: "/*", lines: ":root {\n  --a: 1;\n<  --b: 2;\n}\n\n|.first {\n|  color: red;\n|  margin: 0;\n|}\n\n.btn {\n>  color: red;\n<  background: red;\n  border: 1px solid;\n}\n\n|.last {\n|  margin: 1px;\n|}\n" },
];
const INTROS = ["### PATH", "**PATH**", "Here's the updated `PATH`:", "Update `PATH`:", "In `PATH`:", "Here is `PATH` with the change:"];

const before = ({ lines }: Lazy): string => lines.split("\n").filter((line) => !line.startsWith("<")).map((line) => line.replace(/^[|>]/, "")).join("\n");
const after = ({ lines }: Lazy): string => lines.split("\n").filter((line) => !line.startsWith(">")).map((line) => line.replace(/^[|<]/, "")).join("\n");
const hole = ({ mark }: Lazy, indent: string): string => `${indent}${mark} ... existing code ...${mark === "/*" ? " */" : ""}`;

/** @param change what becomes of the lines that replace others */
function shown(file: Lazy, change: (line: string) => string | undefined = (line) => line): string {
  const lines = file.lines.split("\n").flatMap((line) => (line.startsWith(">") ? [] : line.startsWith("<") ? (change(line.slice(1)) ?? []) : line));
  return lines.flatMap((line, at) => (!line.startsWith("|") ? line : lines[at - 1]?.startsWith("|") === true ? [] : hole(file, /^\|(\s*)/.exec(line)?.[1] ?? ""))).join("\n").trimEnd();
}

test.each(FILES)("$path lands under each of the sentences", async (file) => {
  for (const intro of INTROS) {
    const answer = `${intro.replace("PATH", file.path)}\n\n\`\`\`\n${shown(file)}\n\`\`\`\n`;
    expect(await answered(file.path, before(file), answer), answer).toBe(after(file));
  }
});

// The data of a type may go.
test.each(FILES.filter(({ path }) => /py|css/.test(path)))("$path loses no member for which nothing stands there", async (file) => {
  const gone = /^>\s*(.*)$/m.exec(file.lines)?.[1] ?? "";
  const replacing = file.lines.split("\n").findLast((line) => line.startsWith("<"))?.slice(1);
  for (const intro of INTROS) {
    const answer = `${intro.replace("PATH", file.path)}\n\n\`\`\`\n${shown(file, (line) => (line === replacing ? undefined : line))}\n\`\`\`\n`;
    expect(await answered(file.path, before(file), answer), answer).toContain(gone);
  }
});

test("a text that ends in a function, and not with a placeholder, loses no line of it", async () => {
  const text = "import os\nimport sys\n\nLIMIT = 5\n\n\ndef main():\n    a = A()\n    a.grow(1)\n    log(a)\n    return 0\n";
  for (const intro of INTROS.slice(2)) {
    const answer = `${intro.replace("PATH", "a.py")}\n\n\`\`\`python\nimport os\nimport sys\n# ...\n\ndef main():\n    a = A()\n    a.grow(2)\n\`\`\`\n`;
    expect(await answered("a.py", text, answer), answer).toContain("    return 0\n");
  }
});

test.each(["Add a shadow in `a.css`:", "### a.css\n\nAdd a shadow:"])("%s a style that is left out does not give way to it", async (intro) => {
  const text = ".a {\n  color: red;\n}\n\n.btn {\n  color: red;\n  padding: 2px;\n}\n\n.last {\n  margin: 0;\n}\n";
  const answer = `${intro}\n\n\`\`\`css\n.a {\n  color: red;\n}\n\n.btn {\n  color: red;\n  box-shadow: none;\n}\n\n/* ... */\n\`\`\`\n`;
  expect(await answered("a.css", text, answer)).toContain("padding: 2px;");
});

test("a constant that is left out between lines that are shown stays, or nothing lands", async () => {
  for (const intro of INTROS) {
    const python = `${intro.replace("PATH", "a.py")}\n\n\`\`\`\nimport os\nimport sys\n\nclass A:\n    # ...\n\n    def clear(self):\n        self.size = 1\n\n# ...\n\`\`\`\n`;
    const text = "import os\nimport sys\n\nLIMIT = 5\n\n\nclass A:\n    size = 1\n\n    def clear(self):\n        self.size = 0\n\n\ndef main():\n    return LIMIT\n";
    expect(await answered("a.py", text, python), python).toContain("LIMIT = 5\n");
    const script = `${intro.replace("PATH", "a.ts")}\n\n\`\`\`\nimport a from "a";\n\nexport interface A {\n  size: number;\n  extra: number;\n}\n\n// ...\n\`\`\`\n`;
    const old = 'import a from "a";\n\nconst LIMIT = 5;\n\nexport interface A {\n  size: number;\n}\n\nexport function main() {\n  return LIMIT;\n}\n';
    expect(await answered("a.ts", old, script), script).toContain("const LIMIT = 5;\n");
  }
});

test("of equal lines, those below what is shown above are meant", async () => {
  const block = (name: string, value: number): string => `function ${name}() {\n  begin();\n  set${name}(${value});\n  end();\n}\n`;
  const text = (value: number): string => `import a from "a";\n\n${block("One", 1)}\nconst of = () => {\n  begin();\n  first();\n  second();\n  third();\n  begin();\n  fourth(${value});\n  end();\n};\n`;
  const answer = "### a.js\n\n```js\nimport a from \"a\";\n\n// ...\n\nconst of = () => {\n  begin();\n  first();\n  // ...\n  begin();\n  fourth(2);\n  end();\n};\n```\n";
  expect([text(1), text(2)]).toContain(await answered("a.js", text(1), answer));
});

test.each(["In `a.py`:", "Change this in `a.py`:", "`a.py`:"])("%s the first lines of a function take none of the others away", async (intro) => {
  const text = "class A:\n    def __init__(self, a: list, b=None):\n        self.a = a\n        self.b = b\n        super().__init__(b)\n";
  const answer = `${intro}\n\n\`\`\`python\n    def __init__(self, a: list | dict, b=None):\n        self.a = a\n\`\`\`\n`;
  expect([text, text.replace("a: list", "a: list | dict")]).toContain(await answered("a.py", text, answer));
});

test("a method that is shown below a function, with its indentation, lands in no function", async () => {
  const text = "def requires(a):\n    def inner(b):\n        return b\n\n    return inner\n\n\nclass Backend:\n    def check(self, c):\n        return None\n";
  const answer = "Update `requires` and `check` in `a.py`:\n\n```python\ndef requires(a, d=1):\n    def inner(b):\n        return b\n\n    return inner\n\n    def check(self, c):\n        return c\n```\n";
  expect(await answered("a.py", text, answer)).toBe(text);
});

test("a decorator above a class that is shown in part is above it, or nothing lands", async () => {
  const text = "@final\nclass A:\n    def f(self):\n        return 1\n\n\nclass B:\n    def g(self):\n        return 1\n\n    def h(self):\n        return 2\n";
  const answer = "Update `B` in `a.py`:\n\n```python\n@final\nclass B:\n    # ... existing code ...\n\n    def h(self):\n        return 3\n```\n";
  expect([text, text.replace("class B", "@final\nclass B").replace("return 2", "return 3")]).toContain(await answered("a.py", text, answer));
});

test("what a document shows as old and new code is its own", async () => {
  const text = (year: number): string => `# Guide\n\n## Moving\n\nSince ${year}:\n\n\`\`\`js\n// old\na();\n// new\nb();\n\`\`\`\n\n## End\n\nBye.\n`;
  const answer = `Update \`## Moving\` in \`guide.md\`:\n\n\`\`\`\`md\n${/## Moving[^]*(?=\n## End)/.exec(text(2027))?.[0] ?? ""}\`\`\`\`\n`;
  expect(await answered("guide.md", text(2026), answer)).toBe(text(2027));
});

test("a heading that looks like a file names none", async () => {
  const text = "# Water.css\n\nOld words.\n\nMore of them.\n";
  expect(await answered("README.md", text, "Update `# Water.css` in `README.md`:\n\n```md\n# Water.css\n\nNew words.\n\nMore of them.\n```\n")).toBe(text.replace("Old", "New"));
});

test("a function of Python whose last line stands deeper now is all of it", async () => {
  const text = "def read(path):\n    file = open(path)\n    data = file.read()\n    file.close()\n\n\ndef other():\n    return 1\n";
  const now = "def read(path):\n    with open(path) as file:\n        file = open(path)\n        data = file.read()\n";
  for (const intro of ["**a.py**", "Use a context manager in `a.py`:", "In `a.py`:"])
    expect(await answered("a.py", text, `${intro}\n\n\`\`\`python\n${now}\`\`\`\n`), intro).toBe(now + text.slice(text.indexOf("\n\ndef other")));
});
