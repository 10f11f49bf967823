/** What a command changes is found, listed and undone. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Reversal } from "../../../../src/core/history.ts";
import { ShadowFolder } from "../../../../src/host/shadow-folder.ts";
import { isTrusted, trust } from "../../../../src/host/trust.ts";
import { Loaf } from "../../../../src/index.ts";
import { runCommands, shell } from "../../../support/command-run.ts";
import { createFolder } from "../../../support/folder.ts";
import { snapshot } from "../../../support/sandbox.ts";

const undo = async (root: string): Promise<Reversal> => (await Loaf.create({ repoPath: root })).undo();
const redo = async (root: string): Promise<Reversal> => (await Loaf.create({ repoPath: root })).redo();
const refusedBy = ({ runs }: Reversal): string[] => runs.flatMap(({ refused }) => refused.map(({ path }) => path));

/** Runs a line, undoes it and brings it back; yields what it changed. */
async function backAndForth(root: string, line: string): Promise<readonly string[]> {
  const before = snapshot(root);
  const { commands } = await runCommands(root, [line]);
  const after = snapshot(root);
  expect(refusedBy(await undo(root))).toEqual([]);
  expect(snapshot(root)).toEqual(before);
  expect(refusedBy(await redo(root))).toEqual([]);
  expect(snapshot(root)).toEqual(after);
  expect(commands[0]?.warnings).toEqual([]);
  return commands[0]?.changed.map(({ path, change }) => `${change} ${path}`) ?? [];
}

test("what a command creates, changes and deletes is listed, and undo and redo take it back and forth", async () => {
  const root = createFolder({ "edit.txt": "old\r\n", "gone.txt": "gone", "d/deep/in.txt": "in", "same.txt": "same", "tool.sh": "echo" });
  chmodSync(join(root, "tool.sh"), 0o750);
  expect(await backAndForth(root, "printf new >> edit.txt; rm gone.txt; rm -r d; mkdir -p n/m; echo x > n/m/new.txt; touch same.txt; chmod -x tool.sh; ln -s edit.txt link")).toEqual([
    "deleted d/deep/in.txt",
    "changed edit.txt",
    "deleted gone.txt",
    "created link",
    "created n/m/new.txt",
    "changed tool.sh",
  ]);
});

test.each([
  ["a file becomes a link", "rm a.txt; ln -s b.txt a.txt"],
  ["a link becomes a file", "rm link; echo file > link"],
  ["a file becomes a directory", "rm a.txt; mkdir a.txt; echo in > a.txt/in"],
  ["a file becomes an empty directory", "rm a.txt; mkdir a.txt"],
  ["a directory becomes a file", "rm -r d; echo file > d"],
  ["a directory becomes a link to where it went", "mv d e; ln -s e d"],
  ["a file is moved and then edited in place", "mv a.txt moved.txt; echo more >> moved.txt"],
  ["two files change places", "mv a.txt x; mv b.txt a.txt; mv x b.txt"],
  ["a directory is moved with all that is in it", "mv d elsewhere"],
  ["a directory is made anew", "rm -r d; mkdir d; echo other > d/other"],
  ["the size and the time of a file stay", "echo A > new; touch -r a.txt new; cat new > a.txt; touch -r new a.txt; rm new"],
  ["names that are hard to quote", "printf x > $'new\\nline'; printf x > \"it's\"; printf x > '-n'; printf x > 'a\"b\\c'; printf x > ' '"],
  ["a file of no bytes, and one with NULs", ": > empty; head -c 100000 /dev/zero > zeros; : > a.txt"],
  ["a file of several names is changed", "ln b.txt c.txt; ln b.txt d/c.txt; echo more >> c.txt"],
  ["several names of a file are moved", "ln b.txt c.txt; ln b.txt d/c.txt; mv b.txt e.txt; mv c.txt f.txt"],
  ["a link's target changes", "ln -sfn nowhere link"],
])("undo and redo when %s", async (_, line) => {
  const root = createFolder({ "a.txt": "a", "b.txt": "b\r\n", "d/e/in.txt": "in", "d/f.txt": "f" });
  shell(root, "ln -s a.txt link");
  expect((await backAndForth(root, line)).length).toBeGreaterThan(0);
});

