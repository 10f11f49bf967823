/**
 * One run at a time on a project, whoever starts it. The lock is a row of files, its generations, named by their number; the one
 * with the highest number is the lock. A file holds its owner, and is emptied when that lets go. To take the lock is to create the
 * next file, which only one of all that try can do: so a dead owner's lock is taken over exactly once. The newest generation is
 * never deleted, since two could then create it, one after the other.
 */
import { randomUUID } from "node:crypto";
import { closeSync, ftruncateSync, linkSync, openSync, readdirSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "./make-folders.ts";
import { type ProcessIdentity, type ProcessTable, processTable } from "./process-identity.ts";

export interface Lock {
  /** One more than that of the one before, whoever had it. */
  readonly generation: number;
  /** Lets the next one in. Doing it twice does nothing more. */
  release(): void;
}

/** Who has the lock, and how to get it where that is not seen to end. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601, UTC. */
  readonly since: string;
  /** False where nobody here can tell whether it still runs, as when it is on another machine or in another container. */
  readonly isRunning: boolean;
  /** What to delete where it does not. */
  readonly file: string;
}

export interface LockOptions {
  /** Told once, when the lock has not been had for a second. */
  readonly onWait?: ((holder: Holder) => void) | undefined;
  readonly processes?: ProcessTable;
}

/** Waits until it has the lock in a folder, which is made where it is missing. Throws a system error where nothing can be written there. */
export async function acquireLock(folder: string, { onWait, processes = processTable }: LockOptions = {}): Promise<Lock> {
  makeFolders(folder);
  const start = performance.now();
  let isTold = false;
  for (let attempt = 0; ; attempt++) {
    const found = take(folder, processes);
    if ("release" in found) return found;
    if (!isTold && performance.now() - start >= TELL_AFTER) {
      isTold = true;
      onWait?.(found);
    }
    await new Promise((done) => void setTimeout(done, Math.min(2 ** attempt, LONGEST_PAUSE) * (0.5 + Math.random())));
  }
}

/** Milliseconds. */
const TELL_AFTER = 1_000;
const LONGEST_PAUSE = 25;

interface Owner extends ProcessIdentity {
  readonly since: string;
  /** Tells the owner from others of the same process. */
  readonly taking: string;
}

/** The lock, or who has it. All of it at once: a process that is asked to end while it waits has nothing lying about. */
function take(folder: string, processes: ProcessTable): Lock | Holder {
  for (;;) {
    const newest = newestOf(readdirSync(folder));
    const holder = newest === 0 ? undefined : holderOf(join(folder, String(newest)), processes);
    if (holder !== undefined) return holder;
    const own = create(folder, newest + 1, { ...processes.identify(), since: new Date().toISOString(), taking: randomUUID() });
    if (own === undefined) continue;
    const names = readdirSync(folder);
    if (newestOf(names) === newest + 1) {
      clean(folder, names, newest + 1 - KEPT, processes);
      return own;
    }
    // What was the newest when it was looked up is history by now, so that its successor's number was free again.
    own.release();
    remove(join(folder, String(newest + 1)));
  }
}

/** Generations that stay, so that even a listing that takes its time meets one that is there from its beginning to its end. */
const KEPT = 8;

/** 0 where there is none. */
function newestOf(names: readonly string[]): number {
  return names.reduce((newest, name) => (/^\d+$/.test(name) ? Math.max(newest, Number(name)) : newest), 0);
}

/** Undefined where the lock is free: let go of, deleted, or its owner is gone. */
function holderOf(file: string, processes: ProcessTable): Holder | undefined {
  const owner = readOwner(file);
  if (owner === undefined) return undefined;
  const whereabouts = processes.find(owner);
  if (whereabouts === "gone") return undefined;
  const { pid, host, since } = owner;
  return { pid, host, since, isRunning: whereabouts === "running", file };
}

/** Files appear whole; one that says nothing was let go of, or lost what it said in a power cut, which its owner did not survive. */
function readOwner(file: string): Owner | undefined {
  try {
    const text = readFileSync(file, "utf8");
    return text === "" ? undefined : (JSON.parse(text) as Owner);
  } catch (thrown) {
    if (thrown instanceof SyntaxError || isMissing(thrown)) return undefined;
    throw thrown;
  }
}

/**
 * A link appears at once with all that its file holds, or not at all. Undefined where the generation is there already.
 *
 * The file stays open, so that letting go of it empties this very one: emptying takes no room, so a full disk is no obstacle; and whoever
 * deleted the file has let others in, and theirs is not touched.
 */
function create(folder: string, generation: number, owner: Owner): Lock | undefined {
  const unfinished = join(folder, `new-${owner.taking}`);
  const file = openSync(unfinished, "wx", 0o600);
  let isHeld = false;
  try {
    writeSync(file, JSON.stringify(owner));
    linkSync(unfinished, join(folder, String(generation)));
    isHeld = true;
  } catch (thrown) {
    // Missing: somebody cleaned up before it said whose it is.
    if (!isMissing(thrown) && (thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
    return undefined;
  } finally {
    if (!isHeld) closeSync(file);
    remove(unfinished);
  }
  return {
    generation,
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

/** Removes generations before one, and what processes left that were killed while they created theirs. */
function clean(folder: string, names: readonly string[], before: number, processes: ProcessTable): void {
  for (const name of names) {
    const isOver = name.startsWith("new-") ? holderOf(join(folder, name), processes) === undefined : Number(name) < before;
    if (isOver) remove(join(folder, name));
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}

function isMissing(thrown: unknown): boolean {
  return (thrown as NodeJS.ErrnoException).code === "ENOENT";
}
