import { expect, test } from "vitest";
import { runProgram } from "../../../src/exec/process.ts";

const node = (code: string, options: { input?: string; timeout?: number } = {}) => runProgram(process.execPath, ["-e", code], { timeout: 10_000, ...options });

test("what a program writes, and how it ends", async () => {
  expect(await node("console.log('out'); console.error('err'); process.exit(3)")).toEqual({ exitCode: 3, stdout: "out\n", stderr: "err\n" });
});

test("its standard input is the text, and then ends", async () => {
  expect((await node("process.stdin.pipe(process.stdout)", { input: "Grüße" })).stdout).toBe("Grüße");
});

test("a program that reads no input is none the worse for it", async () => {
  expect((await node("process.exit(0)", { input: "x".repeat(1_000_000) })).exitCode).toBe(0);
});

test("at the time limit it is killed", async () => {
  expect((await node("setInterval(() => {}, 1000)", { timeout: 200 })).exitCode).toBeNull();
});

test("of endless output only the beginning is kept", async () => {
  expect((await node("process.stdout.write('x'.repeat(1_000_000))")).stdout).toBe("x".repeat(65_536));
});

test("what stays in the background with its streams is not waited for", async () => {
  const start = Date.now();
  await node("require('node:child_process').spawn('sleep', ['20'], { stdio: 'inherit', detached: true }).unref()");
  expect(Date.now() - start).toBeLessThan(5_000);
});

test("a program that is not there is an error", async () => {
  await expect(runProgram("/nowhere/program", [], { timeout: 1_000 })).rejects.toThrow("ENOENT");
});