test("of a file with several names all are restored, but for what somebody has changed by one of them", async () => {
  const root = createFolder({ "a.txt": "a", "d/in.txt": "in" });
  shell(root, "ln a.txt b.txt; ln a.txt d/c.txt; ln d/in.txt e.txt");
  const before = snapshot(root);
  expect(await backAndForth(root, "echo more >> b.txt; rm e.txt; echo more >> d/in.txt")).toEqual(["changed a.txt", "changed b.txt", "changed d/c.txt", "changed d/in.txt", "deleted e.txt"]);
  expect(refusedBy(await undo(root))).toEqual([]);
  expect(snapshot(root)).toEqual(before);
  shell(root, "ln -f a.txt b.txt; ln -f a.txt d/c.txt");
  await runCommands(root, ["echo more >> b.txt"]);
  shell(root, "echo mine >> d/c.txt");
  expect(refusedBy(await undo(root)).length).toBe(3);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("amore\nmine\n");
});

test("a command that changes nothing leaves no run", async () => {
  const root = createFolder({ "a.txt": "a" });
  expect(await runCommands(root, ["cat a.txt; touch a.txt; ls"])).toMatchObject({ run: undefined, modifiedFiles: [], commands: [{ changed: [], warnings: [] }] });
  expect((await (await Loaf.create({ repoPath: root })).history()).runs).toEqual([]);
});

test("commands one after another, with Loaf's own writing in between, are told apart and undone as one run", async () => {
  const root = createFolder({ "a.txt": "1\n", "b.txt": "b" });
  const before = snapshot(root);
  const { commands, modifiedFiles } = await runCommands(root, [
    "echo 2 >> a.txt",
    ({ overlay }) => overlay.writeFile(join(root, "own.txt"), Buffer.from("own")),
    "echo 3 >> a.txt; echo 3 >> own.txt",
    ({ overlay }) => overlay.rename(join(root, "b.txt"), join(root, "c.txt")),
    "echo 4 >> c.txt",
    ({ overlay }) => overlay.unlink(join(root, "own.txt")),
    "cat a.txt",
  ]);
  expect(commands.map(({ changed }) => changed.map(({ path }) => path))).toEqual([["a.txt"], ["a.txt", "own.txt"], ["c.txt"], []]);
  expect(modifiedFiles).toEqual(["a.txt", "b.txt", "c.txt"]);
  expect(refusedBy(await undo(root))).toEqual([]);
  expect(snapshot(root)).toEqual(before);
});

test("what was there when the one command ended, and is gone when the next begins, is new where that makes it again", async () => {
  const root = createFolder({ "a.txt": "a" });
  const before = snapshot(root);
  const { commands } = await runCommands(root, ["echo 2 > a.txt", ({ overlay }) => overlay.unlink(join(root, "a.txt")), "echo 3 > a.txt"]);
  expect(commands).toMatchObject([
    { changed: [{ path: "a.txt", change: "changed" }], warnings: [] },
    { changed: [{ path: "a.txt", change: "created" }], warnings: [] },
  ]);
  expect(refusedBy(await undo(root))).toEqual([]);
  expect(snapshot(root)).toEqual(before);
});

describe("all or nothing", () => {
  const steps = [
    ({ overlay }: { overlay: { writeFile(path: string, bytes: Uint8Array): void } }) => overlay.writeFile(join(current, "own.txt"), Buffer.from("own")),
    "cp own.txt seen.txt; echo more >> a.txt",
    ({ overlay }: { overlay: { writeFile(path: string, bytes: Uint8Array): void } }) => overlay.writeFile(join(current, "late.txt"), Buffer.from("late")),
  ];
  let current = "";

  test("a command sees what was done before, and all of it is one run", async () => {
    current = createFolder({ "a.txt": "a" });
    const before = snapshot(current);
    const { failures, modifiedFiles } = await runCommands(current, steps, { transaction: "all-or-nothing" });
    expect(failures).toEqual({});
    expect(modifiedFiles).toEqual(["own.txt", "a.txt", "seen.txt", "late.txt"]);
    expect(snapshot(current)["seen.txt"]).toContain("own");
    await undo(current);
    expect(snapshot(current)).toEqual(before);
  });

  test("where the run is not whole, what was on the disk is taken back, the command's changes too", async () => {
    current = createFolder({ "a.txt": "a" });
    const before = snapshot(current);
    const { failures, modifiedFiles } = await runCommands(current, steps, { transaction: "all-or-nothing", isWhole: false });
    expect(failures).toEqual({ 1: "run/not-whole", 2: "run/not-whole", 3: "run/not-whole" });
    expect(modifiedFiles).toEqual([]);
    expect(snapshot(current)).toEqual(before);
  });

  test("where the last changes cannot be made, the earlier ones are taken back as well", async () => {
    current = createFolder({ "a.txt": "a" });
    const before = snapshot(current);
    const { failures } = await runCommands(current, [...steps, () => writeFileSync(join(current, "late.txt"), "somebody else's")], { transaction: "all-or-nothing" });
    expect(failures).toEqual({ 1: "run/not-whole", 2: "run/not-whole", 3: "file/changed" });
    expect(snapshot(current)).toEqual({ ...before, "late.txt": "644 somebody else's" });
  });
});

