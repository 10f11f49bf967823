import { lstatSync } from "node:fs";
import { join } from "node:path";
import { asBytes, fromBytes, type Git, records } from "./git.ts";

/**
 * Returns tracked files that git's status shows as changed and whose time is newer than the given one.
 *
 * @param since milliseconds since 1970
 * @param own paths to skip
 */
export async function foreignChanges(git: Git, since: number, own: ReadonlySet<string>): Promise<string[]> {
  const { exitCode, stdout } = await git.attempt(["status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames", "--ignore-submodules=all"]);
  if (exitCode !== 0) return [];
  const accounted = new Set([...own].map(asBytes));
  const changed = records(stdout).filter((line) => line[1] !== " ").map((line) => line.slice(3));
  return changed.filter((path) => !accounted.has(path)).map(fromBytes).filter((path) => isYounger(join(git.top, path), since));
}

/** Milliseconds that the time of a file may lag behind the clock: file systems take it from the last tick of a timer. */
const MAX_LAG_MS = 20;

/** A removed file has no time, so it does not count. */
function isYounger(path: string, since: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Math.max(stats.ctimeMs, stats.mtimeMs) >= since - MAX_LAG_MS;
}
