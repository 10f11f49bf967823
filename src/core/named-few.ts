/** Lists the first `most` paths and counts the rest: `a, b and 3 more`. */
export function namedFew(paths: readonly string[], most: number): string {
  const named = paths.slice(0, most).join(", ");
  return paths.length > most ? `${named} and ${paths.length - most} more` : named;
}
