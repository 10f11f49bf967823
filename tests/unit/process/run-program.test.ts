import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { tryOr } from "../../../src/core/errors.ts";
import { ProcessTree } from "../../../src/process/process-tree.ts";
import { type Program, runProgram } from "../../../src/process/run-program.ts";
import { bundle } from "../../support/bundle.ts";
import { createFolder } from "../../support/folder.ts";
import { isRunning } from "../../support/processes.ts";

const node = (code: string, options: Partial<Program> = {}) => runProgram({ program: process.execPath, args: ["-e", code], timeout: 10_000, ...options });
const shell = (line: string, options: Partial<Program> = {}) => runProgram({ program: "/bin/sh", args: ["-c", line], timeout: 10_000, ...options });

describe("a program", () => {
  test("says what it writes, and how it ends", async () => {
    expect(await node("console.log('out'); console.error('err'); process.exit(3)")).toMatchObject({
      exitCode: 3,
      signal: null,
      stdout: "out\n",
      stderr: "err\n",
      survivors: [],
    });
    expect(await shell("kill -TERM $$")).toMatchObject({ exitCode: null, signal: "SIGTERM" });
  });

  test.runIf(process.platform === "linux")("keeps no descriptor of /dev/null, however it starts or does not", async () => {
    const targetOf = (name: string) => tryOr(() => readlinkSync(`/proc/self/fd/${name}`), undefined);
    const open = (): number => readdirSync("/proc/self/fd").map(targetOf).filter((target) => target === "/dev/null").length;
    const tooLong = { program: "/bin/sh", args: ["-c", ":", "x".repeat(2 ** 20)], timeout: 10_000, inheritsNothing: true };
    await shell(":", { inheritsNothing: true });
    const before = open();
    for (let round = 0; round < 5; round++) {
      await shell(":", { inheritsNothing: true });
      await expect(runProgram(tooLong)).rejects.toMatchObject({ code: "E2BIG" });
      await expect(runProgram({ ...tooLong, program: "/nowhere/program" })).rejects.toThrow();
    }
    expect(open()).toBe(before);
  });

  test("gets its input, or none", async () => {
    expect((await node("process.stdin.pipe(process.stdout)", { input: "Grüße" })).stdout).toBe("Grüße");
    expect((await shell("cat")).stdout).toBe("");
    expect((await node("process.exit(0)", { input: "x".repeat(1_000_000) })).exitCode).toBe(0);
  });

  test("gets the environment that is given, and no other", async () => {
    expect((await runProgram({ program: "env", args: [], env: { PATH: process.env["PATH"] ?? "", ONE: "1" }, timeout: 10_000 })).stdout.split("\n")).toContain("ONE=1");
    expect((await runProgram({ program: "/usr/bin/env", args: [], env: {}, timeout: 10_000 })).stdout).toBe("");
  });

  test("has no terminal", async () => {
    expect((await shell("echo to the terminal > /dev/tty")).exitCode).not.toBe(0);
  });

  test.runIf(process.platform === "linux")("is ended once it does nothing any more, not before", async () => {
    expect(await node("setTimeout(() => {}, 15_000)", { timeout: 20_000, stall: 300 })).toMatchObject({ exitCode: null, endedBy: "stall" });
    expect(await node("setInterval(() => require('fs').readFileSync(process.execPath), 50).unref(); setTimeout(() => {}, 1_000)", { stall: 300 })).toMatchObject({ exitCode: 0 });
  });

  test("throws an error if it does not exist", async () => {
    await expect(runProgram({ program: "/nowhere/program", args: [], timeout: 1_000 })).rejects.toThrow("ENOENT");
  });

  test("may tell something on a third stream", async () => {
    expect(await shell("echo aside >&3; echo out", { hasThird: true })).toMatchObject({ stdout: "out\n", third: "aside\n" });
  });
});

describe("what it writes", () => {
  test("is kept from both ends", async () => {
    const { stdout } = await node("process.stdout.write('a'.repeat(600_000) + 'b'.repeat(600_000))", { keep: 1_000 });
    expect(stdout).toBe(`${"a".repeat(500)}\n… 1199000 bytes are left out here …\n${"b".repeat(500)}`);
  });

  test("ends it where it is too much", async () => {
    expect(await shell("yes", { most: 1_000_000, keep: 100 })).toMatchObject({ exitCode: null, endedBy: "output" });
  });

  test("is handed on piece by piece to who wants it, all of it", async () => {
    let bytes = 0;
    const ended = await node('process.stdout.write("x".repeat(1_000_000)); process.exitCode = 3', { onOutput: (piece) => (bytes += piece.length) > 0 });
    expect({ ...ended, bytes }).toMatchObject({ exitCode: 3, stdout: "", bytes: 1_000_000 });
    expect(await node('setInterval(() => console.log("x"), 5)', { onOutput: () => false })).toMatchObject({ endedBy: "enough" });
  });
});

