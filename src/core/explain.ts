import { entryOf, type Failure, sentenceOf } from "./failure-table.ts";

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
  const { next } = entryOf(failure);
  return typeof next === "function" ? next(failure) : next;
}
