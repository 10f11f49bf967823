import { readFileSync } from "node:fs";

/** Whether a process is there and has not ended: one that nobody has asked about after its end still has its number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
