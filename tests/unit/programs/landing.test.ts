/** What of a command's changes reaches the project, on every maker of views that works everywhere. */
import type * as Fs from "node:fs";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { projectStateFolder } from "../../../src/state/places.ts";
import type { RefusalReason } from "../../../src/programs/view/view.ts";
import { foldersIn } from "../../../src/programs/view/view-folders.ts";
import { type CommandRunOptions, runCommands, shell, type Step } from "../../support/command-run.ts";
import { createFolder } from "../../support/folder.ts";
import { hasSandbox } from "../../support/programs.ts";
import { snapshot } from "../../support/sandbox.ts";

/** `full`: in which folder every write fails, as on a full disk. `mounted`: where something seems to be mounted. */
const disk = vi.hoisted(() => ({ full: undefined as string | undefined, mounted: undefined as string | undefined }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  const refuse = (file: number | string): void => {
    if (disk.full === undefined || typeof file === "string" || !fs.readlinkSync(`/proc/self/fd/${file}`).startsWith(disk.full)) return;
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write", errno: -28 });
  };
  return {
    ...fs,
    readFileSync: (file: number | string, ...rest: never[]): unknown => {
      const read = (fs.readFileSync as (file: number | string, ...rest: never[]) => unknown)(file, ...rest);
      return disk.mounted !== undefined && file === "/proc/self/mountinfo" ? `${String(read)}1 2 0:3 / ${disk.mounted} rw - tmpfs tmpfs rw\n` : read;
    },
    writeSync: (file: number, ...rest: never[]): number => (refuse(file), (fs.writeSync as (file: number, ...rest: never[]) => number)(file, ...rest)),
    writeFileSync: (file: number, ...rest: never[]): void => (refuse(file), (fs.writeFileSync as (file: number, ...rest: never[]) => void)(file, ...rest)),
  };
});

const trap = (folder: string): string => `mkdir -p ${folder}/.git; printf '[core]\\n\\tbare = false\\n\\tfsmonitor = touch sprung; false\\n' > ${folder}/.git/config; echo 'ref: refs/heads/main' > ${folder}/.git/HEAD; mkdir -p ${folder}/.git/objects ${folder}/.git/refs`;

