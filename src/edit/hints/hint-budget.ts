/** Limits the time that one run spends on hints: an answer may hold thousands of edits that miss in a large file. */

const BUDGET_MS = 1_000;
let left = BUDGET_MS;

/** Call it when a run begins. */
export function startHintBudget(): void {
  left = BUDGET_MS;
}

/** Returns the hint, or a short general one once the time is spent. */
export function withinHintBudget(hint: () => string): string {
  if (left <= 0) return "many edits of this answer miss, so no similar place was looked for: read the file again";
  const begun = performance.now();
  try {
    return hint();
  } finally {
    left -= performance.now() - begun;
  }
}
