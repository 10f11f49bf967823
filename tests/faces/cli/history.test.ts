import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { acquireLock } from "../../../src/state/lock.ts";
import { processTable } from "../../../src/state/process-identity.ts";
import { createFolder } from "../../support/folder.ts";
import { createRepository } from "../../support/repository.ts";
import { program, runLoaf, type Circumstances } from "../../support/run-loaf.ts";
import { snapshot } from "../../support/sandbox.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { block, write } from "./answers.ts";

let root: string;
let state: string;
beforeEach(() => {
  root = createFolder({ "loaf.yml": "relative_paths: true\nedits: {match: exact, final_newline: as-is}\n", "src/app.ts": "one\r\ntwo\r\n", "notes.txt": "mine" });
  state = createFolder();
});

const loaf = (args: readonly string[], circumstances: Circumstances = {}) => runLoaf(args, { cwd: root, ...circumstances, env: { XDG_STATE_HOME: state, ...circumstances.env } });
const run = async (...blocks: string[]) => expect((await loaf(["run"], { input: blocks.join("\n") })).code).toBe(0);
const edit = (from: string, to: string) => block("ed1", { action: "file_replace_text", path: "src/app.ts", old_text: from, new_text: to });
const read = (name: string) => readFileSync(join(root, name), "utf8");
const stateFolderOf = () => join(state, "loaf", readdirSync(join(state, "loaf")).find((name) => /^[0-9a-f]{32}$/.test(name)) ?? "");