describe("security", () => {
  test("37: a command that writes loaf.yml fails the run, and the file is trusted no more", async () => {
    const root = createFolder({ "loaf.yml": "version: 1\n" });
    trust(root, "version: 1\n");
    const { failures, commands } = await runCommands(root, ["echo 'relative_paths: true' >> loaf.yml"]);
    expect(failures).toEqual({ 1: "command/config-changed" });
    expect(commands[0]?.failure).toEqual({ code: "command/config-changed" });
    expect(isTrusted(root, readFileSync(join(root, "loaf.yml"), "utf8")) || isTrusted(root, "version: 1\n")).toBe(false);
    expect((await runCommands(createFolder(), ["echo 'version: 1' > loaf.yml"])).failures).toEqual({ 1: "command/config-changed" });
  });

  test("74: where the checkpoint cannot be made, the command is not started", async () => {
    const root = createFolder({ "a.txt": "a" });
    await runCommands(root, ["true"]);
    const { path } = new ShadowFolder(root);
    rmSync(path, { recursive: true });
    // As a full disk does, and for root as well.
    writeFileSync(path, "in the way");
    await expect(runCommands(root, ["touch started"])).rejects.toMatchObject({ failure: { code: "command/no-checkpoint" } });
    expect(existsSync(join(root, "started"))).toBe(false);
  });

  test("81: undo leaves the user's repository alone: HEAD, branches and index", async () => {
    const root = repository({ "a.txt": "a" });
    const index = shell(root, "sha1sum .git/index");
    await runCommands(root, ["echo more >> a.txt; echo new > b.txt", "true"]);
    expect(shell(root, "sha1sum .git/index")).toBe(index);
    shell(root, "git add b.txt && git commit -qm newer && git checkout -q -b other");
    const before = shell(root, "cat .git/HEAD; git for-each-ref; git ls-files -s; sha1sum .git/index");
    expect(refusedBy(await undo(root))).toEqual([]);
    expect(shell(root, "cat .git/HEAD; git for-each-ref; git ls-files -s; sha1sum .git/index")).toBe(before);
    expect(existsSync(join(root, "b.txt"))).toBe(false);
  });

  test("82: what was there before and was ignored is never removed, whatever becomes of the ignore file", async () => {
    const root = createFolder({ ".gitignore": "*.log\nsecret/\n", "mine.log": "mine", "secret/key": "key", "own/.gitignore": "*\n", "own/data": "data" });
    const { commands } = await runCommands(root, ["rm .gitignore own/.gitignore; mv secret shown; mv mine.log yours.txt; echo new > new.log; echo more >> own/data"]);
    expect(commands[0]?.changed.map(({ path }) => path)).toEqual([".gitignore", "new.log"]);
    expect(commands[0]?.warnings[0]).toContain("own/data");
    expect(commands[0]?.warnings[0]).toContain("yours.txt");
    await undo(root);
    expect(snapshot(root)).toMatchObject({ "yours.txt": "644 mine", "shown/key": "644 key", "own/data": "644 datamore\n" });
    expect(existsSync(join(root, "new.log"))).toBe(false);
  });

  test("what a command hides by an ignore file of its own is told, and only that", async () => {
    const root = createFolder({ "old/.gitignore": "*.log\n", "old/mine.log": "mine" });
    const { commands } = await runCommands(root, ["mkdir -p made/target/deep; echo target/ > made/.gitignore; echo o > made/target/deep/out.o; echo s > made/main.c; echo new > old/new.log; echo '*.tmp' >> old/.gitignore; echo x > old/x.tmp"]);
    expect(commands[0]?.changed.map(({ path }) => path)).toEqual(["made/.gitignore", "made/main.c", "old/.gitignore"]);
    expect(commands[0]?.warnings).toEqual(["Not covered by undo, and changed while the command ran: made/target, old/new.log, old/x.tmp"]);
    expect((await runCommands(root, ["echo again > made/target/deep/out.o; echo again > old/other.log"])).commands[0]?.warnings).toEqual([]);
    await undo(root);
    expect(snapshot(root)).toMatchObject({ "made/target/deep/out.o": "644 again\n", "old/mine.log": "644 mine" });
  });

  test("what a repository ignores from above the root is neither copied nor undone", async () => {
    const top = repository({ ".gitignore": "node_modules/\n/pkg/*/dist\n", "pkg/app/a.txt": "a", "pkg/app/node_modules/m/index.js": "m", "pkg/app/dist/out.js": "out" });
    const root = join(top, "pkg/app");
    const { commands } = await runCommands(root, ["echo more >> a.txt; echo more >> node_modules/m/index.js; echo more >> dist/out.js; echo new > dist/new.js"]);
    expect(commands[0]).toMatchObject({ changed: [{ path: "a.txt", change: "changed" }], warnings: [] });
  });

  test("83: CRLF, filters, encodings and the executable bit come back to the byte", async () => {
    const root = repository({ ".gitattributes": "* text=auto eol=crlf\n*.bin filter=lfs\n*.u16 text working-tree-encoding=UTF-16LE\n*.id ident\n", "a.txt": "a\r\nb\nc\r\n", "b.bin": "binary", "c.u16": "u\0\r\0\n\0", "d.id": "$Id$", "run.sh": "#!/bin/sh\r\n" });
    shell(root, "git config core.autocrlf true; git config filter.lfs.clean 'tr a-z A-Z'; git config filter.lfs.required true; chmod 755 run.sh");
    await backAndForth(root, "for f in a.txt b.bin c.u16 d.id run.sh; do printf 'x\\n' >> $f; done; chmod -x run.sh");
  });

  test("files whose directory a command has replaced by a link to itself, which git cannot look at, come back", async () => {
    const root = repository({ "d/a.txt": "a", "d/e/b.sh": "#!/bin/sh\n" });
    shell(root, "chmod 755 d/e/b.sh");
    expect(await backAndForth(root, "rm -r d; ln -s d/x d")).toEqual(["created d", "deleted d/a.txt", "deleted d/e/b.sh"]);
  });

  test("84: a repository within the project that a command changes is told to be not covered, and only then", async () => {
    const root = repository({ "a.txt": "a" });
    shell(root, "mkdir sub fresh && git -C sub init -q && echo s > sub/s.txt && git -C fresh init -q && echo n > fresh/n.txt");
    expect((await runCommands(root, ["echo more >> a.txt; git -C sub status"])).commands[0]?.warnings).toEqual([]);
    const { commands, modifiedFiles } = await runCommands(root, ["echo more >> sub/s.txt; git init -q third; rm -r fresh"]);
    expect(commands[0]?.warnings).toEqual(["Not covered by undo, and changed while the command ran: fresh, sub, third"]);
    expect(modifiedFiles).toEqual([]);
  });

  test("while checkpoints are made, nothing of the user's repository runs, and it is not changed", async () => {
    const root = repository({ ".gitattributes": "* filter=trap\n", "a.txt": "a" });
    const trap = join(createFolder(), "sprung");
    const script = `#!/bin/sh\necho "$0" >> '${trap}'\ncat\n`;
    for (const hook of ["pre-commit", "post-index-change", "fsmonitor-watchman", "post-checkout"]) writeFileSync(join(root, ".git/hooks", hook), script, { mode: 0o755 });
    writeFileSync(join(root, ".git/trap"), script, { mode: 0o755 });
    shell(root, `git config core.fsmonitor .git/trap; git config filter.trap.clean .git/trap; git config filter.trap.smudge .git/trap; git config diff.external .git/trap`);
    const before = snapshot(join(root, ".git"));
    const [...variables] = [["GIT_DIR", join(root, ".git")], ["GIT_INDEX_FILE", join(root, ".git/index")], ["GIT_CONFIG_COUNT", "1"], ["GIT_CONFIG_KEY_0", "core.fsmonitor"], ["GIT_CONFIG_VALUE_0", join(root, ".git/trap")]];
    for (const [name = "", value] of variables) process.env[name] = value;
    try {
      await runCommands(root, ["echo more >> a.txt; echo new > b.txt", "rm b.txt"]);
    } finally {
      for (const [name = ""] of variables) delete process.env[name];
    }
    expect(existsSync(trap)).toBe(false);
    expect(snapshot(join(root, ".git"))).toEqual(before);
  });
});

