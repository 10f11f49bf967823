/** Edits of other tools' syntaxes that landed in the wrong place, or with the wrong text. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { type ActionResult, Loaf } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";

type Files = Readonly<Record<string, string>>;

interface Ran {
  readonly results: readonly ActionResult[];
  readonly root: string;
  /** Returns the text of a file, or undefined. */
  textOf(path: string): string;
}

async function run(files: Files, answer: string, match: "exact" | "tolerant" = "tolerant", root = createFolder(files)): Promise<Ran> {
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, edits: { match } } });
  const { results, parseErrors } = await loaf.execute(answer, { skipApplied: true });
  if (results.length === 0) throw new Error(`nothing ran: ${JSON.stringify(parseErrors)}`);
  return { results, root, textOf: (path) => readFileSync(join(root, path), "utf8") };
}

const call = (tool: string, given: unknown): string => JSON.stringify({ type: "tool_use", name: tool, input: given });

describe("non-breaking spaces that a chat put into the indentation", () => {
  const NB = "\u00a0";
  const py = "def f():\n    a = 1\n    return a\n";
  const warning = /^the indentation of 1 line had typographic spaces, which were read as plain ones$/;

  test.each<[string, string]>([
    ["a SEARCH/REPLACE block", `a.py\n<<<<<<< SEARCH\n    a = 1\n=======\n${NB}${NB}${NB} a = 2\n>>>>>>> REPLACE\n`],
    ["one that has them on both sides", `a.py\n<<<<<<< SEARCH\n${NB} ${NB} a = 1\n=======\n${NB} ${NB} a = 2\n>>>>>>> REPLACE\n`],
    ["a call", call("Edit", { file_path: "a.py", old_string: "    a = 1", new_string: `\u202f${NB}\u2003 a = 2` })],
    ["a call that writes the file", call("Write", { file_path: "a.py", content: py.replace("    a = 1", `${NB.repeat(4)}a = 2`) })],
    ["a patch", `*** Begin Patch\n*** Update File: a.py\n@@\n-    a = 1\n+${NB}   a = 2\n*** End Patch\n`],
    ["a diff", `--- a/a.py\n+++ b/a.py\n@@ -2,1 +2,1 @@\n-    a = 1\n+   ${NB}a = 2\n`],
  ])("are read as spaces in %s, with a warning", async (_, answer) => {
    const { results, textOf } = await run({ "a.py": py }, answer);
    expect(textOf("a.py")).toBe(py.replace("1", "2"));
    expect(results[0]?.warnings).toEqual([expect.stringMatching(warning)]);
  });

  test("are read as spaces in a new file", async () => {
    const { textOf } = await run({}, call("Write", { file_path: "b.py", content: `if x:\n${NB}${NB} y = "${NB}"\n` }));
    expect(textOf("b.py")).toBe(`if x:\n   y = "${NB}"\n`);
  });

  test("stay where the file has the same ones in its indentation", async () => {
    const file = `list\n${NB} one\n two${NB}\n`;
    const { results, textOf } = await run({ "a.txt": file }, call("Edit", { file_path: "a.txt", old_string: "one\n", new_string: `one\n${NB} more\n\u202fless\n` }));
    expect(textOf("a.txt")).toBe(`list\n${NB} one\n${NB} more\n less\n two${NB}\n`);
    expect(results[0]?.warnings).toHaveLength(1);
  });

  test("leave the file's lines as they are where both texts quote them", async () => {
    const { results, textOf } = await run(
      { "a.py": "def f():\n    a = 1  \n    return a\n" },
      `--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n def f():\n ${NB}${NB}  a = 1\n-${NB}${NB}  return a\n+${NB}${NB}  return 2\n`,
    );
    expect(textOf("a.py")).toBe("def f():\n    a = 1  \n    return 2\n");
    expect(results[0]?.success).toBe(true);
  });

  test("do not hide that an edit was applied before", async () => {
    const answer = call("Edit", { file_path: "a.py", old_string: "    a = 1", new_string: `${NB}${NB}  a = 2` });
    const { root } = await run({ "a.py": py }, answer);
    const again = await run({}, answer, "tolerant", root);
    expect(again.results[0]).toMatchObject({ success: true, appliedIn: 1 });
  });

  test("are taken verbatim in NESL", async () => {
    const content = `if x:\n${NB} y\n`;
    const { textOf } = await run({}, `#!nesl [@three-char-SHA-256: k7m]\naction = "file_write"\npath = "a.py"\ncontent = ${JSON.stringify(content)}\n#!end_k7m\n`);
    expect(textOf("a.py")).toBe(content);
  });
});

