import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { hasSandbox } from "../../support/programs.ts";
import { createFolder } from "../../support/folder.ts";
import { program } from "../../support/run-loaf.ts";
import { write } from "./answers.ts";

async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += 10) {
    if (waited > 20_000) throw new Error("It did not come to that");
    await setTimeout(10);
  }
}

function start(code: string, { files = { "loaf.yml": "relative_paths: true\nedits: {match: exact, final_newline: as-is}\n" }, sandbox = "off", first = "" }: { readonly first?: string; readonly files?: Readonly<Record<string, string>>; readonly sandbox?: string } = {}) {
  const root = createFolder(files);
  writeFileSync(join(root, "answer.md"), first + printBlock("one", { action: "exec", lang: "bash", code }) + "\n" + write("two", "two.txt", "x"));
  const home = createFolder();
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state") };
  const child = spawn(process.execPath, [program, "run", "answer.md", "--sandbox", sandbox], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, "close").then(([status, signal]) => (status ?? signal) as number | string);
  return { child, root, env, printed: () => printed, ended };
}

test("the first Ctrl-C waits for a command, the second ends it, and the report says so", { timeout: 60_000 }, async () => {
  const { child, root, printed, ended } = start("echo made > made.txt; sleep 600");
  await until(() => existsSync(join(root, "made.txt")));
  child.kill("SIGINT");
  await until(() => printed().includes("Ctrl-C again kills a running command"));
  child.kill("SIGINT");
  expect(await ended).toBe(1);
  expect(printed()).toContain("one ❌ exec bash - Process stopped by the user\ntwo ❌ file_write two.txt - Not run: the run was stopped before this action\n");
});

test("a termination signal ends a command at once", { timeout: 60_000 }, async () => {
  const { child, root, printed, ended } = start("echo made > made.txt; sleep 600");
  await until(() => existsSync(join(root, "made.txt")));
  child.kill("SIGTERM");
  expect(await ended).toBe(1);
  expect(printed()).toContain("exec bash - Process stopped by the user\n");
});

test("log and loaf alone say that a run is in progress, and after kill -9 that it was interrupted and its changes stay", { timeout: 60_000 }, async () => {
  const { child, root, env, ended } = start("echo made > made.txt; sleep 600", { first: write("one", "one.txt", "x") });
  const loaf = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { cwd: root, env, encoding: "utf8" }).stdout;
  await until(() => existsSync(join(root, "made.txt")));
  expect(loaf("log")).toBe("1  just now  1 change so far (still running)\n");
  expect(loaf()).toContain(`\nA run is in progress (process ${child.pid})\n`);
  child.kill("SIGKILL");
  await ended;
  expect(loaf("log")).toBe("1  just now  1 change, interrupted (not committed; what it changed stays, unless loaf undo takes it back)\n");
  expect(loaf()).toContain("\nRun 1, just now, was interrupted. Its changes stay, and are not committed: loaf diff shows them, loaf undo takes them back\n");
  expect(loaf("undo")).toContain("Undone: run 1 (1 change, interrupted): removed one.txt");
});

test.runIf(hasSandbox)("a command of a killed Loaf changes nothing in the project, and the next turn removes its view", { timeout: 60_000 }, async () => {
  const { child, root, env, ended } = start("echo made > made.txt; sleep 600", { files: {}, sandbox: "required" });
  const layers = () => {
    const state = join(env["XDG_STATE_HOME"] ?? "", "loaf");
    return existsSync(state) ? readdirSync(state, { recursive: true, encoding: "utf8" }).filter((path) => path.includes("/views/")) : [];
  };
  await until(() => layers().some((path) => path.endsWith("made.txt")));
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
  expect(readdirSync(root)).toEqual(["answer.md"]);
  await until(() => (spawnSync(process.execPath, [program, "recover"], { cwd: root, env }), layers().length === 0));
  expect(readdirSync(root)).toEqual(["answer.md"]);
});

