import { bubblewrap } from "./bubblewrap.ts";
import { runProgram } from "../run-program.ts";
import type { Sandbox } from "./sandbox.ts";
import { withScript } from "../script-file.ts";
import { seatbelt } from "./seatbelt.ts";
import { findSandbox, type FoundSandbox, type NoSandbox, explainFailure } from "./find-sandbox.ts";

/** Returns the system's sandbox after a test, or why it does not work. */
export async function trySandbox(): Promise<FoundSandbox> {
  const found = findSandbox();
  if ("reason" in found) return found;
  return (await sandboxProblem(sandboxBy(found))) ?? found;
}

export function sandboxBy({ kind, path }: Exclude<FoundSandbox, NoSandbox>): Sandbox {
  return kind === "bubblewrap" ? bubblewrap(path) : seatbelt(path);
}

/**
 * Returns why this machine cannot make a sandbox, or undefined if it can. Tests with an almost empty folder, so that no project influences
 * the answer.
 */
export function sandboxProblem(sandbox: Sandbox): Promise<NoSandbox | undefined> {
  return withScript("", "", async (file) => {
    const root = file.slice(0, file.lastIndexOf("/"));
    const nothing = { root, folder: root, readOnly: [], hidden: [], visible: [], home: "/", network: false, memory: 2 ** 30, processes: 100 };
    const ended = await runProgram({ ...sandbox.wrap({ program: "true", args: [], cwd: root, env: { PATH: "/usr/bin:/bin" } }, nothing), timeout: 10_000, hasThird: true, inheritsNothing: true });
    const wasStarted = await sandbox.settle(ended.third);
    return wasStarted && ended.exitCode === 0 ? undefined : explainFailure(sandbox, ended);
  });
}
