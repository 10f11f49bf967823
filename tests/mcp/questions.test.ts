/** What needs the user is asked through the client, in both eras, and nothing is done before the answer. */
import { EventEmitter, once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../support/folder.ts";
import { ERAS, startHost } from "../support/mcp-client.ts";
import { runLoaf } from "../support/run-loaf.ts";

const settings = { path: ".vscode/settings.json", content: "{}\n" };
const csl = (command: string) => ({ answer: `<---RUN--->\n${command}\n<---END--->\n` });
const whole = { answer: "Here is the file:\n\n`a.txt`\n```\nzwei\n```\n" };

describe.each(ERAS)("in the %s era", (era) => {
  test("a protected file is written after a yes, and only then", async () => {
    const root = createFolder();
    const seen: boolean[] = [];
    const host = await startHost(root, { era, answer: () => (seen.push(existsSync(join(root, ".vscode/settings.json"))), "once") });
    expect(await host.call("file_write", settings)).toMatchObject({ isError: false, text: expect.stringContaining("✅ file_write .vscode/settings.json") as string });
    expect(readFileSync(join(root, ".vscode/settings.json"), "utf8")).toBe(settings.content);
    expect(seen).toEqual([false]);
    expect(host.asked).toEqual([expect.stringMatching(/settings\.json is protected, since other programs run what stands in it \(deny .*\.vscode.*\)\. Allow it\?\n\nNew directory \.vscode\ndiff --git [^]*\n\+\{\}/)]);
    // Once is not for ever.
    await host.call("file_write", { ...settings, content: "[]\n" });
    expect(host.asked).toHaveLength(2);
  });

  test("a yes from now on is kept, as loaf allow shows", async () => {
    const root = createFolder();
    const host = await startHost(root, { era, answer: () => "always" });
    await host.call("file_write", settings);
    await host.call("file_write", { ...settings, content: "x\n" });
    expect(host.asked).toHaveLength(1);
    expect((await runLoaf(["allow"], { cwd: root, env: host.env })).stdout).toBe("write .vscode/settings.json\n");
  });

  test.each(["no", "decline"] as const)("after %s nothing is done, and the result says why", async (answer) => {
    const root = createFolder();
    const host = await startHost(root, { era, answer: () => answer });
    expect(await host.call("file_write", settings)).toMatchObject({ isError: true, text: expect.stringContaining("Write access denied") as string });
    expect(existsSync(join(root, ".vscode/settings.json"))).toBe(false);
    expect((await host.call("log")).text).toBe("This server has changed nothing yet");
  });

  test("an answer's parts are asked about one after another", async () => {
    const root = createFolder({ "a.txt": "eins\n" });
    const host = await startHost(root, { era, answer: (message) => (message.includes("touch b") ? "no" : "once") });
    const { text } = await host.call("run", { answer: `${csl("touch a").answer}\n${csl("touch b").answer}` });
    expect(host.asked).toHaveLength(2);
    expect([existsSync(join(root, "a")), existsSync(join(root, "b"))]).toEqual([true, false]);
    expect(text).toContain("SKIP: RUN");
  });

  test("a command that is not what it looks like is shown with escapes", async () => {
    const root = createFolder();
    const host = await startHost(root, { era, answer: () => "no" });
    await host.call("run", csl("echo \u202etxt.exe"));
    expect(host.asked).toEqual([expect.stringContaining("'\\u202etxt.exe'")]);
  });

  test("an uncertain edit is shown as its diff", async () => {
    const root = createFolder({ "a.txt": "eins\n" });
    const host = await startHost(root, { era, answer: () => "once" });
    expect(await host.call("run", whole)).toMatchObject({ isError: false });
    expect(host.asked).toEqual([expect.stringContaining("-eins\n+zwei")]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("zwei\n");
  });

  test("a client that cannot ask gets the way to allow it", async () => {
    const root = createFolder();
    const { call } = await startHost(root, { era });
    expect((await call("file_write", settings)).text).toMatch(/hint: .*fs-guard\.write\.allow in loaf\.yml, then run loaf trust/);
    expect((await call("run", csl("touch a"))).text).toContain("the user can allow it: loaf allow 'touch a'");
    expect(existsSync(join(root, "a"))).toBe(false);
  });
});

describe("in the legacy era, whose question is part of the call", () => {
  const next = { path: "next.txt", content: "x\n" };

  test("a client that fails to ask has said no, and later changes do not wait", async () => {
    const root = createFolder();
    const host = await startHost(root, { era: "legacy", answer: () => Promise.reject(new Error("no window")) });
    expect(await host.call("file_write", settings)).toMatchObject({ isError: true, text: expect.stringContaining("Write access denied") as string });
    expect((await host.call("file_write", next)).isError).toBe(false);
    expect(existsSync(join(root, ".vscode/settings.json"))).toBe(false);
  });

  test("a call that is cancelled while its question is open ends", async () => {
    const root = createFolder();
    const stop = new AbortController();
    const host = await startHost(root, { era: "legacy", answer: () => (stop.abort(), new Promise(() => {})) });
    await expect(host.client.callTool({ name: "file_write", arguments: settings }, { signal: stop.signal })).rejects.toThrow();
    expect((await host.call("file_write", next)).isError).toBe(false);
    expect(existsSync(join(root, ".vscode/settings.json"))).toBe(false);
  });

  test("an answer may ask as often as it must", async () => {
    const root = createFolder();
    const host = await startHost(root, { era: "legacy", answer: () => "once" });
    const names = [..."abcdefghijkl"];
    await host.call("run", { answer: names.map((name) => csl(`touch ${name}`).answer).join("\n") });
    expect(names.filter((name) => existsSync(join(root, name)))).toEqual(names);
  });
});

describe("in the modern era, whose question ends the request", () => {
  const next = { path: "next.txt", content: "x\n" };
  const late = () => {
    const to = new EventEmitter();
    const answered = once(to, "answer").then(([word]) => word as "once" | "no");
    return { answer: (word: "once" | "no") => to.emit("answer", word), answered };
  };

  test("an unanswered question holds nothing, and its answer still counts", async () => {
    const root = createFolder();
    const { answer, answered } = late();
    const host = await startHost(root, { answer: () => answered });
    const open = host.call("file_write", settings);
    await expect.poll(() => host.asked.length, { timeout: 20_000 }).toBe(1);
    expect((await host.call("file_write", next)).isError).toBe(false);
    expect((await runLoaf(["undo", "--last", "1"], { cwd: root, env: host.env })).code).toBe(0);
    expect(existsSync(join(root, ".vscode"))).toBe(false);
    answer("once");
    expect((await open).isError).toBe(false);
    expect(readFileSync(join(root, ".vscode/settings.json"), "utf8")).toBe(settings.content);
    expect(host.asked).toHaveLength(1);
  });

  test("an answer to what has changed since is asked for again", async () => {
    const root = createFolder({ "a.txt": "eins\n" });
    const { answer, answered } = late();
    const host = await startHost(root, { answer: () => answered });
    const open = host.call("run", whole);
    await expect.poll(() => host.asked.length, { timeout: 20_000 }).toBe(1);
    await host.call("file_write", { path: "a.txt", content: "drei\n" });
    answer("once");
    expect((await open).isError).toBe(false);
    expect(host.asked).toEqual([expect.stringContaining("-eins\n+zwei"), expect.stringContaining("-drei\n+zwei")]);
  });

  test.each(["once", "no"] as const)("edits of the same answer wait with a question, whatever its answer: %s", async (word) => {
    const root = createFolder();
    const { answer, answered } = late();
    const host = await startHost(root, { answer: () => answered });
    const open = host.call("run", { answer: `<---WRITE file="a.txt"--->\neins\n<---END--->\n${csl("touch b").answer}` });
    await expect.poll(() => host.asked.length, { timeout: 20_000 }).toBe(1);
    expect(existsSync(join(root, "a.txt"))).toBe(false);
    answer(word);
    await open;
    expect([existsSync(join(root, "a.txt")), existsSync(join(root, "b"))]).toEqual([true, word === "once"]);
  });

  test("hooks around the run that asks run once", async () => {
    const root = createFolder({ "loaf.yml": "hooks:\n  before: [{run: echo before >> hooks.log}]\n  after: [{run: echo after >> hooks.log}]\n" });
    const host = await startHost(root, { answer: () => "once" });
    expect((await runLoaf(["trust"], { cwd: root, env: host.env })).code).toBe(0);
    expect((await host.call("run", csl("touch b"))).isError).toBe(false);
    expect(existsSync(join(root, "b"))).toBe(true);
    expect(readFileSync(join(root, "hooks.log"), "utf8")).toBe("before\nafter\n");
  });

  test("a part that is done is not done again: the next change counts as a no to what was asked after it", async () => {
    const root = createFolder();
    const { answer, answered } = late();
    const host = await startHost(root, { answer: (message) => (message.includes("touch b") ? answered : "once") });
    const open = host.call("run", { answer: `${csl("mkdir a").answer}\n${csl("touch b").answer}` });
    await expect.poll(() => host.asked.length, { timeout: 20_000 }).toBe(2);
    expect((await host.call("file_write", next)).isError).toBe(false);
    answer("once");
    const { text } = await open;
    expect(text).toContain("SKIP: RUN");
    expect(text).not.toContain("exists");
    expect([existsSync(join(root, "a")), existsSync(join(root, "b"))]).toEqual([true, false]);
  });
});

test("an invented state of a question is refused", async () => {
  const root = createFolder();
  const { client } = await startHost(root, { answer: () => "once" });
  const params = { name: "file_write", arguments: settings, requestState: "11111111-1111-4111-8111-111111111111", inputResponses: { answer: { action: "accept", content: { answer: "once" } } } };
  const result = await client.request({ method: "tools/call", params });
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("no longer open") as string }] });
  expect(existsSync(join(root, ".vscode/settings.json"))).toBe(false);
});
