/** Finds once what an answer means for a file: its action is rehearsed before it is performed. */
import { type Meant, meant, type ShownText } from "./meant.ts";

/** What was done with the parts of an excerpt, and how many declarations it leaves as they are. */
export type Put = { readonly merged?: Meant["done"]; readonly untouched?: number };

/**
 * Returns what `meant` does. Throws as it does.
 *
 * @param action tells one action from others: its parameters, as they are when it is rehearsed and performed
 */
export function meantOnce(action: object, written: ShownText, before: string | undefined): Meant {
  const { original } = written;
  const known = results.get(action);
  if (known !== undefined && known.before === before && known.original === original) return known.result;
  const result = meant(written, before);
  results.set(action, { before, original, result });
  return result;
}

const results = new WeakMap<object, Record<"before" | "original", string | undefined> & { readonly result: Meant }>();
