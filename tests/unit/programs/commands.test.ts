/** What a command changes is found, listed and undone. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Reversal } from "../../../src/core/history.ts";
import { projectStateFolder } from "../../../src/state/places.ts";
import { isTrusted, trust } from "../../../src/trust/trust.ts";
import { Loaf } from "../../../src/index.ts";
import { runCommands, shell } from "../../support/command-run.ts";
import { createFolder } from "../../support/folder.ts";
import { snapshot } from "../../support/sandbox.ts";

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

test("one name of a file is changed and another one removed, among what takes several steps", async () => {
  const root = createFolder({ "a.txt": "a" });
  shell(root, "ln a.txt hard; ln -s x link");
  expect(await backAndForth(root, "rm link; mkdir link; echo in > link/in; echo more >> a.txt; rm hard; ln a.txt other")).toEqual(["changed a.txt", "deleted hard", "deleted link", "created link/in", "created other"]);
});

test("89: other names of a file that a command changes keep their bytes, in the project and outside", async () => {
  const [root, outside] = [createFolder({ "a.txt": "a", "d/in.txt": "in" }), createFolder({ "kept.txt": "kept" })];
  shell(root, `ln a.txt b.txt; ln ${outside}/kept.txt shared.txt`);
  const before = [snapshot(root), snapshot(outside), shell(outside, "stat -c '%Y %a' kept.txt")];
  expect(await backAndForth(root, "echo more >> b.txt; echo more >> shared.txt; chmod 600 shared.txt")).toEqual(["changed b.txt", "changed shared.txt"]);
  expect(snapshot(root)).toMatchObject({ "a.txt": "644 a", "b.txt": "644 amore\n", "shared.txt": "600 keptmore\n" });
  expect(snapshot(outside)).toEqual(before[1]);
  await undo(root);
  expect([snapshot(root), snapshot(outside), shell(outside, "stat -c '%Y %a' kept.txt")]).toEqual(before);
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
  test("37: a command that writes loaf.yml, replaces or removes it changes it on its view alone, and is told", async () => {
    const root = createFolder({ "loaf.yml": "version: 1\n" });
    trust(root, "version: 1\n");
    for (const line of ["echo 'relative_paths: true' >> loaf.yml", "echo x > x; mv x loaf.yml", "rm loaf.yml"]) {
      const { commands, failures } = await runCommands(root, [line]);
      expect([line, failures, commands[0]?.warnings]).toEqual([line, {}, ["left out of the project: loaf.yml (deny ./loaf.yml)"]]);
    }
    expect(isTrusted(root, readFileSync(join(root, "loaf.yml"), "utf8"))).toBe(true);
    const empty = createFolder();
    expect((await runCommands(empty, ["echo 'version: 1' > loaf.yml"])).commands[0]?.warnings).toEqual(["left out of the project: loaf.yml (deny ./loaf.yml)"]);
    expect(snapshot(empty)).toEqual({});
  });

  test("74: where no view can be made, the command is not started", async () => {
    const root = createFolder({ "a.txt": "a" });
    await runCommands(root, ["true"]);
    const views = join(projectStateFolder(root), "views");
    rmSync(views, { recursive: true });
    // As a full disk does, and for root as well.
    writeFileSync(views, "in the way");
    await expect(runCommands(root, ["touch started"])).rejects.toMatchObject({ failure: { code: "exec/no-view" } });
    expect(existsSync(join(root, "started"))).toBe(false);
  });

  test("82, 88: what is ignored is covered as all else, whatever becomes of the ignore file", async () => {
    const root = createFolder({ ".gitignore": "*.log\nsecret/\n", "mine.log": "mine", "secret/key": "key", "own/.gitignore": "*\n", "own/data": "data", "src/a.txt": "a" });
    const before = snapshot(root);
    expect(await backAndForth(root, "rm .gitignore own/.gitignore; mv secret shown; mv mine.log yours.txt; echo new > new.log; echo more >> own/data")).toHaveLength(8);
    await undo(root);
    expect(await backAndForth(root, "echo '*' > .gitignore; rm -rf src secret; echo x > x")).toEqual(["changed .gitignore", "deleted secret/key", "deleted src/a.txt", "created x"]);
    await undo(root);
    expect(snapshot(root)).toEqual(before);
  });

  test("84: files of a repository within the project land and are undone like others, and its .git never changes", async () => {
    const root = repository({ "a.txt": "a" });
    shell(root, "mkdir sub && git -C sub init -q && echo s > sub/s.txt && git -C sub add . && git -C sub -c user.name=t -c user.email=t@t commit -qm s");
    const git = snapshot(join(root, "sub/.git"));
    const { commands } = await runCommands(root, ["echo more >> sub/s.txt; echo n > sub/n.txt; mkdir -p third/.git; echo x > third/.git/config; rm -r sub/.git"]);
    expect(commands[0]?.changed.map(({ path }) => path)).toEqual(["sub/n.txt", "sub/s.txt", "third/"]);
    expect(commands[0]?.warnings.join()).toContain("third/.git");
    await undo(root);
    expect([readFileSync(join(root, "sub/s.txt"), "utf8"), snapshot(join(root, "sub/.git")), existsSync(join(root, "third/.git"))]).toEqual(["s\n", git, false]);
  });

  test("87: a repository that a command moves stays whole where it was", async () => {
    const root = repository({ "a.txt": "a" });
    shell(root, "mkdir -p nested && git -C nested init -q && echo s > nested/s.txt");
    const before = snapshot(root);
    for (const line of ["mv nested vendor", "cp -a nested vendor; rm -rf nested", "mkdir deep; mv nested deep/x"]) {
      const { commands } = await runCommands(root, [line]);
      expect([line, commands[0]?.warnings.join().includes("commands cannot move or make repositories")]).toEqual([line, true]);
      expect([line, snapshot(join(root, "nested")), existsSync(join(root, "vendor"))]).toEqual([line, snapshot(join(root, "nested")), false]);
      await undo(root).catch(() => {});
      expect([line, snapshot(root)]).toEqual([line, before]);
    }
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

  test("while commands run, nothing of the user's repository runs, and it is not changed", async () => {
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

test("83: a folder comes back with the permissions that it had last, also where nothing in it has changed since", async () => {
  const root = createFolder({ "private/in/key": "secret", "other/a.txt": "a" });
  await runCommands(root, ["true"]);
  shell(root, "chmod 700 private; chmod 750 private/in");
  expect(await backAndForth(root, "rm -r private")).toEqual(["deleted private/in/key"]);
  await undo(root);
  expect(shell(root, "stat -c %a private private/in")).toBe("700\n750\n");
});

test("91: setuid and setgid files, FIFOs, sockets and bare repositories never land", async () => {
  const root = createFolder({ tool: "echo", own: "echo" });
  shell(root, "chmod 755 tool; chmod 2755 own");
  const before = snapshot(root);
  const bare = "mkdir bare bare/objects bare/refs; echo 'ref: refs/heads/main' > bare/HEAD; echo '[core] fsmonitor = touch sprung' > bare/config";
  const { commands } = await runCommands(root, [`chmod u+s tool; cp tool new; chmod g+s new; mkfifo pipe; ${bare}; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("sock")'`, "echo more >> own; chmod 2755 own"]);
  expect(commands.map(({ changed }) => changed.map(({ path }) => path))).toEqual([[], ["own"]]);
  for (const name of ["tool", "new", "pipe", "sock", "bare"]) expect(commands[0]?.warnings.join("\n")).toContain(name);
  expect(shell(root, "stat -c %a tool own; ls")).toBe("755\n2755\nown\ntool\n");
  await undo(root);
  expect(snapshot(root)).toEqual(before);
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

function repository(files: Readonly<Record<string, string>>): string {
  const root = createFolder(files);
  shell(root, "git init -q . && git config user.name t && git config user.email t@example.com && git add -A && git commit -qm first");
  return root;
}
