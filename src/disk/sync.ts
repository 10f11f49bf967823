import * as fs from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { pins } from "./choose-pins.ts";
import { isSystemError } from "./system-error.ts";

/**
 * Syncs files and directories, several at a time. Closes each descriptor once it is synced, and limits how many are
 * open.
 */
export class Syncing {
  readonly #isOwn: boolean;
  #waiting: number[] = [];
  readonly #running = new Set<Promise<void>>();
  #error: unknown;

  /** @param isOwn of Loaf's own folders, which may be reached through links */
  constructor(isOwn = false) {
    this.#isOwn = isOwn;
  }

  /**
   * Takes ownership of the descriptor. Syncs it with others, so that one journal write of the file system may cover
   * them all.
   */
  file(descriptor: number): void {
    this.#waiting.push(descriptor);
    if (this.#waiting.length >= BATCH_SIZE) this.#start();
  }

  /** Never throws: `finished` reports errors, including missing directories. */
  async directories(paths: Iterable<string>, leftOut = UNSYNCED): Promise<void> {
    await this.#recordingErrors(async () => {
      for (const path of paths) {
        await this.room();
        this.#directory(path, leftOut);
      }
    });
  }

  /** Syncs the parents of entries. Skips a parent that was removed: its own parent records the removal. */
  async directoriesOf(entries: readonly string[]): Promise<void> {
    await this.directories(new Set(entries.map((path) => dirname(path))), [...UNSYNCED, "ENOENT", "ENOTDIR"]);
  }

  /** Syncs files by their paths. Skips links, which are part of their directory. Never throws. */
  async files(paths: Iterable<string>): Promise<void> {
    await this.#recordingErrors(async () => {
      for (const path of paths) {
        await this.room();
        if (fs.lstatSync(path).isFile()) this.file(this.#open(path));
      }
    });
  }

  /** Waits until another descriptor may be opened. */
  async room(): Promise<void> {
    if (this.#running.size + this.#waiting.length < MAX_OPEN_FILES) return;
    this.#start();
    while (this.#running.size >= MAX_OPEN_FILES) await Promise.race(this.#running);
  }

  /**
   * Waits for all of them and throws the first error. The system may never retry a failed write, even if a later sync
   * succeeds.
   */
  async finished(): Promise<void> {
    this.#start();
    await Promise.all(this.#running);
    if (this.#error !== undefined) throw this.#error;
  }

  #directory(path: string, leftOut = UNSYNCED): void {
    // Windows cannot sync directories.
    if (process.platform === "win32") return;
    try {
      this.file(this.#open(path));
    } catch (thrown) {
      if (!isSystemError(thrown) || !leftOut.includes(thrown.code)) throw thrown;
    }
  }

  #open(path: string): number {
    return this.#isOwn ? fs.openSync(path, fs.constants.O_RDONLY) : pins.openToRead(path);
  }

  #start(): void {
    for (const descriptor of this.#waiting.splice(0)) {
      const syncing = this.#sync(descriptor).finally(() => this.#running.delete(syncing));
      this.#running.add(syncing);
    }
  }

  async #sync(descriptor: number): Promise<void> {
    await this.#recordingErrors(() => fsync(descriptor).catch(unlessUnsupported));
    await this.#recordingErrors(async () => fs.closeSync(descriptor));
  }

  async #recordingErrors(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (thrown) {
      this.#error ??= thrown;
    }
  }
}

const fsync = promisify(fs.fsync);

/** Returns a folder and those above it: where they are new, each needs a sync for its entry to last. */
export function withAncestors(folder: string): string[] {
  return dirname(folder) === folder ? [folder] : [folder, ...withAncestors(dirname(folder))];
}

/** Waits for all promises, then throws the first error. */
export async function settleAll(all: ReadonlyArray<Promise<void>>): Promise<void> {
  for (const result of await Promise.allSettled(all)) if (result.status === "rejected") throw result.reason;
}

const MAX_OPEN_FILES = 64;
const BATCH_SIZE = 16;
/** A path that may be written but not read cannot be synced: the system decides when it reaches the disk. */
const UNSYNCED: readonly string[] = ["EACCES"];

/** Some file systems, mainly network ones, cannot sync directories. */
function unlessUnsupported(thrown: unknown): void {
  if (!isSystemError(thrown) || !["EINVAL", "ENOTSUP"].includes(thrown.code)) throw thrown;
}
