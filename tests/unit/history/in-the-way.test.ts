/** What undo refuses, and how it names the obstacle, so that the user can remove it. */
import { execFileSync } from "node:child_process";
import type * as Fs from "node:fs";
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Reversal } from "../../../src/core/history.ts";
import { Loaf } from "../../../src/index.ts";
import { reversalReport } from "../../../src/report/history.ts";
import type { Session } from "../../../src/run/session.ts";
import { journalFolder } from "../../../src/history/turn.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { runCommands } from "../../support/command-run.ts";
import { logPath, readLog } from "../../../src/journal/log.ts";
import { createFolder } from "../../support/folder.ts";
import { snapshot } from "../../support/sandbox.ts";

/** The folder that the system refuses to make. */
const refusing = vi.hoisted(() => ({ name: undefined as string | undefined }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  const mkdirSync = (path: string, options?: Fs.MakeDirectoryOptions): unknown => {
    if (refusing.name !== undefined && path.endsWith(refusing.name)) throw Object.assign(new Error("EACCES: permission denied, mkdir"), { code: "EACCES", syscall: "mkdir", errno: -13 });
    return fs.mkdirSync(path, options);
  };
  return { ...fs, mkdirSync };
});

let root: string;
let loaf: Loaf;
beforeEach(async () => {
  refusing.name = undefined;
  vi.stubEnv("XDG_STATE_HOME", createFolder());
  root = createFolder({ "a.txt": "a one\n", "b.txt": "b one\n", "dir/c.txt": "c one\n", "dir/sub/s.txt": "s" });
  loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, gitCommit: false });
});

const at = (name: string) => join(root, name);
const block = (action: string, properties: Readonly<Record<string, string>>) => printBlock("abc", { action, ...properties });
const write = (path: string, content: string) => block("file_write", { path, content });
const move = (from: string, to: string) => block("file_move", { old_path: from, new_path: to });
const remove = (path: string) => block("file_delete", { path });
const removeFolder = (path: string) => block("dir_delete", { path });
const run = async (...blocks: string[]) => {
  const { results } = await loaf.execute(blocks.join("\n"));
  expect(results.map(({ error }) => error)).toEqual(blocks.map(() => undefined));
};
const refusedBy = ({ runs }: Reversal) => runs.flatMap(({ refused }) => refused.map(({ path, reason, mayPass }) => `${path.slice(root.length + 1)}: ${reason.replaceAll(`${root}/`, "")}${mayPass === true ? " (may pass)" : ""}`));
const changed = (name: string) => `${name}: it has changed since`;
const hanging = (name: string, other: string) => `${name}: it depends on ${other}, which has changed since`;

const pipe = (name: string) => execFileSync("mkfifo", [at(name)]);

describe("a pipe counts as a user's change", () => {
  test.each<[what: string, blocks: () => string[], expected: string[]]>([
    ["a file that the run had changed", () => [write("a.txt", "a two")], [changed("a.txt")]],
    ["a file that the run had deleted", () => [remove("a.txt")], [changed("a.txt")]],
    ["a file that the run had moved away", () => [move("a.txt", "m.txt")], [hanging("m.txt", "a.txt")]],
    ["a folder that the run had made", () => [write("a.txt", "a two"), remove("a.txt"), write("a.txt/in.txt", "x")], [changed("a.txt")]],
  ])("in the place of %s", async (_, blocks, expected) => {
    await run(...blocks());
    rmSync(at("a.txt"), { recursive: true, force: true });
    pipe("a.txt");
    expect(refusedBy(await loaf.undo())).toEqual(expected);
    expect(lstatSync(at("a.txt")).isFIFO()).toBe(true);
  });
});

describe("undo of a move names the occupied path", () => {
  test.each<[what: string, act: () => void]>([
    ["a file", () => writeFileSync(at("a.txt"), "mine")],
    ["a folder", () => mkdirSync(at("a.txt"))],
    ["a link", () => symlinkSync("nowhere", at("a.txt"))],
  ])("by %s", async (_, act) => {
    await run(move("a.txt", "m.txt"));
    act();
    const before = snapshot(root);
    expect(refusedBy(await loaf.undo())).toEqual([hanging("m.txt", "a.txt")]);
    expect(snapshot(root)).toEqual(before);
  });

  test.each<[what: string, act: () => void]>([
    ["somebody's file", () => writeFileSync(at("moved"), "mine")],
    ["somebody's link", () => symlinkSync("dir", at("moved"))],
  ])("does not move %s that replaced the moved folder", async (_, act) => {
    await run(move("dir", "moved"));
    rmSync(at("moved"), { recursive: true });
    act();
    const before = snapshot(root);
    expect(refusedBy(await loaf.undo())).toEqual([changed("moved")]);
    expect(snapshot(root)).toEqual(before);
  });

  test("recognises the folder if somebody moved it back, but not another one in its place", async () => {
    await run(move("dir", "moved"));
    renameSync(at("moved"), at("dir"));
    expect(refusedBy(await loaf.undo())).toEqual([]);
    await run(move("dir", "moved"));
    renameSync(at("moved"), at("mine"));
    mkdirSync(at("dir"));
    expect(refusedBy(await loaf.undo())).toEqual([changed("moved/c.txt"), changed("moved/sub")]);
  });

  test("names each file by the path where the run left it", async () => {
    await run(move("dir", "first"), write("first/c.txt", "c two"), move("first/sub", "sub"), move("first", "second"));
    writeFileSync(at("second/c.txt"), "mine");
    expect(refusedBy(await loaf.undo())).toEqual([changed("second/c.txt")]);
    await loaf.redo();
    renameSync(at("second"), at("mine"));
    expect(refusedBy(await loaf.undo())).toEqual([changed("second")]);
  });

  test("names a folder as changed if somebody moved it further", async () => {
    await run(move("dir", "moved"), write("moved/c.txt", "c two"));
    renameSync(at("moved"), at("mine"));
    expect(refusedBy(await loaf.undo())).toEqual([changed("moved")]);
    expect(readFileSync(at("mine/c.txt"), "utf8")).toBe("c two");
  });
});