const edits = (count: number): string => Array.from({ length: count }, (_, index) => printBlock("abc", { action: "file_replace_text", path: "a.txt", old_text: `line ${index} `, new_text: `Line ${index} ` })).join("\n");
const lines = Array.from({ length: 4_000 }, (_, index) => `line ${index} ${"x".repeat(400)}\n`).join("");
const ofManyFiles = { answer: Array.from({ length: 9_000 }, (_, index) => write("abc", `new/${index}.txt`, "x")).join("\n"), files: {} };
const parsed = { answer: `${write("one", "one.txt", "x")}\n${printBlock("two", { action: "file_read", path: "a.ts@@nope" })}\n${write("six", "six.txt", "x")}`, files: { "a.ts": "a<".repeat(1_000_000) } };
const stopped = ["one ✅ file_write one.txt", "two ❌ file_read a.ts@@nope - Not run: the run was stopped before this action", "six ❌ file_write six.txt - Not run: the run was stopped before this action"];

/** How often the shortest command runs in a second on a slow machine: the end of a run is compared with that command, so that a test fails for the code alone. */
const COMMANDS_OF_A_SECOND = 5;

/** Each signal with the text in the report, or the signal that ended the process before the report. */
test.each([
  ["Ctrl-C", "thousands of short actions", { answer: edits(2_000), files: { "a.txt": lines } }, "SIGINT", ["Not run: the run was stopped before this action"]],
  ["SIGTERM", "thousands of short actions", { answer: edits(2_000), files: { "a.txt": lines } }, "SIGTERM", ["Not run: the run was stopped before this action"]],
  ["Ctrl-C", "actions on thousands of small files", ofManyFiles, "SIGINT", ["Not run: the run was stopped before this action"]],
  ["SIGTERM", "actions on thousands of small files", ofManyFiles, "SIGTERM", ["Not run: the run was stopped before this action"]],
  ["Ctrl-C", "a text that takes long to parse", parsed, "SIGINT", stopped],
  ["SIGTERM", "a text that takes long to parse", parsed, "SIGTERM", []],
  ["Ctrl-C", "an answer that takes long to read", { answer: `#!nesl [@three-char-SHA-256: abc]\n${"=\n".repeat(30_000_000)}`, files: {} }, "SIGINT", ["Stopped before the text was read: nothing was run"]],
  ["SIGTERM", "an answer that takes long to read", { answer: `#!nesl [@three-char-SHA-256: abc]\n${"=\n".repeat(30_000_000)}`, files: {} }, "SIGTERM", []],
] as const)("102: %s ends %s within a second, and the next command finds the lock free", { timeout: 120_000 }, async (_, _what, { answer, files }, signal, told) => {
  let [least, printed] = [Infinity, ""];
  // Retry, since the machine may be busy for a moment.
  for (let round = 0; round < 3 && least > COMMANDS_OF_A_SECOND; round++) {
    const root = createFolder({ "loaf.yml": "relative_paths: true\nedits: {match: exact, final_newline: as-is}\n", ...files, "answer.md": answer });
    const home = createFolder();
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state") };
    const child = spawn(process.execPath, [program, "run", "answer.md"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    const ended = once(child, "close");
    await until(() => existsSync(join(home, "state")) && readdirSync(join(home, "state"), { recursive: true }).some((name) => String(name).includes("lock")));
    await setTimeout(1_500);
    expect(child.exitCode).toBeNull();
    const begun = performance.now();
    child.kill(signal);
    await ended;
    const ending = performance.now() - begun;
    for (const line of told) expect(printed).toContain(line);
    const after = performance.now();
    const next = spawnSync(process.execPath, [program, "recover"], { cwd: root, env, encoding: "utf8", timeout: 20_000 });
    least = Math.min(least, ending / (performance.now() - after));
    expect({ status: next.status, stderr: next.stderr }).toEqual({ status: 0, stderr: "Nothing was left unfinished\n" });
  }
  expect(least).toBeLessThan(COMMANDS_OF_A_SECOND);
});
