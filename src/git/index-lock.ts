import { randomUUID } from "node:crypto";
import { constants, copyFileSync, existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type ProcessIdentity, processTable } from "../state/process-identity.ts";
import { endSurvivors } from "./end-survivors.ts";
import { GitFailed } from "./git.ts";
import { tryOr } from "../core/try-or.ts";

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

/** Names in the git folder of what Loaf needs only while it holds the lock. */
export const COMMIT_FOLDER = "loaf-commit-";
const UNFINISHED_LOCK = "loaf-lock-";
/** What a step works in, from its beginning to its end. It outlives a kill, since it tells how to end the step. */
export const STEP_FOLDER = "loaf-step";

/** Whether a step is on its way, or was interrupted. */
export function isCrossing({ gitFolder }: { readonly gitFolder: string }): boolean {
  return existsSync(join(gitFolder, STEP_FOLDER));
}

/**
 * Takes git's own lock of the index, as every git does that changes it, and waits 2 s for another one. Throws `GitFailed` if that one keeps it.
 *
 * The lock of a Loaf that was killed is known by its owner, whom it names from the moment it exists, and is taken over. Git itself never looks into a lock.
 */
export async function lockIndex(gitFolder: string): Promise<IndexLock> {
  const index = join(gitFolder, "index");
  const lock = lockOf(gitFolder);
  const taking = randomUUID();
  for (let tries = 1; !take(gitFolder, taking); tries++) {
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
    if (readOwner(lock)?.taking === taking) rmSync(lock, { force: true });
  };
  return {
    index,
    release,
    // Not by way of the lock, which has to name its owner until it goes.
    replace: (by) => renameSync(by, index),
  };
}

/**
 * Removes what a Loaf that was killed left in a repository: its lock of the index, which stops every `git add`, and its temporary files. Leaves a lock
 * that does not name a dead Loaf, and everything while another program holds the lock.
 */
export function removeLeftovers(gitFolder: string): void {
  try {
    const names = readdirSync(gitFolder);
    const own = names.filter(isTemporary);
    if (names.includes(LOCK)) removeOrphan(lockOf(gitFolder));
    const taking = randomUUID();
    if (own.length === 0 || !take(gitFolder, taking)) return;
    removeTemporary(gitFolder);
    if (readOwner(lockOf(gitFolder))?.taking === taking) rmSync(lockOf(gitFolder), { force: true });
  } catch {
    // A repository that cannot be read or written: what needs it will say so.
  }
}

/** To be called by the holder of the lock, before it makes files of its own: until then nobody uses them. */
export function removeTemporary(gitFolder: string): void {
  for (const name of readdirSync(gitFolder).filter(isTemporary)) {
    const path = join(gitFolder, name);
    if (!name.startsWith(COMMIT_FOLDER) || endSurvivors(path)) rmSync(path, { recursive: true, force: true });
  }
}

function isTemporary(name: string): boolean {
  return name.startsWith(COMMIT_FOLDER) || name.startsWith(UNFINISHED_LOCK);
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

const LOCK = "index.lock";

function lockOf(gitFolder: string): string {
  return join(gitFolder, LOCK);
}

/** A link appears at once with all that its file holds: a lock of Loaf's that does not name its owner never exists. */
function take(gitFolder: string, taking: string): boolean {
  const unfinished = join(gitFolder, `${UNFINISHED_LOCK}${taking}`);
  try {
    writeFileSync(unfinished, `loaf ${JSON.stringify({ ...processTable.identify(), taking })}\n`, { flag: "wx" });
    linkSync(unfinished, lockOf(gitFolder));
    return true;
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    // The holder of the lock may have taken the unfinished one for a leftover.
    if (code === "EEXIST" || (code === "ENOENT" && existsSync(gitFolder))) return false;
    if (code !== undefined && WITHOUT_LINKS.includes(code)) return takeByName(unfinished, lockOf(gitFolder));
    throw new GitFailed(`the repository cannot be written to (${message})`);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** What file systems say that know no hard links. */
const WITHOUT_LINKS = ["EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP"];

function takeByName(unfinished: string, lock: string): boolean {
  try {
    copyFileSync(unfinished, lock, constants.COPYFILE_EXCL);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new GitFailed(`the repository cannot be written to (${(thrown as Error).message})`);
  }
}

/** Moves the lock away before it removes it: another Loaf may have done so meanwhile and hold its own by now, which then goes back. */
function removeOrphan(lock: string): boolean {
  if (!isOrphan(lock)) return false;
  const moved = join(dirname(lock), `${UNFINISHED_LOCK}${randomUUID()}`);
  try {
    renameSync(lock, moved);
    if (!isOrphan(moved)) linkSync(moved, lock);
    unlinkSync(moved);
    return true;
  } catch {
    return false;
  }
}

function isOrphan(lock: string): boolean {
  const owner = readOwner(lock);
  return owner !== undefined && processTable.find(owner) === "gone";
}

/** Undefined where the lock is not one of Loaf's. */
function readOwner(lock: string): (ProcessIdentity & { readonly taking: string }) | undefined {
  return tryOr(() => {
    const [, owner = "null"] = /^loaf (\{.*\})\n$/.exec(readFileSync(lock, "utf8")) ?? [];
    return (JSON.parse(owner) as (ProcessIdentity & { readonly taking: string }) | null) ?? undefined;
  }, undefined);
}
