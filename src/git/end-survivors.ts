/** Ends gits that outlived the Loaf that had started them: killed at once, it could not take them along. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const TRIES = 100;
const PAUSE_MS = 10;

/**
 * A commit whose hook is still running would find the index gone when the folder is removed, and take that for an empty one: a commit without any file.
 *
 * @param folder in which the index of a dead Loaf's commit lies
 * @returns whether no git works with that index any more
 */
export function endSurvivors(folder: string): boolean {
  for (let tries = 0; ; tries++) {
    const survivors = gitsWithIndexIn(folder);
    if (survivors.length === 0) return true;
    if (tries === TRIES) return false;
    // Git removes its own locks then.
    if (tries === 0) for (const pid of survivors) end(pid);
    Atomics.wait(PAUSE, 0, 0, PAUSE_MS);
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/** Hooks inherit the variable too, and what they leave in the background is the user's: only gits count. */
function gitsWithIndexIn(folder: string): number[] {
  const variable = `\0GIT_INDEX_FILE=${folder}/`;
  return processes().filter((pid) => read(pid, "comm") === "git\n" && `\0${read(pid, "environ")}`.includes(variable));
}

/** None where the system does not tell. */
function processes(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(join("/proc", String(pid), name), "utf8");
  } catch {
    // It has ended, or is another user's.
    return "";
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // It has just ended.
  }
}
