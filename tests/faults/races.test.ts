/**
 * Another process swaps a directory, or a file, for a link to a place outside of the project, as fast as it can, while this one works
 * in it. LOAF_LONG=yes tries a million times for each operation.
 */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Failed } from "../../src/core/failure.ts";
import { Disk } from "../../src/disk/disk.ts";
import { attempt } from "../../src/disk/system-error.ts";
import { Journal } from "../../src/journal/journal.ts";
import { Overlay } from "../../src/disk/overlay.ts";
import { ProjectFiles } from "../../src/files/project-files.ts";
import { Reader } from "../../src/files/reader.ts";
import type { Files } from "../../src/files/workspace.ts";
import { onPlatform, waysToPin } from "../support/pins.ts";
import { createProject } from "../unit/files/project.ts";
import { SECRET, startSwapping, type Swap, textsIn } from "./swapping.ts";

const isLong = process.env["LOAF_LONG"] === "yes";
/** For each operation: shared by the ways of pinning and the kinds of swaps. */
const TRIES = isLong ? 1_000_000 : 20_000;
const MOST_TIMES = 10;
const TIMEOUT = isLong ? 4 * 3_600_000 : 120_000;

/** Of a few milliseconds each, since they are synced. */
const RUNS = isLong ? 500 : 5;
const GROUPS = 40;
const LEAST_MS = 500;

interface Operation {
  readonly swaps: readonly Swap[];
  /** @param path whose directory, or which itself, is swapped */
  readonly act: (files: Files, path: string, round: number) => unknown;
  /** Puts back what the last try took away. It may be lost as well. */
  readonly before?: (files: Files, path: string, root: string) => void;
}

const both: readonly Swap[] = ["directory", "leaf"];
const operations: Readonly<Record<string, Operation>> = {
  read: { swaps: both, act: (files, path) => files.read(path) },
  write: { swaps: both, act: (files, path, round) => files.write(path, `written ${round}`) },
  replace: { swaps: both, act: (files, path, round) => files.edit(path, (bytes) => ({ splices: [{ start: 0, end: bytes.length, text: `${round}, after ${bytes.toString("utf8", 0, 60)}` }] })) },
  delete: { swaps: both, act: (files, path) => files.remove(path), before: (files, path) => void files.write(path, "again") },
  "move away": { swaps: both, act: (files, path) => files.move(path, "moved.txt"), before: (files, path) => void files.write(path, "again") },
  "move there": {
    swaps: both,
    act: (files, path) => files.move("kept.txt", path),
    before: (_, __, root) => existsSync(join(root, "kept.txt")) || writeFileSync(join(root, "kept.txt"), "kept"),
  },
  mkdir: { swaps: ["directory"], act: (files, path) => files.createDirectory(`${path}.d`), before: (files, path) => files.removeDirectory(`${path}.d`) },
};

describe.each(waysToPin)("pinned by %s", (_, platform) => {
  onPlatform(platform);

  test.each(both)("11, 12: reading, while a %s is swapped for a link that leads outside, never reaches there", async (swap) => {
    const { guard, root, directory } = createProject();
    const disk = new Disk();
    const reader = new Reader({ volume: disk, guard, maxFileSize: 1_000 });
    const swapping = await startSwapping(swap, root, directory);
    let [done, escapes, round] = [0, 0, 0];
    // Where the two processes keep step few succeed, and those are the ones that could escape.
    for (; round < TRIES / 4 || (done <= TRIES / 400 && round < (TRIES / 4) * MOST_TIMES); round++) {
      const got = settle(() => reader.text(swapping.path));
      if (got !== undefined) done++;
      if (got?.text.includes(SECRET) === true) escapes++;
    }
    expect(await swapping.stop(), "swaps").toBeGreaterThan(TRIES / 400);
    expect(escapes).toBe(0);
    expect(done, "tries that succeeded").toBeGreaterThan(TRIES / 400);
  }, TIMEOUT);

  test.each(both)("11, 12: a search that reads all files of a directory, while a %s is swapped for a link that leads outside, never reads there", async (swap) => {
    const { root, directory } = createProject();
    const disk = new Disk();
    const swapping = await startSwapping(swap, root, directory);
    let [done, escapes] = [0, 0];
    for (let round = 0; round < TRIES / 4; round++) {
      attempt(() =>
        disk.readIn(dirname(swapping.path), (readPieces) => {
          for (const name of Array.from({ length: 10 }, () => "f.txt")) {
            attempt(() =>
              readPieces(name, (piece) => {
                if (piece.includes(SECRET)) escapes++;
                else done++;
                return true;
              }),
            );
          }
        }),
      );
    }
    expect(await swapping.stop(), "swaps").toBeGreaterThan(TRIES / 400);
    expect(escapes).toBe(0);
    expect(done, "files that were read").toBeGreaterThan(TRIES / 400);
  }, TIMEOUT);
});

