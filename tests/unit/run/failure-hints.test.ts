import { expect, it, test } from "vitest";
import { Loaf } from "../../../src/index.ts";
import type { StructuredAction } from "../../../src/answer/reading.ts";
import { hasSandbox } from "../../support/programs.ts";
import { createFolder } from "../../support/folder.ts";

const files = { "src/app.ts": "const a = 1;\n", "src/old.ts": "1\n", ".env": "KEY=1\n", "docs/a.md": "a\n" };

/** Returns the hints of actions, in order. */
async function hintsOn(actions: readonly StructuredAction[], config = {}): Promise<Array<string | undefined>> {
  const loaf = await Loaf.create({ repoPath: createFolder(files), config: { relative_paths: true, ...config } });
  const previewed: Array<string | undefined> = [];
  if (actions.every(({ action }) => action !== "exec")) for await (const { result } of loaf.preview(actions)) previewed.push(result?.hint);
  const { results } = await loaf.perform(actions);
  const hints = results.map(({ hint }) => hint);
  if (previewed.length > 0) expect(previewed).toEqual(hints);
  return hints;
}

const edit = (path: string): StructuredAction => ({ action: "file_replace_text", params: { path, old_text: "1", new_text: "2" } });

test("a file that an earlier block has deleted: which block that was, and not a similar path", async () => {
  const [, edited, read] = await hintsOn([{ id: "d1e", action: "file_delete", params: { path: "src/app.ts" } }, edit("src/app.ts"), { action: "files_read", params: { paths: "src/app.ts\nsrc/old.ts" } }]);
  const hint = "block d1e of this answer has deleted it: if it is still needed, write it anew";
  expect([edited, read]).toEqual([hint, `src/app.ts: ${hint}`]);
});

test("a file that was moved, by itself or with its directory: its new path", async () => {
  const [, moved, , below] = await hintsOn([
    { id: "m1v", action: "file_move", params: { old_path: "src/app.ts", new_path: "src/main.ts" } },
    edit("src/app.ts"),
    { id: "m2v", action: "file_move", params: { old_path: "docs", new_path: "manual" } },
    edit("docs/a.md"),
  ]);
  expect(moved).toBe("block m1v of this answer has moved 'src/app.ts' to 'src/main.ts': use the new path");
  expect(below).toBe("block m2v of this answer has moved 'docs' to 'manual': use the new path");
});

test("a deletion that failed explains nothing", async () => {
  const [, hint] = await hintsOn([{ id: "d1e", action: "file_delete", params: { path: "src/ap.ts" } }, edit("src/ap.ts")]);
  expect(hint).toBe("did you mean 'src/app.ts'?");
});

test("a path to keep in view, misspelt", async () => {
  expect(await hintsOn([{ action: "context_add", params: { path: "src/ap.ts" } }])).toEqual(["did you mean 'src/app.ts'?"]);
});

it.runIf(hasSandbox)("a file that a command has deleted, even if the command failed", async () => {
  const [, hint] = await hintsOn([{ id: "x1c", action: "exec", params: { lang: "bash", code: "rm src/app.ts; exit 1" } }, edit("src/app.ts")]);
  expect(hint).toContain("block x1c of this answer has deleted it");
});

it.runIf(hasSandbox)("a directory for a command, misspelt", async () => {
  expect(await hintsOn([{ action: "exec", params: { lang: "bash", code: "ls", cwd: "doc" } }])).toEqual(["did you mean 'docs'?"]);
});

test.each([
  [".env", {}, "only the user can allow this: list './**' and '.env' under fs-guard.read.allow in loaf.yml, then run loaf trust"],
  ["src/id_rsa", {}, "only the user can allow this: list './**' and 'src/id_rsa' under fs-guard.read.allow in loaf.yml, then run loaf trust"],
  ["docs/a.md", { "fs-guard": { denied: ["docs"] } }, undefined],
  ["/etc/passwd", {}, expect.stringMatching(/^the project's root is /)],
])("what the user can do about a refusal by Loaf's own rules: reading %s", async (path, config, hint) => {
  expect(await hintsOn([{ action: "file_read", params: { path } }], config)).toEqual([hint]);
});

test("the same for writing, but not for what no rule opens", async () => {
  const write = (path: string): StructuredAction => ({ action: "file_write", params: { path, content: "" } });
  expect(await hintsOn([write(".envrc"), write(".git/config"), write("loaf.yml")])).toEqual([
    "only the user can allow this: list './**' and '.envrc' under fs-guard.write.allow in loaf.yml, then run loaf trust",
    undefined,
    undefined,
  ]);
});

test("the way to allow it works", async () => {
  const config = { "fs-guard": { read: { allow: ["./**", ".env"] } } };
  expect(await hintsOn([{ action: "file_read", params: { path: ".env" } }], config)).toEqual([undefined]);
});
