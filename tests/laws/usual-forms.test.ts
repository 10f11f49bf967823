/** Laws of the forms in which chats write several changes, a pair the other way round, a place below the code, and a label: all of it lands. */
import { expect, test } from "vitest";
import { loadStructure } from "../../src/addresses/structure.ts";
import { fullReport, Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { filesBelow } from "../support/intake.ts";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly tag: string;
  readonly imports: readonly string[];
  /** What is to be imported, and the imports with it. */
  readonly added: string;
  readonly all: string;
  one(name: string, body: string): string;
}

const LANGUAGES: readonly Language[] = [
  { path: "src/a.py", tag: "python", imports: ["import os", "import sys"], added: "import logging", all: "import logging\nimport os\nimport sys", one: (name, body) => `def ${name}(a):\n    ${body}\n    return a\n` },
  { path: "src/a.ts", tag: "ts", imports: ["import { a } from './a';", "import { b } from './b';"], added: "import { log } from './log';", all: "import { a } from './a';\nimport { b } from './b';\nimport { log } from './log';", one: (name, body) => `function ${name}(a: number) {\n  ${body};\n  return a;\n}\n` },
  { path: "src/a.js", tag: "js", imports: ["const a = require('./a');", "const b = require('./b');"], added: "const log = require('./log');", all: "const a = require('./a');\nconst b = require('./b');\nconst log = require('./log');", one: (name, body) => `function ${name}(a) {\n  ${body};\n  return a;\n}\n` },
  { path: "src/a.c", tag: "c", imports: ['#include "a.h"', '#include "b.h"'], added: '#include "log.h"', all: '#include "a.h"\n#include "b.h"\n#include "log.h"', one: (name, body) => `int ${name}(int a)\n{\n    ${body};\n    return a;\n}\n` },
];
const fence = (tag: string, text: string): string => `\`\`\`${tag}\n${text.trimEnd()}\n\`\`\`\n`;
const gap = (path: string): string => (path.endsWith(".py") ? "\n\n" : "\n");

interface Form {
  readonly name: string;
  answer(language: Language, old: string, now: string): string;
  /** Whether an import comes too. */
  readonly imports: boolean;
}

const FORMS: readonly Form[] = [
  { name: "numbered, at the top of", imports: true, answer: ({ path, tag, added }, _, now) => `1. At the top of \`${path}\` add:\n\n${fence(tag, added)}\n2. Log in \`load\`:\n\n${fence(tag, now)}` },
  { name: "don't forget the import", imports: true, answer: ({ path, tag, added }, _, now) => `In \`${path}\`:\n\n${fence(tag, now)}\nDon't forget the import at the top of the file:\n\n${fence(tag, added)}` },
  { name: "two edits, bold labels", imports: true, answer: ({ path, tag, all }, _, now) => `Two edits in \`${path}\`:\n\n**Imports**\n\n${fence(tag, all)}\n**load**\n\n${fence(tag, now)}` },
  { name: "changes announced, parts named", imports: true, answer: ({ path, tag, added }, _, now) => `To log, a few changes are needed in \`${path}\`.\n\nThe import:\n\n${fence(tag, added)}\nThe function:\n\n${fence(tag, now)}` },
  { name: "steps", imports: true, answer: ({ path, tag, added }, _, now) => `**Step 1 – the import** (\`${path}\`)\n\n${fence(tag, added)}\n**Step 2 – the function**\n\n${fence(tag, now)}` },
  { name: "import as a span", imports: true, answer: ({ path, tag, added }, _, now) => `In \`${path}\`:\n\n${fence(tag, now)}\nYou'll also need to add \`${added}\` at the top of the file.\n` },
  ...["replaces", "instead of:", "in place of", "rather than", "This replaces the old version:", "Previously it was:"].map((word) => ({ name: `new ${word} old`, imports: false, answer: ({ path, tag }: Language, old: string, now: string) => `In \`${path}\`:\n\n${fence(tag, now)}\n${word}\n\n${fence(tag, old)}` })),
  { name: "currently has, should be", imports: false, answer: ({ path, tag }, old, now) => `Currently \`${path}\` has:\n\n${fence(tag, old)}\nIt should be:\n\n${fence(tag, now)}` },
  { name: "this becomes", imports: false, answer: ({ path, tag }, old, now) => `In \`${path}\` this:\n\n${fence(tag, old)}\nbecomes:\n\n${fence(tag, now)}` },
  ...["In `PATH` we now log:", "My suggestion for `PATH`:", "Try this in `PATH`:", "In the file `PATH` I would write:", "In PATH use `log` instead of nothing:", "Here's how `load` in `PATH` should look:", "This is what `load` in `PATH` should look like:"].map((sentence) => ({ name: sentence, imports: false, answer: ({ path, tag }: Language, _: string, now: string) => `${sentence.replace("PATH", path)}\n\n${fence(tag, now)}` })),
];

