/**
 * A failure as facts; `failure-table.ts` has the words. Handlers and their callees throw `Failed`, and `run/perform.ts`
 * catches it once.
 */
import type { Failure, FailureCode } from "./failure-table.ts";

export type { Access, Failure, FailureCode, PathFailure } from "./failure-table.ts";

/** Failures of edits that found no place in the file, or not exactly one. The model then needs the current file. */
export const MISSES: ReadonlySet<FailureCode | undefined> = new Set<FailureCode>([
  "text/not-found",
  "text/ambiguous",
  "text/count",
  "hunk/no-place",
  "hunk/remainder",
  "hunk/conflict",
  "text/end-not-found",
  "text/end-ambiguous",
]);

/** Carries a failure through code that returns something else. */
export class Failed extends Error {
  readonly failure: Failure;
  /** What only the text of the file tells, in place of the next step of the table. */
  readonly hint: string | undefined;

  constructor(failure: Failure, hint?: string) {
    super(failure.code);
    this.name = "Failed";
    this.failure = failure;
    this.hint = hint;
  }
}

/** Returns the value of `act`, or a fallback if it throws `Failed`. */
export function unlessFailed<Value, Fallback>(act: () => Value, fallback: Fallback): Value | Fallback {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof Failed) return fallback;
    throw thrown;
  }
}

/** Returns the failure of a `Failed`. Anything else thrown is a bug of Loaf. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Failed) return thrown.failure;
  if (thrown instanceof Error)
    return { code: "bug", message: thrown.message, ...(thrown.stack !== undefined && { stack: thrown.stack }) };
  return { code: "bug", message: String(thrown) };
}

/** An expected reason why a whole command was not carried out, as a sentence for the user. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}
