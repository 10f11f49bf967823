/** Starts a program that outlives this process and its process group. */
import { spawn } from "node:child_process";
import { tryOr } from "../core/errors.ts";

/** Returns whether it could be started. */
export function startApart(program: string, args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  return tryOr(() => {
    const child = spawn(program, args, { detached: true, stdio: "ignore", env });
    child.on("error", () => {});
    child.unref();
    return child.pid !== undefined;
  }, false);
}