test.each(FORMS)("$name: all of it lands", async ({ answer, imports }) => {
  for (const language of LANGUAGES) {
    const { path, one, all } = language;
    await loadStructure(path);
    const [old, now, other] = [one("load", "check(a)"), one("load", "log(a)"), one("save", "check(a)")];
    const fileOf = (head: string, text: string): string => `${head}\n${gap(path)}${text}${gap(path)}${other}`;
    const file = fileOf(language.imports.join("\n"), old);
    const text = await answered(path, file, answer(language, old, now));
    expect(text, path).toBe(fileOf(imports ? all : language.imports.join("\n"), now));
  }
});

test.each(["Put this right after `load`.", "It goes directly below `load`.", "You may want to place it just after `load`.", "It should go before `save`."])("%s, below the code: it goes there", async (place) => {
  for (const { path, tag, one, imports } of LANGUAGES)
    for (const label of [`In \`${path}\`, add this:`, `**${path}**`]) {
      await loadStructure(path);
      const names = ["load", "save", "check"].map((name) => one(name, "f(a)"));
      const [head, fresh] = [imports.join("\n"), one("fresh", "g(a)")];
      const fileOf = (parts: readonly (string | undefined)[]): string => [head + "\n", ...parts].join(gap(path));
      const text = await answered(path, fileOf(names), `${label}\n\n${fence(tag, fresh)}\n${place}\n`);
      expect(text, `${path} ${label}`).toBe(fileOf([names[0], fresh, ...names.slice(1)]));
    }
});

test.each(['before "## Usage"', "before **## Usage**", "before *## Usage*", "before the `## Usage` section", "after the `## Install` section", 'after "## Install"'])("%s: a section goes between two others", async (place) => {
  await loadStructure("README.md");
  const [title, install, usage, fresh] = ["# T\n", "## Install\n\nRun it.\n", "## Usage\n\nUse it.\n", "## New\n\nText.\n"];
  for (const order of [`Add this to \`README.md\` ${place}:`, `Insert it ${place} in \`README.md\`:`]) {
    const text = await answered("README.md", [title, install, usage].join("\n"), `${order}\n\n${fence("markdown", fresh)}`);
    expect([[title, install, fresh, usage].join("\n"), [title, install, usage].join("\n")], order).toContain(text);
  }
});

test.each([
  ["Two problems in `src/a.py`:", "In `load`, the value is lost:"],
  ["Two edits in `src/a.py` would be possible.", "Usage:"],
  ["There are no changes in `src/a.py`.", "The function:"],
  ["If two changes in `src/a.py` are too much:", "The function:"],
])("%s %s: nothing lands", async (intro, label) => {
  await loadStructure("src/a.py");
  const file = "import os\n\n\ndef load(a):\n    return a\n";
  const text = await answered("src/a.py", file, `${intro}\n\n${label}\n\n${fence("python", "def load(a):\n    return b\n")}`);
  expect(text).toBe(file);
});

