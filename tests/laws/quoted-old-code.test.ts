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

/** What stands above the old text of a pair, and between it and the new one. */
const TURNED: ReadonlyArray<readonly [above: string, between: string]> = [
  ["In `PATH`, instead of", "just write"], ["In `PATH`, instead of", "use"], ["In `PATH`, rather than", "I'd write"],
  ["In `PATH`, modify this:", "To this:"], ["Update this line in `PATH`:", "to"], ["In `PATH`, replace the call:", "with one that also passes a limit and looks only once:"],
  ["In `PATH` you have:", "Change it to"], ["The bug is in `PATH`. This line", "is wrong. Change it to"], ["Step 1: find this in `PATH`:", "Step 2: rewrite it to:"],
  ["**Step 1.** Open `PATH` and find:", "**Step 2.** Replace it with:"], ["In `PATH`, this line", "can be rewritten as"], ["In `PATH`, the line", "should be replaced with"],
];
test.each(TURNED)("%s … %s: the line is replaced", async (above, between) => {
  for (const language of LANGUAGES) {
    const { path, tag, margin } = language;
    await loadStructure(path);
    const [from, to] = [`${margin}total = count(first, 1)`, `${margin}total = count(first, limit)`];
    for (const [name, ended] of ENDINGS) {
      const answer = `${above.replace("PATH", path)}\n\n${fence(tag, from)}\n${between}\n\n${fence(tag, to)}`;
      expect(await answered(path, ended(fileOf(language, from)), answer), `${path} ${name}`).toBe(ended(fileOf(language, to)));
    }
  }
});

/** The same of what is no pair, and what its second fence shows. */
const NOT_TURNED: ReadonlyArray<readonly [above: string, between: string, shown: string]> = [
  ["In `a.py` you have:", "Change the caller to:", "    row = find(admin)"], ["In `a.py` you have:", "With a wrong user it prints:", "row is None"],
  ["In `a.py`, instead of", "you get:", "row is None"], ["In `a.py`, instead of", "use the shell:", "row = login(user, 'x')"],
  ["You don't need", "but you have it in `a.py`:", "    row = find(admin)"], ["In `a.py`, this can fail:", "To test this:", "def test_login():\n    assert login('a', 'b')"],
  ["Update this in `a.py` later:", "To reproduce it:", "row = login(user, 'x')"], ["`a.py` has this:", "Turn it to learn more:", "    row = find(admin)"],
  ["In `a.py` you have:", "You can't change it to:", "    row = find(admin)"], ["In `a.py` you have:", "Don't change it to:", "    row = find(admin)"],
  ["In `a.py` you have:", "I wouldn't change it to:", "    row = find(admin)"], ["In `a.py` you have:", "If you need more, change it to:", "    row = find(admin)"],
  ["In `a.py` you have:", "Somebody changed it to:", "    row = find(admin)"], ["In `a.py` you have:", "This can be called as:", "    row = find(admin)"],
  ["In `a.py`, the line", "can be tested with", "    row = find(admin)"], ["In `a.py`, the line", "could be mistaken for", "    row = find(admin)"],
  ["`a.py` has this:", "Step 2: call it:", "row = login(user, 'x')"], ["`a.py` has this:", "Step 2. Run it:", "row = login(user, 'x')"],
  ["Step 1: read this in `a.py`:", "Step 2: test it with this:", "row = login(user, 'x')"], ["In `a.py`, instead of changing", "use it like this:", "row = login(user, 'x')"],
  ["You do not need to change this in `a.py`:", "use it like this:", "row = login(user, 'x')"], ["You don't need to touch this in `a.py`:", "Just use it:", "row = login(user, 'x')"],
  ["In `a.py`, you don't have to change this:", "Just call it:", "row = login(user, 'x')"], ["Don't modify this in `a.py`:", "to this:", "    row = find(admin)"],
  ["I would not modify this in `a.py`:", "to this:", "    row = find(admin)"], ["Should I modify this in `a.py`:", "to this:", "    row = find(admin)"],
  ["If you modify this in `a.py`:", "to this:", "    row = find(admin)"], ["For example, instead of (`a.py`)", "you could write", "    row = find(admin)"],
  ["Some people, instead of (`a.py`)", "write", "    row = find(admin)"],
];
test.each(NOT_TURNED)("%s … %s: the line stays", async (above, between, shown) => {
  await loadStructure("a.py");
  const [from, file] = ["    row = find(user)", "import os\n\n\ndef login(user, password):\n    row = find(user)\n    return check(row, password)\n"];
  for (const label of ["", "### a.py\n\n"])
    expect(await answered("a.py", file, `${label}${above}\n\n${fence("python", from)}\n${between}\n\n${fence("python", shown)}`), label).toBe(file);
});