describe.each(["overlay", "copy"] as const)("on a view by %s", (view) => {
  const run = (root: string, steps: readonly Step[], options: CommandRunOptions = {}) => runCommands(root, steps, { ...options, view });
  const undo = async (root: string) => (await Loaf.create({ repoPath: root })).undo();

  test.each([
    ["a git directory where a folder was moved away", `mv sub elsewhere; mkdir sub; ${trap("sub")}`, "sub/.git"],
    ["a git directory in a folder that is moved in", `mkdir new; ${trap("new")}; rm -r sub; mv new sub`, "sub/.git"],
    ["what direnv runs", "mv pkg other; mkdir pkg; echo 'touch sprung' > pkg/.envrc", "pkg/.envrc"],
    ["what an editor runs", "mv pkg other; mkdir -p pkg/.vscode; echo '{}' > pkg/.vscode/tasks.json", "pkg/.vscode"],
    ["a link in the place of a git directory", "mkdir real; mv sub real/; ln -s real/sub sub; ln -s ../real sub/.git", "real/sub/.git"],
  ])("85: a name that is protected never lands: %s", async (_, line, planted) => {
    const root = createFolder({ "sub/a.txt": "a", "pkg/b.txt": "b" });
    shell(root, "git init -q .");
    const before = snapshot(root);
    const { commands } = await run(root, [line]);
    expect(commands[0]?.warnings.join("\n")).toContain(planted);
    expect(existsSync(join(root, planted))).toBe(false);
    for (const folder of [".", "sub", "pkg"]) if (existsSync(join(root, folder))) shell(join(root, folder), "git status --short || true");
    expect(existsSync(join(root, "sprung")) || existsSync(join(root, "sub/sprung"))).toBe(false);
    await undo(root);
    expect(snapshot(root)).toEqual(before);
  });

  test("86: nothing lands below a name that is not UTF-8, and what is there stays", async () => {
    const root = createFolder({ "a.txt": "a" });
    shell(root, String.raw`mkdir $'caf\xe9'; echo x > $'caf\xe9/x'`);
    const before = readdirSync(root, { encoding: "latin1", recursive: true }).toSorted();
    const { commands } = await run(root, [String.raw`mkdir $'caf\xe9/.git'; echo x > $'caf\xe9/.git/config'; mkdir -p $'new\xff/.git'; rm $'caf\xe9/x'; echo more >> a.txt`]);
    expect(commands[0]?.changed.map(({ path }) => path)).toEqual(["a.txt"]);
    // A copy has no such folder, because it cannot be pinned.
    expect(commands[0]?.warnings.join("\n")).toMatch(view === "overlay" ? /caf\\xe9.*not UTF-8/ : /new\\xff.*not UTF-8/);
    expect(readdirSync(root, { encoding: "latin1", recursive: true }).toSorted()).toEqual(before);
  });

  test.each(["keep", "all-or-nothing"] as const)("90: on a full disk nothing of a command lands, and that is told (%s)", async (transaction) => {
    const root = createFolder({ "a.txt": "a", "gone.txt": "gone" });
    const before = snapshot(root);
    const filling: Step = { command: (files) => (writeFileSync(join(files, "b.txt"), "new"), rmSync(join(files, "gone.txt")), void (disk.full = root)) };
    const full = await run(root, [filling], { transaction }).finally(() => (disk.full = undefined));
    expect([full.commands[0]?.failure?.code ?? Object.values(full.failures)[0], full.modifiedFiles, snapshot(root)]).toEqual(["file/system", [], before]);
  });

  test("a file that nobody may read can be read by its owner once it has landed, so that undo can keep it", async () => {
    const root = createFolder({ "a.txt": "a" });
    await run(root, ["echo new > new.txt; chmod 0 new.txt a.txt"]);
    expect(snapshot(root)).toEqual({ "a.txt": "400 a", "new.txt": "400 new\n" });
    expect((await undo(root)).runs.flatMap(({ refused }) => refused)).toEqual([]);
    expect(snapshot(root)).toEqual({ "a.txt": "644 a" });
  });

  test("92: what somebody else writes meanwhile stays, is not told as the command's, and undo leaves it alone", async () => {
    const root = createFolder({ "a.txt": "a", "b.txt": "b", "c.txt": "c", "d/e.txt": "e", "gone.txt": "gone" });
    const both: Step = {
      command: (files) => {
        for (const name of ["a.txt", "b.txt", "d/e.txt"]) appendFileSync(join(files, name), " command");
        rmSync(join(files, "gone.txt"));
        writeFileSync(join(files, "new.txt"), "command");
        mkdirSync(join(files, "made"));
        for (const name of ["a.txt", "c.txt", "gone.txt"]) appendFileSync(join(root, name), " user");
        writeFileSync(join(root, "new.txt"), "user");
        writeFileSync(join(root, "own.txt"), "user");
        writeFileSync(join(root, "made"), "user");
      },
    };
    const { commands, modifiedFiles } = await run(root, [both]);
    expect(modifiedFiles).toEqual(["b.txt", "d/e.txt"]);
    expect(commands[0]?.refused.map(({ path, reason }) => [path, reason]).toSorted()).toEqual([["a.txt", "changed"], ["gone.txt", "changed"], ["made", "changed"], ["new.txt", "changed"]]);
    const kept = /^left out of the project: a\.txt, .*new\.txt \(somebody else changed it while the command ran; the command's version is in (.+)\)$/m.exec(commands[0]?.warnings.join("\n") ?? "")?.[1] ?? "";
    expect(snapshot(kept)).toEqual({ "a.txt": "644 a command", "new.txt": "644 command" });
    const users = { "a.txt": "644 a user", "c.txt": "644 c user", "gone.txt": "644 gone user", "new.txt": "644 user", "own.txt": "644 user", made: "644 user" };
    expect(snapshot(root)).toEqual({ ...users, "b.txt": "644 b command", d: "755 directory", "d/e.txt": "644 e command" });
    await undo(root);
    expect(snapshot(root)).toEqual({ ...users, "b.txt": "644 b", d: "755 directory", "d/e.txt": "644 e" });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("a user");
  });

  test("92: a file that somebody makes where the command had looked for one in vain does not cost the folder its other files", async () => {
    const root = createFolder({ "d/b.txt": "b", "d/c.txt": "c" });
    const meanwhile: Step = {
      command: (files) => {
        expect(existsSync(join(files, "d/a.txt"))).toBe(false);
        writeFileSync(join(files, "d/new.txt"), "command");
        writeFileSync(join(root, "d/a.txt"), "user");
      },
    };
    const { commands } = await run(root, [meanwhile]);
    expect(commands[0]?.changed).toEqual([{ path: "d/new.txt", change: "created" }]);
    expect(snapshot(root)).toEqual({ d: "755 directory", "d/a.txt": "644 user", "d/b.txt": "644 b", "d/c.txt": "644 c", "d/new.txt": "644 command" });
  });

  test("92: a folder that somebody moves to where the command deletes or changes files keeps its files, however old", async () => {
    const root = createFolder({ "gone/a.txt": "a", "gone/edited.txt": "e", "anew/b.txt": "b", "swapped/c.txt": "c", "one/k.txt": "k", "two/k.txt": "k", "three/c.txt": "the user's" });
    const meanwhile: Step = {
      command: (files) => {
        writeFileSync(join(files, "swapped/c.txt"), "command");
        rmSync(join(files, "anew"), { recursive: true });
        mkdirSync(join(files, "anew"));
        writeFileSync(join(files, "anew/n.txt"), "n");
        rmSync(join(files, "gone"), { recursive: true });
        shell(root, "echo more >> gone/edited.txt; mv one gone/; mv two anew/; mv swapped old; mv three swapped");
      },
    };
    const { commands } = await run(root, [meanwhile]);
    expect(snapshot(root)).toMatchObject({ "gone/one/k.txt": "644 k", "gone/edited.txt": "644 emore\n", "anew/two/k.txt": "644 k", "anew/n.txt": "644 n", "old/c.txt": "644 c", "swapped/c.txt": "644 the user's" });
    expect(commands[0]?.refused.map(({ path, reason }) => [path, reason])).toContainEqual(["swapped/c.txt", "changed"]);
  });

  test("91: the project's folder does not become a bare repository, and nothing is written to one that is there", async () => {
    const root = createFolder({ "a.txt": "a" });
    shell(root, "git init -q --bare fix.git");
    const before = snapshot(root);
    const bare = "mkdir objects refs; echo 'ref: refs/heads/main' > HEAD";
    const { commands } = await run(root, [bare, "echo '[core] pager = touch sprung' >> fix.git/config; echo x > fix.git/hooks/pre-push; echo more >> a.txt"]);
    expect(commands.map(({ refused }) => refused)).toEqual([[{ path: ".", reason: "repository" }], [{ path: "fix.git", reason: "repository" }]]);
    expect(snapshot(root)).toEqual({ ...before, "a.txt": "644 amore\n" });
  });

  test("87: a bare repository that a command moves stays whole where it was, and one that it deletes is deleted", async () => {
    const root = createFolder({ "a.txt": "a" });
    shell(root, "git init -q --bare fix.git");
    const before = snapshot(root);
    const moving = await run(root, ["mv fix.git other.git; echo more >> a.txt"]);
    expect(moving.commands[0]?.changed).toEqual([{ path: "a.txt", change: "changed" }]);
    expect(snapshot(root)).toEqual({ ...before, "a.txt": "644 amore\n" });
    await run(root, ["rm -rf fix.git"]);
    expect(existsSync(join(root, "fix.git"))).toBe(false);
    await undo(root);
    expect(snapshot(root)).toEqual({ ...before, "a.txt": "644 amore\n" });
  });

  test("folders nested deeper than a path may be long stay out, all else lands, and nothing of the view is left", async () => {
    const root = createFolder({ "a.txt": "a" });
    const { commands } = await run(root, ["echo more >> a.txt; for i in {1..60}; do n=$(printf %0100d $i); mkdir $n; cd $n; done; chmod 0 ."]);
    expect(commands[0]).toMatchObject({ changed: [{ path: expect.stringMatching(/^0+1\/.*\/$/), change: "created" }, { path: "a.txt" }], refused: [{ reason: "long" }] });
    expect(foldersIn(join(projectStateFolder(root), "views"))).toEqual([]);
  });

  test("a file that is large by its holes alone is not read and stays out, all else lands", async () => {
    const root = createFolder({ "a.txt": "a", "image.bin": "a" });
    const { commands } = await run(root, ["truncate -s 1T huge.bin; truncate -s 64M image.bin; truncate -s 1M small.bin; head -c 12M /dev/urandom > full.bin"]);
    expect(commands[0]?.refused).toEqual([{ path: "huge.bin", reason: "sparse" }, { path: "image.bin", reason: "sparse" }]);
    expect(commands[0]?.changed.map(({ path }) => path)).toEqual(["full.bin", "small.bin"]);
    expect(snapshot(root)).toMatchObject({ "image.bin": "644 a" });
  });

  test("92: a file that somebody deletes while the command changes it stays deleted, with the command's version kept", async () => {
    const root = createFolder({ "edited.txt": "e", "moved.txt": "m", "linked.txt": "l", "d/e.txt": "e", "f/e.txt": "e" });
    const meanwhile: Step = {
      command: (files) => {
        for (const name of ["edited.txt", "d/e.txt", "f/e.txt"]) appendFileSync(join(files, name), " command");
        shell(files, "mv moved.txt other.txt; ln linked.txt link.txt; echo new > new.txt; echo new > f/new.txt");
        shell(root, "rm -r edited.txt d f; echo user > own.txt");
      },
    };
    const { commands } = await run(root, [meanwhile]);
    expect(commands[0]?.refused.map(({ path, reason }) => [path, reason]).toSorted()).toEqual([["d/e.txt", "changed"], ["edited.txt", "changed"], ["f/e.txt", "changed"]]);
    expect(snapshot(commands[0]?.refused[0]?.kept ?? "")).toMatchObject({ "edited.txt": "644 e command", "d/e.txt": "644 e command" });
    expect(snapshot(root)).toEqual({ f: "755 directory", "f/new.txt": "644 new\n", "link.txt": "644 l", "linked.txt": "644 l", "new.txt": "644 new\n", "other.txt": "644 m", "own.txt": "644 user\n" });
  });

  test("110: a secret that appears while a command runs is outside the promise for reading, and stays as it is", async () => {
    const root = createFolder({ "a.txt": "a" });
    const meanwhile: Step = {
      command: (files) => {
        writeFileSync(join(root, ".env"), "KEY=1");
        writeFileSync(join(files, ".env"), "KEY=2");
        appendFileSync(join(files, "a.txt"), "b");
      },
    };
    const { commands } = await run(root, [meanwhile]);
    expect(commands[0]?.refused.map(({ path }) => path)).toEqual([".env"]);
    expect(snapshot(root)).toEqual({ ".env": "644 KEY=1", "a.txt": "644 ab" });
  });

  test("what a command removes or moves of the run's own new files is gone, where the run is all or nothing", async () => {
    const root = createFolder({ "a.txt": "a" });
    const made: Step = (session) => {
      session.overlay.writeFile(join(root, "n"), Buffer.from("n"));
      session.overlay.makeDirectory(join(root, "d"));
      session.overlay.writeFile(join(root, "d/m"), Buffer.from("m"));
    };
    await run(root, [made, "rm n; mv d/m d/moved"], { transaction: "all-or-nothing" });
    expect(Object.keys(snapshot(root))).toEqual(["a.txt", "d", "d/moved"]);
  });

  test.runIf(view === "overlay")("a large sparse file whose new place is refused stays where it was", async () => {
    const root = createFolder({ "img/b.txt": "b" });
    shell(root, "truncate -s 1100M img/disk");
    const { commands } = await run(root, ["mv img images"]);
    expect(commands[0]?.refused).toEqual([{ path: "images/disk", reason: "sparse" }, { path: "img/disk", reason: "moved" }]);
    expect([existsSync(join(root, "img/disk")), existsSync(join(root, "images/b.txt"))]).toEqual([true, true]);
  });

  test.each<[string, string, Record<string, RefusalReason>]>([
    ["a name that is not UTF-8", String.raw`mv d $'caf\xe9'`, { "caf\\xe9": "name", "d/a.txt": "moved", "d/e/b.txt": "moved", "d/link": "moved" }],
    ["a folder that a rule closes", "mv d .vscode", { ".vscode": "rule", "d/a.txt": "moved", "d/e/b.txt": "moved", "d/link": "moved" }],
    ["a file with new rights", "mv d/a.txt a.txt; chmod u+s a.txt", { "a.txt": "set-id", "d/a.txt": "moved" }],
    ["a closed link", "mkdir x; mv d/link x/.envrc", { "x/.envrc": "rule", "d/link": "moved" }],
    ["a file in a folder without rights", "mkdir .vscode; mv d/a.txt .vscode; chmod 0 .vscode", { ".vscode": "rule", "d/a.txt": "moved" }],
  ])("what is moved to a refused place stays where it was: %s", async (_, command, refused) => {
    const root = createFolder({ "d/a.txt": "a", "d/e/b.txt": "bb", "other.txt": "other" });
    symlinkSync("a.txt", join(root, "d/link"));
    const before = snapshot(root);
    const { commands } = await run(root, [`${command}; rm other.txt`]);
    expect(Object.fromEntries(commands[0]?.refused.map(({ path, reason }) => [path, reason]) ?? [])).toEqual(refused);
    const { "other.txt": _gone, ...rest } = before;
    expect(snapshot(root)).toMatchObject(rest);
    expect(existsSync(join(root, "other.txt"))).toBe(false);
  });

  test("a new file of the run that a command moves to a refused place stays where it was", async () => {
    const root = createFolder({ "a.txt": "a" });
    const made: Step = (session) => session.overlay.writeFile(join(root, "new.txt"), Buffer.from("new"));
    const { commands } = await run(root, [made, "mkdir .vscode; mv new.txt .vscode/tasks.json"], { transaction: "all-or-nothing" });
    expect(commands.at(-1)?.refused).toEqual([{ path: ".vscode", reason: "rule", rule: expect.anything() }, { path: "new.txt", reason: "moved" }]);
    expect(snapshot(root)).toEqual({ "a.txt": "644 a", "new.txt": "644 new" });
  });

  test("92: an overlay is not made above a file system in the project, all of whose files would look deleted", async () => {
    const root = createFolder({ "on it/a.txt": "a" });
    disk.mounted = `${root}/on\\040it`;
    const done = run(root, ["echo b > 'on it/b.txt'"]).finally(() => (disk.mounted = undefined));
    if (view === "copy") expect((await done).modifiedFiles).toEqual(["on it/b.txt"]);
    else await expect(done).rejects.toMatchObject({ failure: { code: "exec/no-view", reason: `overlay: it would hide the file system mounted at ${root}/on it` } });
    expect(foldersIn(join(projectStateFolder(root), "views"))).toEqual([]);
  });

  test("92: a FIFO of the user's stays where a command deletes its folder, and the rest is deleted", async () => {
    const root = createFolder({ "d/a.txt": "a", "b.txt": "b" });
    shell(root, "mkfifo d/pipe");
    const { commands } = await run(root, ["rm -r d; echo more >> b.txt"]);
    expect(commands[0]).toMatchObject({ changed: [{ path: "b.txt" }, { path: "d/a.txt", change: "deleted" }] });
    expect(shell(root, "ls -F d")).toBe("pipe|\n");
  });

  test("86: of names that are not UTF-8 only those are told that the command touched", async () => {
    const root = createFolder({ "a.txt": "a" });
    shell(root, String.raw`mkdir d; touch $'caf\xe9' $'d/caf\xe9'; echo b > d/b.txt`);
    const { commands } = await run(root, ["echo more >> a.txt; echo more >> d/b.txt", "rm -r d; mkdir d; echo c > d/c.txt"]);
    expect(commands.map(({ refused }) => refused.length)).toEqual([0, view === "overlay" ? 1 : 0]);
  });
});

test("where it takes long to land what a command changed, that is told, with what is quicker", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 12_000));
  const { notices } = await runCommands(createFolder(), ["echo a > a.txt; echo b > b.txt"]).finally(() => vi.restoreAllMocks());
  expect(notices.join("\n")).toMatch(/^What a command changed, 2 files, took \d+ s to reach the project, .*such as node_modules in your own terminal$/m);
});

