import { setTimeout as sleep } from "node:timers/promises";
import type { HeldFile, Save } from "../../state/exchange-file.ts";
import { keepBeside, type Placed, putLate } from "../../state/input-file.ts";

/** Milliseconds between one look and the next: an editor that opens a file writes to it soon, but a program may print into it for long. */
const PAUSES = [10, 20, 50, 100, 200, 400, 800, 1_600];
const LAST_PAUSE = 2_000;

/** Looks after which a file in which nothing has changed is let go: ten minutes. */
const MOST_LOOKS = 300;

/** Looks by which a file is still fresh, and milliseconds that it is given at the end, where an editor has just opened it. */
const [FRESH, GRACE] = [4, 100];

/** Files that are looked after at once; of more, the one that changed the longest ago is looked at one last time. */
const MOST = 16;

/**
 * Looks after files that were replaced: an editor that had one open writes to it, and would lose what it saves. That is put where it belongs, once
 * it has come to rest.
 */
export class LateSaves {
  /** What Loaf itself has put into the file last. */
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
    while (this.#held.size > MOST) [...this.#held][0]?.end();
  }

  /** Looks one last time. */
  async close(): Promise<void> {
    if ([...this.#held].some(({ isFresh }) => isFresh)) await sleep(GRACE);
    // What comes late makes further ones.
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

  /** False where it has to be tried again: there is no file at this moment. */
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
      this.#tell(`What an editor saved while results were put above could not be kept (${message}). It says:\n${content.toString("utf8")}`);
    }
  }

  #tellOf(path: string): void {
    this.#tell(`What an editor saved while results were put above is in ${path}, since the file was saved again at the same time`);
  }
}

interface HeldEvents {
  readonly onChange: () => void;
  /** What has changed has come to rest. Returns whether that is dealt with; what is not is told again, at last as the last time. */
  readonly onRest: (save: Save, isLast: boolean) => boolean;
  readonly onEnd: () => void;
}

/** One of them. */
class Held {
  readonly #file: HeldFile;
  readonly #events: HeldEvents;
  #pending: Save | undefined;
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: HeldFile, events: HeldEvents) {
    this.#file = file;
    this.#events = events;
    this.#wait();
  }

  get isFresh(): boolean {
    return this.#looks <= FRESH;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#events.onEnd();
    this.#pending = this.#file.changed() ?? this.#pending;
    this.#file.close();
    this.#settle(true);
  }

  #wait(): void {
    if (this.#looks > MOST_LOOKS) return this.end();
    this.#timer = setTimeout(() => this.#look(), PAUSES[this.#looks++] ?? LAST_PAUSE);
  }

  /** What has just changed may change again. */
  #look(): void {
    const now = this.#file.changed();
    if (now !== undefined) {
      this.#pending = now;
      this.#looks = Math.min(this.#looks, 2);
      this.#events.onChange();
    } else this.#settle(false);
    this.#wait();
  }

  /** What is empty is about to be filled, and nobody loses it. */
  #settle(isLast: boolean): void {
    const late = this.#pending;
    if (late !== undefined && late.content.length > 0 && this.#events.onRest(late, isLast)) this.#pending = undefined;
  }
}