describe("undo and redo", () => {
  test("revert the last run, and restore it", async () => {
    const before = snapshot(root);
    await run(edit("two", "three"), write("wr1", "made/new.txt", "new"), block("rm1", { action: "file_delete", path: "notes.txt" }));
    const after = snapshot(root);
    const undone = await loaf(["undo"]);
    expect(undone).toEqual({
      code: 0,
      stdout: `Undone: run 1 (edit src/app.ts, write made/new.txt, delete notes.txt): restored 2 paths, removed 2 paths
`,
      stderr: "",
    });
    expect(snapshot(root)).toEqual(before);
    const redone = await loaf(["redo"]);
    expect({ ...redone, stdout: redone.stdout.split("\n")[0] }).toEqual({ code: 0, stdout: expect.stringContaining("Redone: run 1 (edit src/app.ts, write made/new.txt, delete notes.txt): ") as string, stderr: "" });
    expect(snapshot(root)).toEqual(after);
  });

  test("undo N reverts N runs, newest first", async () => {
    const before = snapshot(root);
    for (const number of [1, 2, 3]) await run(write("wr1", "notes.txt", `run ${number}`));
    const { code, stdout } = await loaf(["undo", "--last", "2"]);
    expect({ code, titles: stdout.match(/^\w+: run \d+/gm) }).toEqual({ code: 0, titles: ["Undone: run 3", "Undone: run 2"] });
    expect(read("notes.txt")).toBe("run 1");
    await loaf(["undo"]);
    expect(snapshot(root)).toEqual(before);
    for (const number of [1, 2, 3]) {
      await loaf(["redo"]);
      expect(read("notes.txt")).toBe(`run ${number}`);
    }
  });

  test("report that nothing is left, exit code 1", async () => {
    expect(await loaf(["undo"])).toEqual({ code: 1, stdout: "", stderr: "There is nothing to undo\n" });
    expect(await loaf(["redo"])).toEqual({ code: 1, stdout: "", stderr: "There is nothing to redo: no run was undone, or a new run came after\n" });
    await run(write("wr1", "a", "1"));
    const { code, stderr } = await loaf(["undo", "--last", "5"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "There are no more runs to undo than this one\n" });
    expect(existsSync(join(root, "a"))).toBe(false);
  });

  test("77: undo keeps and names a file changed since, and restores the rest; exit code 1", async () => {
    await run(edit("two", "three"), write("wr1", "notes.txt", "theirs"));
    appendFileSync(join(root, "notes.txt"), ", and mine");
    const { code, stdout, stderr } = await loaf(["undo"]);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: `Undone in part: run 1 (edit src/app.ts, write notes.txt): restored src/app.ts
  ❌ notes.txt: it has changed since
loaf diff 1 shows what run 1 did there. To undo that too, restore what the run left there, then: loaf redo 1 and loaf undo 1
`,
      stderr: "",
    });
    expect([read("notes.txt"), read("src/app.ts")]).toEqual(["theirs, and mine", "one\r\ntwo\r\n"]);
    expect((await loaf(["log"])).stdout).toMatch(/^1 {2}just now {2}\+2 −2 {2}edit src\/app.ts, write notes.txt \(undone except 1 path\)$/m);
    expect((await loaf(["undo"])).stderr).toBe("There is nothing to undo\n");

    // Follow the advice.
    writeFileSync(join(root, "notes.txt"), "theirs");
    await loaf(["redo"]);
    expect((await loaf(["undo"])).code).toBe(0);
    expect(read("notes.txt")).toBe("mine");
  });

  test("a run that cannot be reverted at all is not undone, and undo 2 skips it", async () => {
    await run(write("wr1", "a", "1"));
    await run(write("wr2", "notes.txt", "theirs"));
    writeFileSync(join(root, "notes.txt"), "mine again");
    for (const _ of [1, 2]) {
      const { code, stdout } = await loaf(["undo"]);
      expect(code).toBe(1);
      expect(stdout).toContain("Not undone: run 2 (write notes.txt)\n  ❌ notes.txt: it has changed since\n");
      expect(stdout).toContain("To undo an earlier run: loaf undo 1\n");
    }
    const { code, stdout } = await loaf(["undo", "--last", "2"]);
    expect({ code, titles: stdout.match(/^[\w ]+: run \d+/gm) }).toEqual({ code: 1, titles: ["Not undone: run 2", "Undone: run 1"] });
    expect([read("notes.txt"), existsSync(join(root, "a"))]).toEqual(["mine again", false]);
  });

  test("a number is a run: undone and redone alone, with the lines of later runs and the user's", async () => {
    writeFileSync(join(root, "list.txt"), "a\nb\nc\nd\ne\nf\ng\nh\n");
    const change = (from: string, to: string) =>
      printBlock("chg", { action: "file_replace_text", path: "list.txt", old_text: `${from}\n`, new_text: `${to}\n` });
    for (const [from, to] of [["a", "A"], ["d", "D"], ["f", "F"]] as const) await run(change(from, to));
    writeFileSync(join(root, "list.txt"), read("list.txt").replace("h", "mine"));
    expect(await loaf(["undo", "2"])).toMatchObject({ code: 0, stdout: "Undone: run 2 (edit list.txt): restored list.txt (your changes since are kept)\n" });
    expect(read("list.txt")).toBe("A\nb\nc\nd\ne\nF\ng\nmine\n");
    expect((await loaf(["undo", "2"])).stderr).toContain("Run 2 is undone already: loaf redo 2 brings it back");
    expect((await loaf(["undo", "9"])).stderr).toContain("There is no run 9 in the log: loaf log lists all");
    expect((await loaf(["redo", "3"])).stderr).toContain("Run 3 is not undone: loaf undo 3 takes it back");
    expect((await loaf(["redo", "2"])).code).toBe(0);
    expect(read("list.txt")).toBe("A\nb\nc\nD\ne\nF\ng\nmine\n");
    expect((await loaf(["diff", "2"])).stdout).toContain("-d\n+D\n");
    expect(await loaf(["undo", "--last", "2"])).toMatchObject({ code: 0 });
    expect(read("list.txt")).toBe("A\nb\nc\nd\ne\nf\ng\nmine\n");
    expect((await loaf(["undo", "1", "--last", "2"])).code).toBe(2);
  });

  test("undo keeps a directory of the run if it has other entries now", async () => {
    await run(write("wr1", "made/deep/a", "1"));
    writeFileSync(join(root, "made/own"), "mine");
    const { code, stdout } = await loaf(["undo"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Undone: run 1 (write made/deep/a): removed made/deep/a, removed made/deep, kept made (not empty)\n" });
    expect(read("made/own")).toBe("mine");
  });

  test("--json prints the library's result", async () => {
    await run(write("wr1", "notes.txt", "theirs"));
    const { stdout, stderr, code } = await loaf(["undo", "--json"]);
    expect({ code, stderr, json: JSON.parse(stdout) as unknown }).toEqual({
      code: 0,
      stderr: "",
      json: { kind: "undo", runs: [{ run: 1, summary: "write notes.txt", isReversed: true, restored: [{ path: join(root, "notes.txt"), how: "restored" }], refused: [] }], missing: 0, notices: [] },
    });
    expect(JSON.parse((await loaf(["redo", "--json"])).stdout)).toMatchObject({ kind: "redo", runs: [{ run: 1 }] });
  });

  test.each([["0"], ["-1"], ["two"], ["1.5"], ["9999999999"]])("undo %s is refused", async (count) => {
    const { code, stderr } = await loaf(["undo", "--", count]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `The run must be a whole number of at least 1, not '${count}'\n` });
  });

  test("--root names the project", async () => {
    await run(write("wr1", "a", "1"));
    expect((await loaf(["undo", "--root", root], { cwd: createFolder() })).code).toBe(0);
    expect(existsSync(join(root, "a"))).toBe(false);
  });

  test("give no warning of an untrusted loaf.yml, since no action runs", async () => {
    await run(write("wr1", "a", "1"));
    writeFileSync(join(root, "loaf.yml"), "fs-guard: {allowed: [/**]}\n");
    expect((await loaf(["undo"])).stderr).toBe("");
  });
});