test("83: permissions come back as they were, of files and of folders, also where nothing but them was changed", async () => {
  const root = createFolder({ "key": "secret", "tool": "echo", "group.txt": "shared", "private/in/key": "secret", "usual.txt": "usual" });
  shell(root, "chmod 600 key; chmod 700 tool private; chmod 664 group.txt; chmod 2750 private/in; chmod 640 private/in/key");
  expect(await backAndForth(root, "rm -r key tool private group.txt")).toEqual(["deleted group.txt", "deleted key", "deleted private/in/key", "deleted tool"]);
  await undo(root);
  expect(await backAndForth(root, "mv private open; chmod 644 key; chmod 755 tool; echo more >> group.txt; chmod 644 group.txt")).toEqual([
    "changed group.txt",
    "changed key",
    "created open/in/key",
    "deleted private/in/key",
    "changed tool",
  ]);
  await undo(root);
  // What the user has changed since, and one command before the next, counts as well.
  shell(root, "chmod 400 usual.txt; chmod 644 key");
  expect(await backAndForth(root, "rm -f usual.txt key")).toEqual(["deleted key", "deleted usual.txt"]);
  await undo(root);
  await runCommands(root, ["chmod 600 usual.txt", "rm usual.txt"]);
  await undo(root);
  expect(shell(root, "stat -c %a usual.txt").trim()).toBe("400");
});