describe("Cline's editor", () => {
  const lines = { "a.txt": "1\n2\n" };
  const editor = (given: object): string => call("editor", { path: "a.txt", ...given });

  test.each<[string, object, string]>([
    ["before the first line", { insert_line: 1, new_text: "new\n" }, "new\n1\n2\n"],
    ["before the last line", { insert_line: 2, new_text: "new" }, "1\nnew\n2\n"],
    ["at the end", { insert_line: 3, new_text: "new\n" }, "1\n2\nnew\n"],
    ["after a line, as other tools of that name do with a command", { command: "insert", insert_line: 1, new_str: "new" }, "1\nnew\n2\n"],
  ])("inserts %s", async (_, given, text) => {
    expect((await run(lines, editor(given))).textOf("a.txt")).toBe(text);
  });

  test("replaces text, and creates a file", async () => {
    expect((await run(lines, editor({ old_text: "1", new_text: "one" }))).textOf("a.txt")).toBe("one\n2\n");
    expect((await run({}, editor({ new_text: "one\n" }))).textOf("a.txt")).toBe("one\n");
  });

  test.each([0, 4, -1, "x"])("is refused for line %s", async (insert_line) => {
    const root = createFolder(lines);
    const loaf = await Loaf.create({ repoPath: root });
    const { success } = await loaf.execute(editor({ insert_line, new_text: "new" }));
    expect([success, readFileSync(join(root, "a.txt"), "utf8")]).toEqual([false, lines["a.txt"]]);
  });
});

test("a str_replace without new_str deletes, and says so", async () => {
  const given = { command: "str_replace", path: "a.txt", old_str: "1\n" };
  const { results, textOf } = await run({ "a.txt": "1\n2\n" }, call("str_replace_based_edit_tool", given));
  expect([textOf("a.txt"), results[0]?.warnings]).toEqual(["2\n", ["the call has no new_str, so old_str was deleted"]]);
  const explicit = await run({ "a.txt": "1\n2\n" }, call("str_replace_based_edit_tool", { ...given, new_str: "" }));
  expect([explicit.textOf("a.txt"), explicit.results[0]?.warnings]).toEqual(["2\n", undefined]);
});

test.each<[string, string, string, string]>([
  ["of a file whose lines end with a lone CR", "alpha\rbeta\rgamma\r", "beta", "alpha\rBETA\rgamma\r"],
  ["that begins with a byte order mark", "\ufeffalpha\nbeta\n", "\ufeffalpha", "\ufeffBETA\nbeta\n"],
])("an edit %s lands, and is known as applied before", async (_, before, old, text) => {
  const answer = `a.txt\n<<<<<<< SEARCH\n${old}\n=======\n${old.startsWith("\ufeff") ? "\ufeff" : ""}BETA\n>>>>>>> REPLACE\n`;
  const { root, textOf } = await run({ "a.txt": before }, answer);
  expect(textOf("a.txt")).toBe(text);
  expect((await run({}, answer, "tolerant", root)).results[0]).toMatchObject({ success: true, appliedIn: 1 });
});

describe("the project's own folder at the start of every path of an answer", () => {
  const block = (path: string): string => `${path}\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n`;
  const project = (): string => {
    const root = join(createFolder(), "shop");
    mkdirSync(join(root, "src"), { recursive: true });
    return root;
  };
  const pathsIn = (root: string): string[] => readdirSync(root, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).map((one) => relative(root, join(one.parentPath, one.name))).sort();
  const open = (repoPath: string) => Loaf.create({ repoPath, config: { relative_paths: true } });
  const all = block("shop/src/deep/a.ts") + block("shop/new/b.ts");
  const some = block("shop/src/deep/a.ts") + block("src/b.ts");

  test.each<[string, string, string[]]>([
    ["is taken off", all, ["new/b.ts", "src/deep/a.ts"]],
    ["stays where one path lacks it", some, ["shop/src/deep/a.ts", "src/b.ts"]],
  ])("%s, whether the text arrives at once, in pieces, or in part", async (_, answer, expected) => {
    const whole = project();
    await (await open(whole)).execute(answer);
    expect(pathsIn(whole)).toEqual(expected);

    const inPieces = project();
    await (await open(inPieces)).execute((async function* () { yield answer.slice(0, 20); yield answer.slice(20); })());
    expect(pathsIn(inPieces)).toEqual(expected);

    const inParts = project();
    await (await open(inParts)).execute(answer, { only: new Set([0]) });
    await (await open(inParts)).execute(answer, { only: new Set([1]) });
    expect(pathsIn(inParts)).toEqual(expected);
  });
});