test.each([
  "Since nobody uses it, you can delete `f` from `a.py`.", "`f` in `a.py` is dead code and should be removed.", "`f` (`a.py`) is no longer needed, so delete it.",
  "You can safely drop `f` now.", "Change it to `return 7`.", "Update the type in a.py to `return 7`.",
])("%s: named as not read, alone and below an edit; a condition, and code below it, are not", async (sentence) => {
  const edit = "In `a.py`:\n\n```python\ndef g(a):\n    return 3\n```\n";
  const file = { "a.py": "def f(a):\n    return a\n\n\ndef g(a):\n    return 2\n" };
  const named = async (answer: string): Promise<boolean> => {
    const loaf = await Loaf.create({ repoPath: createFolder(file), config: { relative_paths: true }, approve: () => "once" });
    return fullReport(await loaf.execute(answer), loaf).includes("note: not read:");
  };
  expect(await named(`${sentence}\n`)).toBe(true);
  expect(await named(`${edit}\n${sentence}\n`)).toBe(true);
  expect(await named(`${edit}\nIf you like, ${sentence}\n`)).toBe(false);
  expect(await named(`${sentence} Here is the new version.\n\n${edit}`)).toBe(false);
});

const BELOW = ["This goes in `PATH`.", "Put this in `PATH`.", "It belongs in `PATH`.", "(file: `PATH`)", "Apply this to `PATH`."];
test.each([
  ...["The helper would be easier to debug with a log call.", "You could log the value.", "The value is never logged.", "The simplest fix is to log it.", "Note that the value is never logged."].map((intro) => ({ intro, lands: true })),
  ...["Don't do this:", "This is wrong:", "It prints:", "A common mistake:", "Usage:"].map((intro) => ({ intro, lands: false })),
])("$intro, with the path below the code: it lands, $lands", async ({ intro, lands }) => {
  for (const { path, tag, one } of LANGUAGES)
    for (const below of BELOW) {
      await loadStructure(path);
      const [old, now, other] = [one("load", "check(a)"), one("load", "log(a)"), one("save", "check(a)")];
      const text = await answered(path, `${old}${gap(path)}${other}`, `${intro}\n\n${fence(tag, now)}\n${below.replace("PATH", path)}\n`);
      expect(text, `${path} ${below}`).toBe(`${lands ? now : old}${gap(path)}${other}`);
    }
});

/** A type with two members apart in a language without a grammar, and one more member. */
const TYPES: ReadonlyArray<readonly [path: string, head: string, members: readonly string[], fresh: string, tail: string]> = [
  ["a.kt", "package a\n\nclass Cart(private val id: Int) {\n    val items = 1\n\n", ["    fun add(a: Int) {\n        go(a)\n    }\n", "    fun total(): Int {\n        return 1\n    }\n"], "    fun clear() {\n        go(0)\n    }\n", "}\n\nfun main() {\n    go(2)\n}\n"],
  ["a.swift", "import A\n\nstruct Cart {\n    var items = 1\n\n", ["    mutating func add(_ a: Int) {\n        go(a)\n    }\n", "    func total() -> Int {\n        return 1\n    }\n"], "    mutating func clear() {\n        go(0)\n    }\n", "}\n\nfunc main() {\n    go(2)\n}\n"],
  ["a.dart", "class Cart extends Base {\n  int items = 1;\n\n", ["  void add(int a) {\n    go(a);\n  }\n", "  int total() {\n    return 1;\n  }\n"], "  void clear() {\n    go(0);\n  }\n", "}\n\nvoid main() {\n  go(2);\n}\n"],
  ["a.scala", "class Cart(id: Int) {\n  val items = 1\n\n", ["  def add(a: Int): Unit = {\n    go(a)\n  }\n", "  def total(): Int = {\n    1\n  }\n"], "  def clear(): Unit = {\n    go(0)\n  }\n", "}\n\nclass Other {\n  def clear2(): Unit = {\n    go(2)\n  }\n}\n"],
  ["a.ex", "defmodule Cart do\n  alias A\n\n", ["  def add(a) do\n    go(a)\n  end\n", "  def total(a) do\n    a\n  end\n"], "  def clear(a) do\n    go(0)\n  end\n", "end\n"],
];