test("what one command did is not told of the next, though git sees neither a time nor a size of it", async () => {
  const root = createFolder({ "a.txt": "ab", "b.txt": "b" });
  const before = snapshot(root);
  const swap = "touch -r moved.txt when; printf ba > moved.txt; touch -r when moved.txt; rm when";
  const { commands } = await runCommands(root, ["touch -d '1 hour ago' a.txt; mv a.txt moved.txt", swap, "echo 2 > b.txt", "echo 3 > b.txt"]);
  expect(commands.map(({ changed }) => changed.map(({ path }) => path))).toEqual([["a.txt", "moved.txt"], ["moved.txt"], ["b.txt"], ["b.txt"]]);
  expect(refusedBy(await undo(root))).toEqual([]);
  expect(snapshot(root)).toEqual(before);
});

test("83: a folder comes back with the permissions that it had last, also where nothing in it was changed since", async () => {
  const root = createFolder({ "private/in/key": "secret", "other/a.txt": "a" });
  await runCommands(root, ["true"]);
  shell(root, "chmod 700 private; chmod 750 private/in");
  expect(await backAndForth(root, "rm -r private")).toEqual(["deleted private/in/key"]);
  await undo(root);
  expect(shell(root, "stat -c %a private private/in")).toBe("700\n750\n");
});

test("83: what a command adds that makes a program run as somebody else is found and taken back; what was there stays", async () => {
  const root = createFolder({ tool: "echo", other: "echo", own: "echo" });
  shell(root, "chmod 755 tool other; chmod 2755 own");
  await runCommands(root, ["true"]);
  const { commands } = await runCommands(root, ["chmod u+s tool; echo more >> other; chmod u+s,g+s other; echo more >> own; chmod 2755 own"]);
  expect(commands[0]?.changed.map(({ path }) => path)).toEqual(["other", "own", "tool"]);
  expect(shell(root, "stat -c %a tool other own")).toBe("4755\n6755\n2755\n");
  expect(refusedBy(await undo(root))).toEqual([]);
  expect(shell(root, "stat -c %a tool other own")).toBe("755\n755\n2755\n");
  expect(refusedBy(await redo(root))).toEqual([]);
  expect(shell(root, "stat -c %a tool other own")).toBe("4755\n6755\n2755\n");
});