test.skipIf(!hasSandbox)("while the project is copied for a command, that is told about once a second, with how far it is", async () => {
  const told: unknown[] = [];
  const loaf = await Loaf.create({ repoPath: createFolder({ "a.txt": "a", "b.txt": "b" }), config: { exec: { view: "copy" } }, onCopying: (copied) => void told.push(copied) });
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 1_000));
  await loaf.execute('#!nesl [@three-char-SHA-256: one]\naction = "exec"\nlang = "bash"\ncode = "true"\n#!end_one\n').finally(() => vi.restoreAllMocks());
  expect(told).toEqual([{ files: 1, bytes: 1 }, { files: 2, bytes: 2 }, undefined]);
});

test("what folders held is kept for the next command, in the state folder", async () => {
  const root = createFolder({ "d/.env": "SECRET=1" });
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
  await runCommands(root, ["true"]).finally(() => vi.restoreAllMocks());
  const kept = join(projectStateFolder(root), "listings");
  expect(readFileSync(kept, "utf8")).toContain('["f.env"]');
  await runCommands(root, ["test ! -e d/.env && echo b > d/b.txt"]);
  expect(existsSync(join(root, "d/b.txt"))).toBe(true);
});

test("a command runs without the listings, where they cannot be read", async () => {
  const root = createFolder({ "d/.env": "SECRET=1" });
  mkdirSync(join(projectStateFolder(root), "listings"), { recursive: true });
  await runCommands(root, ["test ! -e d/.env && echo b > d/b.txt"]);
  expect(existsSync(join(root, "d/b.txt"))).toBe(true);
});

