/** Files that only a default rule protects can be opened where somebody is asked: once, or for good. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Approval, ApprovalRequest } from "../../../src/core/approval.ts";
import { type Config, Loaf } from "../../../src/index.ts";
import { shownRequest } from "../../../src/report/request.ts";
import { createFolder } from "../../support/folder.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";

const CI = ".github/workflows/ci.yml";
const write = (path: string, content = "on: push\n") => printBlock("w1w", { action: "file_write", path, content });

function world(files: Readonly<Record<string, string>> = {}, config: Config = {}, isPerson = true) {
  const root = createFolder({ ...files });
  const asked: string[] = [];
  const run = async (text: string, answer?: Approval): Promise<readonly (string | undefined)[]> => {
    const approve = (request: ApprovalRequest) => (asked.push(request.kind === "protected" ? request.path.slice(root.length + 1) : request.kind), answer ?? "no");
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, ...config }, ...(answer !== undefined && { approve, isPerson }) });
    return (await loaf.execute(text)).results.map(({ code }) => code);
  };
  return { root, asked, run };
}

test("nobody who can be asked, or a no, leaves it protected", async () => {
  const { run, asked } = world();
  expect(await run(write(CI))).toEqual(["guard/denied"]);
  expect(await run(write(CI), "no")).toEqual(["guard/denied"]);
  expect(asked).toEqual([CI]);
});

test("a program that says yes to everything is not asked, nor is it about what a text would lose", async () => {
  const { root, run, asked } = world({ "a.js": "function f() {}\nfunction g() {}\n" }, {}, false);
  expect(await run(write(CI), "yes")).toEqual(["guard/denied"]);
  expect(await run("Here is the full `a.js`:\n\n```js\nfunction f() {}\n```\n", "yes")).toEqual(["file/loses"]);
  expect(readFileSync(join(root, "a.js"), "utf8")).toContain("function g");
  expect(asked).not.toContain("loss");
});

test("once counts for one run, yes for all that follow, also where nobody is asked", async () => {
  const { run, asked } = world();
  expect(await run(write(CI), "once")).toEqual([undefined]);
  expect(await run(write(CI, "2\n"), "no")).toEqual(["guard/denied"]);
  expect(await run(write(CI, "3\n"), "yes")).toEqual([undefined]);
  expect(await run(write(CI, "4\n"), "no")).toEqual([undefined]);
  expect(await run(write(CI, "5\n"))).toEqual([undefined]);
  expect(await run(write(".github/workflows/other.yml"))).toEqual(["guard/denied"]);
  expect(asked).toEqual([CI, CI, CI]);
});

test.each([".git/config", ".git/hooks/pre-commit", ".loaf/input.md", "loaf.yml", "../outside.txt"])("%s stays closed without a question", async (path) => {
  const { run, asked } = world({ "a.txt": "a\n" });
  expect(await run(write(path), "once")).toEqual(["guard/denied"]);
  expect(asked).toEqual([]);
});

test("a rule of the user's stays closed without a question, also after the file was opened", async () => {
  const denied = { "fs-guard": { denied: ["./.github/**"] } };
  const { run, asked } = world({}, denied);
  expect(await run(write(CI), "yes")).toEqual(["guard/denied"]);
  expect(asked).toEqual([]);
  const { root, run: open } = world();
  expect(await open(write(CI), "yes")).toEqual([undefined]);
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, ...denied } });
  expect((await loaf.execute(write(CI, "2\n"))).results).toMatchObject([{ code: "guard/denied" }]);
});

test("a link to a protected file asks for what it leads to, and opens no other name", async () => {
  const { root, run, asked } = world({ [CI]: "on: push\n" });
  mkdirSync(join(root, "docs"));
  symlinkSync(join("..", CI), join(root, "docs/ci.yml"));
  await run(write("docs/ci.yml", "2\n"), "once");
  expect(asked).toEqual([CI]);
  writeFileSync(join(root, ".npmrc"), "a=1\n");
  expect(await run(write(".npmrc"), "no")).toEqual(["guard/denied"]);
});

test("the question shows what would be written, and none is asked about an edit that would fail", async () => {
  const root = createFolder({ [CI]: "on: push\njobs:\n" });
  const asked: string[] = [];
  const approve = (request: ApprovalRequest) => (asked.push(shownRequest(request, root).body), "no" as const);
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve, isPerson: true });
  const edit = (old_text: string) => printBlock("e1e", { action: "file_replace_text", path: CI, old_text, new_text: "on: [push, pull_request]" });
  const { results } = await loaf.execute([edit("on: push"), edit("on: nothing")].join("\n"));
  expect(results.map(({ code }) => code)).toEqual(["guard/denied", "text/not-found"]);
  expect(asked).toEqual([`diff --git a/${CI} b/${CI}\n--- a/${CI}\n+++ b/${CI}\n@@ -1,2 +1,2 @@\n-on: push\n+on: [push, pull_request]\n jobs:`]);
  expect(readFileSync(join(root, CI), "utf8")).toBe("on: push\njobs:\n");
});
