import { setTimeout as sleep } from "node:timers/promises";
import type { HeldFile, Save } from "../../state/exchange-file.ts";
import { keepBeside, type Placed, putLate } from "../../state/input-file.ts";

/** Milliseconds between checks. Editors write soon after opening a file, but a program may print into it for long. */
const PAUSES_MS = [10, 20, 50, 100, 200, 400, 800, 1_600];
const LAST_PAUSE_MS = 2_000;

/** Checks without a change before a file is closed: ten minutes. */
const MAX_CHECKS = 300;

/**
 * Checks during which a file counts as fresh, and the milliseconds granted at the end to an editor that has just opened
 * one.
 */
const [FRESH, GRACE_MS] = [4, 100];

/** Maximum number of watched files. Beyond it, the least recently changed one is checked a last time. */
const MAX_HELD = 16;

/**
 * Watches replaced files. An editor that still has one open writes to it, and its save would be lost. Puts such a save
 * into the input file once the old file has stopped changing.
 */
export class LateSaves {
  /** Loaf's last insertion into the file. */
  last: Placed | undefined;
  readonly #path: string;
  readonly #tell: (sentence: string) => void;
  readonly #held = new Set<Held>();

  constructor(path: string, tell: (sentence: string) => void) {
    this.#path = path;
    this.#tell = tell;
  }

  watch(placed: Placed): void {
    this.last = placed;
    for (const old of placed.old) this.#hold(old, placed.generation);
    while (this.#held.size > MAX_HELD) [...this.#held][0]?.end();
  }

  /** Checks all files a last time. */
  async close(): Promise<void> {
    if ([...this.#held].some(({ isFresh }) => isFresh)) await sleep(GRACE_MS);
    // A late save replaces the file again, which adds an old file.
    while (this.#held.size > 0) [...this.#held][0]?.end();
  }

  #hold(file: HeldFile, generation: number): void {
    const held: Held = new Held(file, {
      onChange: () => this.#held.delete(held) && this.#held.add(held),
      onRest: (save, isLast) => this.#put({ ...save, generation }, isLast),
      onEnd: () => this.#held.delete(held),
    });
    this.#held.add(held);
  }

  /** Returns false if the input file is missing at the moment, so that a retry is needed. */
  #put(late: Save & { readonly generation: number }, isLast: boolean): boolean {
    if (this.last === undefined) return true;
    try {
      const put = putLate(this.#path, late, this.last);
      if (typeof put === "object") this.watch(put);
      else if (put !== undefined) this.#tellOf(put);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === "ENOENT" && !isLast) return false;
      this.#keep(late.content, thrown as Error);
    }
    return true;
  }

  #keep(content: Buffer, { message }: Error): void {
    try {
      this.#tellOf(keepBeside(this.#path, content));
    } catch {
      this.#tell(
        `Text that an editor saved while results were inserted could not be kept (${message}). It says:\n${content.toString("utf8")}`,
      );
    }
  }

  #tellOf(path: string): void {
    this.#tell(
      `Text that an editor saved while results were inserted is in ${path}, because the file was saved again at the same time`,
    );
  }
}

interface HeldEvents {
  readonly onChange: () => void;
  /** Called when a changed file has come to rest. Returns false to be called again later, finally with `isLast`. */
  readonly onRest: (save: Save, isLast: boolean) => boolean;
  readonly onEnd: () => void;
}

class Held {
  readonly #file: HeldFile;
  readonly #events: HeldEvents;
  #pending: Save | undefined;
  #checks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: HeldFile, events: HeldEvents) {
    this.#file = file;
    this.#events = events;
    this.#wait();
  }

  get isFresh(): boolean {
    return this.#checks <= FRESH;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#events.onEnd();
    this.#pending = this.#file.changed() ?? this.#pending;
    this.#file.close();
    this.#settle(true);
  }

  #wait(): void {
    if (this.#checks > MAX_CHECKS) return this.end();
    this.#timer = setTimeout(() => this.#check(), PAUSES_MS[this.#checks++] ?? LAST_PAUSE_MS);
  }

  /** Waits for another check after a change, since the file may change again. */
  #check(): void {
    const now = this.#file.changed();
    if (now !== undefined) {
      this.#pending = now;
      this.#checks = Math.min(this.#checks, 2);
      this.#events.onChange();
    } else this.#settle(false);
    this.#wait();
  }

  /** Ignores an empty file, which is about to be filled. */
  #settle(isLast: boolean): void {
    const late = this.#pending;
    if (late !== undefined && late.content.length > 0 && this.#events.onRest(late, isLast)) this.#pending = undefined;
  }
}
