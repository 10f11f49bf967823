import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Returns whether a program is installed. What needs a missing one is skipped, but not in CI, where it fails. */
export function hasProgram(name: string): boolean {
  if (process.env["CI"] !== undefined) return true;
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));
}

/** Whether commands can be sandboxed. */
export const hasSandbox = process.platform === "linux" && hasProgram("bwrap");