/** What quotes a line and goes on with another, of which nothing says that it is an edit. */
const QUOTED_ONLY = `
In \`a.py\`, right after|the check runs:
In \`a.py\`, after|you will see:
The debugger stops in \`a.py\` after this line:|Add a breakpoint:
It fails in \`a.py\`, right after this line:|Add this to your shell:
It fails in \`a.py\`, right after this line:|Add a check:
\`a.py\` has this line:|and right below it:
\`a.py\` has this line:|Directly below it:
In \`a.py\` you have:|Right above it:
In \`a.py\` you have:|Put a breakpoint right below it:
In \`a.py\` you have:|Don't add this below it:
In \`a.py\` you have:|Never add this right after it:
In \`a.py\` you have:|You could add this below it:
In \`a.py\` you have:|If you want more, add this below it:
In \`a.py\` you have:|Should I add this below it:
In \`a.py\` you have:|Somebody added this right below it:
In \`a.py\` you have:|I wouldn't add this below it:
Don't touch this line in \`a.py\`:|and add nothing below it:
Should I, in \`a.py\`, after|add:
Don't, in \`a.py\`, after|add:
In \`a.py\`, don't add anything after|such as:
In \`a.py\`, never after|add:
The bug shows in \`a.py\` right before|and adds:
In \`a.py\`, find this line:|and read what is below it:
In \`a.py\`, find this line:|and look above it:
In \`a.py\`, find this line:|Then run this below it in the REPL:
In \`a.py\`, locate|and add a test:
In \`a.py\`, locate|and try it:
In \`a.py\`, below|is where it fails:
In \`a.py\`, before|it was:
In \`a.py\`, before this line:|the value is printed:
In \`a.py\`, after this line:|add a test for it in your suite:
Right after this in \`a.py\`:|add a breakpoint:
In \`a.py\`, under|Python adds:
In \`a.py\`, above|the compiler puts:
For example, in \`a.py\`, after|you might add:
In \`a.py\`, after|one could add:
In \`a.py\`, after|people often add:
In \`a.py\`, right after|Bob wanted to add:
Here is what \`a.py\` does after|when you add:
Should I replace this in \`a.py\`:|with a safer one:
Should I replace this in \`a.py\`:|with:
Don't replace this in \`a.py\`:|with:
Don't change this in \`a.py\`:|to:
Never change this line in \`a.py\`:|to this:
Do you want me to replace this in \`a.py\`:|with the following:
In \`a.py\`, don't replace|with
Shall I change this line in \`a.py\`:|to:
Would you replace this in \`a.py\`:|with this?
Avoid replacing this in \`a.py\`:|with:
Update \`a.py\`. The code that isn't safe:|Call it:
There's a bug in \`a.py\`. This is the function:|Call it:
There's a bug in \`a.py\`. This is the line:|It prints:
Update \`a.py\`. The line that crashes:|It raises:
In \`a.py\`:|Output:
In \`a.py\`:|Usage:
In \`a.py\`:|Call:
**a.py**, in \`login\` we see:|Call it:
\`a.py\`, inside \`login\` there is:|Call it:
`;
test.each(QUOTED_ONLY.trim().split("\n").map((line) => line.split("|") as [string, string]))("%s … %s: nothing lands", async (above, between) => {
  await loadStructure("a.py");
  const [from, file] = ["    row = find(user)", "import os\n\n\ndef login(user, password):\n    row = find(user)\n    return check(row, password)\n"];
  for (const shown of ["    row = find(admin)", "row = login('a', 'b')", "def test_login():\n    assert login(1, 2)", "    log(row)"])
    for (const label of ["", "### a.py\n\n"])
      expect(await answered("a.py", file, `${label}${above}\n\n${fence("python", from)}\n${between}\n\n${fence("python", shown)}`), shown).toBe(file);
});

test.each([
  ["Here's what you have now in `a.py`:", "And here is what you want:"],
  ["In `a.py` you have:", "It should read:"],
  ["You currently have this in `a.py`:", "What you want instead:"],
])("%s … %s", async (above, between) => {
  await loadStructure("a.py");
  const [from, to] = ["    row = find(user)", "    check(user)\n    row = find(user, True)"];
  const file = `def login(user):\n${from}\n    return row\n`;
  const answer = (last: string): string => `${above}\n\n${fence("python", from)}\n${last}\n\n${fence("python", to)}`;
  expect(await answered("a.py", file, answer(between))).toBe(file.replace(from, to));
  for (const other of ["Here is what you don't want:", "Here's what others have:"]) expect(await answered("a.py", file, answer(other))).toBe(file);
});