describe("log", () => {
  test("lists the runs with changes, newest first, with their state", async () => {
    expect(await loaf(["log"])).toEqual({ code: 0, stdout: "", stderr: "No run has changed anything here yet\n" });
    await run(write("wr1", "a", "1"));
    await run(edit("two", "three"), edit("one", "four"));
    await loaf(["undo"]);
    expect(await loaf(["log"])).toEqual({ code: 0, stdout: "2  just now  +2 −2  edit src/app.ts (undone)\n1  just now  +1     write a\n", stderr: "" });
    await loaf(["redo"]);
    const { runs } = JSON.parse((await loaf(["log", "--json"])).stdout) as { runs: Array<{ started: string }> };
    expect(runs).toMatchObject([{ run: 2, summary: "edit src/app.ts", state: "redone" }, { run: 1, summary: "write a", state: "done" }]);
    expect(Math.abs(Date.now() - Date.parse(runs[0]?.started ?? ""))).toBeLessThan(60_000);
  });

  test("names the commit of each run, counts its lines and quotes its answer, at the terminal and as JSON", async () => {
    const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
    git("init", "-q");
    git("add", ".");
    git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "begin");
    for (const [key, value] of [["user.name", "A"], ["user.email", "a@example.com"]] as const) git("config", key, value);
    await run(`I say two words more, ${"and more ".repeat(10)}.`, write("wr1", "a", "1\n2\n"));
    await loaf(["run", "--no-git"], { input: `Short and good\n${write("wr2", "b", "1")}` });
    const head = git("rev-parse", "HEAD");
    expect((await loaf(["log"])).stdout).toBe(`2  just now           +1  write b · Short and good
1  just now  ${head.slice(0, 7)}  +2  write a · I say two words more, and more and more and more and more…
`);
    const { runs } = JSON.parse((await loaf(["log", "--json"])).stdout) as { runs: unknown };
    expect(runs).toMatchObject([{ run: 2, lines: { added: 1, removed: 0 }, answer: "Short and good" }, { run: 1, commit: head, lines: { added: 2, removed: 0 } }]);
    expect((runs as object[])[0]).not.toHaveProperty("commit");
  });

  test("both the log and the command that dropped runs mention them", async () => {
    for (const name of ["a", "b", "c"]) await run(write("wr1", name, "1"));
    writeFileSync(join(root, "loaf.yml"), "relative_paths: true\nhistory: {max_size: 1}\n");
    await loaf(["trust"]);
    const { stderr } = await loaf(["run"], { input: write("wr1", "d", "1") });
    expect(stderr).toBe("Runs 1 to 3 were dropped from the log and can no longer be undone: it keeps 30 days and 1 bytes (history in loaf.yml)\n");
    expect((await loaf(["log"])).stdout).toBe("4  just now  +1  write d\nOlder runs, up to 3, are no longer kept (history.max_age and history.max_size in loaf.yml)\n");
    expect((await loaf(["undo", "--last", "2"])).stderr).toContain("There are no more runs to undo than this one\n");
  });

  test("42: an untrusted loaf.yml cannot shorten it", async () => {
    await run(write("wr1", "a", "1"));
    writeFileSync(join(root, "loaf.yml"), "relative_paths: true\nhistory: {max_size: 1, max_age: 1}\n");
    await run(write("wr1", "b", "1"));
    expect((await loaf(["undo", "2"])).code).toBe(0);
  });
});

