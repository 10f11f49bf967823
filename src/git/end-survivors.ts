/** Ends git processes that outlived a killed Loaf. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../core/try-or.ts";

const TRIES = 100;
const PAUSE_MS = 10;

/**
 * Ends git processes that use an index below a folder. If the folder were removed first, a commit whose hook is still
 * running would take the missing index for an empty one and delete every file.
 *
 * @param folder with the index of a dead Loaf's commit
 * @returns whether no git uses that index any more
 */
export function endSurvivors(folder: string): boolean {
  for (let tries = 0; ; tries++) {
    const survivors = gitsWithIndexIn(folder);
    if (survivors.length === 0) return true;
    if (tries === TRIES) return false;
    // Terminated this way, git removes its own locks.
    if (tries === 0) for (const pid of survivors) tryOr(() => process.kill(pid, "SIGTERM"), false);
    Atomics.wait(PAUSE, 0, 0, PAUSE_MS);
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/** Finds git processes only. Hooks inherit the variable too, but what they leave in the background is the user's. */
function gitsWithIndexIn(folder: string): number[] {
  const variable = `\0GIT_INDEX_FILE=${folder}/`;
  const processes = tryOr(() => readdirSync("/proc"), []).map(Number).filter((pid) => pid > 0);
  return processes.filter((pid) => read(pid, "comm") === "git\n" && `\0${read(pid, "environ")}`.includes(variable));
}

/** Returns "" if the process has ended or belongs to another user. */
function read(pid: number, name: string): string {
  return tryOr(() => readFileSync(join("/proc", String(pid), name), "utf8"), "");
}