describe("the end", () => {
  test("comes at the time limit, and when it is told to", async () => {
    expect(await shell("sleep 60", { timeout: 200 })).toMatchObject({ exitCode: null, signal: "SIGKILL", endedBy: "timeout" });
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 100);
    expect(await shell("sleep 60", { signal: abort.signal })).toMatchObject({ endedBy: "signal" });
    expect(await shell("sleep 60", { signal: AbortSignal.abort() })).toMatchObject({ endedBy: "signal" });
  });

  test.runIf(process.platform === "linux")("is waited for twice at most, whatever still writes", async () => {
    const graces = vi.spyOn(globalThis, "setTimeout");
    try {
      // In a session of its own it is not reached, and it has the output open; it ends when nobody reads that any more.
      const { endedBy, stdout } = await shell("setsid sh -c 'while echo more; do sleep 0.01; done' & wait", { timeout: 300 });
      expect([endedBy, stdout.slice(0, 5)]).toEqual(["timeout", "more\n"]);
      expect(graces.mock.calls.filter(([, delay]) => delay === 50).length).toBeLessThanOrEqual(2);
    } finally {
      graces.mockRestore();
    }
  });

  test("comes for what it left in the background as well, and that is not waited for", async () => {
    const began = performance.now();
    const { stdout } = await shell("sleep 60 & echo $!");
    expect(performance.now() - began).toBeLessThan(10_000);
    await expect.poll(() => isRunning(Number(stdout))).toBe(false);
  });

  test("57: does not come for what is meant to stay, and that is not waited for", async () => {
    const began = performance.now();
    const { stdout } = await shell("sleep 60 & echo $!", { reach: "leave" });
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(isRunning(Number(stdout))).toBe(true);
    process.kill(Number(stdout));
  });
});

/** What ties the last of them to the first is the output that it holds. */
const escapes = {
  "another session": "setsid sh -c 'echo $$ > pid; exec sleep 60' & wait",
  "a session of its own, its parent gone": "(setsid sh -c 'echo $$ > pid; exec sleep 60' &) ; sleep 0.2",
  "no environment, its parent gone": "(env -i /usr/bin/setsid /bin/sh -c 'echo $$ > pid; exec sleep 60' &) ; sleep 0.2",
};

describe.runIf(process.platform === "linux")("what left the process group", () => {
  for (const [name, line] of Object.entries(escapes)) {
    test(`is found: ${name}`, async () => {
      const folder = createFolder();
      await shell(line, { cwd: folder, reach: "hunt", timeout: 1_000 });
      const pid = Number(readFileSync(`${folder}/pid`, "utf8"));
      await expect.poll(() => isRunning(pid)).toBe(false);
    });
  }

  test("is named and left alone if it holds nothing of the command", async () => {
    const folder = createFolder();
    const { survivors } = await shell("(setsid sh -c 'echo $$ > pid; exec sleep 60' < /dev/null > /dev/null 2>&1 &) ; sleep 0.3", { cwd: folder, reach: "hunt" });
    const pid = Number(readFileSync(`${folder}/pid`, "utf8"));
    expect(isRunning(pid)).toBe(true);
    process.kill(pid);
    expect(survivors).toContain(`${pid} (sleep)`);
  });
});

test("58: nothing that runs outlives a process that exits", async () => {
  const folder = createFolder({ "worker.mjs": await bundle(`
    import { runProgram } from "./src/process/run-program.ts";
    void runProgram({ program: "sh", args: ["-c", "echo $$ > pid; sleep 60 & wait"], timeout: 60_000, reach: "hunt" });
    import { existsSync, readFileSync } from "node:fs";
    setInterval(() => existsSync("pid") && readFileSync("pid", "utf8").endsWith("\\n") && process.exit(), 5);
  `) });
  execFileSync(process.execPath, ["worker.mjs"], { cwd: folder, stdio: "ignore" });
  expect(Number(readFileSync(`${folder}/pid`, "utf8"))).toBeGreaterThan(1);
  await expect.poll(() => isRunning(Number(readFileSync(`${folder}/pid`, "utf8")))).toBe(false);
});

test.runIf(process.platform === "linux")("58: an older process that holds the same output is left alone", async () => {
  const holder = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] });
  const output = (holder.stdin as unknown as { readonly _handle: { readonly fd: number } })._handle.fd;
  const older = spawn("sleep", ["60"], { stdio: ["ignore", output, "ignore"] });
  // Start times are counted in hundredths of a second.
  await sleep(50);
  const leader = spawn("sleep", ["60"], { stdio: ["ignore", output, "ignore"], detached: true });
  const tree = new ProcessTree(Number(leader.pid), "hunt");
  tree.end();
  tree.endRest();
  await expect.poll(() => isRunning(Number(leader.pid))).toBe(false);
  expect(isRunning(Number(older.pid))).toBe(true);
  for (const child of [older, holder]) child.kill();
});
