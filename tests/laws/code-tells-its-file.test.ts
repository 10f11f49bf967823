/** Laws of code without a path: the only file that has it is meant, and none where it may stand in two, or is only shown. */
import { describe, expect, test } from "vitest";
import { fullReport, Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { answeredIn } from "./answered.ts";

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\`\`\`\n`;

interface Kind {
  readonly path: string;
  readonly language: string;
  readonly text: string;
  /** What changes, as it stands in the file. */
  readonly old: string;
  readonly now: string;
}

const KINDS: readonly Kind[] = [
  { path: "src/mask.c", language: "c", text: "#include <stdint.h>\n\nint mask(int value) {\n  return value;\n}\n\nint twice(int value) {\n  return 2 * value;\n}\n", old: "int mask(int value) {\n  return value;\n}\n", now: "int mask(int value) {\n  if (value < 0)\n    return 0;\n  return value;\n}\n" },
  { path: "src/mask.cpp", language: "cpp", text: "#include <string>\n\nstatic std::string mask(const std::string &text) {\n  return text;\n}\n", old: "static std::string mask(const std::string &text) {\n  return text;\n}\n", now: "static std::string mask(const std::string &text) {\n  return text.empty() ? \"-\" : text;\n}\n" },
  { path: "sql/1.sql", language: "sql", text: "create table if not exists app.jobs (\n  id bigint primary key,\n  queue text\n);\n\ncreate index on app.jobs (queue);\n", old: "create table if not exists app.jobs (\n  id bigint primary key,\n  queue text\n);\n", now: "create table if not exists app.jobs (\n  id bigint primary key,\n  queue text not null\n);\n" },
  { path: "bin/wait.sh", language: "bash", text: "#!/bin/sh\nset -eu\n\nwait_for() {\n    sleep 1\n}\n\nwait_for\n", old: "wait_for() {\n    sleep 1\n}\n", now: "wait_for() {\n    sleep \"$INTERVAL\"\n}\n" },
  { path: "bin/wait", language: "sh", text: "#!/usr/bin/env bash\n\nif [ \"$1\" = build ]; then\n    make build\nelse\n    make all\nfi\n", old: "if [ \"$1\" = build ]; then\n    make build\nelse\n    make all\nfi\n", now: "if [ \"$1\" = build ]; then\n    make build\nelse\n    make -j all\nfi\n" },
];
const HANDED = ["Here's the fixed version:", "Change it to this:", "The fix:", "Use this instead:"];
const SHOWN = ["Currently you have:", "Don't do this:", "For example:", "Alternatively:", "If you use an older version, you could write:", "Run this:", "Put this in your terminal:"];
const OTHERS = { "README.md": "# App\n\n```bash\nmake build\n```\n", LICENSE: "MIT\n" };

describe.each(KINDS)("$path", ({ path, language, text, old, now }) => {
  const files = { ...OTHERS, [path]: text };
  const wanted = { ...files, [path]: text.replace(old, () => now) };

  test.each(HANDED)("is changed below %s", async (told) => {
    expect(await answeredIn(files, `${told}\n\n${fence(language, now)}`)).toEqual(wanted);
  });

  test.each(SHOWN)("stays below %s", async (told) => {
    if (told.includes("terminal") && !language.endsWith("sh")) return;
    expect(await answeredIn(files, `${told}\n\n${fence(language, now)}`)).toEqual(files);
  });

  test("stays where another one has the same", async () => {
    const two = { ...files, [path.replace("/", "/old/")]: text };
    expect(await answeredIn(two, `The fix:\n\n${fence(language, now)}`)).toEqual(two);
  });
});

describe("commands", () => {
  const files = { ...OTHERS, "ci.sh": "#!/bin/sh\nset -eu\nAPP=shop\nTAG=latest\nnpm ci\nnpm run build\nnpm test\n" };
  test.each(["npm ci\nnpm run build\n", "npm ci\nnpm run build\nnpm run lint\n", "APP=shop\nTAG=1\n", "$ npm ci\n$ npm test\n"])("stay what they are: %s", async (commands) => {
    for (const told of [...HANDED, ...SHOWN, "Update your packages:"]) expect(await answeredIn(files, `${told}\n\n${fence("bash", commands)}`), told).toEqual(files);
  });
});

describe("a diff without heads", () => {
  const files = { "a/one.py": "import os\n\n\ndef load(path):\n    return open(path)\n", "b/two.py": "import os\n\n\ndef save(path):\n    return 1\n" };
  const hunk = " def load(path):\n-    return open(path)\n+    return os.open(path)\n";
  test.each(HANDED.slice(0, 3))("changes the only file that has its lines below %s", async (told) => {
    expect(await answeredIn(files, `${told}\n\n${fence("diff", hunk)}`)).toEqual({ ...files, "a/one.py": "import os\n\n\ndef load(path):\n    return os.open(path)\n" });
  });
  test.each([...SHOWN.slice(0, 5), "This is what upstream has:", "The commit that broke it:", "Here's the diff that broke it (from the git log):", "Here is the diff of what I tried:", "Here is the change from yesterday:", "The change in version 2 was:"])("changes nothing below %s", async (told) => {
    expect(await answeredIn(files, `${told}\n\n${fence("diff", hunk)}`)).toEqual(files);
  });
  test("changes nothing where two files have its lines, or its hunks are of two files", async () => {
    for (const lines of ["-import os\n+import sys\n", `${hunk}@@\n def save(path):\n-    return 1\n+    return 2\n`, "+import sys\n", " def load(path):\n-    return 7\n+    return 8\n"])
      expect(await answeredIn(files, `The fix:\n\n${fence("diff", lines)}`), lines).toEqual(files);
  });
});

describe("a sentence that proposes something", () => {
  const files = { "a.py": "import os\n\n\ndef load(path):\n    data = open(path).read()\n    return data\n\n\ndef save(path):\n    os.sync()\n    return 1\n" };
  const now = "def load(path):\n    with open(path) as f:\n        return f.read()\n";
  const wanted = { "a.py": files["a.py"].replace(/def load[^]*?data\n(?=\n)/, now) };
  test.each(["You can get rid of the leak entirely:", "I'd tighten it a bit:", "Since Python 2.5 you can shorten this:", "Let's streamline that:"])("hands over what a file declares: %s", async (told) => {
    expect(await answeredIn(files, `${told}\n\n${fence("python", now)}`)).toEqual(wanted);
  });
  test.each(["If you like, you can shorten it:", "You can mock it in tests:", "You can shorten it in tests:", "I'd not shorten it like this:", "Later you can shorten it to:", "On Windows you can shorten it:", "You can break it like this:", "Somebody told me you can shorten it:", "You can shorten it, but that is slower:", "Do you think you can shorten it:"])("hands nothing over: %s", async (told) => {
    expect(await answeredIn(files, `${told}\n\n${fence("python", now)}`)).toEqual(files);
  });
  test("hands over no old code, though a comment is new, and no new name", async () => {
    for (const text of ["def load(path):\n    data = open(path).read()  # never closed\n    return data\n", "def load(path):\n    # opens it\n    return data\n", "def read(path):\n    return 1\n"])
      expect(await answeredIn(files, `I'd tighten it a bit:\n\n${fence("python", text)}`), text).toEqual(files);
  });
  test("is shared by fences with nothing but a conjunction between them", async () => {
    const other = "def save(path):\n    return 2\n";
    for (const [told, joint, isEdit] of [["Fix both:", "and", true], ["Fix both:", "And then:", true], ["Behebe beide:", "und", false], ["Don't write:", "and", false], ["You currently have:", "and", false]] as const) {
      const after = await answeredIn(files, `${told}\n\n${fence("python", now)}\n${joint}\n\n${fence("python", other)}`);
      if (isEdit) expect(after, told).toEqual({ "a.py": wanted["a.py"].replace("    os.sync()\n    return 1\n", "    return 2\n") });
      else if (joint === "and") expect(after, told).toEqual(files);
    }
  });
});

describe("a line that a sentence changes", () => {
  const files = { "app/settings.py": "import os\n\nDEBUG = True\nTIMEOUT = 30\n", "app/dev.py": "def f():\n    TIMEOUT = 30\n    x = [1]\n    TIMEOUT = 30\n    return x\n", "README.md": "DEBUG = True\n" };
  const wanted = { ...files, "app/settings.py": files["app/settings.py"].replace("True", "False") };
  test.each(["Change `DEBUG = True` to `DEBUG = False`.", "1. Change `DEBUG = True` to `DEBUG = False`.", "**a)** It leaks. You should change `DEBUG = True` to `DEBUG = False`."])("is that of the only file that has it: %s", async (sentence) => {
    expect(await answeredIn(files, `${sentence}\n`)).toEqual(wanted);
  });
  test.each(["Change `DEBUG = True` to `DEBUG = False` in your production environment.", "In production, change `DEBUG = True` to `DEBUG = False`.", "The docs say: change `DEBUG = True` to `DEBUG = False`.", "In the other project, change `DEBUG = True` to `DEBUG = False`.", "Change `TIMEOUT = 30` to `TIMEOUT = 60`.", "Change `True` to `False`.", "Never change `DEBUG = True` to `DEBUG = False`.", "You could change `DEBUG = True` to `DEBUG = False`.", "In your terminal, change `DEBUG = True` to `DEBUG = False`."])("stays where it may be another one, or nobody changes it: %s", async (sentence) => {
    expect(await answeredIn(files, `${sentence}\n`)).toEqual(files);
  });
});

async function reportOf(files: Readonly<Record<string, string>>, answer: string): Promise<string> {
  const loaf = await Loaf.create({ repoPath: createFolder(files), config: { relative_paths: true }, approve: () => "once" });
  return fullReport(await loaf.execute(answer), loaf);
}

describe("an order in words", () => {
  const files = { "a.py": "import os\n\n\ndef load(path):\n    cache.clear()\n    return open(path)\n\n\ndef save(path):\n    os.sync()\n    return 1\n" };
  const edit = `Fix \`save\` in \`a.py\`:\n\n${fence("python", "def save(path):\n    os.sync()\n    return 2\n")}`;
  test.each(["Make it lazy: remove the `cache.clear()` call from `load`.", "Then add `log.info('x')` as the first line of `load`.", "Add `# frozen: true` at the top of the file."])("that no block carries out is named: %s", async (order) => {
    expect(await reportOf(files, `${order}\n\n${edit}`)).toContain(`not read: "${order}"`);
    expect(await reportOf(files, `${edit}\n${order}\n`)).toContain(`not read: "${order}"`);
  });
  test.each(["I also put `os.sync()` at the top of `save`.", "To try it, add `print(save('x'))` at the end of the file.", "Don't remove the `cache.clear()` call from `load`.", "Insert `os.sync()` at the start of `save`.", "Call `cache.clear()` at the end of your test.", "Add `# type: ignore` at the end of the line if mypy complains."])("is not named where it is none, or done: %s", async (order) => {
    expect(await reportOf(files, `${edit}\n${order}\n`)).not.toContain("not read");
  });
});

test("a new file of Go begins with its package", async () => {
  const files = { "a.go": "package a\n\nfunc F() int {\n\treturn 1\n}\n" };
  const body = "func TestF(t *testing.T) {\n\tif F() != 1 {\n\t\tt.Fatal()\n\t}\n}\n";
  for (const [head, isWhole] of [["", false], ["package a\n\nimport \"testing\"\n\n", true]] as const)
    for (const answer of [`Add a test:\n\n${fence("go", `// a_test.go\n${head}${body}`)}`, `Create \`a_test.go\`:\n\n${fence("go", head + body)}`])
      expect("a_test.go" in (await answeredIn(files, answer, ["a.go", "a_test.go"])), answer).toBe(isWhole);
});