test.each(["Add this method to the `Cart` class in `PATH`:", "In `PATH`, add a `clear` method to `Cart`:", "Add this at the end of `Cart` in `PATH`:"])("%s: it stands below the last member of a type, apart as the others do", async (order) => {
  for (const [path, head, members, fresh, tail] of TYPES)
    for (const shown of [fresh, fresh.replaceAll(/^ {2}( {2})?(?=\S| )/gm, (indent) => indent.slice((/^ */.exec(fresh)?.[0] ?? "").length))]) {
      const text = await answered(path, `${head}${members.join("\n")}${tail}`, `${order.replace("PATH", path)}\n\n${fence("", shown)}`);
      expect(text, `${path} ${shown}`).toBe(`${head}${[...members, fresh].join("\n")}${tail}`);
    }
});

/** What tells of code without asking for it, above a fence with another form of a function. */
const NO_ORDER = [
  "The current version (`PATH`):", "The old function (`PATH`):", "It then calls `load` in `PATH`:", "I then found this in `PATH`:", "This now breaks `load` in `PATH`:", "Try changing `load` in `PATH` to see what breaks:",
  "The same goes for `PATH`, which has the same bug:", "Here's how `load` in `PATH` should not look:", "Use parameters because `PATH` has this instead of them:", "Use `a` instead of what `load` in `PATH` does:", "Don't forget the old `load` in `PATH`:",
  "The same bug is in two places in `PATH`.\n\n**load:**", "`load` is used in three places of `PATH`.\n\n### In load", "How `PATH` works.\n\n### Step 1: Look up the user", "Two changes in `PATH`:\n\n**For comparison:**", "Two changes in `PATH`:\n\nConsider `load`:", "Two changes in `PATH`:\n\nThe vulnerable code:",
];
test.each(NO_ORDER)("%s: nothing lands, with and without a place below", async (sentence) => {
  for (const { path, tag, one } of LANGUAGES)
    for (const below of ["", "This code lives in `PATH`.", "It goes in `PATH` only if you like."]) {
      await loadStructure(path);
      const file = `${one("load", "check(a)")}${gap(path)}${one("save", "check(a)")}`;
      const text = await answered(path, file, `${sentence}\n\n${fence(tag, one("load", "log(a)"))}\n${below}\n`.replaceAll("PATH", path));
      expect(text, `${path} ${below}`).toBe(file);
    }
});

test.each(["Add a test for `save` as well.", "You might want to add logging before `save`.", "You should add a limit at the top of `load`.", "I'd add a comment at the top of the file.", "It goes without saying that `save` runs last.", "It should be called like this:", "That should be enough. Try it:", "Rather than writing a second one:"])("%s, below an edit: the edit lands as without it", async (remark) => {
  for (const { path, tag, one } of LANGUAGES)
    for (const label of [`Update \`load\` in \`${path}\`:`, `**${path}**`]) {
      await loadStructure(path);
      const [old, now, other] = [one("load", "check(a)"), one("load", "log(a)"), one("save", "check(a)")];
      const call = remark.endsWith(":") ? `\n${fence(tag, "load(7)")}` : "";
      const text = await answered(path, `${old}${gap(path)}${other}`, `${label}\n\n${fence(tag, now)}\n${remark}\n${call}`);
      expect(text, `${path} ${label}`).toBe(`${now}${gap(path)}${other}`);
    }
});

