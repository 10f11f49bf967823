import type { Failure } from "../core/failure.ts";

/** All or nothing has come to nothing. */
export function notWhole(authors: Iterable<number>): Map<number, Failure> {
  return new Map([...authors].map((author) => [author, { code: "run/not-whole" }]));
}

/** The first failure of each action that tells what is wrong. */
export function failuresOf(outcomes: ReadonlyArray<{ readonly authors: readonly number[]; readonly failure: Failure | undefined }>): Map<number, Failure> {
  const failures = new Map<number, Failure>();
  for (const { authors, failure } of outcomes) {
    if (failure === undefined) continue;
    for (const author of authors) if (isVague(failures.get(author))) failures.set(author, failure);
  }
  return failures;
}

/** That something else failed. */
function isVague(failure: Failure | undefined): boolean {
  return failure === undefined || failure.code === "run/not-whole" || failure.code === "run/depends";
}
