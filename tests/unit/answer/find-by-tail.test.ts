import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { printReplacer } from "../../../src/syntaxes/replacer/teach.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import { createFolder } from "../../support/folder.ts";

const edit = (path: string, old_text = "old", new_text = "new") => printReplacer({ action: "file_replace_text", path, old_text, new_text }) ?? "";
const remove = (id: string, path: string) => `#!nesl [@three-char-SHA-256: ${id}]\naction = "file_delete"\npath = "${path}"\n#!end_${id}`;

test("the project is walked once in a run, and not where no path has to be looked up", async () => {
  const root = createFolder({ "src/a.txt": "old", "src/b.txt": "old", "c.txt": "old" });
  const list = vi.spyOn(Overlay.prototype, "namesIn");
  const loaf = await Loaf.create({ repoPath: root });
  expect(await loaf.execute([edit("c.txt"), edit("src/a.txt")].join("\n"))).toMatchObject({ success: true });
  expect(list.mock.calls.filter(([path]) => path.startsWith(root))).toEqual([]);
  expect(await loaf.execute([edit("a.txt", "new", "newer"), edit("b.txt"), edit("none.txt")].join("\n"))).toMatchObject({ results: [{ success: true }, { success: true }, { code: "file/not-found" }] });
  expect(list.mock.calls.filter(([path]) => path === join(root, "src"))).toHaveLength(1);
  list.mockRestore();
});

test("the next run looks anew", async () => {
  const root = createFolder({ "src/a.txt": "old" });
  const loaf = await Loaf.create({ repoPath: root });
  expect(await loaf.execute(edit("a.txt"))).toMatchObject({ success: true });
  await loaf.execute(remove("k7m", join(root, "src/a.txt")));
  mkdirSync(join(root, "lib"));
  writeFileSync(join(root, "lib/a.txt"), "old");
  expect(await loaf.execute(edit("a.txt"))).toMatchObject({ success: true, results: [{ params: { path: "lib/a.txt" } }] });
});

test("what may not be read is no candidate, and what may not be touched is refused by its own name", async () => {
  const root = createFolder({ "secret/a.txt": "old", "src/a.txt": "old", "src/.env": "old" });
  const loaf = await Loaf.create({ repoPath: root, config: { "fs-guard": { denied: ["secret/**"] } } });
  const { results } = await loaf.execute([edit("a.txt"), edit("secret/a.txt"), edit(".env")].join("\n"));
  expect(results).toMatchObject([{ success: true, params: { path: "src/a.txt" } }, { code: "guard/denied" }, { code: "guard/denied", params: { path: ".env" } }]);
});

test("many files of one name are counted, and some are named", async () => {
  const root = createFolder(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`d${index + 10}/a.txt`, "old"])));
  const loaf = await Loaf.create({ repoPath: root });
  const { results } = await loaf.execute(edit("a.txt"));
  expect(results[0]?.error).toMatch(/^'a.txt' matches the end of 30 paths: d10\/a.txt, .*d19\/a.txt, …\. Write more of the one you mean$/);
});

test("a dry run finds what it would have made", async () => {
  const root = createFolder({ "x/z.txt": "old" });
  const loaf = await Loaf.create({ repoPath: root, dryRun: true });
  const make = printReplacer({ action: "file_write", path: "src/new.txt", content: "old" }) ?? "";
  const { results } = await loaf.execute([edit("z.txt"), make, edit("new.txt")].join("\n"));
  expect(results).toMatchObject([{ success: true }, { success: true }, { success: true, params: { path: "src/new.txt" } }]);
});

test("where the root may not be listed nothing is found", async () => {
  const root = createFolder({ "src/a.txt": "old" });
  const loaf = await Loaf.create({ repoPath: root, config: { "fs-guard": { read: { allow: ["a.txt"] } } } });
  expect(await loaf.execute(edit("a.txt"))).toMatchObject({ results: [{ code: "file/not-found" }] });
});

describe("a path that begins with the root's own folders", () => {
  const make = (path: string) => printReplacer({ action: "file_write", path, content: "made" }) ?? "";

  /** A project in a folder `a/rep`. */
  async function run(files: Readonly<Record<string, string>>, ...blocks: readonly string[]) {
    const root = join(createFolder(), "a/rep");
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    const { results } = await (await Loaf.create({ repoPath: root })).execute(blocks.join("\n"));
    return { results, read: (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined) };
  }

  test.each(["rep/package/main.py", "a/rep/package/main.py", "./rep/package/main.py"])("is the file without them, with a warning: %s", async (path) => {
    const { results, read } = await run({ "package/main.py": "old" }, edit(path));
    expect(results).toMatchObject([{ success: true, params: { path: "package/main.py" }, warnings: [expect.stringContaining(`'${path}' was read as 'package/main.py'`)] }]);
    expect(read("package/main.py")).toBe("new");
  });

  test("is the old file and the new file without them, where the directory is there", async () => {
    const { results, read } = await run({ "package/main.py": "old" }, make("rep/package/main.py"), make("rep/package/new.py"), make("rep/top.py"), edit("rep/package/new.py", "made", "edited"));
    expect(results.map(({ success, warnings = [] }) => [success, warnings.length])).toEqual([[true, 1], [true, 1], [true, 1], [true, 1]]);
    expect([read("package/main.py"), read("package/new.py"), read("top.py"), read("rep")]).toEqual(["made", "edited", "made", undefined]);
  });

  test("is meant as it is where such a folder is there, and where the rest is not", async () => {
    const { results, read } = await run({ "rep/main.py": "old", "main.py": "old" }, edit("rep/main.py"), make("rep/new.py"), make("rep/other/deep/x.py"));
    expect(results.flatMap(({ warnings = [] }) => warnings)).toEqual([]);
    expect([read("rep/main.py"), read("main.py"), read("rep/new.py"), read("rep/other/deep/x.py"), read("new.py")]).toEqual(["new", "old", "made", "made", undefined]);
  });

  test("is taken as it is where another path of the answer does not begin so", async () => {
    const { results, read } = await run({ "main.py": "old", "other.py": "old" }, make("rep/new.py"), edit("other.py"));
    expect(results.flatMap(({ warnings = [] }) => warnings)).toEqual([]);
    expect([read("rep/new.py"), read("new.py")]).toEqual(["made", undefined]);
  });

  test("counts also where a new file in a new folder is meant", async () => {
    const { results, read } = await run({ "main.py": "old" }, make("rep/src/x.py"), make("rep/y.py"));
    expect(results.map(({ warnings = [] }) => warnings.length)).toEqual([1, 1]);
    expect([read("src/x.py"), read("y.py"), read("rep")]).toEqual(["made", "made", undefined]);
  });

  test("says nothing of other folders, and of none but a whole path", async () => {
    const { results } = await run({ "main.py": "old" }, edit("p/main.py"), edit("rep"));
    expect(results.map(({ code }) => code)).toEqual(["file/not-found", "file/not-found"]);
  });
});
