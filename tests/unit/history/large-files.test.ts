/** Files above 64 MiB, which are never held in memory. */
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { PastFiles } from "../../../src/journal/change-set.ts";
import { journalFolder } from "../../../src/history/turn.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { listLogs } from "../../../src/journal/log.ts";
import { createFolder } from "../../support/folder.ts";
import { createRepository } from "../../support/repository.ts";

const SIZE = 66 * 2 ** 20;
const block = (action: string, properties: Readonly<Record<string, string>>) => printBlock("abc", { action, ...properties });
const remove = block("file_delete", { path: "large.bin" });
const digestOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

beforeEach(() => {
  vi.stubEnv("XDG_STATE_HOME", createFolder());
});

/** All pieces differ, so that a misplaced one is detected. */
function placeLargeFile(root: string): { readonly path: string; readonly sha256: string } {
  const bytes = Buffer.alloc(SIZE);
  for (let at = 0; at < SIZE; at += 4_096) bytes.writeUInt32LE(at, at);
  writeFileSync(join(root, "large.bin"), bytes, { mode: 0o640 });
  return { path: join(root, "large.bin"), sha256: digestOf(bytes) };
}

async function open(root: string): Promise<Loaf> {
  return Loaf.create({ repoPath: root, config: { relative_paths: true } });
}

test("are deleted, overwritten and moved, and restored exactly", async () => {
  const root = createFolder();
  const loaf = await open(root);
  const { path, sha256 } = placeLargeFile(root);
  const blocks = [remove, block("file_write", { path: "large.bin", content: "small" }), block("file_move", { old_path: "large.bin", new_path: "moved.bin" })];
  for (const one of blocks) {
    expect((await loaf.execute(one)).success).toBe(true);
    expect((await loaf.undo()).runs).toMatchObject([{ refused: [] }]);
    expect([digestOf(readFileSync(path)), statSync(path).mode & 0o777]).toEqual([sha256, 0o640]);
  }
  expect((await loaf.execute(remove)).success).toBe(true);
  await loaf.undo();
  expect((await loaf.redo()).runs).toMatchObject([{ refused: [] }]);
  await loaf.undo();
  expect(digestOf(readFileSync(path))).toBe(sha256);
});

test("are committed with the user's earlier changes", async () => {
  const repository = createRepository({ "a.txt": "one\n" });
  const loaf = await open(repository.root);
  placeLargeFile(repository.root);
  const blob = repository.git("hash-object", "large.bin");
  const { commit, notices } = await loaf.execute(remove);
  expect([notices, typeof commit]).toEqual([undefined, "string"]);
  expect(repository.git("rev-parse", "HEAD~1:large.bin")).toBe(blob);
  expect(repository.git("status", "--porcelain")).toBe("");
});

test("are found in the log only if undamaged", async () => {
  const root = createFolder();
  const loaf = await open(root);
  const { path, sha256 } = placeLargeFile(root);
  await loaf.execute(remove);
  const [log] = listLogs(journalFolder(root));
  const read = () => {
    const pieces: Buffer[] = [];
    const isKnown = new PastFiles(log === undefined ? [] : [log]).read(path, { size: SIZE, sha256 }, (piece) => pieces.push(Buffer.from(piece)));
    return isKnown && digestOf(Buffer.concat(pieces)) === sha256;
  };
  expect(read()).toBe(true);
  const file = openSync(log?.file ?? "", "r+");
  writeSync(file, "x", SIZE / 2);
  closeSync(file);
  expect(read()).toBe(false);
});

test("are not reported as lost if the disk is full", async () => {
  const root = createFolder();
  const { path, sha256 } = placeLargeFile(root);
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", errno: -28, syscall: "write" });
  const takeNone = () => {
    throw full;
  };
  expect(() => new PastFiles([]).read(path, { size: SIZE, sha256 }, takeNone)).toThrow(full);
  await (await open(root)).execute(remove);
  expect(() => new PastFiles(listLogs(journalFolder(root))).read(path, { size: SIZE, sha256 }, takeNone)).toThrow(full);
});

test("are found at their new path as long as they are unchanged", async () => {
  const root = createFolder();
  const loaf = await open(root);
  const { path, sha256 } = placeLargeFile(root);
  await loaf.execute(block("file_move", { old_path: "large.bin", new_path: "moved.bin" }));
  const past = new PastFiles(listLogs(journalFolder(root)));
  const read = () => past.read(path, { size: SIZE, sha256 }, () => {});
  expect(read()).toBe(true);
  const file = openSync(join(root, "moved.bin"), "r+");
  writeSync(file, "x", SIZE / 2);
  closeSync(file);
  expect(read()).toBe(false);
});
