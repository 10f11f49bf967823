import { chmodSync, chownSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { Disk } from "../../../src/disk/disk.ts";
import { planReversal } from "../../../src/history/undo.ts";
import { bytesBeforeCommand } from "../../../src/run/logged-changes.ts";
import { Journal } from "../../../src/journal/journal.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import { donePuts } from "../../../src/journal/change-set.ts";
import { type Log, listSequences, logPath, readLog } from "../../../src/journal/log.ts";
import { recoverRuns as recover } from "../../../src/history/recover.ts";
import { asOrdinaryUser } from "../../support/ordinary-user.ts";
import { createFolder } from "../../support/folder.ts";
import { onPlatform } from "../../support/pins.ts";
import { snapshot } from "../../support/sandbox.ts";

interface Project {
  readonly root: string;
  readonly runs: string;
  at(name: string): string;
  /** Runs actions one after another as one group; yields the failure of each, `ok` where there is none. */
  run(acts: ReadonlyArray<(overlay: Overlay, at: (name: string) => string) => void>, options?: { readonly atomic?: boolean; readonly meanwhile?: () => void }): Promise<string[]>;
  /** Takes back the newest run; yields what was refused. */
  undo(of?: number): Promise<string[]>;
  log(sequence?: number): Log;
}

function project(files: Readonly<Record<string, string>> = {}): Project {
  const [root, runs] = [createFolder(files), createFolder()];
  const at = (name: string): string => join(root, name);
  const log = (sequence = listSequences(runs).at(-1) ?? 0): Log => readLog(logPath(runs, sequence)) as Log;
  return {
    root,
    runs,
    at,
    log,
    run: async (acts, { atomic = false, meanwhile } = {}) => {
      const overlay = new Overlay(new Disk());
      for (const [author, act] of acts.entries()) {
        overlay.author = author;
        act(overlay, at);
      }
      meanwhile?.();
      const staged = overlay.take();
      const journal = new Journal(runs, { kind: "run", root });
      const { outcomes } = await journal.commit(staged, { atomic });
      journal.finish();
      return acts.map((_, author) => {
        const failure = staged.flatMap(({ authors }, index) => (authors.includes(author) ? (outcomes[index]?.failure ?? []) : []))[0];
        return failure === undefined ? "ok" : "errno" in failure ? failure.errno : failure.code;
      });
    },
    undo: async (of) => {
      const journal = new Journal(runs, { kind: "undo", of: log(of).sequence, root });
      const { planned, blocked } = planReversal(donePuts(log(of)), log(of).file);
      const { outcomes } = await journal.commit(planned, { atomic: false });
      journal.finish();
      return [...blocked, ...outcomes].flatMap(({ failure }) => (failure === undefined ? [] : failure.code === "file/changed" ? [`changed ${failure.path.slice(root.length + 1)}`] : [failure.code]));
    },
  };
}

const write = (name: string, content: string) => (overlay: Overlay, at: (name: string) => string): void => overlay.writeFile(at(name), Buffer.from(content));

describe("commit", () => {
  test("makes every kind of change, and undo takes each back, to the byte and the mode", async () => {
    const { root, at, run, undo } = project({ "edit.txt": "old", "gone.txt": "gone", "from.txt": "moved", "to.txt": "replaced", "d/in.txt": "in", "empty/x": "" });
    rmSync(at("empty/x"));
    chmodSync(at("edit.txt"), 0o751);
    chmodSync(at("empty"), 0o710);
    symlinkSync("nowhere", at("link"));
    const before = snapshot(root);
    const acts = [
      write("edit.txt", "new"),
      (overlay: Overlay) => overlay.unlink(at("gone.txt")),
      (overlay: Overlay) => overlay.rename(at("from.txt"), at("to.txt")),
      (overlay: Overlay) => overlay.rename(at("d"), at("e")),
      write("e/in.txt", "in e"),
      (overlay: Overlay) => overlay.unlink(at("link")),
      (overlay: Overlay) => overlay.removeDirectory(at("empty")),
      (overlay: Overlay) => {
        overlay.makeDirectory(at("new"));
        overlay.makeDirectory(at("new/deep"));
        overlay.writeFile(at("new/deep/file.txt"), Buffer.from("created"));
      },
    ];
    expect(new Set(await run(acts))).toEqual(new Set(["ok"]));
    const after = snapshot(root);
    expect(after).toEqual({ "edit.txt": "751 new", "to.txt": "644 moved", e: "755 directory", "e/in.txt": "644 in e", new: "755 directory", "new/deep": "755 directory", "new/deep/file.txt": "644 created" });
    expect(await undo()).toEqual([]);
    expect(snapshot(root)).toEqual(before);
    expect(lstatSync(at("link")).isSymbolicLink()).toBe(true);
    // And a redo is the undo of the undo.
    expect(await undo()).toEqual([]);
    expect(snapshot(root)).toEqual(after);
  });

  test("83: line ends, the mode and the owner come back as they were", async () => {
    const { at, run, undo } = project({ "a.sh": "#!/bin/sh\r\necho\r\n\xff" });
    chmodSync(at("a.sh"), 0o755);
    if (process.getuid?.() === 0) chownSync(at("a.sh"), 1234, 1234);
    const stats = statSync(at("a.sh"));
    const bytes = readFileSync(at("a.sh"));
    await run([(overlay) => overlay.unlink(at("a.sh"))]);
    expect(await undo()).toEqual([]);
    expect(readFileSync(at("a.sh"))).toEqual(bytes);
    expect(statSync(at("a.sh"))).toMatchObject({ mode: stats.mode, uid: stats.uid, gid: stats.gid });
  });

  test("what fails stops nothing but what builds upon it", async () => {
    const { root, at, run } = project({ "a.txt": "a", "b.txt": "b", "d/c.txt": "c" });
    const meanwhile = (): void => {
      writeFileSync(at("a.txt"), "the user's");
      rmSync(at("d"), { recursive: true });
    };
    const acts = [write("a.txt", "ours"), write("b.txt", "ours"), (overlay: Overlay) => overlay.rename(at("d"), at("e")), write("e/c.txt", "ours"), (overlay: Overlay) => overlay.rename(at("a.txt"), at("z.txt"))];
    expect(await run(acts, { meanwhile })).toEqual(["file/changed", "ok", "file/changed", "run/depends", "file/changed"]);
    expect(snapshot(root)).toEqual({ "a.txt": "644 the user's", "b.txt": "644 ours" });
  });

  test("76: what somebody changes while the new files are brought to the disk stays as they made it", async () => {
    const { root, at, run } = project({ "a.txt": "a", "b.txt": "b", "c.txt": "c", "d.txt": "d" });
    const acts = [write("a.txt", "ours"), (overlay: Overlay) => overlay.unlink(at("b.txt")), (overlay: Overlay) => overlay.rename(at("c.txt"), at("e.txt")), write("new.txt", "ours"), write("d.txt", "ours")];
    const running = run(acts);
    // By now everything is prepared, and waits for the disk.
    await new Promise((resolve) => setImmediate(resolve));
    for (const name of ["a.txt", "b.txt", "c.txt", "new.txt"]) writeFileSync(at(name), "theirs");
    const outcomes = await running;
    expect(outcomes).toEqual(["file/changed", "file/changed", "file/changed", "file/changed", "ok"]);
    expect(snapshot(root)).toEqual({ "a.txt": "644 theirs", "b.txt": "644 theirs", "c.txt": "644 theirs", "new.txt": "644 theirs", "d.txt": "644 ours" });
  });

  test("directories that were made for a file that failed are taken away again, unless another file is in them", async () => {
    const { root, at, run } = project({ "a.txt": "a" });
    const make = (name: string) => (overlay: Overlay) => {
      overlay.makeDirectory(at(name));
      overlay.rename(at("a.txt"), at(`${name}/a.txt`));
    };
    expect(await run([make("new")], { meanwhile: () => writeFileSync(at("a.txt"), "theirs") })).toEqual(["file/changed"]);
    expect(snapshot(root)).toEqual({ "a.txt": "644 theirs" });
    expect(await run([make("new"), write("new/b.txt", "b")], { meanwhile: () => writeFileSync(at("a.txt"), "theirs again") })).toEqual(["file/changed", "ok"]);
    expect(Object.keys(snapshot(root))).toEqual(["a.txt", "new", "new/b.txt"]);
  });

  test("all or nothing: one conflict, and nothing is done, also where a path is changed twice", async () => {
    const { root, at, run, runs } = project({ "a.txt": "a", "b.txt": "b", "c.txt": "c" });
    const acts = [write("a.txt", "1"), (overlay: Overlay) => overlay.unlink(at("c.txt")), write("a.txt", "2"), write("b.txt", "ours")];
    expect(await run(acts, { atomic: true, meanwhile: () => writeFileSync(at("b.txt"), "theirs") })).toEqual(["run/not-whole", "run/not-whole", "run/not-whole", "file/changed"]);
    expect(snapshot(root)).toEqual({ "a.txt": "644 a", "b.txt": "644 theirs", "c.txt": "644 c" });
    expect(await recover(runs)).toEqual([]);
    expect(await run(acts.slice(0, 3), { atomic: true })).toEqual(["ok", "ok", "ok"]);
  });

  test("75: where the log cannot be written nothing is changed", async () => {
    const { root, at, run, runs } = project({ "a.txt": "a" });
    rmSync(runs, { recursive: true });
    expect(await run([write("a.txt", "b"), write("new.txt", "b")])).toEqual(["ENOENT", "ENOENT"]);
    expect(snapshot(root)).toEqual({ "a.txt": "644 a" });
    expect(existsSync(at("new.txt"))).toBe(false);
  });

  test("the way to the logs may lead over links", async () => {
    const { root, at, runs } = project({ "a.txt": "a" });
    const link = join(createFolder(), "link");
    symlinkSync(runs, link);
    const overlay = new Overlay(new Disk());
    overlay.writeFile(at("a.txt"), Buffer.from("new"));
    const journal = new Journal(link, { kind: "run", root });
    expect((await journal.commit(overlay.take(), { atomic: false })).outcomes.map(({ failure }) => failure)).toEqual([undefined]);
    expect(snapshot(root)).toEqual({ "a.txt": "644 new" });
  });

  test("a directory that may be written but not read can be changed", async () => {
    const { root, at, run, undo, runs } = project({ "d/a.txt": "a" });
    chmodSync(at("d"), 0o300);
    if (process.getuid?.() === 0) chownSync(runs, 65_534, 65_534);
    await asOrdinaryUser(root, async () => {
      expect(await run([write("d/a.txt", "new")])).toEqual(["ok"]);
      expect(await undo()).toEqual([]);
    });
    expect(readFileSync(at("d/a.txt"), "utf8")).toBe("a");
  });

  describe("on another system", () => {
    onPlatform("darwin");

    test("also by going to the directories, where they cannot be pinned otherwise", async () => {
      const root = createFolder({ "a.txt": "a", "d/b.txt": "b" });
      const runs = createFolder();
      const overlay = new Overlay(new Disk());
      overlay.writeFile(join(root, "a.txt"), Buffer.from("new"));
      overlay.rename(join(root, "d/b.txt"), join(root, "b.txt"));
      const journal = new Journal(runs, { kind: "run", root });
      expect((await journal.commit(overlay.take(), { atomic: false })).outcomes.map(({ failure }) => failure)).toEqual([undefined, undefined, undefined]);
      expect(snapshot(root)).toEqual({ "a.txt": "644 new", "b.txt": "644 b", d: "755 directory" });
    });
  });

  test("70: a group of 1,500 files needs no more descriptors than a small one", async () => {
    const { root, run, runs } = project();
    const open = (): number => readdirSync("/proc/self/fd").length;
    const before = open();
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, open() - before);
    }, 1);
    // More than a process may have open at once, by the usual limit of 1,024.
    expect(new Set(await run(Array.from({ length: 1_500 }, (_, index) => write(`${index}.txt`, "x"))))).toEqual(new Set(["ok"]));
    clearInterval(timer);
    expect(most).toBeGreaterThan(0);
    // Whoever runs the tests may have handed down any number; these are ours, and a few that Node makes meanwhile.
    expect(most).toBeLessThan(64 + 16);
    expect(readdirSync(root)).toHaveLength(1_500);
    expect(readdirSync(runs)).toEqual(["1.log"]);
  }, 300_000);
});

