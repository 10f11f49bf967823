/** Advice that ends a sentence about an unknown word: ` (did you mean 'read'?)`; empty where no known one is near. */
export function didYouMean(word: string, words: readonly string[]): string {
  const near = closest(word, words);
  return near === undefined ? "" : ` (did you mean '${near}'?)`;
}

/** The word among these that a misspelt one was probably meant to be, or undefined where none is near. */
export function closest(word: string, words: readonly string[]): string | undefined {
  // A long key is no misspelling, and its distances would take long to compute.
  if (word.length > 40) return undefined;
  const ranked = words.map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }));
  const [best] = ranked.sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(2, best.candidate.length / 3) && best.distance < best.candidate.length ? best.candidate : undefined;
}

/** Levenshtein: the fewest characters added, dropped or exchanged that turn one word into the other. */
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
