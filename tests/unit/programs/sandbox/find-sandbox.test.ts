import { expect, onTestFinished, test } from "vitest";
import { findSandbox, sandboxProblem, trySandbox } from "../../../../src/programs/sandbox/find-sandbox.ts";
import type { Sandbox } from "../../../../src/programs/sandbox/sandbox.ts";
import { createFolder } from "../../../support/folder.ts";

function searchOnly(folder: string): void {
  const { PATH } = process.env;
  process.env["PATH"] = folder;
  onTestFinished(() => void (process.env["PATH"] = PATH));
}

test("a sandbox that is not installed is not tried", async () => {
  searchOnly(createFolder());
  expect(await trySandbox()).toEqual(findSandbox());
  expect(findSandbox("linux")).toMatchObject({ reason: "bubblewrap is not installed" });
  expect(findSandbox("darwin")).toMatchObject({ reason: "sandbox-exec is missing" });
  expect(findSandbox("win32")).toMatchObject({ reason: "there is none for win32", remedy: expect.stringMatching(/^Let commands run/) });
});

test("a sandbox is tried with a command that does nothing", async () => {
  const sandbox = (program: string, isStarted: boolean): Sandbox => ({
    name: "a box",
    wrap: (command) => ({ ...command, program: program || command.program }),
    settle: async () => isStarted,
  });
  const cannot = { reason: "a box cannot make one here (exit code 1)", remedy: expect.stringContaining("allow them, or let commands run") };
  expect(await sandboxProblem(sandbox("", true))).toBeUndefined();
  expect(await sandboxProblem(sandbox("false", true))).toEqual(cannot);
  expect(await sandboxProblem(sandbox("", false))).toMatchObject({ reason: "a box cannot make one here (exit code 0)" });
});