test.each([
  ["Add permissions for the jobs to `ci.yml`:", "permissions:\n  contents: read\n", false], ["Add a `concurrency` group to `ci.yml`, so that a job is cancelled when a new one starts:", "concurrency:\n  group: a\n", false],
  ["Add environment variables for every job in `ci.yml`:", "env:\n  A: b\n", false], ["Add a `lint` job to `ci.yml`:", "lint:\n  runs-on: a\n", true], ["Add a lint job to `ci.yml`:", "lint:\n  runs-on: a\n", true],
])("%s it stands in `jobs`, %s: %s", async (order, shown, isInside) => {
  await loadStructure("ci.yml");
  const text = await answered("ci.yml", "name: ci\non: push\njobs:\n  build:\n    runs-on: a\n  test:\n    runs-on: a\n", `${order}\n\n${fence("yaml", shown)}`);
  expect(/^jobs:\n(?:(?: .*)?\n)*  \w+:\n(?:(?: .*)?\n)*$/m.test(text) && new RegExp(`^  ${shown.split(":")[0]}:`, "m").test(text)).toBe(isInside);
  expect(text).toContain(`${shown.split(":")[0]}:`);
});

test.each(["Delete `a.js` and create `a.js` anew:", "You can delete `a.js` and create `b.js` when the migration is done.", "Delete `a.js` and add a new one, or keep it.", "Remove `a.js` and add this to `b.js`:"])("%s: no file is deleted", async (order) => {
  expect(await answered("a.js", "old();\n", `${order}\n\n${fence("js", "fresh();")}`)).not.toBe("");
});

test("a removal of another file, in the sentence above a new one, is named", async () => {
  const loaf = await Loaf.create({ repoPath: createFolder({ "src/old.ts": "a();\n" }), config: { relative_paths: true }, approve: () => "once" });
  const answer = `The file is obsolete: delete \`src/old.ts\` and create \`src/new.ts\`:\n\n${fence("ts", "b();")}`;
  expect(fullReport(await loaf.execute(answer), loaf)).toContain("note: not read: \"The file is obsolete: delete `src/old.ts`");
});

test.each([
  "Delete the `load` and `save` functions from `src/a.ts`, and simplify the export:",
  "Since nobody uses it you can delete the `load` function, and change the call:",
])("%s: a removal beside another order is named", async (order) => {
  const root = createFolder({ "src/a.ts": "load();\nsave();\nexport { load, save };\nrun();\n" });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
  const answer = `In \`src/a.ts\`:\n\n${order}\n\n${fence("ts", "save();\nexport { save };\nrun();")}`;
  expect(fullReport(await loaf.execute(answer), loaf)).toContain(`note: not read: "${order.slice(0, 20)}`);
});

test.each([
  "Then use `b.call` instead of `a.call` in both places.",
  "(also set `level = 3` in `[tool]`).",
  "and enable it by default: `const on = true;`",
  "Set `PORT=8080` in `app.env`.",
  "In `a.toml`, set `k = v`.",
  'Add `"type": "module"` to `package.json`.',
  "In `src/b.ts`, use `x === 1` instead of `x == 1`.",
  "- `PORT`: `3000` → `8080`",
  "Then use `ruff` instead of `black` in the dev extras.",
  "You'll need to import `os` (top of the file).",
])("%s: a change that only a sentence below the code tells is made or named", async (order) => {
  const root = createFolder({ "src/a.ts": "function load() {\n  return 1;\n}\n" });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
  const answer = `Update \`load\` in \`src/a.ts\`:\n\n${fence("ts", "function load() {\n  return 2;\n}")}\n${order}\n`;
  expect(fullReport(await loaf.execute(answer), loaf)).toContain("note: not read: ");
});

