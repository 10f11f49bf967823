import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isComplete } from "./complete.ts";

/** Returns whether a program is installed. What needs a missing one is skipped, but not in CI, where it fails. */
export function hasProgram(name: string): boolean {
  if (isComplete) return true;
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));
}

/** Whether commands can be sandboxed. */
export const hasSandbox = process.platform === "linux" && hasProgram("bwrap");
