import { Failed } from "../core/failure.ts";
import type { UndoLog } from "../core/undo-log.ts";

interface MemoryBudgetOptions {
  /** Bytes. */
  readonly limit: number;
  readonly undo: UndoLog;
  /** Bytes that the run keeps until its end; undefined where it writes them before. */
  waiting(): number | undefined;
}

/** Bounds the bytes that one action has written, and those that a run keeps. Also what an action writes twice counts twice: the first is kept to be taken back. */
export class MemoryBudget {
  readonly #options: MemoryBudgetOptions;
  #held = 0;

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
  }

  /** A new action begins. */
  begin(): void {
    this.#held = 0;
  }

  /** Throws `limit/memory` where bytes more are too many. */
  readonly hold = (bytes: number): void => {
    const { limit, undo, waiting } = this.#options;
    const before = this.#held;
    undo.note(() => (this.#held = before));
    this.#held += bytes;
    if (this.#held > limit) throw new Failed({ code: "limit/memory", limit, of: "action" });
    if ((waiting() ?? 0) + bytes > limit) throw new Failed({ code: "limit/memory", limit, of: "run" });
  };
}
