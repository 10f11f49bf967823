import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { isShellsNotFound } from "../../../../src/programs/sandbox/run-confined.ts";

/** As the sandbox starts it. */
const complaintOf = (shell: string, ...words: string[]) => spawnSync(shell, ["-c", 'exec "$@"', "sh", ...words], { argv0: "sh", encoding: "utf8", env: { PATH: "/usr/bin:/bin", LC_ALL: "C" } }).stderr;

test.each(["/bin/sh", "/bin/dash", "/bin/bash"].filter((shell) => existsSync(shell)))("%s' message of a missing program is told from a program's own", (shell) => {
  expect(isShellsNotFound(complaintOf(shell, "no-such-program", "x"), "no-such-program")).toBe(true);
  expect(isShellsNotFound(complaintOf(shell, "sh", "-c", "no-such-program"), "sh")).toBe(false);
  expect(isShellsNotFound(complaintOf(shell, "sh", "-c", "exec no-such-program"), "sh")).toBe(false);
});
