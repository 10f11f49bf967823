import { readdirSync, readFileSync } from "node:fs";

/** Whether a process is there and has not ended: one that nobody has asked about after its end still has its number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** Processes of this machine that hold a word in their command line or working directory. */
export function processesWith(word: string): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, "latin1").includes(word) && !/\) [ZX]/.test(readFileSync(`/proc/${name}/stat`, "latin1"));
    } catch {
      return false;
    }
  });
}
