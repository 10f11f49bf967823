/**
 * A failure as facts; `failure-table.ts` has the words. Handlers and their callees throw `Failed`, and `run/perform.ts`
 * catches it once.
 */
import { failureEntry, type Failure, type FailureCode, sentenceOf } from "./failure-table.ts";

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

/** Lines of a file where a refused edit fits, or nearly does. */
export interface FileLines {
  /** 1-based. */
  readonly first: number;
  readonly last: number;
  /** How the first of them begin, to find them again. */
  readonly starts: readonly string[];
}

/** Where a refused edit fits: searched once, for its hint and for the part of the file that a report shows. */
export interface Alignment {
  /** What only the text of the file tells, in place of the next step of the table. */
  readonly hint?: string | undefined;
  /** Empty if nothing in the file is similar. */
  readonly near?: readonly FileLines[];
}

/** Carries a failure through code that returns something else. */
export class Failed extends Error {
  readonly failure: Failure;
  readonly alignment: Alignment;

  constructor(failure: Failure, alignment: Alignment = {}) {
    super(failure.code);
    this.name = "Failed";
    this.failure = failure;
    this.alignment = alignment;
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

/**
 * Returns the sentence for a failure. Users and models rely on the exact words.
 *
 * @param action the action that failed; its name precedes the sentence of some failures
 */
export function explain(failure: Failure, action?: string): string {
  const sentence = sentenceOf(failure);
  return action !== undefined && isNamedAfterAction(failure.code) ? `${action}: ${sentence}` : sentence;
}

/**
 * Returns whether a failure's sentence begins with the action's name: it is one of the action's own work, not of the
 * system, the guard or the block.
 */
function isNamedAfterAction(code: Failure["code"]): boolean {
  return /^(text|lines|address|pattern|paths|context)\//.test(code) || NAMED.has(code);
}

const NAMED: ReadonlySet<Failure["code"]> = new Set<Failure["code"]>([
  "file/source-not-found",
  "exec/cwd",
  "exec/not-found",
  "exec/empty-version",
  "exec/language",
  "exec/timeout",
]);

/**
 * Returns the sentence for a line that has the action's name already: with plain words for the system's.
 *
 * @param path that the line has already too
 */
export function explainInLine(failure: Failure, path?: string): string {
  return sentenceOf(failure, path === undefined ? {} : { path });
}

/** Returns what to do about a failure. Undefined if its facts do not tell. */
export function nextStep(failure: Failure): string | undefined {
  const { next } = failureEntry(failure);
  return typeof next === "function" ? next(failure) : next;
}
