import type { HeldFile, Save } from "../host/exchange-file.ts";
import { type Placed, putLate } from "../host/input-file.ts";

/** Milliseconds between one look and the next: an editor that opens a file writes to it soon. */
const PAUSES = [10, 20, 50, 100, 200, 400, 800, 1_600];

/** Files that are looked after at once; of more, the oldest is looked at one last time. */
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
    const held: Held = new Held(placed.old, (late) => this.#put(late), () => this.#held.delete(held));
    this.#held.add(held);
    const [oldest] = this.#held;
    if (this.#held.size > MOST) oldest?.end();
  }

  /** Looks one last time. */
  close(): void {
    for (const held of this.#held) held.end();
  }

  #put(late: Save): void {
    if (this.last === undefined) return;
    try {
      const put = putLate(this.#path, late, this.last);
      if (typeof put === "object") this.watch(put);
      else if (put !== undefined) this.#tell(`What an editor saved while results were put above is in ${put}, since the file was saved again at the same time`);
    } catch (thrown) {
      this.#tell(`What an editor saved while results were put above could not be kept (${(thrown as Error).message}). It says:\n${late.content.toString("utf8")}`);
    }
  }
}

/** One of them. */
class Held {
  readonly #file: HeldFile;
  readonly #onLate: (late: Save) => void;
  readonly #onEnd: () => void;
  #pending: Save | undefined;
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: HeldFile, onLate: (late: Save) => void, onEnd: () => void) {
    this.#file = file;
    this.#onLate = onLate;
    this.#onEnd = onEnd;
    this.#wait();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#onEnd();
    this.#pending = this.#file.changed() ?? this.#pending;
    this.#file.close();
    this.#settle();
  }

  #wait(): void {
    const pause = PAUSES[this.#looks++];
    if (pause === undefined) return this.end();
    this.#timer = setTimeout(() => this.#look(), pause);
  }

  /** What has just changed may change again, and what is empty is about to be filled. */
  #look(): void {
    const now = this.#file.changed();
    if (now !== undefined) {
      this.#pending = now;
      this.#looks = Math.min(this.#looks, 2);
    } else if (this.#pending !== undefined && this.#pending.content.length > 0) this.#settle();
    this.#wait();
  }

  #settle(): void {
    const late = this.#pending;
    this.#pending = undefined;
    if (late !== undefined) this.#onLate(late);
  }
}
