import { putLate, type Placed } from "../host/input-file.ts";

/** Milliseconds between one look and the next: an editor that opens a file writes to it soon. */
const PAUSES = [10, 20, 50, 100, 200, 400, 800, 1_600];

/** Files that are looked after at once; of more, the oldest are looked at one last time. */
const MOST = 16;

/**
 * Looks after files that were replaced: an editor that had one open writes to it, and would lose what it saves. That is put where it belongs, once
 * it has come to rest.
 */
export class LateSaves {
  readonly #path: string;
  readonly #tell: (sentence: string) => void;
  readonly #held = new Set<Held>();

  constructor(path: string, tell: (sentence: string) => void) {
    this.#path = path;
    this.#tell = tell;
  }

  watch(placed: Placed): void {
    const held: Held = new Held(placed, (late) => this.#put(held.placed, late), () => this.#held.delete(held));
    this.#held.add(held);
    const [oldest] = this.#held;
    if (this.#held.size > MOST) oldest?.end();
  }

  /** Looks one last time. */
  close(): void {
    for (const held of this.#held) held.end();
  }

  /** @returns what stands there now, where it is the late save */
  #put(placed: Placed, late: Buffer): Placed | undefined {
    try {
      const put = putLate(this.#path, placed, late);
      if (typeof put !== "string") {
        this.watch(put);
        return put;
      }
      this.#tell(`What an editor saved while results were put above is in ${put}, since the file was saved again after it`);
    } catch (thrown) {
      this.#tell(`What an editor saved while results were put above could not be kept (${(thrown as Error).message}); it says:\n${late.toString("utf8")}`);
    }
    return undefined;
  }
}

/** One of them. */
class Held {
  placed: Placed;
  readonly #onLate: (late: Buffer) => Placed | undefined;
  readonly #onEnd: () => void;
  #pending: Buffer | undefined;
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(placed: Placed, onLate: (late: Buffer) => Placed | undefined, onEnd: () => void) {
    this.placed = placed;
    this.#onLate = onLate;
    this.#onEnd = onEnd;
    this.#wait();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#pending = this.placed.old.changed() ?? this.#pending;
    this.#settle();
    this.placed.old.close();
    this.#onEnd();
  }

  #wait(): void {
    const pause = PAUSES[this.#looks++];
    if (pause === undefined) return this.end();
    this.#timer = setTimeout(() => this.#look(), pause);
  }

  /** What has just changed may change again, and what is empty is about to be filled. */
  #look(): void {
    const now = this.placed.old.changed();
    if (now !== undefined) {
      this.#pending = now;
      this.#looks = Math.min(this.#looks, 2);
    } else if (this.#pending !== undefined && this.#pending.length > 0) this.#settle();
    this.#wait();
  }

  #settle(): void {
    const late = this.#pending;
    this.#pending = undefined;
    if (late === undefined) return;
    const put = this.#onLate(late);
    if (put !== undefined) this.placed = { ...put, old: this.placed.old };
  }
}
