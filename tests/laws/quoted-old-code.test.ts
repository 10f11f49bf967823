/** Laws of code that an answer quotes from a file before it shows what is to be instead: the two are a pair. */
import { expect, test } from "vitest";
import { loadStructure } from "../../src/addresses/structure.ts";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly tag: string;
  readonly margin: string;
  readonly imports: string;
  around(body: string): string;
}

const LANGUAGES: readonly Language[] = [
  { path: "src/a.py", tag: "python", margin: "    ", imports: "import os", around: (body) => `def load(a):\n${body}\n    return a\n` },
  { path: "src/a.ts", tag: "ts", margin: "  ", imports: 'import { b } from "./b";', around: (body) => `function load(a: number) {\n${body}\n  return a;\n}\n` },
  { path: "src/a.go", tag: "go", margin: "\t", imports: 'package a\n\nimport "os"', around: (body) => `func load(a int) int {\n${body}\n\treturn a\n}\n` },
  { path: "src/a.rb", tag: "ruby", margin: "  ", imports: 'require "b"', around: (body) => `def load(a)\n${body}\n  a\nend\n` },
  { path: "src/a.c", tag: "c", margin: "    ", imports: '#include "b.h"', around: (body) => `int load(int a)\n{\n${body}\n    return a;\n}\n` },
];
const fence = (tag: string, text: string): string => `\`\`\`${tag}\n${text.trimEnd()}\n\`\`\`\n`;
const fileOf = ({ imports, around }: Language, body: string): string => `${imports}\n\n\n${around(body)}`;
const ENDINGS: ReadonlyArray<readonly [string, (text: string) => string]> = [["LF", (text) => text], ["CRLF", (text) => text.replaceAll("\n", "\r\n")]];

const QUOTES = [
  "The problem is in `PATH`:",
  "Find this line in `PATH`:",
  "Looking at `PATH`, this is where it goes wrong:",
  "**Issue:** this part of `PATH` is fragile.",
  "The relevant part of `PATH`:",
  "Currently in `PATH` you have:",
  "In `PATH`, this is dead code:",
];
const FIXES = [
  "Change it to:", "and change it to:", "Instead, write:", "Guard against it:", "Replace it with:", "Replace it with a simpler version:",
  "That can fail. Here's the corrected version:", "**Fix:**", "It should be:", "I'd do this instead:", "Try this:", "Use this instead:", "Updated code:",
];
const PAIRS = [
  ["total = count(first, 1)", "total = count(first, limit)"],
  ["total = count(first, 1)", "total = count(\nMfirst,\nMlimit)"],
  ["log(first)\nMtotal = count(first, 1)", "total = count(first, 1)"],
];

test.each(QUOTES)("%s what stands below it is replaced, whatever introduces the new text", async (quote) => {
  for (const language of LANGUAGES) {
    const { path, tag, margin } = language;
    await loadStructure(path);
    for (const [index, fix] of FIXES.entries()) {
      const [old, now] = PAIRS[index % PAIRS.length] ?? [];
      const [from, to] = [old, now].map((text) => `${margin}${text?.replaceAll("\nM", `\n${margin}`)}`) as [string, string];
      const answer = `${quote.replace("PATH", path)}\n\n${fence(tag, from)}\n${fix}\n\n${fence(tag, to)}`;
      const [name, ended] = ENDINGS[index % ENDINGS.length] as (typeof ENDINGS)[number];
      expect(await answered(path, ended(fileOf(language, from)), answer), `${path} ${fix} ${name}`).toBe(ended(fileOf(language, to)));
    }
  }
});

test("the file may be named below the new text, or in the sentence between the two", async () => {
  for (const language of LANGUAGES) {
    const { path, tag, margin } = language;
    await loadStructure(path);
    const [from, to] = [`${margin}total = count(first, 1)`, `${margin}total = count(first, limit)`];
    for (const answer of [
      `Right now the code does this:\n\n${fence(tag, from)}\nThat can fail. Guard against it:\n\n${fence(tag, to)}\nThat's in \`${path}\`.\n`,
      `This was needed once, so it is dead code:\n\n${fence(tag, from)}\nReplace it with a plain call in \`${path}\`:\n\n${fence(tag, to)}`,
    ])
      expect(await answered(path, fileOf(language, from), answer), `${path} ${answer}`).toBe(fileOf(language, to));
  }
});

