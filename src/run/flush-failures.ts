import type { Failure } from "../core/failure.ts";

/** Returns the failures for an atomic run that was rolled back. */
export function notWhole(authors: Iterable<number>): Map<number, Failure> {
  return new Map([...authors].map((author) => [author, { code: "run/not-whole" }]));
}

/** Returns the first specific failure of each action. */
export function failuresOf(outcomes: ReadonlyArray<{ readonly authors: readonly number[]; readonly failure: Failure | undefined }>): Map<number, Failure> {
  const failures = new Map<number, Failure>();
  for (const { authors, failure } of outcomes) {
    if (failure === undefined) continue;
    for (const author of authors) if (isVague(failures.get(author))) failures.set(author, failure);
  }
  return failures;
}

/** Returns whether a failure only says that something else failed. */
function isVague(failure: Failure | undefined): boolean {
  return failure === undefined || failure.code === "run/not-whole" || failure.code === "run/depends";
}
