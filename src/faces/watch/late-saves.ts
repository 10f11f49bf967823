import { setTimeout as sleep } from "node:timers/promises";
import type { HeldFile, Save } from "../../state/exchange-file.ts";
import { keepBeside, type PlacedReport, putLate } from "../../state/input-file.ts";

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

/** A replaced file that an editor may still have open. */
interface Held {
  readonly file: HeldFile;
  readonly generation: number;
  /** A save that is not put into the input file yet. */
  pending?: Save | undefined;
  /** Since its last change. */
  checks: number;
  timer?: NodeJS.Timeout;
}

/**
 * Watches replaced files. An editor that still has one open writes to it, and its save would be lost. Puts such a save
 * into the input file once the old file has stopped changing.
 */
export class LateSaves {
  /** Loaf's last insertion into the file. */
  last: PlacedReport | undefined;
  readonly #path: string;
  readonly #tell: (sentence: string) => void;
  /** The one that changed last comes last. */
  readonly #held = new Set<Held>();

  constructor(path: string, tell: (sentence: string) => void) {
    [this.#path, this.#tell] = [path, tell];
  }

  watch(placed: PlacedReport): void {
    this.last = placed;
    for (const file of placed.old) {
      const held: Held = { file, generation: placed.generation, checks: 0 };
      this.#held.add(held);
      this.#wait(held);
    }
    this.#endAllBut(MAX_HELD);
  }

  /** Checks all files a last time. */
  async close(): Promise<void> {
    if ([...this.#held].some(({ checks }) => checks <= FRESH)) await sleep(GRACE_MS);
    this.#endAllBut(0);
  }

  #endAllBut(most: number): void {
    // A late save replaces the file again, which adds an old file.
    while (this.#held.size > most) for (const held of [...this.#held].slice(0, 1)) this.#end(held);
  }

  #wait(held: Held): void {
    if (held.checks > MAX_CHECKS) return this.#end(held);
    held.timer = setTimeout(() => this.#check(held), PAUSES_MS[held.checks++] ?? LAST_PAUSE_MS);
  }

  /** Waits for another check after a change, since the file may change again. */
  #check(held: Held): void {
    const now = held.file.changed();
    if (now === undefined) this.#settle(held, false);
    else {
      held.pending = now;
      held.checks = Math.min(held.checks, 2);
      this.#held.delete(held);
      this.#held.add(held);
    }
    this.#wait(held);
  }

  #end(held: Held): void {
    clearTimeout(held.timer);
    this.#held.delete(held);
    held.pending = held.file.changed() ?? held.pending;
    held.file.close();
    this.#settle(held, true);
  }

  /** Puts a save into the input file. Tries again later, if not for the last time, while that file is missing. */
  #settle(held: Held, isLast: boolean): void {
    const { pending, generation } = held;
    // An empty file is about to be filled.
    if (pending === undefined || pending.content.length === 0) return;
    try {
      const put = this.last && putLate(this.#path, { ...pending, generation }, this.last);
      if (typeof put === "object") this.watch(put);
      else if (put !== undefined) this.#tellOf(put);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === "ENOENT" && !isLast) return;
      this.#keep(pending.content, thrown as Error);
    }
    held.pending = undefined;
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
