import { copyFileSync, readFileSync, renameSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { GitFailed } from "./git.ts";

/** The user's index, which no other git changes as long as this is held. */
export interface IndexLock {
  /** The index itself. It need not be there. */
  readonly index: string;
  /** Puts another one in its place, all at once. */
  replace(by: string): void;
  release(): void;
}

const TRIES = 40;
const PAUSE_MS = 50;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Takes git's own lock of the index, as every git does that changes it, and waits 2 s for another one. Throws `GitFailed` where that does not give it up.
 *
 * What a Loaf that was killed has left is known by what stands in it, and taken over; git itself never looks into a lock.
 */
export async function lockIndex(gitFolder: string): Promise<IndexLock> {
  const index = join(gitFolder, "index");
  const lock = `${index}.lock`;
  for (let tries = 1; !take(lock); tries++) {
    if (removeOrphan(lock)) continue;
    if (tries === TRIES) throw new GitFailed(`another git is using the repository (${lock} exists); if none is running, delete that file`);
    await wait(PAUSE_MS);
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    release();
    // Whoever else listens decides what becomes of the process.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const release = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    if (readOwner(lock)?.pid === process.pid) rmSync(lock, { force: true });
  };
  return {
    index,
    release,
    replace: (by) => {
      renameSync(by, lock);
      renameSync(lock, index);
    },
  };
}

/**
 * Copies an index with its time, or a little before. Of a file that was changed in the same second in which the index was written git knows
 * by that time that it has to look into it; a younger copy would pass it as unchanged.
 */
export function copyIndex(index: string, copy: string): void {
  const { mtimeMs } = statSync(index);
  copyFileSync(index, copy);
  utimesSync(copy, mtimeMs / 1_000, Math.floor(mtimeMs / 1_000));
}

/**
 * Keeps an index's time through what git makes of it in another work tree. There git does not see which other files have been changed in the second in which the index was
 * written, and cannot note that of them in the new one.
 */
export async function keepTime(index: string, act: () => Promise<void>): Promise<void> {
  const before = statSync(index, { throwIfNoEntry: false });
  await act();
  if (before !== undefined) utimesSync(index, before.atime, before.mtime);
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, `loaf ${process.pid} ${hostname()}\n`, { flag: "wx" });
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new GitFailed(`the repository cannot be written to (${(thrown as Error).message})`);
  }
}

function removeOrphan(lock: string): boolean {
  const owner = readOwner(lock);
  if (owner === undefined || owner.host !== hostname() || isRunning(owner.pid)) return false;
  try {
    unlinkSync(lock);
    return true;
  } catch {
    return false;
  }
}

/** Undefined where the lock is not one of Loaf's. */
function readOwner(lock: string): { readonly pid: number; readonly host: string } | undefined {
  try {
    const [, pid, host] = /^loaf (\d+) (.*)\n$/.exec(readFileSync(lock, "latin1")) ?? [];
    return pid === undefined || host === undefined ? undefined : { pid: Number(pid), host };
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}
