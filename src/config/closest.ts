/**
 * Returns advice to append to a sentence about an unknown word: ` (did you mean 'read'?)`. Empty if no word is similar.
 */
export function didYouMean(word: string, words: readonly string[]): string {
  const near = closest(word, words);
  return near === undefined ? "" : ` (did you mean '${near}'?)`;
}

/** Returns the most similar word, or undefined if none is similar enough to be a misspelling. */
export function closest(word: string, words: readonly string[]): string | undefined {
  // A long word is hardly a misspelling, and its distances are slow to compute.
  if (word.length > 40) return undefined;
  const ranked = words.map((candidate) => ({
    candidate,
    distance: editDistance(word.toLowerCase(), candidate.toLowerCase()),
  }));
  const [best] = ranked.sort((a, b) => a.distance - b.distance);
  return best !== undefined &&
    best.distance <= Math.max(2, best.candidate.length / 3) &&
    best.distance < best.candidate.length
    ? best.candidate
    : undefined;
}

/** Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const exchanged = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