test("the permissions that a shadow knows are found again whatever the user's mask is by then, and where they are lost all is looked at again", async () => {
  const root = createFolder({ "a.txt": "a", "b.txt": "b" });
  shell(root, "chmod 600 b.txt");
  await runCommands(root, ["true"]);
  const mask = process.umask(0o077);
  try {
    expect(await backAndForth(root, "rm a.txt b.txt")).toEqual(["deleted a.txt", "deleted b.txt"]);
  } finally {
    process.umask(mask);
  }
  await undo(root);
  await runCommands(root, ["true"]);
  rmSync(join(new ShadowFolder(root).path, "modes"));
  expect(await backAndForth(root, "rm a.txt b.txt")).toEqual(["deleted a.txt", "deleted b.txt"]);
});

test("what the user has changed since is refused, and stays", async () => {
  const root = createFolder({ "a.txt": "a", "b.txt": "b" });
  await runCommands(root, ["echo 1 >> a.txt; echo 1 >> b.txt; echo new > c.txt"]);
  writeFileSync(join(root, "a.txt"), "the user's");
  writeFileSync(join(root, "c.txt"), "the user's");
  expect(refusedBy(await undo(root)).toSorted()).toEqual([join(root, "a.txt"), join(root, "c.txt")]);
  expect(snapshot(root)).toEqual({ "a.txt": "644 the user's", "b.txt": "644 b", "c.txt": "644 the user's" });
});

test("what is changed between two runs is no command's", async () => {
  const root = createFolder({ "a.txt": "a", "b.txt": "b" });
  await runCommands(root, ["echo 1 >> a.txt"]);
  writeFileSync(join(root, "b.txt"), "the user's");
  expect((await runCommands(root, ["echo 2 >> a.txt"])).modifiedFiles).toEqual(["a.txt"]);
  await undo(root);
  expect(snapshot(root)).toEqual({ "a.txt": "644 a1\n", "b.txt": "644 the user's" });
});

test("a file is put back where its directory was emptied by the one command and moved by the next, or removed by the user", async () => {
  const root = createFolder({ "d/e/in.txt": "in", "a.txt": "a" });
  const before = snapshot(root);
  await runCommands(root, ["mv d/e/in.txt a.txt", "mv d/e elsewhere"]);
  shell(root, "rmdir elsewhere d");
  const now = snapshot(root);
  expect(refusedBy(await undo(root))).toEqual([]);
  expect(snapshot(root)).toEqual(before);
  expect(refusedBy(await redo(root))).toEqual([]);
  expect(snapshot(root)).toEqual(now);
});

test("a file is put back where the one command emptied its directory, and the next put a file or a link in that one's place", async () => {
  for (const next of ["rmdir d/e; echo x > d/e", "rmdir d/e; ln -s b d/e", "rm -r d; echo x > d"]) {
    const root = createFolder({ "d/e/a": "a", "d/b": "b" });
    const before = snapshot(root);
    await runCommands(root, ["mv d/e/a a", next]);
    expect([next, refusedBy(await undo(root)), snapshot(root)]).toEqual([next, [], before]);
  }
});

test("a file is put back where the one command made an empty directory in its place, and the next removed that with all above it", async () => {
  const root = createFolder({ "d/e/a": "a", "d/b": "b" });
  const before = snapshot(root);
  await runCommands(root, ["mv d moved; mkdir -p d/e/a", "rm -r d"]);
  const after = snapshot(root);
  expect([refusedBy(await undo(root)), snapshot(root)]).toEqual([[], before]);
  expect([refusedBy(await redo(root)), snapshot(root)]).toEqual([[], after]);
});

test("a file is put back where the one command removed it, and the next moved a directory to that place that it had put something into", async () => {
  for (const next of ["rm -r d/e; echo x > d/e; mv d a", "rm d/b; mv d a", "mv d a; mkdir d; echo x > d/x", "mv d a; echo x > a/x"]) {
    const root = createFolder({ a: "a", "d/b": "b", "d/e/c": "c" });
    const before = snapshot(root);
    await runCommands(root, ["rm a", next]);
    expect([next, refusedBy(await undo(root)), snapshot(root)]).toEqual([next, [], before]);
  }
});

