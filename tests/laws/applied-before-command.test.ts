/** The law of a run holds too where the command runs, pastes and watches, and where it is killed at any moment. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ExecutionResult } from "../../src/index.ts";
import { fakeClipboard } from "../support/fake-clipboard.ts";
import { createFolder } from "../support/folder.ts";
import { program, runLoaf } from "../support/run-loaf.ts";
import { tries } from "../support/tries.ts";
import { watchIn } from "../support/watching.ts";
import { type Answer, answer, checkLaw, path, print, text, treeOf } from "./random-answers.ts";

type Step =
  | { readonly kind: "run" | "paste" | "watch"; readonly answer: number }
  | { readonly kind: "killed"; readonly answer: number; readonly after: number }
  | { readonly kind: "undo" }
  | { readonly kind: "user"; readonly path: string; readonly text: string };

const which = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom("run", "paste", "watch"), answer: which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("killed"), answer: which, after: fc.integer({ min: 80, max: 280 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("undo") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("user"), path, text }) },
);

test("after each command the tree is what its successful actions give", { timeout: 3_600_000 }, async () => {
  const seen = { applied: 0, made: 0, refused: 0, killed: 0 };
  const law = fc.asyncProperty(fc.array(answer, { minLength: 3, maxLength: 3 }), fc.array(step, { minLength: 8, maxLength: 14, size: "max" }), async (answers, steps) => {
    const root = createFolder({ "a.txt": "one\ntwo\n", "b.txt": "three\n", "sub/a.txt": "four\n", "loaf.yml": "relative_paths: true\n" });
    const env = { XDG_STATE_HOME: process.env["XDG_STATE_HOME"] ?? "" };
    for (const one of steps) {
      if (one.kind === "user") {
        mkdirSync(dirname(join(root, one.path)), { recursive: true });
        writeFileSync(join(root, one.path), one.text);
      } else if (one.kind === "undo") await runLoaf(["undo"], { cwd: root, env });
      else {
        const written = print(answers[one.answer] as Answer);
        if (one.kind === "killed") seen.killed += Number(await killedRun(root, written, env, one.after));
        const tree = treeOf(root);
        const results = one.kind === "watch" ? await watched(root, written) : await ran(root, written, env, one.kind === "paste");
        for (const { appliedIn, success } of results) seen[appliedIn !== undefined ? "applied" : success ? "made" : "refused"] += 1;
        checkLaw(tree, results, root);
      }
    }
    rmSync(root, { recursive: true });
  });
  await fc.assert(law, { ...tries(6, 1_000), endOnFailure: true });
  expect(Math.min(seen.applied, seen.made, seen.killed)).toBeGreaterThan(3);
});

/** Kills a run after some milliseconds, and finishes or takes back what it had begun. Returns whether it was running. */
async function killedRun(root: string, written: string, env: Readonly<Record<string, string>>, after: number): Promise<boolean> {
  const child = spawn(process.execPath, [program, "run", "-"], { cwd: root, env: { ...process.env, ...env }, stdio: ["pipe", "ignore", "ignore"] });
  const ended = once(child, "exit");
  child.stdin.on("error", () => {});
  child.stdin.end(written);
  await Promise.race([setTimeout(after), ended]);
  const wasRunning = child.exitCode === null;
  child.kill("SIGKILL");
  await ended;
  await runLoaf(["recover"], { cwd: root, env });
  return wasRunning;
}

async function ran(root: string, written: string, env: Readonly<Record<string, string>>, isPasted: boolean): Promise<ExecutionResult["results"]> {
  const { stdout, stderr } = isPasted
    ? await runLoaf(["run", "--paste", "--json"], { cwd: root, env: { ...env, ...fakeClipboard(written).env } })
    : await runLoaf(["run", "--json", "-"], { cwd: root, env, input: written });
  // A pasted answer is recognised before it is read.
  if (isPasted && stderr.startsWith("This answer ran before")) return [];
  expect(stdout, stderr).toMatch(/^\{/);
  return (JSON.parse(stdout) as ExecutionResult).results;
}

/** Runs the answer as `watch` does when it is saved. Blocks that it ran before, it does not run again. */
async function watched(root: string, written: string): Promise<ExecutionResult["results"]> {
  const { save, runs, quiet, end } = watchIn(root, { config: { relative_paths: true } });
  save(written);
  await quiet();
  await end();
  return runs.flatMap(({ result }) => result.results);
}
