/** Collects what a run did, and tells those who listen as it happens. */
import { messageOf } from "../core/errors.ts";
import { type Failure, nextStep } from "../core/failure.ts";
import type { Finding } from "../core/finding.ts";
import type { LineCounts, ParseError, Progress } from "../core/outcome.ts";
import { type Done, resultOf } from "./perform.ts";
import type { Listener } from "./options.ts";

/**
 * Further errors are only counted, because a text can have millions. The limit exceeds the maximum number of blocks.
 */
const MAX_PARSE_ERRORS = 20_000;

export class RunRecord {
  readonly #onProgress: ((step: Progress) => void) | undefined;
  readonly #onEvent: Listener | undefined;
  readonly #done: Done[] = [];
  readonly #parseErrors: ParseError[] = [];
  #omittedErrors = 0;
  #toldFindings = 0;
  #eventError: string | undefined;

  constructor(onProgress: ((step: Progress) => void) | undefined, onEvent: Listener | undefined) {
    [this.#onProgress, this.#onEvent] = [onProgress, onEvent];
  }

  get done(): readonly Done[] {
    return this.#done;
  }

  /** All errors of blocks that did not run. The last one counts those beyond the limit. */
  get parseErrors(): readonly ParseError[] {
    if (this.#omittedErrors === 0) return this.#parseErrors;
    const summary: ParseError = {
      blockId: "unknown",
      errorType: "syntax",
      message: `${this.#omittedErrors} more errors in the text`,
      blockStartLine: this.#parseErrors.at(-1)?.blockStartLine ?? 1,
      neslContent: "",
    };
    return [...this.#parseErrors, summary];
  }

  /** Why the listener failed, if it did. */
  get eventError(): string | undefined {
    return this.#eventError;
  }

  /** Whether every block could be run, and every action succeeded. */
  get isSuccess(): boolean {
    return this.#parseErrors.length === 0 && this.#done.every(({ failure }) => failure === undefined);
  }

  /** Keys of the successful edits. */
  get edits(): readonly string[] {
    return this.#done.flatMap(({ failure, editKey }) => (failure === undefined ? (editKey ?? []) : []));
  }

  /** Adds the errors of one block. */
  addErrors(errors: readonly ParseError[]): void {
    const room = errors.slice(0, MAX_PARSE_ERRORS - this.#parseErrors.length);
    for (const error of room) this.#parseErrors.push(error);
    this.#omittedErrors += errors.length - room.length;
    this.#onProgress?.({ kind: "invalid", errors });
  }

  /**
   * Adds what an action did, or replaces what was added before. A throwing listener stops nothing, because what was
   * done must be in the result.
   */
  async add(done: Done, lines?: LineCounts): Promise<void> {
    this.#done[done.seq - 1] = done;
    if (this.#onProgress === undefined && this.#onEvent === undefined) return;
    const result = resultOf(done);
    this.#onProgress?.({ kind: "ended", result, ...(lines && { lines }) });
    if (this.#eventError !== undefined) return;
    try {
      await this.#onEvent?.(result);
    } catch (thrown) {
      this.#eventError = `onEvent failed: ${messageOf(thrown)}`;
    }
  }

  /**
   * Marks actions as failed whose changes did not reach the disk, without claims about these. An action that already
   * failed keeps its own reason.
   */
  async markFailed(failures: ReadonlyMap<number, Failure>): Promise<void> {
    for (const [seq, failure] of failures) {
      const done = this.#done[seq - 1];
      if (done === undefined || done.failure !== undefined) continue;
      const { action, warnings } = done;
      const hint = nextStep(failure);
      await this.add({ seq, action, failure, ...(hint !== undefined && { hint }), warnings });
    }
  }

  async addWarnings(warnings: ReadonlyMap<number, readonly string[]>): Promise<void> {
    for (const [seq, added] of warnings) {
      const done = this.#done[seq - 1];
      if (done !== undefined) await this.add({ ...done, warnings: [...done.warnings, ...added] });
    }
  }

  /** Tells of the findings above a line, once each. */
  tellFindings(findings: readonly Finding[], line: number): void {
    const untold = (): Finding | undefined => findings[this.#toldFindings];
    for (let next = untold(); next !== undefined && next.line < line; next = untold()) {
      this.#onProgress?.({ kind: "finding", finding: next });
      this.#toldFindings += 1;
    }
  }
}
