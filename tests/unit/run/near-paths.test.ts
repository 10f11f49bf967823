import { expect, it, test, vi } from "vitest";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { Loaf } from "../../../src/index.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import { createFolder } from "../../support/folder.ts";

const files = { "src/server.ts": "a", "src/routes/users.ts": "a", "src/routes/index.ts": "a", "src/index.ts": "a", "lib/index.ts": "a", "test/index.ts": "a", "docs/README.md": "a", "part1.txt": "a" };

/** The hint on reading a path of such a project. */
async function hintOn(path: string): Promise<string | undefined> {
  const loaf = await Loaf.create({ repoPath: createFolder(files), config: { relative_paths: true } });
  const { results } = await loaf.perform([{ action: "file_read", params: { path } }]);
  return results[0]?.hint;
}

it.each([
  ["src/sever.ts", "did you mean 'src/server.ts'?"],
  ["src/serverr.ts", "did you mean 'src/server.ts'?"],
  ["src/sevrer.ts", "did you mean 'src/server.ts'?"],
  ["src/server.js", "did you mean 'src/server.ts'?"],
  ["scr", "did you mean 'src'?"],
  ["sec", undefined],
  ["srcs/server.ts", "did you mean 'src/server.ts'?"],
  ["docs/readme.md", "did you mean 'docs/README.md'?"],
  ["server.ts", "did you mean 'src/server.ts'?"],
  ["src/users.ts", "did you mean 'src/routes/users.ts'?"],
  ["app/routes/users.ts", "did you mean 'src/routes/users.ts'?"],
  ["src/server/server.ts", "did you mean 'src/server.ts'?"],
  ["users.ts", undefined],
  ["part2.txt", undefined],
  ["index.ts", "did you mean 'lib/index.ts', 'src/index.ts' or 'test/index.ts'?"],
  ["src/none/../sever.ts", "did you mean 'src/server.ts'?"],
  ["src/sever.ts@@start", "did you mean 'src/server.ts'?"],
])("%s: %s", async (path, hint) => {
  const found = await hintOn(path);
  expect(found).toBe(hint);
});

test("an absolute path gets an absolute suggestion", async () => {
  const root = createFolder(files);
  const loaf = await Loaf.create({ repoPath: root });
  const { results } = await loaf.perform([{ action: "files_read", params: { paths: [join(root, "src/sever.ts"), join(root, "src/server.ts"), join(root, "nope")] } }]);
  expect(results[0]?.hint).toBe(`${join(root, "src/sever.ts")}: did you mean '${join(root, "src/server.ts")}'?`);
});

test("what the rules refuse, what is ignored and what a link leads out to is never suggested", async () => {
  const root = createFolder({ "secret/token.txt": "a", "src/.env": "a", "build/output.txt": "a", ".gitignore": "build/\n", "src/token.key": "a" });
  symlinkSync(createFolder({ "outside.txt": "a" }), join(root, "link"));
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, "fs-guard": { denied: ["secret", "*.key"] } } });
  const asked = ["token.txt", "secre/token.txt", "secert", "env", "output.txt", "buid/output.txt", "outside.txt", "src/token.kez", "src/tokn.key"];
  const { results } = await loaf.perform(asked.map((path) => ({ action: "file_read", params: { path } })));
  expect(results.map(({ hint }) => hint).filter((hint) => hint?.includes("did you mean"))).toEqual([]);
});

test("the project is listed once, and only where a path is missing", async () => {
  const root = createFolder(files);
  const list = vi.spyOn(Overlay.prototype, "namesIn");
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true } });
  await loaf.perform([{ action: "file_read", params: { path: "src/server.ts" } }]);
  expect(list.mock.calls.filter(([path]) => path === join(root, "src"))).toHaveLength(0);
  await loaf.perform(["src/a.ts", "src/b.ts"].map((path) => ({ action: "file_read", params: { path } })));
  expect(list.mock.calls.filter(([path]) => path === join(root, "src"))).toHaveLength(1);
  list.mockRestore();
});