describe("if something replaced a folder, files to be restored into it depend on that", () => {
  test.each<[what: string, act: () => void]>([
    ["a file", () => writeFileSync(at("dir"), "mine")],
    ["a link", () => symlinkSync(createFolder(), at("dir"))],
    ["a pipe", () => pipe("dir")],
  ])("%s", async (_, act) => {
    const deleted = [remove("dir/c.txt"), remove("dir/sub/s.txt"), removeFolder("dir/sub")];
    await run(...deleted, removeFolder("dir"), write("b.txt", "b two"));
    act();
    const before = snapshot(root);
    expect(refusedBy(await loaf.undo()).toSorted()).toEqual([changed("dir"), hanging("dir/c.txt", "dir"), hanging("dir/sub", "dir"), hanging("dir/sub/s.txt", "dir")].toSorted());
    expect(snapshot(root)).toEqual({ ...before, "b.txt": "644 b one\n" });
  });

  test("also if the run itself had not removed the folder", async () => {
    await run(remove("dir/c.txt"), move("dir/sub/s.txt", "s.txt"));
    rmSync(at("dir"), { recursive: true });
    writeFileSync(at("dir"), "mine");
    expect(refusedBy(await loaf.undo())).toEqual([changed("dir"), hanging("s.txt", "dir"), hanging("dir/c.txt", "dir")]);
    expect(readFileSync(at("dir"), "utf8")).toBe("mine");
  });
});

test("dependents of a path that the system refused are not reported as changed, and may succeed on retry", async () => {
  const before = snapshot(root);
  await run(remove("dir/sub/s.txt"), removeFolder("dir/sub"), remove("dir/c.txt"), removeFolder("dir"));
  refusing.name = "/dir";
  const on = "it depends on dir, which could not be restored (may pass)";
  expect(refusedBy(await loaf.undo())).toEqual(["dir: Permission denied: 'dir' (may pass)", `dir/c.txt: ${on}`, `dir/sub: ${on}`, `dir/sub/s.txt: ${on}`]);
  refusing.name = undefined;
  expect(refusedBy(await loaf.undo())).toEqual([]);
  expect(snapshot(root)).toEqual(before);
});

test("a file with a damaged pre-image is not restored, nor its dependents, and no retry is suggested", async () => {
  await run(write("b.txt", "b two"));
  await runCommands(root, [({ overlay }) => overlay.writeFile(at("a.txt"), Buffer.from("a two")), "true", ({ overlay }) => overlay.writeFile(at("a.txt"), Buffer.from("Z three"))]);
  const log = logPath(journalFolder(root), 2);
  const [first] = (readLog(log)?.groups ?? []).flatMap(({ puts }) => puts.map(({ before }) => (before?.kind === "file" ? before.image : undefined)));
  const bytes = readFileSync(log);
  bytes.write("!", first?.offset ?? -1);
  writeFileSync(log, bytes);
  const reversal = await loaf.undo();
  expect(refusedBy(reversal)).toEqual([`a.txt: its pre-image in ${log} is damaged`]);
  expect(reversalReport(reversal, { root, color: false }).split("\n").at(-1)).toBe("loaf diff 2 shows what run 2 did there. To undo an earlier run: loaf undo 1");
  expect(readFileSync(at("a.txt"), "utf8")).toBe("Z three");
  expect(refusedBy(await loaf.undo({ last: 2 }))).toEqual([`a.txt: its pre-image in ${log} is damaged`]);
  expect(readFileSync(at("b.txt"), "utf8")).toBe("b one\n");
});

test("a folder that somebody made at a path which the run used for a while blocks nothing, and stays", async () => {
  const steps = [
    ({ overlay }: Session) => (overlay.makeDirectory(at("n")), overlay.writeFile(at("n/x"), Buffer.from("x"))),
    "true",
    ({ overlay }: Session) => overlay.rename(at("n"), at("m")),
    "true",
    ({ overlay }: Session) => overlay.makeDirectory(at("n")),
    "true",
    ({ overlay }: Session) => (overlay.removeDirectory(at("n")), overlay.writeFile(at("a.txt"), Buffer.from("a two"))),
  ];
  await runCommands(root, steps);
  mkdirSync(at("n"));
  writeFileSync(at("n/x"), "x");
  const { runs } = await loaf.undo();
  expect(runs[0]?.restored.map(({ path }) => path)).toEqual(["a.txt", "m/x", "m"].map(at));
  expect(refusedBy({ kind: "undo", runs, missing: 0, notices: [] })).toEqual([]);
  expect([readFileSync(at("n/x"), "utf8"), existsSync(at("m"))]).toEqual(["x", false]);
});