test("a run without changes does not count: undo skips it, and redo is still possible", async () => {
  await run(write("wr1", "notes.txt", "new"));
  await run(write("wr2", "notes.txt", "new"));
  expect((await loaf(["log"])).stdout).toBe("1  just now  +1 −1  write notes.txt\n");
  await loaf(["undo"]);
  expect(read("notes.txt")).toBe("mine");
  await run(write("wr3", "notes.txt", "mine"), write("wr4", "notes.txt", "other"), write("wr5", "notes.txt", "mine"));
  await loaf(["redo"]);
  expect(read("notes.txt")).toBe("new");
});

describe("diff", () => {
  test("shows the changes of the last run, or of a given one", async () => {
    await run(write("wr1", "a.txt", "1\n"), edit("two", "three"));
    await run(write("wr2", "a.txt", "2\n"), block("mv1", { action: "file_move", old_path: "notes.txt", new_path: "docs/notes.txt" }));
    expect((await loaf(["diff"])).stdout).toBe(`diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,1 +1,1 @@
-1
+2
New directory docs
diff --git a/notes.txt b/docs/notes.txt
rename from notes.txt
rename to docs/notes.txt
`);
    const { stdout } = await loaf(["diff", "1"]);
    expect(stdout).toContain("new file mode 100644\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+1\n");
    expect(stdout).toContain("-two\r\n+three\r\n");
  });

  test("is accepted by git apply", async () => {
    const before = snapshot(root);
    await run(edit("two", "three"), write("wr1", "new.txt", "new\n"), block("rm1", { action: "file_delete", path: "notes.txt" }));
    const { stdout } = await loaf(["diff"]);
    execFileSync("git", ["apply", "-R", "-"], { cwd: root, input: stdout });
    expect(snapshot(root)).toEqual(before);
  });

  test("names binary, huge and lost content, and shows no secrets", async () => {
    writeFileSync(join(root, ".env"), "KEY=old\n");
    writeFileSync(join(root, "data"), Buffer.from([0, 1, 2]));
    await run(write("wr1", ".env", "KEY=new\n"), block("rm1", { action: "file_delete", path: "data" }), write("wr2", "gone.txt", "x\n".repeat(40_000)));
    writeFileSync(join(root, "gone.txt"), "changed by hand");
    const { stdout } = await loaf(["diff"]);
    expect(stdout).not.toContain("KEY");
    expect(stdout).toContain("Files a/.env and b/.env differ (not shown: it may not be read)\n");
    expect(stdout).toContain("Binary files a/data and /dev/null differ\n");
    expect(stdout).toContain("Files /dev/null and b/gone.txt differ (not shown: it has changed since, and its earlier content is not kept)\n");
  });

  test("reports a missing run", async () => {
    expect(await loaf(["diff"])).toEqual({ code: 0, stdout: "", stderr: "No run has changed anything here yet\n" });
    expect(await loaf(["diff", "3"])).toEqual({ code: 2, stdout: "", stderr: "There is no run 3 in the log: loaf log lists all\n" });
    expect((await loaf(["diff", "x"])).stderr).toBe("The run must be a whole number of at least 1, not 'x'\n");
  });

  test("--json contains it as a string", async () => {
    await run(write("wr1", "a.txt", "1\n"));
    const { run: number, diff } = JSON.parse((await loaf(["diff", "--json"])).stdout) as { run: number; diff: string };
    expect([number, diff.split("\n")[0]]).toEqual([1, "diff --git a/a.txt b/a.txt"]);
  });
});