test("where the command's version of what somebody else changed cannot be kept, the rest of its changes lands all the same", async () => {
  const root = createFolder({ "a.txt": "a", "b.txt": "b" });
  await runCommands(root, ["true"]);
  writeFileSync(join(projectStateFolder(root), "aside"), "in the way");
  const both: Step = { command: (files) => ["a.txt", "b.txt"].forEach((name) => (appendFileSync(join(files, name), " command"), name === "a.txt" && appendFileSync(join(root, name), " user"))) };
  const { commands, modifiedFiles, failures } = await runCommands(root, [both]);
  expect([modifiedFiles, failures, commands[0]?.warnings]).toEqual([["b.txt"], {}, ["left out of the project: a.txt (somebody else changed it while the command ran)"]]);
  expect(snapshot(root)).toEqual({ "a.txt": "644 a user", "b.txt": "644 b command" });
});

test("where the view is gone when the command ends, nothing of it lands, and that is told", async () => {
  const root = createFolder({ "a.txt": "a" });
  const before = snapshot(root);
  const ending: Step = {
    command: (files) => {
      writeFileSync(join(files, "a.txt"), "command");
      process.kill(Number(files.split("/")[2]), "SIGKILL");
      while (existsSync(files));
    },
  };
  await expect(runCommands(root, [ending], { view: "overlay" })).rejects.toMatchObject({ failure: { code: "exec/view-lost" } });
  expect(snapshot(root)).toEqual(before);
});
