/**
 * How often a law about whole runs is tried. In the test command the same cases each time (as in all laws: `seed.ts`), so that it fails for what was changed and not
 * by chance; with LOAF_LONG=yes many, and others each time: that is where to look for what nobody knows yet, before every release and after every change of the rooms below it.
 */
export const isLong = process.env["LOAF_LONG"] === "yes";

/** @param part of several that are tried at a time, each with cases of its own */
export function tries(few: number, many: number, part = 0): { readonly numRuns: number; readonly seed?: number } {
  return isLong ? { numRuns: many } : { numRuns: few, seed: 20_261_122 + part };
}

/** Other cases each time in the long form alone: CI fails for what was changed. A failure prints the seed, which `LOAF_SEED` takes. */
export function freeTries(few: number, many: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: isLong ? many : few, seed: Number(process.env["LOAF_SEED"] ?? (isLong ? Date.now() % 2 ** 31 : 20_261_122)) };
}
