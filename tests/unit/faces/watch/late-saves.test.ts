import { ftruncateSync, closeSync, openSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { putAbove } from "../../../../src/state/input-file.ts";
import { LateSaves } from "../../../../src/faces/watch/late-saves.ts";
import { createFolder } from "../../../support/folder.ts";

const REPORT = "=== LOAF RESULTS ===\n=== END ===";

/** An editor that opened the file before results were inserted. */
function late(text = "old\n"): { readonly file: string; readonly editor: number; readonly saves: LateSaves; readonly told: string[] } {
  const file = join(createFolder({ "in.md": text }), "in.md");
  const editor = openSync(file, "r+");
  const told: string[] = [];
  const saves = new LateSaves(file, (sentence) => told.push(sentence));
  saves.watch(putAbove(file, REPORT, undefined));
  return { file, editor, saves, told };
}

test("a save into the old file is put below the results", async () => {
  const { file, editor, saves } = late();
  writeSync(editor, "later\n", 0);
  await setTimeout(300);
  expect(readFileSync(file, "utf8")).toBe(`${REPORT}\nlater\n`);
  closeSync(editor);
  await saves.close();
});

test("a file emptied by an editor does not count as a save", async () => {
  const { file, editor, saves } = late();
  ftruncateSync(editor, 0);
  await setTimeout(300);
  expect(readFileSync(file, "utf8")).toBe(`${REPORT}\nold\n`);
  writeSync(editor, "filled\n", 0);
  await setTimeout(300);
  expect(readFileSync(file, "utf8")).toBe(`${REPORT}\nfilled\n`);
  closeSync(editor);
  await saves.close();
  expect(readFileSync(file, "utf8")).toBe(`${REPORT}\nfilled\n`);
});

test("a save right before the end is not lost", async () => {
  const { file, editor, saves } = late();
  // By then the file is checked only rarely.
  await setTimeout(450);
  writeSync(editor, "last\n", 0);
  closeSync(editor);
  await saves.close();
  expect(readFileSync(file, "utf8")).toBe(`${REPORT}\nlast\n`);
});

test("waits a moment at the end for an editor that has just opened the file", async () => {
  const { file, editor, saves } = late();
  const closing = saves.close();
  await setTimeout(50);
  writeSync(editor, "last\n", 0);
  closeSync(editor);
  await closing;
  expect(readFileSync(file, "utf8")).toBe(`${REPORT}\nlast\n`);
});

test("a save while the input file is missing is kept until it exists", async () => {
  const { file, editor, saves, told } = late();
  const own = readFileSync(file);
  unlinkSync(file);
  writeSync(editor, "later\n", 0);
  await setTimeout(300);
  writeFileSync(file, own);
  await setTimeout(600);
  closeSync(editor);
  await saves.close();
  expect([readFileSync(file, "utf8"), readdirSync(dirname(file)), told]).toEqual([`${REPORT}\nlater\n`, ["in.md"], []]);
});

test("if it is still missing at the end, the save is written beside it and reported", async () => {
  const { file, editor, saves, told } = late();
  unlinkSync(file);
  writeSync(editor, "later\n", 0);
  closeSync(editor);
  await saves.close();
  expect([readdirSync(dirname(file)), readFileSync(`${file}.saved-meanwhile-1`, "utf8")]).toEqual([["in.md.saved-meanwhile-1"], "later\n"]);
  expect(told).toEqual([expect.stringContaining(`is in ${file}.saved-meanwhile-1`)]);
});

test("if that fails too, the message contains the text", async () => {
  const { file, editor, saves, told } = late();
  rmSync(dirname(file), { recursive: true });
  writeSync(editor, "later\n", 0);
  closeSync(editor);
  await saves.close();
  expect(told).toEqual([expect.stringMatching(/could not be kept \(.*ENOENT.*\)\. It says:\nlater\n$/)]);
});

test("keeps only a few replaced files open, and none at the end", async () => {
  const { file, editor, saves } = late();
  closeSync(editor);
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let count = 0; count < 60; count++) saves.watch(putAbove(file, REPORT, saves.last));
  expect(open() - before).toBeLessThan(20);
  await saves.close();
  expect(open()).toBeLessThan(before);
});