test.each([
  "Here's how `load` in `PATH` could look:", "Sure! Here's how `load` in `PATH` could look:",
  "You'll want to change `load` in `PATH` to something like this:", "Your `load` function (`PATH`) would then look like this:",
  "There's a missing call in `load` (`PATH`):", "There is a missing `log` in `load` (`PATH`):",
  "Certainly! Below is the revised `load` from `PATH`:", "Below is an updated version of `load` in `PATH`:",
  "This is how I'd write `load` in `PATH`:", "Here's how I'd write `load` in `PATH`:",
  "I suggest the following change to `load` in `PATH`:", "I'd recommend the following for `load` in `PATH`:",
  "Update `PATH`. The old check was too slow:",
  "Update `PATH`. The second call isn't needed:", "Update `PATH`. Both values are outdated:",
  "Change `load` in `PATH`. It never checks its input:",
  "To fix this issue, you need to modify the `load` function in the `PATH` file. Here's how you can do it:", "You need to change `load` in `PATH`. Here's how:",
  "You should update `load` in `PATH`. Here's how to fix it:", "Update `load` in `PATH`. It is vulnerable to injection:",
  "Modify `load` in `PATH`. Node 8 isn't supported anymore:", "Rewrite `load` in `PATH`. The row doesn't have a name:",
  "In `PATH`, let `load` log its argument instead of dropping it:",
  "In `PATH` give `load` a log line too, so nobody misses the call:",
  "`load` (in `PATH`) is subtly wrong. A better version:",
  "To get there, we touch `load`, all in `PATH`:",
  "I'd simplify this. In `PATH`:",
  "What you want in `PATH` is this:",
  "Try this version of `load` in `PATH`:",
  "Don't touch the callers – only `load` in `PATH` changes:",
  "In `PATH`, the `load` function should never drop its argument:",
  "In `PATH` you can drop the check from `load`:",
  "You need to handle the argument in `load` in `PATH`:",
])("%s: the whole function lands", async (sentence) => {
  for (const { path, tag, one } of LANGUAGES) {
    await loadStructure(path);
    const [old, now, other] = [one("load", "check(a)"), one("load", "log(a)"), one("save", "check(a)")];
    const answer = `${sentence.replace("PATH", path)}\n\n${fence(tag, now)}\nLet me know if it works.\n`;
    expect(await answered(path, `${old}${gap(path)}${other}`, answer), path).toBe(`${now}${gap(path)}${other}`);
  }
});

test("code of a second file goes into that one, whose first fence stands under its path", async () => {
  const [first, second] = ["class A {\n  get() {\n    return 1;\n  }\n}\n", "class B {\n  get() {\n    return 2;\n  }\n\n  last() {}\n}\n"];
  const has = "  has() {\n    return true;\n  }";
  for (const order of ["and implement it after `get`:", "Then add the method after `get`:"]) {
    const root = createFolder({ "a.js": first, "b.js": second });
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
    await loaf.execute(`**a.js**\n\nAdd it after \`get\`:\n\n${fence("js", has)}\n**b.js**\n\nEmpty the last one:\n\n${fence("js", "  last() {\n    done();\n  }")}\n${order}\n\n${fence("js", has)}`);
    expect(filesBelow(root)["b.js"], order).toContain("return 2;\n  }\n\n  has() {");
  }
});

test.each(["In the README, add a section:", "Add this to the readme:", "Add this to your README:"])("%s: the file that is there gets it, in whatever letters its name is", async (order) => {
  await loadStructure("README.md");
  for (const path of ["README.md", "readme.md", "Readme.md"]) {
    const root = createFolder({ [path]: "# T\n\n## Install\n\nRun it.\n" });
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
    await loaf.execute(`${order}\n\n${fence("markdown", "## License\n\nMIT\n")}`);
    expect(filesBelow(root), path).toEqual({ [path]: "# T\n\n## Install\n\nRun it.\n\n## License\n\nMIT\n" });
  }
});

