/** What is done with a list of any length. Spread into the arguments of a call, a long one overflows the stack. */

/** Returns Infinity for none. */
export function smallest(numbers: Iterable<number>): number {
  let least = Infinity;
  for (const number of numbers) least = Math.min(least, number);
  return least;
}

/** Returns -Infinity for none. */
export function largest(numbers: Iterable<number>): number {
  let most = -Infinity;
  for (const number of numbers) most = Math.max(most, number);
  return most;
}

export function append<Item>(list: Item[], more: Iterable<Item>): void {
  for (const item of more) list.push(item);
}
