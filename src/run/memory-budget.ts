import { Failed } from "../core/failure.ts";
import type { UndoLog } from "../core/undo-log.ts";

interface MemoryBudgetOptions {
  /** Bytes. */
  readonly limit: number;
  readonly undo: UndoLog;
  /** Returns the bytes that the run keeps in memory until its end. Undefined if it flushes earlier. */
  waiting(): number | undefined;
}

/**
 * Limits the bytes that one action writes, and those that a run keeps in memory. A file written twice counts twice,
 * because its first content is kept for a rollback.
 */
export class MemoryBudget {
  readonly #options: MemoryBudgetOptions;
  #held = 0;

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
  }

  /** Starts a new action. */
  begin(): void {
    this.#held = 0;
  }

  /** Adds bytes. Throws `limit/memory` beyond a limit. */
  readonly hold = (bytes: number): void => {
    const { limit, undo, waiting } = this.#options;
    const before = this.#held;
    undo.note(() => (this.#held = before));
    this.#held += bytes;
    if (this.#held > limit) throw new Failed({ code: "limit/memory", limit, of: "action" });
    if ((waiting() ?? 0) + bytes > limit) throw new Failed({ code: "limit/memory", limit, of: "run" });
  };
}