describe.each(waysToPin)("in a run that the journal brings to the disk, pinned by %s", (_, platform) => {
  onPlatform(platform);

  const races = Object.entries(operations).flatMap(([name, { swaps }]) => swaps.map((swap) => [name, swap] as const));

  test.each(races)("11, 12: %s, while a %s is swapped for a link that leads outside, never reaches there", async (name, swap) => {
    const { files, guard, root, directory } = createProject();
    const overlay = new Overlay(new Disk());
    const staged = new ProjectFiles({ volume: overlay, guard, maxFileSize: 1000, finalNewline: "as-is" });
    const { act, before = () => {} } = operations[name] as Operation;
    const runs = join(directory, "runs");
    mkdirSync(runs);
    const swapping = await startSwapping(swap, root, directory, 20);
    const untouched = swapping.outside();
    let [done, escapes] = [0, 0];
    const codes = new Set<string>();
    const start = performance.now();
    // Reading alone would be over before the other process has done much.
    for (let run = 0; run < RUNS || performance.now() - start < LEAST_MS; run++) {
      const journal = new Journal(runs, { kind: "run", root });
      for (let round = 0; round < GROUPS; round++) {
        settle(() => before(files, swapping.path, root));
        const got = settle(() => [act(staged, swapping.path, round)]);
        if (String(got).includes(SECRET)) escapes++;
        const { outcomes } = await journal.commit(overlay.take(), { atomic: false });
        overlay.forgetReads();
        for (const { failure } of outcomes) if (failure !== undefined) codes.add(failure.code);
        if (got !== undefined && outcomes.every(({ failure }) => failure === undefined)) done++;
      }
      journal.finish({});
    }
    expect(await swapping.stop(), "swaps").toBeGreaterThan(GROUPS);
    expect(escapes).toBe(0);
    expect(swapping.outside()).toEqual(untouched);
    expect(textsIn(root).filter((text) => text.includes(SECRET))).toEqual([]);
    expect([...codes]).not.toContain("bug");
    expect(done, "tries that succeeded").toBeGreaterThan(RUNS);
  }, TIMEOUT);
});

/** Without it, the tests above would not show that the other process is quick enough. */
test.each(both)("11, 12: the same process beats who resolves a path, judges it and then opens it, when a %s is swapped", async (swap) => {
  const { root, directory } = createProject();
  const swapping = await startSwapping(swap, root, directory);
  const end = performance.now() + TIMEOUT / 2;
  let isBeaten = false;
  while (!isBeaten && performance.now() < end) {
    try {
      const path = realpathSync.native(swapping.path);
      isBeaten = path.startsWith(root) && readFileSync(path, "utf8") === SECRET;
    } catch {
      // For a moment nothing was there.
    }
  }
  await swapping.stop();
  expect(isBeaten).toBe(true);
}, TIMEOUT);

/** What `act` returns, or undefined where it was refused. */
function settle<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof Failed) return undefined;
    throw thrown;
  }
}
