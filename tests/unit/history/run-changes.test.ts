import { hash } from "node:crypto";
import { chmodSync, readdirSync, readFileSync, rmSync, truncateSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Content } from "../../../src/core/change-set.ts";
import { Loaf, unifiedDiff } from "../../../src/index.ts";
import { journalFolder } from "../../../src/history/turn.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../support/folder.ts";
import { createRepository, gitEnvironment, type TestRepository } from "../../support/repository.ts";

let root: string;
let loaf: Loaf;
beforeEach(async () => {
  vi.stubEnv("XDG_STATE_HOME", createFolder());
  root = createFolder({ "a.txt": "one\ntwo\nthree\n", "dir/b.txt": "b\n" });
  loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true } });
});

const block = (action: string, properties: Readonly<Record<string, string>>) => printBlock("abc", { action, ...properties });
const run = async (action: string, properties: Readonly<Record<string, string>>) => expect((await loaf.execute(block(action, properties))).success).toBe(true);
const edit = (path: string, from: string, to: string) => run("file_replace_text", { path, old_text: from, new_text: to });
const textOf = (content: Content | undefined) => (content?.kind === "file" ? (content.bytes === undefined ? content.withheld : Buffer.from(content.bytes).toString()) : content?.kind);
const changes = async (number?: number) =>
  (await loaf.changesOf(number))?.changes.map(({ path, movedFrom, before, after }) => [...(movedFrom === undefined ? [] : [movedFrom]), path].map((one) => one.slice(root.length + 1)).concat([`${textOf(before)} > ${textOf(after)}`]));

test("the content before and after each run is known, also after later runs", async () => {
  await edit("a.txt", "two", "2");
  await edit("a.txt", "three", "3");
  await run("file_move", { old_path: "a.txt", new_path: "dir/a.txt" });
  await edit("dir/a.txt", "one", "1");
  await run("file_move", { old_path: "dir", new_path: "moved" });
  await run("file_write", { path: "moved/a.txt", content: "all new" });
  await run("file_delete", { path: "moved/a.txt" });
  const texts = ["one\ntwo\nthree\n", "one\n2\nthree\n", "one\n2\n3\n", "1\n2\n3\n", "all new"];
  expect(await changes(1)).toEqual([["a.txt", `${texts[0]} > ${texts[1]}`]]);
  expect(await changes(2)).toEqual([["a.txt", `${texts[1]} > ${texts[2]}`]]);
  // The content of a file that was only moved is not part of the change.
  expect(await changes(3)).toEqual([["a.txt", "dir/a.txt", " > "]]);
  expect(await changes(4)).toEqual([["dir/a.txt", `${texts[2]} > ${texts[3]}`]]);
  expect(await changes(5)).toEqual([["dir", "moved", "directory > directory"]]);
  expect(await changes(6)).toEqual([["moved/a.txt", `${texts[3]} > ${texts[4]}`]]);
  expect(await changes()).toEqual([["moved/a.txt", `${texts[4]} > undefined`]]);
});

/** The log keeps no created file of this size. */
const LARGE = "created\n".repeat(10_000);

describe("in a repository, after the user has changed a file of the run", () => {
  beforeEach(async () => {
    for (const [name, value] of Object.entries(gitEnvironment)) vi.stubEnv(name, value);
    ({ root, git } = createRepository({ "sub/a.txt": "one\ntwo\n", "b.txt": "b\n" }));
    root = join(root, "sub");
    loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true } });
    await run("file_write", { path: "new.txt", content: LARGE });
    writeFileSync(join(root, "new.txt"), "mine\n");
  });
  let git: TestRepository["git"];

  test("the run's commit has the content after it, also once the branch has moved on", async () => {
    git("commit", "-qam", "mine");
    writeFileSync(join(root, "new.txt"), "more of mine\n");
    expect(await changes(1)).toEqual([["new.txt", `undefined > ${LARGE}`]]);
  });

  test("where the commit no longer holds it, it is not shown", async () => {
    const [commit = ""] = (await loaf.history()).runs.map((past) => past.commit);
    const blob = git("rev-parse", `${commit}:sub/new.txt`);
    rmSync(join(root, "../.git/objects", blob.slice(0, 2), blob.slice(2)));
    expect(await changes(1)).toEqual([["new.txt", "undefined > it has changed since, and its earlier content is not kept"]]);
  });
});

test("also after undo and redo", async () => {
  await edit("a.txt", "two", "2");
  const expected = [["a.txt", "one\ntwo\nthree\n > one\n2\nthree\n"]];
  await loaf.undo();
  expect(await changes(1)).toEqual(expected);
  await loaf.redo();
  expect(await changes(1)).toEqual(expected);
});

test("content that the user has overwritten is known if the log keeps it", async () => {
  await edit("a.txt", "two", "2");
  writeFileSync(join(root, "a.txt"), "mine");
  expect(await changes(1)).toEqual([["a.txt", "one\ntwo\nthree\n > one\n2\nthree\n"]]);
});

test("other content that the user has overwritten is not known", async () => {
  await run("file_delete", { path: "a.txt" });
  await run("file_write", { path: "a.txt", content: LARGE });
  writeFileSync(join(root, "a.txt"), "NEW");
  const [change] = (await loaf.changesOf(2))?.changes ?? [];
  expect(textOf(change?.after)).toBe("it has changed since, and its earlier content is not kept");
});