describe("recover", () => {
  test("reports that nothing was unfinished", async () => {
    expect(await loaf(["recover"])).toEqual({ code: 0, stdout: "", stderr: "Nothing was left unfinished\n" });
    expect(JSON.parse((await loaf(["recover", "--json"])).stdout)).toEqual({ isWhole: true, notices: [] });
  });
});

describe("recover, of a run that kill -9 has interrupted", () => {
  /** Kills the command before it renames its first file into place. */
  const interrupt = async () => {
    const killer = createFolder({
      "killer.cjs": `
        const fs = require("node:fs");
        const rename = fs.renameSync;
        fs.renameSync = (from, to) => {
          if (String(to).startsWith(process.env.XDG_STATE_HOME)) return rename(from, to);
          process.kill(process.pid, "SIGKILL");
        };`,
    });
    const { code, stdout } = await loaf(["run"], { input: write("wr1", "notes.txt", "theirs") + edit("two", "three"), env: { NODE_OPTIONS: `--require ${join(killer, "killer.cjs")}` } });
    expect({ code, stdout }).toEqual({ code: null, stdout: "" });
    expect([read("notes.txt"), read("src/app.ts")]).toEqual(["mine", "one\r\ntwo\r\n"]);
  };

  test("finishes it and says so; log and doctor mention it before", async () => {
    await interrupt();
    expect((await loaf(["log"])).stdout).toBe("1  just now  2 changes, interrupted (in the middle of a change: loaf recover finishes it)\n");
    expect((await loaf(["doctor"])).stdout).toMatch(/^! recovery +run 1 is still running or was interrupted: loaf recover or the next run finishes it$/m);
    expect(await loaf(["recover"])).toEqual({ code: 0, stdout: "", stderr: "The interrupted run 1 was finished (2 changes)\n" });
    expect([read("notes.txt"), read("src/app.ts")]).toEqual(["theirs", "one\r\nthree\r\n"]);
    expect((await loaf(["log"])).stdout).toBe("1  just now  2 changes, interrupted (not committed; what it changed stays, unless loaf undo takes it back)\n");
    expect((await loaf(["doctor"])).stdout).not.toContain("recovery");
    expect((await loaf(["undo"])).stdout).toContain("Undone: run 1 (2 changes, interrupted): ");
    expect(readdirSync(root).filter((name) => name.startsWith(".loaf-"))).toEqual([]);
  });

  test("keeps and names files changed since, exit code 1", async () => {
    await interrupt();
    writeFileSync(join(root, "notes.txt"), "mine, and more");
    const { code, stderr } = await loaf(["recover"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `The interrupted run 1 was finished (1 change)\n${join(root, "notes.txt")} stays as it is: it has changed since\n` });
    expect([read("notes.txt"), read("src/app.ts")]).toEqual(["mine, and more", "one\r\nthree\r\n"]);
    expect(readdirSync(root).filter((name) => name.startsWith(".loaf-"))).toEqual([]);
  });

  test("every command with changes begins with it: --json has a notice", async () => {
    await interrupt();
    const { stdout, stderr } = await loaf(["run", "--json"], { input: write("wr1", "b", "1") });
    expect(JSON.parse(stdout)).toMatchObject({ success: true, run: 2, notices: ["The interrupted run 1 was finished (2 changes)"] });
    expect(stderr).toBe("The interrupted run 1 was finished (2 changes)\n");
    expect(read("notes.txt")).toBe("theirs");
  });
});

