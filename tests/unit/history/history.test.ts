import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Reversal } from "../../../src/core/history.ts";
import { Loaf } from "../../../src/index.ts";
import { journalFolder } from "../../../src/history/turn.ts";
import { logPath } from "../../../src/journal/log.ts";
import { historyReport, reversalReport } from "../../../src/report/history.ts";
import { encodeRecord } from "../../../src/journal/log.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import type { Session } from "../../../src/run/session.ts";
import { bundle } from "../../support/bundle.ts";
import { runCommands } from "../../support/command-run.ts";
import { createFolder } from "../../support/folder.ts";
import { snapshot } from "../../support/sandbox.ts";

let root: string;
let loaf: Loaf;
beforeEach(async () => {
  vi.stubEnv("XDG_STATE_HOME", createFolder());
  root = createFolder({ "a.txt": "a one\n", "b.txt": "b one\n", "dir/c.txt": "c one\n" });
  // These tests expect reports about files only, also in a repository.
  loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, gitCommit: false });
});

const block = (action: string, properties: Readonly<Record<string, string>>) => printBlock("abc", { action, ...properties });
const write = (path: string, content: string) => block("file_write", { path, content });
const move = (from: string, to: string) => block("file_move", { old_path: from, new_path: to });
const remove = (path: string) => block("file_delete", { path });
const run = async (...blocks: string[]) => {
  const result = await loaf.execute(blocks.join("\n"));
  expect(result.results.map(({ error }) => error)).toEqual(blocks.map(() => undefined));
  return result;
};
const told = ({ runs }: Reversal) =>
  runs.map(({ run: number, restored, refused }) => [
    number,
    restored.map(({ path, how, from }) => `${how} ${from === undefined ? "" : `${from.slice(root.length + 1)} to `}${path.slice(root.length + 1)}`),
    ...(refused.length === 0 ? [] : [refused.map(({ path, reason }) => `${path.slice(root.length + 1)}: ${reason}`)]),
  ]);
const states = async () => (await loaf.history()).runs.map(({ run: number, state, kept = [] }) => `${number} ${state}${kept.map((path) => ` -${path.slice(root.length + 1)}`).join("")}`);

describe("a run whose command works on the files themselves", () => {
  const exec = (code: string, lang = "bash") => block("exec", { lang, code });
  const free = () => Loaf.create({ repoPath: root, config: { relative_paths: true, exec: { sandbox: "off" } }, gitCommit: false });

  test("says that a program is missing", async () => {
    const path = process.env["PATH"];
    vi.stubEnv("PATH", createFolder());
    const { results } = await (await free()).execute(exec("puts 1", "ruby"));
    vi.stubEnv("PATH", path);
    expect(results.map(({ error, code }) => [code, error])).toEqual([["exec/not-found", "exec: ruby not found in PATH (ENOENT)"]]);
  });

  test("is in the log, and undo skips it only when told how many runs to undo", async () => {
    await run(write("a.txt", "a two"));
    await (await free()).execute(exec("echo its > a.txt"));
    expect((await loaf.history()).runs.map(({ run: number, summary }) => `${number} ${summary}`)).toEqual(["2 run commands without a sandbox, which cannot be undone", "1 write a.txt"]);
    for (let time = 0; time < 2; time++) {
      const reversal = await loaf.undo();
      expect(told(reversal)).toEqual([[2, [], [expect.stringContaining("ran without a sandbox")]]]);
      expect(reversalReport(reversal, { root, color: false })).toMatch(/^Not undone: run 2 .*\n.*\nTo undo an earlier run: loaf undo 1$/);
      expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("its\n");
    }
    writeFileSync(join(root, "a.txt"), "a two");
    expect(told(await loaf.undo({ last: 2 })).at(-1)).toEqual([1, ["restored a.txt"]]);
  });

  test("is undone except for the changes of the command", async () => {
    await (await free()).execute(`${write("a.txt", "a two")}\n${exec("echo its > b.txt")}`);
    const { runs, notices } = await loaf.undo();
    expect([told({ kind: "undo", runs, missing: 0, notices }), notices]).toEqual([[[1, ["restored a.txt"]]], [expect.stringContaining("Run 1 also ran a command without a sandbox")]]);
  });

  test("leaves no log if the program was not found", async () => {
    const path = process.env["PATH"];
    vi.stubEnv("PATH", createFolder());
    expect((await (await free()).execute(exec("true"))).results[0]?.code).toBe("exec/not-found");
    vi.stubEnv("PATH", path);
    expect((await loaf.history()).runs).toEqual([]);
  });
});

