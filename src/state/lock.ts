/**
 * Lets only one process at a time work on a project.
 *
 * The lock is a series of numbered files, its generations. The highest number is the current one. A file names its
 * owner, and is emptied on release. A process takes the lock by creating the next file, which only one can do. So a
 * dead owner's lock is taken over exactly once. The newest generation is never deleted, or two processes could create
 * it in turn.
 */
import { randomUUID } from "node:crypto";
import { closeSync, ftruncateSync, linkSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../core/errors.ts";
import { Refusal } from "../core/failure.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { makeFolders } from "./places.ts";
import { type ProcessIdentity, type ProcessTable, processTable } from "./process-identity.ts";

export interface Lock {
  /** Idempotent. */
  release(): void;
}

/** The owner of the lock, and the file to delete if that cannot be checked. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601, UTC. */
  readonly since: string;
  /** False if unknown, as for a process on another machine or in another container. */
  readonly isRunning: boolean;
  /** The file to delete if the process has ended. */
  readonly file: string;
}

export interface LockOptions {
  /** Called once, after waiting for almost a second. */
  readonly onWait?: ((holder: Holder) => void) | undefined;
  /** Ends the wait. */
  readonly stop?: AbortSignal | undefined;
  readonly processes?: ProcessTable;
}

/**
 * Waits for the lock in a folder, and creates the folder if missing. Throws a system error if it is not writable, and
 * `Refusal` if it was stopped.
 */
export async function acquireLock(
  folder: string,
  { onWait, stop, processes = processTable }: LockOptions = {},
): Promise<Lock> {
  makeFolders(folder);
  const start = performance.now();
  let isTold = false;
  for (let attempt = 0; ; attempt++) {
    const taken = take(folder, processes);
    if ("release" in taken) return taken;
    if (stop?.aborted === true) throw new Refusal(`Stopped waiting for process ${taken.pid}: nothing was changed`);
    if (!isTold && performance.now() - start >= TELL_AFTER_MS) {
      isTold = true;
      onWait?.(taken);
    }
    await new Promise((done) => void setTimeout(done, Math.min(2 ** attempt, MAX_PAUSE_MS) * (0.5 + Math.random())));
  }
}

const TELL_AFTER_MS = 900;
const MAX_PAUSE_MS = 25;

/** Returns who holds the lock in a folder. Undefined if nobody does, or the folder is missing. */
export function lockHolder(folder: string): Holder | undefined {
  return holderOf(join(folder, String(newestOf(tryOr(() => readdirSync(folder), [])))), processTable);
}

interface Owner extends ProcessIdentity {
  readonly since: string;
  /** Unique for each owner, since one process may have several. */
  readonly taking: string;
}

/** Returns the lock or its holder. Synchronous, so that a process interrupted while it waits leaves no file behind. */
function take(folder: string, processes: ProcessTable): Lock | Holder {
  for (;;) {
    const newest = newestOf(readdirSync(folder));
    const holder = holderOf(join(folder, String(newest)), processes);
    if (holder !== undefined) return holder;
    const claim = create(folder, newest + 1, {
      ...processes.identify(),
      since: new Date().toISOString(),
      taking: randomUUID(),
    });
    if (claim === undefined) continue;
    const names = readdirSync(folder);
    if (newestOf(names) === newest + 1) {
      clean(folder, names, newest + 1 - KEPT, processes);
      return claim;
    }
    // The listing was stale: the next number had been used and removed since, so it was free again.
    claim.release();
    rmSync(join(folder, String(newest + 1)), { force: true });
  }
}

/** Number of generations to keep, so that even a slow listing includes one that exists all the time. */
const KEPT = 8;

/** Returns 0 if there is none. */
function newestOf(names: readonly string[]): number {
  return names.reduce((newest, name) => (/^\d+$/.test(name) ? Math.max(newest, Number(name)) : newest), 0);
}

/** Returns undefined if the lock was released or deleted, or its owner has ended. */
function holderOf(file: string, processes: ProcessTable): Holder | undefined {
  const owner = readOwner(file);
  if (owner === undefined) return undefined;
  const whereabouts = processes.find(owner);
  if (whereabouts === "gone") return undefined;
  const { pid, host, since } = owner;
  return { pid, host, since, isRunning: whereabouts === "running", file };
}

/**
 * Files appear whole. So an empty or torn one was released, or lost its content in a power cut, which also ended its
 * owner.
 */
function readOwner(file: string): Owner | undefined {
  const text = unlessSystemError(() => readFileSync(file, "utf8"), "", ["ENOENT"]);
  return tryOr(() => JSON.parse(text) as Owner, undefined);
}

/**
 * Creates a generation by linking, so that it appears with its content or not at all. Returns undefined if it exists.
 *
 * Keeps the file open, and releases it by truncating. That works on a full disk. And if somebody deleted the file to
 * let others in, theirs is not touched.
 */
function create(folder: string, generation: number, owner: Owner): Lock | undefined {
  const unfinished = join(folder, `new-${owner.taking}`);
  const file = openSync(unfinished, "wx", 0o600);
  let isHeld = false;
  try {
    writeSync(file, JSON.stringify(owner));
    const link = (): boolean => (linkSync(unfinished, join(folder, String(generation))), true);
    // Missing: another process removed it as abandoned before its owner was written.
    isHeld = unlessSystemError(link, false, ["EEXIST", "ENOENT"]);
  } finally {
    if (!isHeld) closeSync(file);
    rmSync(unfinished, { force: true });
  }
  if (!isHeld) return undefined;
  return {
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      try {
        ftruncateSync(file);
      } finally {
        closeSync(file);
      }
    },
  };
}

/** Removes old generations, and unfinished files of killed processes. */
function clean(folder: string, names: readonly string[], before: number, processes: ProcessTable): void {
  for (const name of names) {
    const isOver = name.startsWith("new-")
      ? holderOf(join(folder, name), processes) === undefined
      : Number(name) < before;
    if (isOver) rmSync(join(folder, name), { force: true });
  }
}