test("a file too large to show is reported as such", async () => {
  await run("file_delete", { path: "a.txt" });
  for (let number = 0; number < 2; number++) {
    writeFileSync(join(root, "a.txt"), "");
    truncateSync(join(root, "a.txt"), 20 * 2 ** 20);
    await run("file_move", { old_path: "a.txt", new_path: `big-${number}` });
  }
  await loaf.execute(`${block("file_delete", { path: "big-0" })}\n${block("file_delete", { path: "big-1" })}`);
  const [first, second] = (await loaf.changesOf())?.changes ?? [];
  expect(first?.before).toMatchObject({ kind: "file", size: 20 * 2 ** 20 });
  expect([textOf(first?.before)?.length, textOf(second?.before)]).toEqual([20 * 2 ** 20, "it is too large"]);
});

test("an unreadable log is no run, and neither is one in a newer format", async () => {
  await run("file_write", { path: "a.txt", content: "new" });
  expect(await loaf.changesOf(2)).toBeUndefined();
  const [name = ""] = readdirSync(journalFolder(root));
  writeFileSync(join(journalFolder(root), name), "no log");
  expect([await loaf.changesOf(1), await loaf.history()]).toEqual([undefined, { runs: [] }]);
});

test("modes are shown as git shows them", async () => {
  chmodSync(join(root, "a.txt"), 0o755);
  await edit("a.txt", "two", "2");
  expect(statSync(join(root, "a.txt")).mode & 0o777).toBe(0o755);
  await run("file_delete", { path: "a.txt" });
  expect(unifiedDiff((await loaf.changesOf())?.changes ?? [], root)).toContain("deleted file mode 100755\n");
});

describe("the lines of a run in the log", () => {
  const linesIn = async (): Promise<unknown[]> => (await loaf.history()).runs.map(({ lines }) => lines).toReversed();

  test("are those of its diff, whatever later runs did", async () => {
    await edit("a.txt", "two\n", "2\n3\n");
    await run("file_move", { old_path: "a.txt", new_path: "moved.txt" });
    await run("file_write", { path: "new.txt", content: "one\ntwo" });
    await run("file_delete", { path: "moved.txt" });
    await run("dir_create", { path: "folder" });
    await run("file_write", { path: "new.txt", content: "\0" });
    expect(await linesIn()).toEqual([{ added: 2, removed: 1 }, NONE, { added: 2, removed: 0 }, { added: 0, removed: 4 }, NONE, NONE]);
  });

  test("are those of the whole run, of commands too, and stay after undo", async () => {
    await loaf.execute([block("file_write", { path: "a.txt", content: "1\n2\n" }), block("file_append", { path: "a.txt", content: "3\n" }), block("file_delete", { path: "dir/b.txt" })].join("\n"));
    await loaf.undo();
    expect(await linesIn()).toEqual([{ added: 3, removed: 4 }]);
  });

  test("are not counted where the run changed more than 4 MiB", async () => {
    await run("file_write", { path: "large.txt", content: "x\n".repeat(2 ** 21 + 1) });
    expect(await linesIn()).toEqual([undefined]);
  });

  test("are not counted where that would take long: a formatter may rewrite hundreds of files", async () => {
    const text = (mark: string) => Array.from({ length: 2_000 }, (_, line) => (line % 3 === 0 ? `${line}` : `${mark}${line}`)).join("\n");
    const names = Array.from({ length: 100 }, (_, file) => `${file}.txt`);
    for (const name of names) writeFileSync(join(root, name), text("a"));
    await loaf.execute(names.map((path) => block("file_write", { path, content: text("b") })).join("\n"));
    expect(await linesIn()).toEqual([undefined]);
  });

  test("are counted only when the run ends: the log itself opens no file of the project, and no pre-image", async () => {
    await edit("a.txt", "two", "2");
    rmSync(root, { recursive: true });
    expect(await linesIn()).toEqual([{ added: 1, removed: 1 }]);
  });

  const NONE = { added: 0, removed: 0 };
});

test("the log has the first words of an answer, whole or in pieces, and none for actions from programs", async () => {
  const text = `I add a file, and \`ghp_${"aB3d".repeat(9)}\` is no secret of yours:\n\n${block("file_write", { path: "c.txt", content: "c" })}\nDone.`;
  await loaf.execute(text);
  await loaf.execute(pieces(text.replace("I add", "I write").replace('"c"', '"d"').replace("\nc\n", "\nd\n")));
  await loaf.perform([{ action: "file_write", params: { path: "c.txt", content: "e" } }]);
  const { runs } = await loaf.history();
  expect(runs.map(({ answer }) => answer)).toEqual([undefined, "I write a file, and [masked: GitHub token] is no secret of…", "I add a file, and [masked: GitHub token] is no secret of…"]);
  for (const name of readdirSync(journalFolder(root))) expect(readFileSync(join(journalFolder(root), name), "utf8")).not.toContain("ghp_");
});

async function* pieces(text: string): AsyncIterable<string> {
  for (let start = 0; start < text.length; start += 40) yield text.slice(start, start + 40);
}

test("runs that an earlier version has logged, without lines and words, are listed as before", async () => {
  await edit("a.txt", "two", "2");
  const file = join(journalFolder(root), "1.log");
  const log = readFileSync(file, "latin1");
  const end = log.lastIndexOf("\n", log.length - 2) + 1;
  const record = log.slice(end).replace(/,"lines":\{[^}]*\}/, "");
  expect(record).not.toBe(log.slice(end));
  const digests = log.slice(0, end).match(/^[0-9a-f]{16}(?= \{"type")/gm);
  const text = record.slice(17, -1);
  writeFileSync(file, `${log.slice(0, end)}${hash("sha256", `${digests?.at(-1)}${text}`, "hex").slice(0, 16)} ${text}\n`, "latin1");
  expect((await loaf.history()).runs).toEqual([{ run: 1, started: expect.any(String) as string, summary: "edit a.txt", state: "done" }]);
});
