/** Law of paths: white space around one and a backslash in it mean the same file in every syntax, and a warning tells. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { SYNTAXES } from "./one-edit.ts";

/** Those in which a path is a value of its own. The others take it out of a line, without what is around it. */
const VALUES = ["NESL, a text", "NESL, lines", "CSL", "a call", "a call of tags", "replacer", "SEARCH/REPLACE", "Codex's patch"];
const LINES = ["first", "second", "third"];

async function edited(syntax: string, path: string, file: string): Promise<{ readonly root: string; readonly warnings: readonly string[] }> {
  const root = createFolder({ "src/f.txt": "first\nsecond\nthird\n" });
  if (file !== "src/f.txt") writeFileSync(join(root, file), "first\nsecond\nthird\n");
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, gitCommit: false });
  const { results } = await loaf.execute(SYNTAXES[syntax]?.({ path, lines: LINES, at: 1, count: 1, now: ["new"] }) ?? "");
  return { root, warnings: results.flatMap(({ warnings = [] }) => warnings) };
}

describe.skipIf(process.platform === "win32").each(VALUES)("%s", (syntax) => {
  test.each([" src/f.txt", "src/f.txt ", "\tsrc/f.txt  ", "src\\f.txt", ".\\src\\f.txt", " src\\f.txt "])("%j is src/f.txt", async (path) => {
    const { root, warnings } = await edited(syntax, path, "src/f.txt");
    expect(readFileSync(join(root, "src/f.txt"), "utf8")).toBe("first\nnew\nthird\n");
    expect(readdirSync(root).filter((name) => !name.startsWith("."))).toEqual(["src"]);
    if (path.includes("\\")) expect(warnings.join()).toMatch(/'.*' was read as '(?:\.\/)?src\/f\.txt'/);
  });

  test("Markdown's escapes are no part of a path", async () => {
    const { root, warnings } = await edited(syntax, "src/my\\_f.txt", "src/my_f.txt");
    expect(readFileSync(join(root, "src/my_f.txt"), "utf8")).toBe("first\nnew\nthird\n");
    expect(readdirSync(join(root, "src"))).toEqual(["f.txt", "my_f.txt"]);
    expect(warnings.join()).toContain("was read as 'src/my_f.txt'");
  });

  test("a file that has such a name is meant by it", async () => {
    const { root } = await edited(syntax, "src\\f.txt", "src\\f.txt");
    expect(readFileSync(join(root, "src\\f.txt"), "utf8")).toBe("first\nnew\nthird\n");
    expect(readFileSync(join(root, "src/f.txt"), "utf8")).toBe("first\nsecond\nthird\n");
  });
});

test.skipIf(process.platform === "win32")("a drive of Windows is no folder here", async () => {
  const { root } = await edited("NESL, a text", "C:\\work\\f.txt", "src/f.txt");
  expect(readdirSync(root).filter((name) => !name.startsWith("."))).toEqual(["src"]);
});
