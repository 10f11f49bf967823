import * as fs from "node:fs";
import { promisify } from "node:util";
import { joinPath } from "../volume/path-segments.ts";
import type { Pins } from "../volume/pin.ts";
import { isSystemError } from "../volume/system-error.ts";

/**
 * Brings files and directories to the disk, several at a time. A descriptor is closed as soon as its file is there, and only so many
 * are open at once.
 */
export class Syncing {
  readonly #pins: Pins | undefined;
  #waiting: number[] = [];
  readonly #running = new Set<Promise<void>>();
  #error: unknown;

  /** @param pins none for Loaf's own folders, which links may lead to */
  constructor(pins?: Pins) {
    this.#pins = pins;
  }

  /** Takes the descriptor over. It is synced together with others: one write of the file system's own journal may do for all. */
  file(descriptor: number): void {
    this.#waiting.push(descriptor);
    if (this.#waiting.length >= TOGETHER) this.#start();
  }

  /** Throws where it cannot be opened. One that may be written but not read cannot be synced: when it reaches the disk is up to the system. */
  directory(path: string): void {
    // Windows has nothing like it.
    if (process.platform === "win32") return;
    try {
      this.file(this.#open(path));
    } catch (thrown) {
      if (!isSystemError(thrown) || thrown.code !== "EACCES") throw thrown;
    }
  }

  /** Many of them. Does not throw: what fails is told by `finished`. */
  async directories(paths: Iterable<string>): Promise<void> {
    await this.#noting(async () => {
      for (const path of paths) {
        await this.room();
        this.directory(path);
      }
    });
  }

  /** Files, or directories with all that is in them. Does not throw either. */
  async trees(paths: Iterable<string>): Promise<void> {
    await this.#noting(async () => {
      for (const path of paths) await this.#tree(path);
    });
  }

  /** Waits until another descriptor may be opened. */
  async room(): Promise<void> {
    while (this.#running.size + this.#waiting.length >= MOST_OPEN) {
      this.#start();
      await Promise.race(this.#running);
    }
  }

  /** Waits for all of them. Throws the first error: what the system could not write it may not try again, whatever it says then. */
  async finished(): Promise<void> {
    this.#start();
    await Promise.all(this.#running);
    if (this.#error !== undefined) throw this.#error;
  }

  async #tree(path: string): Promise<void> {
    await this.room();
    const stats = fs.lstatSync(path);
    if (stats.isFile()) this.file(this.#open(path));
    if (!stats.isDirectory()) return;
    for (const name of fs.readdirSync(path)) await this.#tree(joinPath(path, name));
    this.directory(path);
  }

  #open(path: string): number {
    return this.#pins === undefined ? fs.openSync(path, fs.constants.O_RDONLY) : this.#pins.openToRead(path);
  }

  #start(): void {
    for (const descriptor of this.#waiting) {
      const running = this.#sync(descriptor).finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
    this.#waiting = [];
  }

  async #sync(descriptor: number): Promise<void> {
    await this.#noting(async () => {
      try {
        await fsync(descriptor);
      } finally {
        fs.closeSync(descriptor);
      }
    });
  }

  async #noting(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (thrown) {
      this.#error ??= thrown;
    }
  }
}

/** Waits for all of them, and then throws the first error. */
export async function settled(all: ReadonlyArray<Promise<void>>): Promise<void> {
  for (const one of await Promise.allSettled(all)) if (one.status === "rejected") throw one.reason;
}

const MOST_OPEN = 64;
const TOGETHER = 16;
const fsyncDescriptor = promisify(fs.fsync);

/** Some file systems, of networks above all, know no syncing of directories. */
async function fsync(descriptor: number): Promise<void> {
  try {
    await fsyncDescriptor(descriptor);
  } catch (thrown) {
    if (!isSystemError(thrown) || !["EINVAL", "ENOTSUP"].includes(thrown.code)) throw thrown;
  }
}
