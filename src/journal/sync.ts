import { isUtf8 } from "node:buffer";
import * as fs from "node:fs";
import { dirname } from "node:path";
import { joinPath } from "../paths/path-segments.ts";
import type { Pins } from "../disk/pin.ts";
import { isSystemError } from "../disk/system-error.ts";

/**
 * Brings files and directories to the disk, several at a time. A descriptor is closed as soon as its file is there, and only so many
 * are open at once.
 */
export class Syncing {
  readonly #pins: Pins | undefined;
  #waiting: number[] = [];
  #running = 0;
  #error: unknown;
  /** Whoever waits until no more than so many are running. */
  #awaited: { readonly most: number; go(): void } | undefined;

  /** @param pins none for Loaf's own folders, which links may lead to */
  constructor(pins?: Pins) {
    this.#pins = pins;
  }

  /** Takes the descriptor over. It is synced together with others: one write of the file system's own journal may do for all. */
  file(descriptor: number): void {
    this.#waiting.push(descriptor);
    if (this.#waiting.length >= TOGETHER) this.#start();
  }

  /** Does not throw: what fails, one that is not there too, is told by `finished`. */
  async directories(paths: Iterable<string>): Promise<void> {
    await this.#directories(paths, UNSYNCED);
  }

  /** Those that entries are, or were, in. One that was removed since needs it no more: that it was is its parent's to keep. */
  async directoriesOf(entries: readonly string[]): Promise<void> {
    await this.#directories(new Set(entries.map((path) => dirname(path))), [...UNSYNCED, "ENOENT", "ENOTDIR"]);
  }

  /** Files, or directories with all that is in them. Does not throw either. */
  async trees(paths: Iterable<string>): Promise<void> {
    await this.#noting(async () => {
      for (const path of paths) await this.#tree(path);
    });
  }

  /** Waits until another descriptor may be opened. */
  async room(): Promise<void> {
    if (!this.#isFull) return;
    this.#start();
    await this.#until(MOST_OPEN - 1);
  }

  /** Waits for all of them. Throws the first error: what the system could not write it may not try again, whatever it says then. */
  async finished(): Promise<void> {
    this.#start();
    await this.#until(0);
    if (this.#error !== undefined) throw this.#error;
  }

  async #directories(paths: Iterable<string>, leftOut: readonly string[]): Promise<void> {
    await this.#noting(async () => {
      for (const path of paths) {
        if (this.#isFull) await this.room();
        this.#directory(path, leftOut);
      }
    });
  }

  #directory(path: string, leftOut = UNSYNCED): void {
    // Windows has nothing like it.
    if (process.platform === "win32") return;
    try {
      this.file(this.#open(path));
    } catch (thrown) {
      if (!isSystemError(thrown) || !leftOut.includes(thrown.code)) throw thrown;
    }
  }

  get #isFull(): boolean {
    return this.#running + this.#waiting.length >= MOST_OPEN;
  }

  async #tree(path: string): Promise<void> {
    await this.room();
    const stats = fs.lstatSync(path);
    if (stats.isFile()) this.file(this.#open(path));
    if (!stats.isDirectory()) return;
    for (const name of fs.readdirSync(path, { encoding: "buffer" })) {
      if (isUtf8(name)) await this.#tree(joinPath(path, name.toString()));
      else this.#oddlyNamed(Buffer.concat([Buffer.from(joinPath(path, "")), name]));
    }
    this.#directory(path);
  }

  /** A file or a link: folders whose names are not UTF-8 are never copied. */
  #oddlyNamed(path: Buffer): void {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    if (fs.lstatSync(path).isFile()) this.file(fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  }

  #open(path: string): number {
    return this.#pins === undefined ? fs.openSync(path, fs.constants.O_RDONLY) : this.#pins.openToRead(path);
  }

  #start(): void {
    const descriptors = this.#waiting;
    this.#waiting = [];
    this.#running += descriptors.length;
    for (const descriptor of descriptors) fs.fsync(descriptor, (error) => this.#end(descriptor, error));
  }

  #end(descriptor: number, error: Error | null): void {
    this.#running -= 1;
    if (error !== null && !isUnknown(error)) this.#error ??= error;
    try {
      fs.closeSync(descriptor);
    } catch (thrown) {
      this.#error ??= thrown;
    }
    if (this.#awaited !== undefined && this.#running <= this.#awaited.most) this.#awaited.go();
  }

  async #until(most: number): Promise<void> {
    if (this.#running > most) await new Promise<void>((go) => (this.#awaited = { most, go }));
    this.#awaited = undefined;
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
/** One that may be written but not read cannot be synced: when it reaches the disk is up to the system. */
const UNSYNCED: readonly string[] = ["EACCES"];

/** Some file systems, of networks above all, know no syncing of directories. */
function isUnknown(error: Error): boolean {
  return isSystemError(error) && ["EINVAL", "ENOTSUP"].includes(error.code);
}
