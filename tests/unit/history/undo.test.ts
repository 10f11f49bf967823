/** Undo of a file that a run has changed in several steps, and the user since. What is told of merges in general: run/history. */
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { lookOrThrow } from "../../../src/disk/look.ts";
import type { State } from "../../../src/core/change-set.ts";
import { Journal } from "../../../src/journal/journal.ts";
import { type Log, logPath, readLog } from "../../../src/journal/log.ts";
import { restoredIn, undoLog, type Undone, type UndoLogOptions } from "../../../src/history/undo.ts";
import { type Operation, plannedFor } from "../../support/planned.ts";
import { createFolder } from "../../support/folder.ts";

const lines = (...all: ReadonlyArray<number | string>) => all.map((one) => `${one}\n`).join("");
let root: string;
let folder: string;
let journal: Journal;
beforeEach(() => {
  root = createFolder({ a: lines(1, 2, 3, 4, 5, 6, 7) });
  folder = createFolder();
  journal = new Journal(folder, { kind: "run", root });
});

const at = (name: string) => join(root, name);
const stateAt = (name: string): State | null => lookOrThrow(at(name))?.state ?? null;
/** Each is a group of its own. */
async function act(operation: Operation): Promise<void> {
  const { outcomes } = await journal.commit(plannedFor(operation), { atomic: false });
  expect(outcomes.every((one) => one.failure === undefined)).toBe(true);
}
const write = (name: string, content: string) => act({ kind: "write", path: at(name), content: Buffer.from(content), basis: stateAt(name) });
const move = (from: string, to: string) => act({ kind: "rename", from: at(from), to: at(to), basis: stateAt(from), replaced: null });
const remove = (name: string) => act({ kind: "unlink", path: at(name), basis: stateAt(name) });
const edit = (name: string, from: string, to: string) => writeFileSync(at(name), readFileSync(at(name), "utf8").replace(from, to));
const logOf = (sequence: number) => readLog(logPath(folder, sequence)) as Log;
const files = () => Object.fromEntries(readdirSync(root).toSorted().map((name) => [name, readFileSync(at(name), "utf8")]));

async function takeBack(of: number, meanwhile = (): void => {}): Promise<Undone> {
  const own = new Journal(folder, { kind: "undo", of, root });
  const commit: UndoLogOptions["commit"] = async (planned) => {
    meanwhile();
    return (await own.commit(planned, { atomic: false })).outcomes;
  };
  const undone = await undoLog(logOf(of), { commit });
  own.finish({ summary: "undone" });
  return undone;
}

async function editMoveEdit(): Promise<void> {
  await write("a", lines(1, "two", 3, 4, 5, 6, 7));
  await move("a", "b");
  await write("b", lines(1, "two", 3, "four", 5, 6, 7));
  await move("b", "c");
  journal.finish({ summary: "steps" });
}

test("77: a file that somebody changes once the undo is planned is refused", async () => {
  await write("a", lines("one"));
  journal.finish({ summary: "step" });
  expect((await takeBack(1, () => writeFileSync(at("a"), "theirs"))).refused).toEqual([{ path: at("a"), reason: "it has changed since" }]);
  expect(files()).toEqual({ a: "theirs" });
});

test("the edit comes along, and redo brings it forth again", async () => {
  await editMoveEdit();
  edit("c", "7", "mine");
  expect((await takeBack(1)).refused).toEqual([]);
  expect(files()).toEqual({ a: lines(1, 2, 3, 4, 5, 6, "mine") });
  edit("a", "6", "mine too");
  expect((await takeBack(2)).refused).toEqual([]);
  expect(files()).toEqual({ c: lines(1, "two", 3, "four", 5, "mine too", "mine") });
});

test("the log of an undo says what was merged: what recovers it neither merges that again nor calls it restored", async () => {
  await write("a", lines(1, "two", 3, 4, 5, 6, 7));
  journal.finish({ summary: "step" });
  edit("a", "7", "mine");
  await takeBack(1);
  expect(restoredIn(logOf(2))).toEqual([{ path: at("a"), how: "merged" }]);
});

test("an edit of a file that the run deleted and made anew stays", async () => {
  await remove("a");
  await write("a", lines(1, "two", 3, 4, 5, 6, 7));
  journal.finish({ summary: "steps" });
  edit("a", "7", "mine");
  expect((await takeBack(1)).refused).toEqual([]);
  expect(files()).toEqual({ a: lines(1, 2, 3, 4, 5, 6, "mine") });
});

test("an edit where any step touched the lines is refused, and nothing of the file moves", async () => {
  await editMoveEdit();
  edit("c", "3", "mine");
  const left = files();
  expect((await takeBack(1)).refused.map(({ path }) => path)).toContain(at("c"));
  expect(files()).toEqual(left);
});

describe("is refused, and left as it is, where the user's file", () => {
  test("is one that the run made", async () => {
    await write("new", lines(1, 2, 3));
    await write("new", lines(1, 2, 3, 4));
    journal.finish({ summary: "steps" });
    edit("new", "1", "mine");
    expect((await takeBack(1)).refused.map(({ path }) => path)).toEqual([at("new")]);
    expect(files()["new"]).toBe(lines("mine", 2, 3, 4));
  });

  test("took the place of one that the run deleted", async () => {
    await remove("a");
    journal.finish({ summary: "steps" });
    writeFileSync(at("a"), lines(1, 2, 3, 4, 5, 6, 7, "mine"));
    expect((await takeBack(1)).refused.map(({ path }) => path)).toEqual([at("a")]);
    expect(files()["a"]).toBe(lines(1, 2, 3, 4, 5, 6, 7, "mine"));
  });

  test("changed places with another", async () => {
    writeFileSync(at("b"), lines("b", 2, 3));
    await move("a", "x");
    await move("b", "a");
    await move("x", "b");
    journal.finish({ summary: "steps" });
    edit("a", "3", "mine");
    const left = files();
    expect((await takeBack(1)).refused.map(({ path }) => path)).toContain(at("a"));
    expect(files()).toEqual(left);
  });
});

test("without the bytes of what the run wrote, as in an older or damaged log, the file is refused", async () => {
  await write("a", lines(1, "two", 3, 4, 5, 6, 7));
  journal.finish({ summary: "edit" });
  edit("a", "7", "mine");
  const path = logPath(folder, 1);
  const bytes = readFileSync(path);
  const image = bytes.lastIndexOf(lines(1, "two", 3));
  expect(image).toBeGreaterThan(0);
  bytes[image] = 0x39;
  unlinkSync(path);
  writeFileSync(path, bytes);
  expect((await takeBack(1)).refused.map((one) => one.path)).toEqual([at("a")]);
  expect(files()).toEqual({ a: lines(1, "two", 3, 4, 5, 6, "mine") });
});