const elsewhere = "/dev/shm";
describe.runIf(existsSync(elsewhere) && statSync(elsewhere).dev !== statSync(tmpdir()).dev)("to another file system", () => {
  test.each([false, true])("moves a file and a directory, and undo moves them back (all or nothing: %s)", async (atomic) => {
    const { root, at, run, undo } = project({ "a.txt": "a", "d/b.txt": "b" });
    const there = realpathSync(mkdtempSync(join(elsewhere, "loaf-test-")));
    onTestFinished(() => rmSync(there, { recursive: true }));
    const before = snapshot(root);
    expect(await run([(overlay) => overlay.rename(at("a.txt"), join(there, "a.txt")), (overlay) => overlay.rename(at("d"), join(there, "d"))], { atomic })).toEqual(["ok", "ok"]);
    expect([snapshot(root), Object.keys(snapshot(there))]).toEqual([{}, ["a.txt", "d", "d/b.txt"]]);
    expect(await undo()).toEqual([]);
    expect([snapshot(root), snapshot(there)]).toEqual([before, {}]);
  });
});

describe("undo", () => {
  test("77: a file that was changed since stays, by its name, and the rest comes back", async () => {
    const { root, at, run, undo } = project({ "a.txt": "a", "b.txt": "b", "c.txt": "c" });
    await run([write("a.txt", "1"), write("b.txt", "1"), (overlay) => overlay.rename(at("c.txt"), at("d.txt"))]);
    writeFileSync(at("b.txt"), "the user's");
    chmodSync(at("d.txt"), 0o600);
    expect(await undo()).toEqual(["changed b.txt"]);
    expect(snapshot(root)).toEqual({ "a.txt": "644 a", "b.txt": "644 the user's", "c.txt": "600 c" });
  });

  test("82: what others have put into a directory of the run stays, and so does the directory", async () => {
    const { root, at, run, undo } = project();
    await run([(overlay) => overlay.makeDirectory(at("new")), write("new/a.txt", "a")]);
    writeFileSync(at("new/theirs.txt"), "theirs");
    expect(await undo()).toEqual(["file/system"]);
    expect(snapshot(root)).toEqual({ new: "755 directory", "new/theirs.txt": "644 theirs" });
  });

  test("what is as it was before already is no conflict", async () => {
    const { root, at, run, undo } = project({ "a.txt": "a", "b.txt": "b" });
    const before = snapshot(root);
    await run([write("a.txt", "1"), (overlay) => overlay.unlink(at("b.txt")), write("new.txt", "x")]);
    writeFileSync(at("a.txt"), "a");
    writeFileSync(at("b.txt"), "b");
    rmSync(at("new.txt"));
    expect(await undo()).toEqual([]);
    expect(snapshot(root)).toEqual(before);
  });

  test("takes back whatever a run has done, to the byte and the mode", async () => {
    const names = ["a", "b", "d", "d/x", "d/y", "e", "e/x"];
    const name = fc.constantFrom(...names);
    const step = fc.oneof(
      fc.record({ kind: fc.constant("write" as const), name, content: fc.string({ maxLength: 30 }) }),
      fc.record({ kind: fc.constantFrom("unlink" as const, "mkdir" as const, "rmdir" as const), name, to: name }),
      fc.record({ kind: fc.constant("rename" as const), name, to: name }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.boolean(), async (steps, atomic) => {
        const { root, runs, at, run, undo } = project({ a: "content of a", "d/x": "x" });
        chmodSync(at("a"), 0o640);
        const before = snapshot(root);
        const outcomes = await run(
          steps.map((one) => (overlay: Overlay) => {
            try {
              if (one.kind === "write") overlay.writeFile(at(one.name), Buffer.from(one.content));
              else if (one.kind === "unlink") overlay.unlink(at(one.name));
              else if (one.kind === "mkdir") overlay.makeDirectory(at(one.name));
              else if (one.kind === "rmdir") overlay.removeDirectory(at(one.name));
              else overlay.rename(at(one.name), at(one.to));
            } catch (thrown) {
              if (!(thrown instanceof Error && "code" in thrown)) throw thrown;
            }
          }),
          { atomic },
        );
        expect(new Set(outcomes)).toEqual(new Set(steps.length === 0 ? [] : ["ok"]));
        const after = snapshot(root);
        expect(await recover(runs)).toEqual([]);
        expect(await undo()).toEqual([]);
        expect(snapshot(root)).toEqual(before);
        expect(await undo()).toEqual([]);
        expect(snapshot(root)).toEqual(after);
      }),
      { numRuns: process.env["LOAF_LONG"] === "yes" ? 5_000 : 150 },
    );
  }, 600_000);
});

