/** Calls as runs: undo, redo, diff and log of the server's own, and how they are committed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, test } from "vitest";
import { startHost } from "../support/mcp-client.ts";
import { createRepository } from "../support/repository.ts";
import { runLoaf } from "../support/run-loaf.ts";

const write = (path: string, content: string) => ["file_write", { path, content }] as const;

describe("runs", () => {
  test("of this server can be listed, shown, undone and redone, in any order", async () => {
    const { root } = createRepository({ "a.txt": "one\n" });
    const { call } = await startHost(root);
    expect((await call("undo")).text).toBe("This server has made no run that could be undone");
    await call(...write("a.txt", "two\n"));
    await call(...write("b.txt", "b\n"));
    expect((await call("log")).text).toBe("2: write b.txt\n1: write a.txt");
    expect((await call("diff", { run: 1 })).text).toContain("-one\n+two\n");
    expect((await call("undo", { run: 1 })).text).toBe("Undone: run 1 (write a.txt): restored a.txt");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n");
    expect((await call("log")).text).toBe("2: write b.txt\n1: write a.txt, undone");
    expect((await call("redo")).text).toBe("Redone: run 1 (write a.txt): restored a.txt");
    expect((await call("undo")).text).toBe("Undone: run 2 (write b.txt): removed b.txt");
  });

  test("of others are theirs", async () => {
    const { root } = createRepository({ "a.txt": "one\n" });
    const { call, env, client } = await startHost(root);
    const answer = "a.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n";
    expect((await runLoaf(["run"], { cwd: root, env, input: answer })).code).toBe(0);
    for (const tool of ["undo", "redo", "diff"]) expect(await call(tool, { run: 1 })).toEqual(expect.objectContaining({ isError: true, text: `Run 1 was not made by this server: the user can do this with loaf ${tool} 1` }));
    expect((await call("log")).text).toBe("This server has changed nothing yet");
    await expect(client.readResource({ uri: "loaf://run/1/diff" })).rejects.toThrow("Unknown resource");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("two\n");
  });

  test("are resources, beside the instructions", async () => {
    const { root } = createRepository({ "a.txt": "one\n" });
    const { call, client } = await startHost(root);
    await call(...write("a.txt", "two\n"));
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(["loaf://instructions", "loaf://run/1/diff"]);
    expect((await client.readResource({ uri: "loaf://run/1/diff" })).contents).toMatchObject([{ text: expect.stringContaining("+two") as string }]);
    expect((await client.readResource({ uri: "loaf://instructions" })).contents).toMatchObject([{ text: expect.stringContaining("#!nesl") as string }]);
  });

  test("of whole answers report as in a chat, and dry runs change nothing", async () => {
    const { root } = createRepository({ "a.txt": "one\n" });
    const { call } = await startHost(root);
    const answer = "a.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n";
    const dry = await call("run", { answer, dry_run: true });
    expect(dry).toMatchObject({ isError: false });
    expect(dry.text).toContain("+two");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n");
    expect((await call("run", { answer })).text).toContain("run 1: undo takes it back");
    expect((await call("run", { answer })).text).toContain("already applied in run 1");
    expect(await call("run", { answer: "Just words." })).toMatchObject({ isError: true });
  });
});

describe("commits", () => {
  test("of a session are one, made when it ends, which leaves out what was undone", async () => {
    const { root, git } = createRepository({ "a.txt": "one\n", "mine.txt": "mine\n" });
    writeFileSync(join(root, "mine.txt"), "changed by me\n");
    const { call, client, env } = await startHost(root);
    await call(...write("a.txt", "two\n"));
    await call(...write("b.txt", "b\n"));
    await call(...write("c.txt", "c\n"));
    await call("undo", { run: 3 });
    expect(git("log", "--format=%s")).toBe("begin");
    await client.close();
    await expect.poll(() => git("log", "--format=%B", "-1"), { timeout: 10_000 }).toBe("AI: change 2 files in 2 calls\n\n- write a.txt\n- write b.txt\n\nLoaf-Run: 1\nLoaf-Run: 2\n");
    expect(git("show", "--format=", "--name-only")).toBe("a.txt\nb.txt");
    await expect.poll(() => git("status", "--porcelain")).toBe(" M mine.txt");
    expect((await runLoaf(["log"], { cwd: root, env })).stdout).toContain(git("rev-parse", "--short=7", "HEAD"));
    // One of several runs of a commit is undone by a commit of its own.
    expect((await runLoaf(["undo", "1"], { cwd: root, env })).stdout).toContain("restored a.txt; committed");
    expect(git("log", "-1", "--format=%B")).toContain("This reverts run 1 of commit");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n");
    expect(git("status", "--porcelain")).toBe(" M mine.txt");
    expect((await runLoaf(["redo"], { cwd: root, env })).code).toBe(0);
    expect(git("show", "HEAD:a.txt")).toBe("two");
  });

  test("of a session do not take what the user changes between two calls", async () => {
    const lines = (...all: readonly string[]) => all.map((line) => `${line}\n`).join("");
    const { root, git } = createRepository({ "a.txt": lines("1", "2", "3", "4", "5"), "b.txt": lines("1", "2", "3") });
    const { call, client, env } = await startHost(root);
    const replace = (path: string, old: string, now: string) => call("file_replace_text", { path, old_text: old, new_text: now });
    const edit = (path: string, old: string, now: string) => writeFileSync(join(root, path), readFileSync(join(root, path), "utf8").replace(old, now));
    await replace("a.txt", "1\n", "one\n");
    await replace("b.txt", "1\n", "one\n");
    await call(...write("c.txt", lines("1", "2", "3")));
    // Beside what the call changed, in it, and in a file that it made.
    edit("a.txt", "5", "mine");
    edit("b.txt", "one", "mine");
    edit("c.txt", "1", "mine");
    for (const path of ["a.txt", "b.txt", "c.txt"]) await replace(path, "3\n", "three\n");
    await client.close();
    await expect.poll(() => git("log", "--format=%s"), { timeout: 10_000 }).toMatch(/^AI: .*\nBefore AI: .*\nbegin$/);
    await expect.poll(() => git("status", "--porcelain")).toBe("");
    expect(git("show", "HEAD~:a.txt")).toBe("1\n2\n3\n4\nmine");
    expect(git("show", "HEAD~:b.txt")).toBe("mine\n2\n3");
    expect(git("show", "HEAD~:c.txt")).toBe("mine\n2\n3");
    expect(git("show", "--format=", "-U0")).not.toContain("+mine");
    // Undone alone, a run leaves them.
    expect((await runLoaf(["undo", "1"], { cwd: root, env })).code).toBe(0);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(lines("1", "2", "three", "4", "mine"));
    expect(git("status", "--porcelain")).toBe("");
  });

  test("of a single call can be taken off the branch, and what the user had changed before is apart", async () => {
    const { root, git } = createRepository({ "a.txt": "one\n" });
    writeFileSync(join(root, "a.txt"), "one\nmine\n");
    const { call, client, env } = await startHost(root);
    await call("file_append", { path: "a.txt", content: "theirs\n" });
    await client.close();
    await expect.poll(() => git("log", "--format=%s"), { timeout: 10_000 }).toBe("AI: append to a.txt\nBefore AI: append to a.txt\nbegin");
    await expect.poll(() => git("status", "--porcelain")).toBe("");
    expect((await runLoaf(["undo"], { cwd: root, env })).stdout).toContain("Undone: run 1");
    expect(git("log", "--format=%s")).toBe("begin");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\nmine\n");
  });

  test("of a session are made also if the host kills the server right after it asked it to end", async () => {
    const { root, git } = createRepository({ "a.txt": "one\n" });
    const { call, client } = await startHost(root);
    await call(...write("a.txt", "two\n"));
    const pid = (client.transport as StdioClientTransport).pid ?? 0;
    process.kill(pid, "SIGTERM");
    await new Promise((resolve) => void setTimeout(resolve, 50));
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    await expect.poll(() => git("log", "--format=%s"), { timeout: 10_000 }).toBe("AI: write a.txt\nbegin");
    await expect.poll(() => git("status", "--porcelain")).toBe("");
  });

  test("are one a call if loaf.yml says so, and none without git.commit", async () => {
    const { root, git } = createRepository({ "loaf.yml": "relative_paths: true\nmcp: {commit: call}\n" });
    const { call } = await startHost(root);
    expect((await call(...write("a.txt", "1\n"))).text).toMatch(/^✅ file_write a\.txt: run 1, committed \w{7}$/);
    await call(...write("b.txt", "2\n"));
    expect(git("log", "--format=%s")).toBe("AI: write b.txt\nAI: write a.txt\nbegin");
    writeFileSync(join(root, "loaf.yml"), "relative_paths: true\ngit: {commit: false}\n");
    await call(...write("c.txt", "3\n"));
    expect(git("log", "--format=%s", "-1")).toBe("AI: write b.txt");
  });

  test("of a session are made also for more runs than the server may have open files", async () => {
    const { root, git } = createRepository({ "a.txt": "one\n" });
    const { call, client } = await startHost(root, { openFiles: 60 });
    for (let count = 1; count <= 70; count++) await call(...write("a.txt", `${count}\n`));
    await client.close();
    expect(git("log", "--format=%s")).toBe("AI: change 1 file in 70 calls\nbegin");
    expect(git("status", "--porcelain")).toBe("");
  });
});