test("files are put back into a directory that stays, since something is left in it that was not told of", async () => {
  const root = createFolder({ "d/b": "b", "d/e/c": "c" });
  const before = snapshot(root);
  await runCommands(root, ["rm -r d", "mkdir -p d/e; echo x > d/x"]);
  expect([refusedBy(await undo(root)), snapshot(root)]).toEqual([[], before]);
});

test("an empty directory stays into which a command has moved another one", async () => {
  const root = createFolder({ "d/b": "b", "d/e/c": "c" });
  mkdirSync(join(root, "there"));
  const before = snapshot(root);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await runCommands(root, ["mv d/e there"]);
  expect([refusedBy(await undo(root)), snapshot(root)]).toEqual([[], before]);
});

test("a file is put back where a command removed its emptied directory, Loaf made that anew, and undo removes it first", async () => {
  const root = createFolder({ "d/e/a": "a", "d/b": "b" });
  const before = snapshot(root);
  await runCommands(root, [
    ({ overlay }) => overlay.rename(join(root, "d/e/a"), join(root, "a")),
    "rm -r d",
    ({ overlay }) => (overlay.makeDirectory(join(root, "d")), overlay.makeDirectory(join(root, "d/e"))),
    "echo more >> a",
  ]);
  const after = snapshot(root);
  expect([refusedBy(await undo(root)), snapshot(root)]).toEqual([[], before]);
  expect([refusedBy(await redo(root)), snapshot(root)]).toEqual([[], after]);
});

test("what commands made in the place of a folder that Loaf had moved away comes back with a redo, though the folder had the like", async () => {
  const root = createFolder({ "d/e/a": "a", b: "b" });
  const before = snapshot(root);
  await runCommands(root, [({ overlay }) => overlay.rename(join(root, "d"), join(root, "moved")), "mkdir d; echo 1 > d/e", "echo 2 > d/e"]);
  const after = snapshot(root);
  expect([refusedBy(await undo(root)), snapshot(root)]).toEqual([[], before]);
  expect([refusedBy(await redo(root)), snapshot(root)]).toEqual([[], after]);
});

test("a directory that was there and empty stays, one that the command made goes", async () => {
  const root = createFolder();
  mkdirSync(join(root, "there"));
  await new Promise((resolve) => setTimeout(resolve, 20));
  await runCommands(root, ["mkdir made; echo x > there/x; echo x > made/x"]);
  await undo(root);
  expect(snapshot(root)).toEqual({ there: "755 directory" });
});

test("what a crash has left in the shadow heals", async () => {
  const root = createFolder({ "a.txt": "a" });
  await runCommands(root, ["true"]);
  const { path } = new ShadowFolder(root);
  // Where it can go on, it does not begin anew.
  writeFileSync(join(path, "own"), "");
  writeFileSync(join(path, "index.lock"), "");
  writeFileSync(join(root, "a.txt"), "changed, so that the index has to be written");
  await runCommands(root, ["true"]);
  expect(existsSync(join(path, "own"))).toBe(true);
  for (const damage of [ () => writeFileSync(join(path, "index"), "torn"), () => rmSync(join(path, "objects"), { recursive: true })]) {
    damage();
    writeFileSync(join(root, "a.txt"), `a${Math.random()}`);
    const before = snapshot(root);
    await runCommands(root, ["echo more >> a.txt"]);
    await undo(root);
    expect(snapshot(root)).toEqual(before);
  }
});

test("what the shadow no longer needs is dropped now and then", async () => {
  const root = createFolder({ "big.bin": Buffer.alloc(2 ** 20) });
  const folder = new ShadowFolder(root);
  await runCommands(root, ["head -c 34000000 /dev/urandom > big.bin"]);
  await runCommands(root, ["head -c 34000000 /dev/urandom > big.bin"]);
  await runCommands(root, ["head -c 1000 /dev/urandom > big.bin"]);
  expect(folder.growth()).toBeLessThan(2 ** 20);
  expect(Number(shell(folder.path, "du -sm objects | cut -f1"))).toBeLessThan(60);
});

function repository(files: Readonly<Record<string, string>>): string {
  const root = createFolder(files);
  shell(root, "git init -q . && git config user.name t && git config user.email t@example.com && git add -A && git commit -qm first");
  return root;
}
