/**
 * Limits the work of one run on texts that are not in their file: an answer may hold thousands of edits that miss in a
 * large file. Counts bytes searched instead of time, so that the same answer gets the same report on any machine.
 */

/** Each takes less than half a second. */
const SEARCHED = 1_000_000_000;
const HINTED = 500_000_000;
/** What a hint costs in the smallest file, and how often it searches the file. */
const COST_OF_HINT = 250_000;
const SEARCHES_OF_HINT = 4;

let [searched, hinted] = [0, 0];

/** Call it when a run begins. */
export function startWorkBudget(): void {
  [searched, hinted] = [0, 0];
}

export function spendSearch(bytes: number): void {
  searched += bytes;
}

/** Returns whether to search no more for places that differ in formatting. */
export function isSearchBudgetSpent(): boolean {
  return searched > SEARCHED;
}

/** Returns whether to explain no more misses. */
export function isHintBudgetSpent(): boolean {
  return hinted > HINTED || isSearchBudgetSpent();
}

/** Returns the hint about a miss in a file of a size, or a short general one once the budget is spent. */
export function withinHintBudget<Explained>(
  size: number,
  explain: () => Explained,
): Explained | { readonly hint: string } {
  if (isHintBudgetSpent())
    return { hint: "many edits of this answer miss, so no similar place was looked for: read the file again" };
  hinted += size * SEARCHES_OF_HINT + COST_OF_HINT;
  return explain();
}
