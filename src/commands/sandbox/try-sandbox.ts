import { bubblewrap } from "./bubblewrap.ts";
import { runProgram } from "../run-program.ts";
import type { Sandbox } from "./sandbox.ts";
import { withScript } from "../script-file.ts";
import { seatbelt } from "./seatbelt.ts";
import { findSandbox, type FoundSandbox, type NoSandbox, unavailable } from "./find-sandbox.ts";

/** The sandbox of this system, once it was tried out, or why there is none. */
export async function trySandbox(): Promise<FoundSandbox> {
  const found = findSandbox();
  if ("reason" in found) return found;
  return (await whyNone(sandboxBy(found))) ?? found;
}

export function sandboxBy({ kind, path }: Exclude<FoundSandbox, NoSandbox>): Sandbox {
  return kind === "bubblewrap" ? bubblewrap(path) : seatbelt(path);
}

/** Why this machine makes no sandbox, or undefined where it makes one: tried out on an almost empty folder, so that no project has a say in the answer. */
export function whyNone(sandbox: Sandbox): Promise<NoSandbox | undefined> {
  return withScript("", "", async (file) => {
    const root = file.slice(0, file.lastIndexOf("/"));
    const nothing = { root, folder: root, readOnly: [], hidden: [], visible: [], home: "/", network: false, memory: 2 ** 30, processes: 100 };
    const ended = await runProgram({ ...sandbox.wrap({ program: "true", args: [], cwd: root, env: { PATH: "/usr/bin:/bin" } }, nothing), timeout: 10_000, hasThird: true, inheritsNothing: true });
    const wasStarted = await sandbox.settle(ended.third);
    return wasStarted && ended.exitCode === 0 ? undefined : unavailable(sandbox, ended);
  });
}
