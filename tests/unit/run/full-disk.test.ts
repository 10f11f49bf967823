/** The disk is full, and stays so, from some moment of a run on. What single failures do is shown in `tests/faults`. */
import type * as Fs from "node:fs";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { Loaf } from "../../../src/loaf.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../support/folder.ts";
import { createRepository } from "../../support/repository.ts";

/** `fullAfter`: the file whose coming to its place fills the disk. `tooLarge`: the only text with no room. */
const disk = vi.hoisted(() => ({ fullAfter: undefined as string | undefined, tooLarge: "none", isFull: false }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  return {
    ...fs,
    writeSync: (file: number, ...rest: never[]): number => {
      if (disk.isFull || String(rest[0]) === disk.tooLarge) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write", errno: -28 });
      return (fs.writeSync as (file: number, ...rest: never[]) => number)(file, ...rest);
    },
    renameSync: (from: string, to: string): void => {
      fs.renameSync(from, to);
      if (disk.fullAfter !== undefined && to.endsWith(disk.fullAfter)) disk.isFull = true;
    },
  };
});

beforeEach(() => Object.assign(disk, { fullAfter: undefined, tooLarge: "none", isFull: false }));

const write = (path: string, content: string): string => printBlock("wrt", { action: "file_write", path, content });

test("68: what a run has done by then is told as done, and can be undone once there is room", async () => {
  const root = createFolder();
  const loaf = await Loaf.create({ repoPath: root });
  disk.fullAfter = "a.txt";
  const result = await loaf.execute(write(join(root, "a.txt"), "new\n"));
  expect(disk.isFull).toBe(true);
  expect(result).toMatchObject({ success: true, executedActions: 1, modifiedFiles: ["a.txt"], run: 1 });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("new\n");
  Object.assign(disk, { fullAfter: undefined, isFull: false });
  expect((await loaf.undo()).runs).toMatchObject([{ run: 1, refused: [] }]);
  expect(existsSync(join(root, "a.txt"))).toBe(false);
});

test("68: what an undo has done on a full disk is reported as done, and the next command finishes it", async () => {
  const { root } = createRepository({ "a.txt": "old\n" });
  const loaf = await Loaf.create({ repoPath: root, config: { git: { commit: true } } });
  expect(await loaf.execute(write(join(root, "a.txt"), "new\n"))).toMatchObject({ run: 1, commit: expect.any(String) as string });
  disk.fullAfter = "a.txt";
  expect((await loaf.undo()).runs).toMatchObject([{ run: 1, refused: [] }]);
  expect(disk.isFull).toBe(true);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old\n");
  Object.assign(disk, { fullAfter: undefined, isFull: false });
  expect((await loaf.recover()).isWhole).toBe(true);
  expect((await loaf.history()).runs).toMatchObject([{ run: 1 }]);
});

test("68: of several runs that are to be undone, those that were are told, and why the next was not", async () => {
  const root = createFolder({ "a.txt": "old\n", "b.txt": "old\n" });
  const loaf = await Loaf.create({ repoPath: root });
  await loaf.execute(write(join(root, "a.txt"), "new\n"));
  await loaf.execute(write(join(root, "b.txt"), "new\n"));
  disk.fullAfter = "b.txt";
  const { runs } = await loaf.undo({ last: 2 });
  const why = expect.stringMatching(/^ENOSPC/) as string;
  expect(runs).toMatchObject([{ run: 2, refused: [] }, { run: 1, restored: [], refused: [{ path: join(root, "a.txt"), reason: why, mayPass: true }] }]);
  expect(["a.txt", "b.txt"].map((name) => readFileSync(join(root, name), "utf8"))).toEqual(["new\n", "old\n"]);
  Object.assign(disk, { fullAfter: undefined, isFull: false });
  // The log of the first could not be ended: that is finished first, and told again.
  expect((await loaf.undo()).runs).toMatchObject([{ run: 2, refused: [] }]);
  expect((await loaf.undo()).runs).toMatchObject([{ run: 1, refused: [] }]);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old\n");
});

test("68: all or nothing that cannot be taken back says so, and why; the next command does it once there is room", async () => {
  const root = createFolder({ "a.txt": "old\n", "b.txt": "b\n" });
  // Without a sandbox a command works on the files themselves: what comes before it is on the disk by then.
  const loaf = await Loaf.create({ repoPath: root, config: { transaction: "all-or-nothing", exec: { sandbox: "off" } } });
  disk.fullAfter = "a.txt";
  const { success, notices } = await loaf.execute(`${write(join(root, "a.txt"), "new\n")}\n${printBlock("exe", { action: "exec", lang: "bash", code: "exit 1" })}`);
  expect(success).toBe(false);
  expect(notices).toEqual([expect.stringMatching(/^The run.s changes could not be rolled back .*no space left.*: once that is fixed, loaf recover or the next command that changes something does it$/i)]);
  Object.assign(disk, { fullAfter: undefined, isFull: false });
  expect((await (await Loaf.create({ repoPath: root })).recover()).isWhole).toBe(true);
  expect([readFileSync(join(root, "a.txt"), "utf8"), readFileSync(join(root, "b.txt"), "utf8")]).toEqual(["old\n", "b\n"]);
});

test("an edit that did not reach the disk says what to do", async () => {
  const root = createFolder();
  const loaf = await Loaf.create({ repoPath: root });
  disk.tooLarge = "large\n";
  const { results } = await loaf.execute(`${write(join(root, "a.txt"), "a\n")}\n${write(join(root, "b.txt"), "large\n")}`);
  const [error, hint] = [expect.stringMatching(/^ENOSPC/) as string, expect.stringContaining("disk is full") as string];
  expect(results).toMatchObject([{ success: true }, { success: false, error, hint }]);
  expect(existsSync(join(root, "b.txt"))).toBe(false);
});
