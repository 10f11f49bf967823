/** Starts the built command `loaf watch` in a process of its own, without a terminal. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { createFolder } from "./folder.ts";
import { program, runLoaf } from "./run-loaf.ts";

interface StartedWatch {
  readonly process: ChildProcess;
  /** All that it has printed. */
  printed(): string;
  /** Waits until something is so. */
  until(isSo: () => boolean): Promise<void>;
  /** Sends a signal, and tells the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export async function startWatch(root: string, options: { readonly trust?: boolean; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {}): Promise<StartedWatch> {
  const home = createFolder();
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state"), ...options.env };
  if (options.trust === true) await runLoaf(["trust"], { cwd: root, env });
  const child = spawn(process.execPath, [program, "watch", ...(options.args ?? [])], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const hasEnded = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    // It may be writing into its folder, which goes next.
    await hasEnded;
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const until = async (isSo: () => boolean): Promise<void> => {
    for (let waited = 0; !isSo(); waited += 10) {
      if (waited > 10_000 || child.exitCode !== null) throw new Error(`It did not come to that; printed: ${printed}`);
      await setTimeout(10);
    }
  };
  await until(() => printed.includes("Watching "));
  return {
    process: child,
    printed: () => printed,
    until,
    async end(signal) {
      child.kill(signal);
      await hasEnded;
      return child.exitCode;
    },
  };
}