describe("turns", () => {
  test("78: two simultaneous loaf run run one after the other", { timeout: 60_000 }, async () => {
    // Each reads and rewrites every file, so that a lost update would show.
    writeFileSync(join(root, "count.txt"), "");
    const append = (id: string) => Array.from({ length: 20 }, () => block(id, { action: "file_append", path: "count.txt", content: `${id}\n` })).join("\n");
    const ids = ["aaa", "bbb", "ccc", "ddd"];
    const results = await Promise.all(ids.map((id) => loaf(["run"], { input: append(id) })));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const lines = read("count.txt").trimEnd().split("\n");
    expect(lines.toSorted()).toEqual(ids.flatMap((id) => Array.from({ length: 20 }, () => id)));
    // The lines of each run are contiguous.
    expect(lines.filter((line, index) => line !== lines[index - 1])).toHaveLength(4);
  });

  test("a waiting run names the other one after a second", async () => {
    await run(write("wr1", "a", "1"));
    const lock = await acquireLock(join(stateFolderOf(), "lock"));
    const waiting = loaf(["undo"]);
    await new Promise((done) => void setTimeout(done, 3_000));
    lock.release();
    const { code, stderr } = await waiting;
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`^Waiting for another run on this project \\(process ${process.pid}, started \\d+ seconds? ago\\): Ctrl-C stops waiting; nothing has been changed yet\\n$`));
  });

  test.each(["SIGINT", "SIGTERM"] as const)("%s ends a run that waits, and nothing is changed", async (signal) => {
    await run(write("wr1", "a", "1"));
    const lock = await acquireLock(join(stateFolderOf(), "lock"));
    const before = snapshot(root);
    const child = spawn(process.execPath, [program, "run"], { cwd: root, env: { ...process.env, XDG_STATE_HOME: state } });
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdin.end(write("wr2", "a", "2"));
    let [said, shown] = ["", ""];
    child.stderr.on("data", (piece: Buffer) => void (shown += piece.toString()));
    child.stdout.on("data", (piece: Buffer) => void (said += piece.toString()));
    while (!shown.includes("Ctrl-C stops waiting")) await once(child.stderr, "data");
    child.kill(signal);
    expect(await once(child, "close")).toEqual([2, null]);
    expect([snapshot(root), said]).toEqual([before, expect.stringContaining(`Stopped waiting for process ${process.pid}: nothing was changed`)]);
    lock.release();
  });

  test("Ctrl-C while waiting leaves no file", async () => {
    await run(write("wr1", "a", "1"));
    const folder = stateFolderOf();
    const lock = await acquireLock(join(folder, "lock"));
    const before = [snapshot(folder), snapshot(root)];
    const child = spawn(process.execPath, [program, "undo"], { cwd: root, env: { ...process.env, XDG_STATE_HOME: state }, stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    await new Promise((done) => void setTimeout(done, 600));
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([null, "SIGINT"]);
    expect([snapshot(folder), snapshot(root)]).toEqual(before);
    lock.release();
  });

  test("with an unwritable state folder nothing is changed, and the message names the remedy", async () => {
    const home = createFolder();
    chmodSync(home, 0o555);
    chmodSync(root, 0o777);
    const { code, stderr } = await loaf(["run"], { input: write("wr1", "a", "1"), env: { XDG_STATE_HOME: home }, asNobody: true });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Loaf cannot write to .*, where it keeps the undo data \(Permission denied: .*\): nothing was changed\n$/);
    expect(existsSync(join(root, "a"))).toBe(false);
    const { stdout } = await loaf(["doctor"], { env: { XDG_STATE_HOME: home }, asNobody: true });
    expect(stdout).toMatch(/^✗ history +nothing can run: .* is not writable; change that, or set XDG_STATE_HOME to a writable folder$/m);
  });

  test("doctor shows how many runs are kept, and where", async () => {
    await run(write("wr1", "a", "1"));
    expect((await loaf(["doctor"])).stdout).toContain(`1 run can be undone, 0.0 MiB in ${join(stateFolderOf(), "runs")}\n`);
  });
});

test("100: any command, even one that only reads, removes what a killed run left in the repository", async () => {
  const repository = createRepository({ "a.txt": "one\n" });
  const git = join(repository.root, ".git");
  const left = () => readdirSync(git).filter((name) => /loaf|lock/.test(name));
  const killed = `loaf ${JSON.stringify({ ...processTable.identify(), started: "1", taking: "t" })}\n`;
  for (const command of ["log", "doctor", "config", "diff"]) {
    writeFileSync(join(git, "index.lock"), killed);
    mkdirSync(join(git, "loaf-commit-x"));
    await loaf([command], { cwd: repository.root });
    expect([command, left()]).toEqual([command, []]);
  }
});