test("80: durations come from a clock that does not jump", async () => {
  const { run, log } = project();
  const now = Date.now;
  onTestFinished(() => {
    Date.now = now;
  });
  // Set back by a minute whenever somebody looks.
  let time = now();
  Date.now = () => (time -= 60_000);
  await run([write("a.txt", "a")]);
  expect(log().end?.duration).toBeGreaterThanOrEqual(0);
  expect(log().end?.duration).toBeLessThan(60_000);
});

test("the bytes of a file before a command are those of that path and that action", async () => {
  const [root, runs] = [createFolder({ a: "old a", b: "old b" }), createFolder()];
  const overlay = new Overlay(new Disk());
  overlay.author = 2;
  for (const name of ["a", "b"]) overlay.writeFile(join(root, name), Buffer.from(`new ${name}`));
  overlay.author = 3;
  overlay.writeFile(join(root, "c"), Buffer.from("new c"));
  const journal = new Journal(runs, { kind: "run", root });
  await journal.commit(overlay.take(), { atomic: false });
  journal.finish();
  const before = (name: string, author: number) => bytesBeforeCommand(readLog(logPath(runs, 1)), join(root, name), author)?.toString();
  expect([before("a", 2), before("b", 2), before("b", 3), before("c", 3), before("d", 2)]).toEqual(["old a", "old b", undefined, undefined, undefined]);
  expect(bytesBeforeCommand(undefined, join(root, "a"), 2)).toBeUndefined();
});
