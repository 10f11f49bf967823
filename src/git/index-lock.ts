import { randomUUID } from "node:crypto";
import {
  constants, copyFileSync, existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, unlinkSync,
  utimesSync, writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { messageOf, tryOr } from "../core/errors.ts";
import { type ProcessIdentity, processTable } from "../state/process-identity.ts";
import { GitFailed } from "./git.ts";

/** A lock of the user's index. No other git changes the index while it is held. */
export interface IndexLock {
  /** Path of the index, which may not exist. */
  readonly index: string;
  /** Atomically replaces the index by another file. */
  replace(by: string): void;
  release(): void;
}

const TRIES = 40;
const PAUSE_MS = 50;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Temporary entries of the git folder, used only while Loaf holds the lock. */
export const COMMIT_FOLDER = "loaf-commit-";
const UNFINISHED_LOCK = "loaf-lock-";
/** Working folder of a step. It survives a kill, because it has the index of the other commit. */
export const STEP_FOLDER = "loaf-step";

/** Returns whether a step is in progress, or was interrupted. */
export function isStepUnfinished({ gitFolder }: { readonly gitFolder: string }): boolean {
  return existsSync(join(gitFolder, STEP_FOLDER));
}

/**
 * Takes git's own lock of the index, as every git command does that changes it. Waits up to 2 s for another holder,
 * then throws `GitFailed`.
 *
 * Loaf's lock names its owner from the moment it exists, so the lock of a killed Loaf is recognised and taken over. Git
 * never reads a lock.
 */
export async function lockIndex(gitFolder: string): Promise<IndexLock> {
  const index = join(gitFolder, "index");
  const lock = lockOf(gitFolder);
  const taking = randomUUID();
  for (let tries = 1; !take(gitFolder, taking); tries++) {
    if (removeOrphan(lock)) continue;
    const reason = `another git process is using the repository (${lock} exists); if none is running, delete that file`;
    if (tries === TRIES) throw new GitFailed(reason);
    await wait(PAUSE_MS);
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    release();
    // Other listeners decide whether the process ends.
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
    // Git renames the lock itself, but this one must name its owner until it is removed.
    replace: (by) => renameSync(by, index),
  };
}

/**
 * Removes what a killed Loaf left in a repository: its index lock, which blocks every `git add`, and its temporary
 * files. Leaves a lock that does not name a dead Loaf. While another program holds the lock, leaves everything.
 */
export function removeLeftovers(gitFolder: string): void {
  try {
    const names = readdirSync(gitFolder);
    const temporaries = names.filter(isTemporary);
    if (names.includes(LOCK)) removeOrphan(lockOf(gitFolder));
    const taking = randomUUID();
    if (temporaries.length === 0 || !take(gitFolder, taking)) return;
    removeTemporary(gitFolder);
    if (readOwner(lockOf(gitFolder))?.taking === taking) rmSync(lockOf(gitFolder), { force: true });
  } catch {
    // The repository is unreadable or read-only. A command that needs it reports that.
  }
}

/** Must be called by the holder of the lock, before it makes temporary files of its own. */
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
 * Copies an index and sets the same time, or slightly earlier. By that time git knows to read a file that was changed
 * in the second in which the index was written. With a newer copy it would take that file for unchanged.
 */
export function copyIndex(index: string, copy: string): void {
  const { mtimeMs } = statSync(index);
  copyFileSync(index, copy);
  utimesSync(copy, mtimeMs / 1_000, Math.floor(mtimeMs / 1_000));
}

/**
 * Restores an index's time after git has changed it in another work tree. There git cannot see which other files were
 * changed in the second in which the index was written, and so cannot mark them.
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

/** Creates the lock as a hard link to a complete file, so that it always names its owner. */
function take(gitFolder: string, taking: string): boolean {
  const unfinished = join(gitFolder, `${UNFINISHED_LOCK}${taking}`);
  try {
    writeFileSync(unfinished, `loaf ${JSON.stringify({ ...processTable.identify(), taking })}\n`, { flag: "wx" });
    linkOrCopy(unfinished, lockOf(gitFolder));
    return true;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    // The holder of the lock may have removed the unfinished one as a leftover.
    if (code === "EEXIST" || (code === "ENOENT" && existsSync(gitFolder))) return false;
    throw new GitFailed(`the repository is not writable (${messageOf(thrown)})`);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function linkOrCopy(unfinished: string, lock: string): void {
  try {
    linkSync(unfinished, lock);
  } catch (thrown) {
    if (!WITHOUT_LINKS.includes((thrown as NodeJS.ErrnoException).code ?? "")) throw thrown;
    copyFileSync(unfinished, lock, constants.COPYFILE_EXCL);
  }
}

/** Error codes of file systems without hard links. */
const WITHOUT_LINKS = ["EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP"];

/** Renames the lock before removing it. If another Loaf has meanwhile taken the lock, puts it back. */
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

/** Returns undefined if the lock is not Loaf's. */
function readOwner(lock: string): (ProcessIdentity & { readonly taking: string }) | undefined {
  return tryOr(() => {
    const [, owner = "null"] = /^loaf (\{.*\})\n$/.exec(readFileSync(lock, "utf8")) ?? [];
    return (JSON.parse(owner) as (ProcessIdentity & { readonly taking: string }) | null) ?? undefined;
  }, undefined);
}

const KILL_TRIES = 100;
const KILL_PAUSE_MS = 10;

/**
 * Ends git processes of a killed Loaf that use an index below a folder. If the folder were removed first, a commit
 * whose hook is still running would take the missing index for an empty one and delete every file.
 *
 * @param folder with the index of a dead Loaf's commit
 * @returns whether no git uses that index any more
 */
function endSurvivors(folder: string): boolean {
  for (let tries = 0; ; tries++) {
    const survivors = gitsWithIndexIn(folder);
    if (survivors.length === 0) return true;
    if (tries === KILL_TRIES) return false;
    // Terminated this way, git removes its own locks.
    if (tries === 0) for (const pid of survivors) tryOr(() => process.kill(pid, "SIGTERM"), false);
    Atomics.wait(PAUSE, 0, 0, KILL_PAUSE_MS);
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