test.each([
  "In `a.py`, change OLD to NEW.", "Don't forget to change OLD to NEW in `a.py`.", "In `a.py`, change OLD to NEW, but don't touch the rest.",
  "In `a.py`, change OLD to NEW, but leave the return.", "The call does not work, so change OLD to NEW in `a.py`.", "In `a.py`, change OLD to NEW so that it only runs if it is set.",
  "You should not only log it. Change OLD to NEW in `a.py`.", "You need to change OLD to NEW in `a.py`.",
  "In `a.py`, you can change OLD to NEW.", "In `a.py`, replace OLD with NEW; otherwise it fails if it is 0.", "- In `a.py`, change OLD to NEW.",
  "I'd change OLD to NEW in `a.py`, but this is a matter of taste.", "In `a.py`, change OLD to NEW because it is not set.",
])("%s: the code span is replaced", async (sentence) => {
  await loadStructure("a.py");
  const answer = `${sentence.replace("OLD", "`x = 1`").replace("NEW", "`x = 2`")}\n`;
  expect(await answered("a.py", "def load():\n    x = 1\n    return x\n", answer)).toBe("def load():\n    x = 2\n    return x\n");
});

test.each(["In `load` and `save`, change `check(a)` to `log(a)` in `PATH`.", "In `PATH`, change `check(a)` to `log(a)` in `load` and `save`.", "In `PATH`, replace `check(a)` with `log(a)` inside both `load` and `save`."])("%s: it is changed in both, and in no third one", async (order) => {
  for (const { path, one } of LANGUAGES) {
    await loadStructure(path);
    const fileOf = (...bodies: readonly string[]): string => ["load", "save", "send"].map((name, index) => one(name, bodies[index] ?? "")).join(gap(path));
    for (const third of ["check(a)", "other(a)"])
      expect(await answered(path, fileOf("check(a)", "check(a)", third), `${order.replace("PATH", path)}\n`), path).toBe(fileOf("log(a)", "log(a)", third));
  }
});

test.each([
  ['In `README.md`, replace "best case basis" with "best-effort basis".', true], ["In `README.md`, change “best case basis” to “best-effort basis”.", true],
  ['A sentence in `README.md` is unclear:\n\n> Done on a best case basis.\n\nReplace "best case basis" with "best-effort basis".', true],
  ['In `README.md`, don\'t replace "best case basis" with "best-effort basis".', false], ['Should I replace "best case basis" with "best-effort basis" in `README.md`?', false],
  ['In `README.md`, you could replace "best case basis" with "best-effort basis", but I wouldn\'t.', false], ['Someone replaced "best case basis" with "best-effort basis" in `README.md`.', false],
])("%s: texts in quotation marks are replaced, %s", async (order, lands) => {
  await loadStructure("README.md");
  const file = "# T\n\nDone on a best case basis.\n";
  expect(await answered("README.md", file, `${order}\n`)).toBe(lands ? file.replace("best case", "best-effort") : file);
});

test.each(["**PATH**, in `load`:", "`PATH`, inside `load`:", "In `PATH`:\n\nFunction:", "`PATH`\n\nHelper:"])("%s: the file and a part of it", async (label) => {
  for (const { path, tag, one } of LANGUAGES) {
    await loadStructure(path);
    const [old, now] = [one("load", "check(a)"), one("load", "log(a)")];
    expect(await answered(path, old, `We log it.\n\n${label.replace("PATH", path)}\n\n${fence(tag, now)}`), path).toBe(now);
  }
});

test.each(["Save it as `tests/load.py`.", "Save it next to the file as `tests/load.py`.", "Put it in `tests/load.py`.", "Save this as `tests/load.py` and run it."])("a new file that is told below the code: %s", async (place) => {
  const [code, shown] = ["def load(a):\n    return a\n", "from a import load\n\n\ndef test_load():\n    assert load(1) == 1\n"];
  for (const above of ["Here's a test for `load` from `src/a.py`:", "A unit test for `src/a.py`:"]) {
    const root = createFolder({ "src/a.py": code });
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
    await loaf.execute(`${above}\n\n${fence("python", shown)}\n${place}\n`);
    const { "src/a.py": same, "tests/load.py": made } = filesBelow(root);
    expect([same, made], above).toEqual([code, shown]);
  }
});