test.each(FIXES)("an import in place of a guarded one: %s", async (fix) => {
  await loadStructure("a.py");
  const guarded = "try:\n    from threading import RLock\nexcept ImportError:\n    from dummy_threading import RLock";
  const answer = `The problem is in \`a.py\`:\n\n${fence("python", guarded)}\n${fix}\n\n${fence("python", "from threading import RLock")}`;
  expect(await answered("a.py", `import os\n\n${guarded}\n\nx = RLock()\n`, answer)).toBe("import os\n\nfrom threading import RLock\n\nx = RLock()\n");
});

test("a whole function below a part of it is that function, and no form of the part", async () => {
  for (const language of LANGUAGES) {
    const { path, tag, margin, around } = language;
    await loadStructure(path);
    const [from, to] = [`${margin}total = count(first, 1)`, `${margin}total = count(first, limit)`];
    for (const fix of FIXES.filter((words) => !/^(?:and|Change|Replace|It should)/.test(words))) {
      const answer = `The problem is in \`${path}\`:\n\n${fence(tag, from)}\n${fix}\n\n${fence(tag, around(to))}`;
      expect([fileOf(language, to), fileOf(language, from)], `${path} ${fix}`).toContain(await answered(path, fileOf(language, from), answer));
    }
  }
});

test("what comes beside quoted code does not replace it", async () => {
  for (const language of LANGUAGES) {
    const { path, tag, margin } = language;
    await loadStructure(path);
    const [from, other] = [`${margin}total = count(first, 1)`, `${margin}print(first)`];
    for (const fix of ["Add this below it:", "After it, add:", "Then also print it:", "Then print it:", "You also need:", "Now use it:"]) {
      const answer = `The relevant part of \`${path}\`:\n\n${fence(tag, from)}\n${fix}\n\n${fence(tag, other)}`;
      expect(await answered(path, fileOf(language, from), answer), `${path} ${fix}`).toContain(from);
    }
  }
});

const BESIDE: ReadonlyArray<readonly [path: string, tag: string, quoted: string, shown: string, words: readonly string[]]> = [
  ["a.py", "python", "def login(user, password):\n    row = find(user)\n    return check(row, password)", 'if login(user, password):\n    print("hello", user)', ["Then call `login`:", "Use:", "Use it in the view:", "Check the result of `login`:", "And the caller:", "Try this:"]],
  ["a.py", "python", "def login(user, password):\n    row = find(user)\n    return check(row, password)", 'Traceback (most recent call last):\n  File "a.py", line 9, in login\n    row = find(user)\nKeyError: user password check', ["Fix this error:", "Start it:", "Resolve this:"]],
  ["a.py", "python", "def login(user, password):\n    row = find(user)\n    return check(row, password)", "def login_all(users, password):\n    return [login(user, password) for user in users]", ["Create `login_all`:", "Extend it to lists:", "Build on it:", "Update it for lists:"]],
  ["a.ts", "ts", "export const getUser = async (id: string) => {\n  const row = await find(id);\n  return row;\n};", "const user = await getUser(id);\nif (!user) return find(id);", ["Use it in the page:", "Await it:", "Then use it:"]],
  ["a.c", "c", "int parse(const char *text) {\n    return atoi(text);\n}", "int parse(const char *text);", ["Declare it:", "Write a prototype:", "Update it:"]],
  ["a.yml", "yaml", "web:\n  image: app:1.0\n  port: 80", "worker:\n  image: app:1.0\n  port: 81", ["Create a worker:", "The worker needs:", "Change it for a worker:"]],
  ["a.json", "json", '  "zod": "3.0.0"', '  "zod-to-json": "3.0.0"', ["Install one more:", "Include its helper:", "Change it:"]],
  ["README.md", "markdown", "## Install\n\nRun `npm install app` to install it.", "## Develop\n\nRun `npm install` to install it.", ["Write a section on development:", "Update it for developers:"]],
];

test.each(BESIDE)("in %s a usage, a test or another declaration takes the place of none", async (path, tag, quoted, shown, words) => {
  await loadStructure(path);
  const file = path.endsWith(".json") ? `{\n${quoted}\n}\n` : `${quoted}\n`;
  for (const word of words)
    for (const intro of [`\`${path}\` has this:`, `The code in \`${path}\`:`, `You have this in \`${path}\`:`]) {
      const answer = `${intro}\n\n${fence(tag, quoted)}\n${word}\n\n${fence(tag, shown)}`;
      expect(await answered(path, file, answer), `${intro} ${word}`).toContain(quoted.replace(/\n?$/, ""));
    }
});
