/** An undo looks at files through the pins that it is given, and through no others. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { choosePins } from "../../../src/disk/choose-pins.ts";
import { Disk } from "../../../src/disk/disk.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import { Journal } from "../../../src/journal/journal.ts";
import { type Log, logPath, readLog } from "../../../src/journal/read-log.ts";
import { undoLog } from "../../../src/journal/undo.ts";
import { createFolder } from "../../support/folder.ts";

vi.mock(import("../../../src/disk/choose-pins.ts"), async (original) => {
  const real = await original();
  return { ...real, choosePins: vi.fn(real.choosePins) };
});

test("an undo of edited files and of a directory chooses no pins of its own", async () => {
  const root = createFolder({ "edited.txt": "1\n2\n3\n4\n5\n", "twice.txt": "1" });
  const folder = createFolder();
  const journal = new Journal(folder, { kind: "run", root, transaction: "keep" });
  const at = (name: string): string => join(root, name);
  for (const step of ["a", "b"]) {
    const overlay = new Overlay(new Disk());
    overlay.writeFile(at("twice.txt"), Buffer.from(step));
    if (step === "a") overlay.writeFile(at("edited.txt"), Buffer.from("one\n2\n3\n4\n5\n"));
    if (step === "a") overlay.makeDirectory(at("made"));
    await journal.commit(overlay.take(), { atomic: false });
  }
  journal.finish();
  writeFileSync(at("edited.txt"), "one\n2\n3\n4\nfive\n");
  const pins = choosePins();
  vi.mocked(choosePins).mockClear();
  let tried = 0;
  await undoLog(readLog(logPath(folder, 1)) as Log, { pins, commit: async (staged) => staged.map(() => (tried++, {})) });
  expect([tried, vi.mocked(choosePins).mock.calls.length]).toEqual([3, 0]);
});
