/** How calls and the server end, and what is on the streams until then. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createFolder } from "../support/folder.ts";
import { answeredOf, ERAS, startHost } from "../support/mcp-client.ts";
import { program, runLoaf } from "../support/run-loaf.ts";

describe.each(ERAS)("in the %s era", (era) => {
  test("a cancelled command ends, and the server goes on", async () => {
    const root = createFolder();
    const { client, call } = await startHost(root, { era });
    const stop = new AbortController();
    const running = client.callTool({ name: "exec", arguments: { lang: "bash", code: "sleep 30; echo late > late.txt" } }, { signal: stop.signal });
    await setTimeout(400);
    stop.abort();
    await expect(running).rejects.toThrow();
    const start = performance.now();
    // A change waits for the one before it: that has ended.
    expect((await call("file_write", { path: "next.txt", content: "x" })).isError).toBe(false);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(existsSync(join(root, "late.txt"))).toBe(false);
  });

  test("a long command tells how it goes on", async () => {
    const { client } = await startHost(createFolder(), { era });
    const told: string[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => told.push(message ?? "");
    const result = await client.callTool({ name: "exec", arguments: { lang: "bash", code: "echo step 1; sleep 1.4; echo end" } }, { onprogress });
    expect(answeredOf(result).text).toBe("stdout:\nstep 1\nend");
    expect(told[0]).toBe("1 s: step 1");
  });

  test("a long command tells no secret and no colour", async () => {
    const { client } = await startHost(createFolder(), { era });
    const told: string[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => told.push(message ?? "");
    const code = `printf '\\e[32mkey ghp_${"a1B2".repeat(9)}\\e[0m\\n'; sleep 1.4`;
    await client.callTool({ name: "exec", arguments: { lang: "bash", code } }, { onprogress });
    expect(told[0]).toBe("1 s: key [masked: GitHub token]");
  });
});

describe("the streams", () => {
  const start = (root: string, state = createFolder()) => {
    const child = spawn(process.execPath, [program, "mcp", "--root", root], { env: { ...process.env, HOME: state, XDG_STATE_HOME: state } });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } } });
    send({ method: "notifications/initialized" });
    return { child, send, out: () => out, state };
  };
  const exec = (code: string) => ({ id: 2, method: "tools/call", params: { name: "exec", arguments: { lang: "bash", code } } });

  test("hold nothing but the protocol, whatever hooks and commands print", async () => {
    const root = createFolder({ "loaf.yml": "relative_paths: true\nhooks: {before: [{run: echo hook}], after: [{run: echo hook >&2}]}\n" });
    const { child, send, out, state } = start(root);
    await runLoaf(["trust", "--yes"], { cwd: root, env: { XDG_STATE_HOME: state } });
    send(exec("echo '{}'; echo from the command >&2"));
    await expect.poll(out, { timeout: 20_000 }).toContain('"id":2');
    child.stdin.end();
    await once(child, "close");
    for (const line of out().trimEnd().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  test("answer all that was asked before standard input ended", async () => {
    const root = createFolder({ "a.txt": "one\n" });
    const { child, send, out, state } = start(root);
    const call = (id: number, name: string, args: object) => send({ id, method: "tools/call", params: { name, arguments: args } });
    send({ id: 9, method: "tools/list" });
    call(3, "file_write", { path: "b.txt", content: "two\n" });
    send(exec("sleep 0.5; echo done > c.txt"));
    call(4, "file_write", { path: "d.txt", content: "four\n" });
    call(5, "file_read", { path: "a.txt" });
    child.stdin.end();
    const [code] = (await once(child, "close")) as [number];
    expect(code).toBe(0);
    const answers = out().trimEnd().split("\n").map((line) => JSON.parse(line) as { id: number; result?: { isError?: boolean } });
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3, 4, 5, 9]);
    expect(answers.filter(({ result }) => result === undefined || result.isError)).toEqual([]);
    expect(["b.txt", "c.txt", "d.txt"].filter((name) => !existsSync(join(root, name)))).toEqual([]);
    const { stdout } = await runLoaf(["log"], { cwd: root, env: { XDG_STATE_HOME: state } });
    expect(stdout).toMatch(/d\.txt[^]*b\.txt/);
  });

  test("end the server and its command when standard input ends", async () => {
    const root = createFolder();
    const { child, send, out } = start(root);
    send(exec("sleep 60; echo late > late.txt"));
    await setTimeout(700);
    const begin = performance.now();
    child.stdin.end();
    const [code] = (await once(child, "close")) as [number];
    expect(code).toBe(0);
    expect(performance.now() - begin).toBeLessThan(5_000);
    expect(existsSync(join(root, "late.txt"))).toBe(false);
    // The client learns how its call ended.
    expect(out()).toMatch(/"isError":true.*"id":2|"id":2.*"isError":true/);
  });

  test("leave what `loaf` recovers when the server is killed within a call", async () => {
    const root = createFolder({ "a.txt": "one\n" });
    const { child, send, out, state } = start(root);
    send({ id: 2, method: "tools/call", params: { name: "file_write", arguments: { path: "a.txt", content: "two\n" } } });
    await expect.poll(out, { timeout: 20_000 }).toContain('"id":2');
    send({ ...exec("echo x > b.txt; sleep 60"), id: 3 });
    await setTimeout(500);
    child.kill("SIGKILL");
    await once(child, "close");
    const env = { XDG_STATE_HOME: state };
    expect((await runLoaf(["recover"], { cwd: root, env })).code).toBe(0);
    expect(existsSync(join(root, "b.txt"))).toBe(false);
    expect((await runLoaf(["undo"], { cwd: root, env })).stdout).toContain("restored a.txt");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n");
  });
});