describe("undo", () => {
  test("reports the result for each path", async () => {
    await run(write("a.txt", "a two"), write("new/deep/d.txt", "d"), move("b.txt", "dir/b.txt"), remove("dir/c.txt"));
    expect(told(await loaf.undo())).toEqual([
      [1, ["restored dir/c.txt", "moved dir/b.txt to b.txt", "removed new/deep/d.txt", "removed new/deep", "removed new", "restored a.txt"]],
    ]);
  });

  test("moves a directory back without the files that others added to it", async () => {
    await run(move("dir", "moved"));
    writeFileSync(join(root, "moved/own.txt"), "mine");
    expect(told(await loaf.undo())).toEqual([[1, ["moved moved to dir", "kept moved"]]]);
    expect(readFileSync(join(root, "moved/own.txt"), "utf8")).toBe("mine");
  });

  describe("after somebody removed a folder", () => {
    const gone = (path: string) => rmSync(join(root, path), { recursive: true });

    test.each(["new/deep/d.txt", "new/deep", "new"])("what the run made in %s needs no removal", async (removed) => {
      const before = snapshot(root);
      await run(write("new/deep/d.txt", "d"));
      gone(removed);
      const undone = ["new/deep/d.txt", "new/deep", "new"].map((path) => `${path.startsWith(removed) ? "unchanged" : "removed"} ${path}`);
      expect(told(await loaf.undo())).toEqual([[1, undone]]);
      expect(snapshot(root)).toEqual(before);
    });

    test("restores a file that the run had replaced by a folder", async () => {
      const before = snapshot(root);
      await run(remove("a.txt"), write("a.txt/in/x.txt", "x"));
      gone("a.txt");
      expect(told(await loaf.undo())).toEqual([[1, ["unchanged a.txt/in/x.txt", "unchanged a.txt/in", "restored a.txt"]]]);
      expect(snapshot(root)).toEqual(before);
    });

    test("restores files that the run moved out of it", async () => {
      const before = snapshot(root);
      await run(write("dir/e.txt", "e"));
      const between = snapshot(root);
      await run(remove("dir/c.txt"), move("dir/e.txt", "e.txt"));
      const after = snapshot(root);
      gone("dir");
      expect(told(await loaf.undo())).toEqual([[2, ["restored dir", "moved e.txt to dir/e.txt", "restored dir/c.txt"]]]);
      expect(snapshot(root)).toEqual(between);
      await loaf.redo();
      expect(Object.keys(after).filter((path) => path !== "dir")).toEqual(Object.keys(snapshot(root)));
      await loaf.undo({ last: 2 });
      expect(snapshot(root)).toEqual(before);
    });

    test("keeps what has replaced it, and refuses only that", async () => {
      await run(write("new/deep/d.txt", "d"), write("b.txt", "b two"));
      gone("new");
      writeFileSync(join(root, "new"), "mine");
      expect(told(await loaf.undo())).toEqual([[1, ["restored b.txt", "unchanged new/deep/d.txt", "unchanged new/deep"], ["new: it has changed since"]]]);
      expect(readFileSync(join(root, "new"), "utf8")).toBe("mine");
    });

    test("does not recreate a file that the run had changed", async () => {
      await run(write("dir/c.txt", "c two"));
      gone("dir");
      expect(told(await loaf.undo())).toEqual([[1, [], ["dir/c.txt: it has changed since"]]]);
      expect(existsSync(join(root, "dir"))).toBe(false);
    });
  });

  // Text is merged. Earlier versions refused such a file.
  test("77: moves a file back with its later change", async () => {
    await run(move("a.txt", "moved.txt"), write("b.txt", "b two"));
    appendFileSync(join(root, "moved.txt"), "mine");
    expect(told(await loaf.undo())).toEqual([[1, ["restored b.txt", "moved moved.txt to a.txt"]]]);
    expect([readFileSync(join(root, "a.txt"), "utf8"), existsSync(join(root, "moved.txt"))]).toEqual(["a one\nmine", false]);
    await loaf.redo();
    expect([readFileSync(join(root, "moved.txt"), "utf8"), existsSync(join(root, "a.txt"))]).toEqual(["a one\nmine", false]);
  });

  describe("77: a file edited since", () => {
    const lines = (...all: readonly (number | string)[]) => all.map((one) => `${one}\n`).join("");
    const replaceLine = (from: string, to: string) => block("file_replace_text", { path: "n.txt", old_text: from, new_text: to });
    const edit = (from: string, to: string) => writeFileSync(join(root, "n.txt"), readFileSync(join(root, "n.txt"), "latin1").replace(from, to), "latin1");
    const content = () => readFileSync(join(root, "n.txt"), "latin1");
    beforeEach(() => writeFileSync(join(root, "n.txt"), lines(1, 2, 3, 4, 5, 6)));

    test("keeps the edit if it is apart from the run's, and redo restores the run's", async () => {
      await run(replaceLine("2", "two"), write("b.txt", "b two"));
      edit("5", "mine");
      expect(told(await loaf.undo())).toEqual([[1, ["restored b.txt", "merged n.txt"]]]);
      expect(content()).toBe(lines(1, 2, 3, 4, "mine", 6));
      edit("6", "mine too");
      expect(told(await loaf.redo())).toEqual([[1, ["merged n.txt", "restored b.txt"]]]);
      expect(content()).toBe(lines(1, "two", 3, 4, "mine", "mine too"));
      await loaf.undo();
      expect(content()).toBe(lines(1, 2, 3, 4, "mine", "mine too"));
    });

    test.each([
      ["the same line", "two", "mine"],
      ["the line above", "1\n", "mine\n"],
      ["the line below", "3", "mine"],
    ])("is refused and unchanged if both touched %s", async (_, from, to) => {
      await run(replaceLine("2", "two"), write("b.txt", "b two"));
      edit(from, to);
      const left = content();
      expect(told(await loaf.undo())).toEqual([[1, ["restored b.txt"], ["n.txt: it has changed since"]]]);
      expect(content()).toBe(left);
    });

    test("is refused if its line endings were converted", async () => {
      await run(replaceLine("2", "two"));
      writeFileSync(join(root, "n.txt"), content().replaceAll("\n", "\r\n"));
      expect(told(await loaf.undo())).toEqual([[1, [], ["n.txt: it has changed since"]]]);
    });

    test("is refused if it is binary", async () => {
      writeFileSync(join(root, "n.txt"), Buffer.from(`${lines(1, 2, 3, 4)}\0`));
      await run(replaceLine("2", "two"));
      edit("4", "four");
      expect(told(await loaf.undo())).toEqual([[1, [], ["n.txt: it has changed since"]]]);
    });

    test("keeps permissions that only the user changed", async () => {
      await run(replaceLine("2", "two"));
      chmodSync(join(root, "n.txt"), 0o755);
      await loaf.undo();
      expect(snapshot(root)["n.txt"]).toBe(`755 ${lines(1, 2, 3, 4, 5, 6)}`);
    });
  });

  test.each<[what: string, act: () => void]>([
    ["bytes", () => appendFileSync(join(root, "a.txt"), "x")],
    ["bytes of the same number", () => writeFileSync(join(root, "a.txt"), "A two")],
    ["a link in its place", () => (unlinkSync(join(root, "a.txt")), symlinkSync("b.txt", join(root, "a.txt")))],
    ["a directory in its place", () => (unlinkSync(join(root, "a.txt")), mkdirSync(join(root, "a.txt")))],
    ["nothing in its place", () => unlinkSync(join(root, "a.txt"))],
  ])("77: refuses a changed file: %s", async (_, act) => {
    await run(write("a.txt", "a two"), write("b.txt", "b two"));
    act();
    const before = snapshot(root);
    expect(told(await loaf.undo())).toEqual([[1, ["restored b.txt"], ["a.txt: it has changed since"]]]);
    expect(snapshot(root)).toEqual({ ...before, "b.txt": "644 b one\n" });
  });

  test("77: keeps a file created since in the place of one that the run deleted", async () => {
    await run(remove("a.txt"));
    writeFileSync(join(root, "a.txt"), "mine");
    expect(told(await loaf.undo())).toEqual([[1, [], ["a.txt: it has changed since"]]]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("mine");
    expect(await states()).toEqual(["1 done"]);
  });

  test("77: leaves a file that the run moved there and back, and that somebody has edited since", async () => {
    await run(write("b.txt", "b two"), move("a.txt", "dir/a.txt"), move("dir/a.txt", "a.txt"));
    writeFileSync(join(root, "a.txt"), "mine");
    expect(told(await loaf.undo())).toEqual([[1, ["restored b.txt"]]]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("mine");
  });

  test("77: does not restore a file that the run deleted and recreated, and that was deleted since", async () => {
    await run(remove("a.txt"), write("a.txt", "a two"), write("b.txt", "b two"));
    unlinkSync(join(root, "a.txt"));
    expect(told(await loaf.undo())).toEqual([[1, ["restored b.txt"], ["a.txt: it has changed since"]]]);
    expect(existsSync(join(root, "a.txt"))).toBe(false);
  });

  test("77: keeps a directory that the run made and removed, and that somebody has created since", async () => {
    await run(block("dir_create", { path: "d/new" }), write("a.txt", "a one"), block("dir_delete", { path: "d/new" }), write("a.txt", "a two"));
    mkdirSync(join(root, "d/new"), { recursive: true });
    expect(told(await loaf.undo())).toEqual([[1, ["restored a.txt", "kept d"]]]);
    expect(existsSync(join(root, "d/new"))).toBe(true);
  });

  test("77: redo restores what a run moved along with a directory, and what it made in its place", async () => {
    await run(move("a.txt", "d/e/a"));
    await run(move("d", "g/h"), write("d/e/a", "a"));
    const after = snapshot(root);
    await loaf.undo();
    expect(told(await loaf.redo())[0]?.[2]).toBeUndefined();
    expect(snapshot(root)).toEqual(after);
  });

  test("restores each of three files that took another's place", async () => {
    const before = snapshot(root);
    await run(move("dir/c.txt", "dir/d.txt"), move("a.txt", "dir/c.txt"), move("b.txt", "a.txt"));
    await loaf.undo();
    expect(snapshot(root)).toEqual(before);
  });

  test("77: keeps two swapped files if one of them was changed since", async () => {
    await run(move("a.txt", "t"), move("b.txt", "a.txt"), move("t", "b.txt"), write("new", "x"));
    appendFileSync(join(root, "a.txt"), "mine");
    const before = snapshot(root);
    const hangs = `b.txt: it depends on ${join(root, "a.txt")}, which has changed since`;
    expect(told(await loaf.undo())).toEqual([[1, ["removed new"], ["a.txt: it has changed since", hangs]]]);
    const { new: _, ...rest } = before;
    expect(snapshot(root)).toEqual(rest);
  });

  test("77: restores a file whose way led through a path that somebody uses now", async () => {
    await run(remove("a.txt"));
    await run(move("b.txt", "a.txt"), remove("a.txt"));
    writeFileSync(join(root, "a.txt"), "mine");
    expect(told(await loaf.undo())).toEqual([[2, ["restored b.txt"]]]);
    expect([readFileSync(join(root, "a.txt"), "utf8"), readFileSync(join(root, "b.txt"), "utf8")]).toEqual(["mine", "b one\n"]);
  });

  test("a file touched or saved again with the same content counts as unchanged", async () => {
    await run(write("a.txt", "a two"));
    writeFileSync(join(root, "copy"), "a two");
    renameSync(join(root, "copy"), join(root, "a.txt"));
    expect(told(await loaf.undo())).toEqual([[1, ["restored a.txt"]]]);
  });

  test("refuses files of an earlier run that a later run, not undone, has changed", async () => {
    await run(write("a.txt", "a two"), write("b.txt", "b two"));
    await run(write("a.txt", "a three"));
    writeFileSync(join(root, "a.txt"), "mine");
    expect(told(await loaf.undo({ last: 2 }))).toEqual([[2, [], ["a.txt: it has changed since"]], [1, ["restored b.txt"], ["a.txt: it has changed since"]]]);
  });

  test("redo takes one run at a time, in reverse order", async () => {
    const trees = [snapshot(root)];
    for (const word of ["two", "three", "four"]) {
      await run(write("a.txt", word));
      trees.push(snapshot(root));
    }
    expect((await loaf.undo({ last: 9 })).missing).toBe(6);
    for (const tree of trees) {
      expect(snapshot(root)).toEqual(tree);
      await loaf.redo();
    }
    expect(await states()).toEqual(["3 redone", "2 redone", "1 redone"]);
  });

  test("redo restores a partly undone run", async () => {
    await run(write("a.txt", "a two"), write("b.txt", "b two"));
    writeFileSync(join(root, "a.txt"), "mine");
    await loaf.undo();
    expect(told(await loaf.redo())).toEqual([[1, ["restored b.txt"]]]);
    expect(await states()).toEqual(["1 redone"]);
  });

  test("redo refuses a file changed after the undo, and keeps it", async () => {
    await run(write("a.txt", "a two"), write("b.txt", "b two"));
    await loaf.undo();
    writeFileSync(join(root, "b.txt"), "mine");
    expect(told(await loaf.redo())).toEqual([[1, ["restored a.txt"], ["b.txt: it has changed since"]]]);
    expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("mine");
  });

  test("does not change a project opened for dry runs", async () => {
    await run(write("a.txt", "a two"));
    const dry = await Loaf.create({ repoPath: root, dryRun: true });
    for (const act of [() => dry.undo(), () => dry.redo(), () => dry.recover()]) await expect(act()).rejects.toThrow(/^This project was opened for dry runs: \w+ would change it$/);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("a two");
  });
});

describe("other files in the folder", () => {
  const git = (...args: string[]) => execFileSync("git", ["-C", root, "-c", "user.name=t", "-c", "user.email=t@t", ...args], { encoding: "utf8" });
  const read = (name: string) => readFileSync(join(root, name), "utf8");

  test("81: HEAD, index, refs and stash of a git repository stay, also after commits and checkouts", async () => {
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-qm", "first");
    writeFileSync(join(root, "b.txt"), "stashed");
    git("stash", "-q");
    await run(write("a.txt", "a two"), write("new.txt", "new"));
    git("add", "a.txt");
    git("commit", "-qm", "second");
    git("checkout", "-q", "-b", "other");
    git("commit", "-q", "--allow-empty", "-m", "third");
    // `git status` refreshes only the cached file stats in the index.
    const ofGit = () => Object.fromEntries(Object.entries(snapshot(join(root, ".git"))).filter(([name]) => name !== "index"));
    const [before, staged] = [ofGit(), git("ls-files", "-s")];
    expect(told(await loaf.undo())).toEqual([[1, ["removed new.txt", "restored a.txt"]]]);
    expect([ofGit(), git("ls-files", "-s")]).toEqual([before, staged]);
    expect(git("status", "--porcelain")).toBe(" M a.txt\n");
  });

  test("82: ignored and untracked files stay", async () => {
    writeFileSync(join(root, ".gitignore"), "ignored\n");
    git("init", "-q");
    await run(write("build/out.txt", "1"));
    for (const name of ["ignored", "build/ignored", "untracked"]) writeFileSync(join(root, name), "mine");
    expect(told(await loaf.undo())).toEqual([[1, ["removed build/out.txt", "kept build"]]]);
    expect([read("ignored"), read("build/ignored"), read("untracked")]).toEqual(["mine", "mine", "mine"]);
  });

  test("83: restores exact bytes and modes: CRLF, a byte order mark, the executable bit, an LFS pointer, binary data", async () => {
    writeFileSync(join(root, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n* text=auto eol=lf\n");
    git("init", "-q");
    git("config", "filter.lfs.clean", "echo ran > filter-ran; cat");
    const files = {
      "run.sh": "#!/bin/sh\r\necho one\r\n",
      "bom.txt": "\uFEFFone\r\ntwo",
      "big.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:one\nsize 12345\n",
      "latin.txt": Buffer.from([0x6f, 0x6e, 0x65, 0xe9, 0x0d, 0x0a]),
      "private.txt": "one",
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
    chmodSync(join(root, "run.sh"), 0o755);
    chmodSync(join(root, "private.txt"), 0o600);
    const before = snapshot(root);
    const edits = Object.keys(files).map((path) => block("file_replace_text", { path, old_text: "one", new_text: "six" }));
    await run(...edits, remove("run.sh"), move("private.txt", "p.txt"));
    const after = snapshot(root);
    await loaf.undo();
    expect(snapshot(root)).toEqual(before);
    await loaf.redo();
    expect(snapshot(root)).toEqual(after);
  });

  test("files restored by hand are not taken back: the run is not used up, and an earlier one is undone by its number", async () => {
    await run(write("a.txt", "a two"));
    await run(write("b.txt", "b two"));
    writeFileSync(join(root, "b.txt"), "b one\n");
    expect([told(await loaf.undo()), (await loaf.undo()).next]).toEqual([[[2, ["unchanged b.txt"]]], 1]);
    expect(told(await loaf.undo({ run: 1 }))).toEqual([[1, ["restored a.txt"]]]);
    writeFileSync(join(root, "b.txt"), "b two");
    expect(told(await loaf.undo())).toEqual([[2, ["restored b.txt"]]]);
  });
});

describe("a run that changes nothing", () => {
  test("does not count, and does not end what can be redone", async () => {
    await run(write("a.txt", "a two"));
    await loaf.undo();
    await run(block("file_read", { path: "a.txt" }));
    expect(told(await loaf.redo())).toEqual([[1, ["restored a.txt"]]]);
    await loaf.undo();
    await run(write("b.txt", "b two"));
    expect((await loaf.redo()).missing).toBe(1);
  });

  test.each([[""], [block("file_read", { path: "a.txt" })], [block("file_delete", { path: "none" })]])("leaves no log: %j", async (text) => {
    expect((await loaf.execute(text)).run).toBeUndefined();
    expect(readdirSync(journalFolder(root))).toEqual([]);
    expect(await loaf.history()).toEqual({ runs: [] });
  });
});

test("a run with a truncated log is not shown as unfinished if later runs exist", async () => {
  await run(write("a.txt", "a two"));
  await run(write("b.txt", "b two"));
  const path = logPath(journalFolder(root), 1);
  truncateSync(path, readFileSync(path, "latin1").lastIndexOf("{\"type\":\"done\"") - 17);
  expect((await loaf.history()).runs.map(({ run, state }) => [run, state])).toEqual([[2, "done"]]);
  expect(told(await loaf.undo())).toEqual([[2, ["restored b.txt"]]]);
});

test("a file changed in several steps is reported once, also when an interrupted undo is finished", async () => {
  const put = (name: string, text: string) => ({ overlay }: Session) => overlay.writeFile(join(root, name), Buffer.from(text));
  await runCommands(root, [put("a.txt", "a two"), "true", put("a.txt", "a three"), put("b.txt", "b two")]);
  const once = [[1, ["restored a.txt", "restored b.txt"]]];
  expect(told(await loaf.undo()).map(([number, lines]) => [number, (lines as string[]).toSorted()])).toEqual(once);
  const path = logPath(journalFolder(root), 2);
  truncateSync(path, readFileSync(path, "latin1").lastIndexOf("{\"type\":\"end\"") - 17);
  expect(told(await loaf.undo()).map(([number, lines]) => [number, (lines as string[]).toSorted()])).toEqual(once);
});

test("72: finishing an interrupted undo names what it had refused, and so does the log", async () => {
  await run(write("a.txt", "a two"), write("b.txt", "b two"), move("dir", "moved"));
  writeFileSync(join(root, "a.txt"), "mine");
  writeFileSync(join(root, "dir"), "mine");
  const refused = ["a.txt: it has changed since", `moved: it depends on ${join(root, "dir")}, which has changed since`];
  expect(told(await loaf.undo()).map(([, , lines]) => (lines as string[]).toSorted())).toEqual([refused]);
  const path = logPath(journalFolder(root), 2);
  truncateSync(path, readFileSync(path, "latin1").lastIndexOf("{\"type\":\"end\"") - 17);
  expect(told(await loaf.undo())).toEqual([[1, ["restored b.txt"], expect.arrayContaining(refused)]]);
  expect((await loaf.history()).runs).toMatchObject([{ run: 1, state: "undone", kept: expect.arrayContaining(["a.txt", "moved"].map((name) => join(root, name))) as unknown }]);
});

test("76: a save between reading and writing stays, and the action reports it", async () => {
  const onEvent = ({ seq }: { seq: number }) => seq === 1 && writeFileSync(join(root, "a.txt"), "a one, and mine\n");
  loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, onEvent });
  const { results } = await loaf.execute([block("file_read", { path: "a.txt" }), write("a.txt", "a two"), write("b.txt", "b two")].join("\n"));
  expect(results.map(({ code }) => code)).toEqual([undefined, "file/changed", undefined]);
  expect([readFileSync(join(root, "a.txt"), "utf8"), readFileSync(join(root, "b.txt"), "utf8")]).toEqual(["a one, and mine\n", "b two"]);
});

test("76: an edit keeps what was saved before it", async () => {
  const onEvent = ({ seq }: { seq: number }) => seq === 1 && writeFileSync(join(root, "a.txt"), "a one, and mine\n");
  loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, onEvent });
  await run(block("file_read", { path: "a.txt" }), block("file_replace_text", { path: "a.txt", old_text: "one", new_text: "two" }));
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("a two, and mine\n");
});

describe("78: two turns of one process", () => {
  test("run one after the other", async () => {
    const append = (word: string) => Array.from({ length: 10 }, () => block("file_append", { path: "a.txt", content: `${word}\n` })).join("\n");
    const second = await Loaf.create({ repoPath: root, config: { relative_paths: true }, onEvent: () => new Promise((done) => void setTimeout(done, 1)) });
    await Promise.all([loaf.execute(append("first")), second.execute(append("second")), loaf.execute(append("third"))]);
    const lines = readFileSync(join(root, "a.txt"), "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(31);
    expect(lines.filter((line, index) => line !== lines[index - 1])).toHaveLength(4);
  });

  test("make an undo wait for a run", async () => {
    const slow = await Loaf.create({ repoPath: root, config: { relative_paths: true }, onEvent: () => new Promise((done) => void setTimeout(done, 50)) });
    const running = slow.execute(`${write("a.txt", "two")}\n${write("b.txt", "two")}`);
    const [, undone] = await Promise.all([running, loaf.undo()]);
    expect(told(undone)).toEqual([[1, expect.arrayContaining(["restored a.txt", "restored b.txt"]) as unknown]]);
  });
});

describe("after an interruption by kill -9", () => {
  let program: string;
  beforeAll(async () => {
    program = await bundle(`
      import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      import { Loaf } from "./src/loaf.ts";
      const [root, left, what, text] = process.argv.slice(2);
      let acts = Number(left);
      for (const name of ["renameSync", "unlinkSync", "mkdirSync", "rmdirSync"]) {
        const act = fs[name];
        fs[name] = (...args) => {
          const isOwn = args.some((arg) => String(arg).startsWith(process.env.XDG_STATE_HOME));
          if (!isOwn && acts-- === 0) process.kill(process.pid, "SIGKILL");
          return act(...args);
        };
      }
      syncBuiltinESMExports();
      const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true } });
      await (what === "execute" ? loaf.execute(text) : loaf[what]());
      console.log("survived");`);
  });
  /** Kills the process before one of its changes. Returns false if it makes fewer. */
  const kill = (left: number, what: "execute" | "undo" | "redo", text = ""): boolean => {
    const file = join(createFolder({ "program.mjs": program }), "program.mjs");
    const { stdout, stderr, signal } = spawnSync(process.execPath, [file, root, String(left), what, text], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout === "survived\n").toBe(signal === null);
    return signal === "SIGKILL";
  };
  const blocks = [write("a.txt", "a two"), write("new/d.txt", "d"), move("b.txt", "dir/b.txt"), remove("dir/c.txt")];

  test("72: the next undo finishes an interrupted one, and undoes no earlier run", { timeout: 120_000 }, async () => {
    await run(write("first.txt", "1"));
    const before = snapshot(root);
    await run(...blocks);
    let [kills, finished] = [0, 0];
    for (let left = 0; kill(left, "undo"); left++) {
      kills += 1;
      const { runs, missing, notices } = await loaf.undo();
      expect([runs.map((one) => [one.run, one.refused]), missing]).toEqual([[[2, []]], 0]);
      expect(snapshot(root)).toEqual(before);
      if (notices.length > 0) finished += notices[0]?.includes("The interrupted undo of run 2 was finished") === true ? 1 : 0;
      expect((await loaf.history()).runs[0]).toMatchObject({ run: 2, state: "undone" });
      expect((await loaf.redo()).runs.map(({ refused }) => refused)).toEqual([[]]);
    }
    expect(kills).toBeGreaterThan(4);
    expect(finished).toBeGreaterThan(2);
  });

  test("72: the next redo finishes an interrupted one", { timeout: 120_000 }, async () => {
    await run(...blocks);
    const after = snapshot(root);
    let kills = 0;
    for (let left = 0; ; left++) {
      await loaf.undo();
      if (!kill(left, "redo")) break;
      kills += 1;
      const { runs, missing } = await loaf.redo();
      expect([runs.map((one) => [one.run, one.refused]), missing]).toEqual([[[1, []]], 0]);
      expect(snapshot(root)).toEqual(after);
    }
    expect(kills).toBeGreaterThan(4);
  });

  test("71: the next command finishes or rolls back a run, reports that in one line, and can be undone", { timeout: 120_000 }, async () => {
    const before = snapshot(root);
    let [kills, finished] = [0, 0];
    for (let left = 0; kill(left, "execute", blocks.join("\n")); left++) {
      kills += 1;
      const [pending] = (await loaf.history()).runs;
      const { isWhole, notices } = await loaf.recover();
      expect(isWhole).toBe(true);
      if (pending?.state === "unfinished") expect(notices).toEqual([expect.stringMatching(/^The interrupted run \d+ was (finished \(\d changes?\)|rolled back: none of its changes remain)$/)]);
      if (notices[0]?.includes("finished") === true) {
        finished += 1;
        expect((await loaf.undo()).runs).toMatchObject([{ run: pending?.run, refused: [] }]);
      }
      expect(snapshot(root)).toEqual(before);
    }
    expect(kills).toBeGreaterThan(4);
    expect(finished).toBeGreaterThan(2);
  });
});

test.each([1, 2])("names runs that version %s logged, and undoes only its own", async (version) => {
  await run(write("a.txt", "a two"));
  const { line } = encodeRecord({ type: "header", version: version as 3, sequence: 2, kind: "run", started: "", root }, "");
  writeFileSync(logPath(journalFolder(root), 2), line);
  const history = await loaf.history();
  expect([history.runs.map((one) => one.run), history.olderUpTo]).toEqual([[1], 2]);
  expect(historyReport(history, { color: false, width: 80, now: Date.now() })).toContain("Runs up to 2 were written by an older version of Loaf and cannot be undone");
  await expect(loaf.undo({ run: 2 })).rejects.toThrow("Run 2 was written by an older version of Loaf");
  await run(write("b.txt", "b two"));
  expect(told(await loaf.undo())).toEqual([[3, ["restored b.txt"]]]);
});
