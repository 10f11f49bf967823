import { dirname } from "node:path";
import type { Operation, Staged } from "../volume/operation.ts";
import type { Pins } from "../volume/pin.ts";
import { exists } from "./apply.ts";

/**
 * The same operations, and before each that puts back a file which a command took away those that make the directories it lay in, where they have gone since:
 * they were empty, and of such no log tells.
 */
export function withMissingFolders(staged: readonly Staged[], pins: Pins): Staged[] {
  const made = new Set<string>();
  // A file that stands in a directory's place by now, and goes before that is needed.
  const gone = new Set<string>();
  return staged.flatMap((one) => {
    const { operation, authors, isObserved } = one;
    const missing = isObserved && isPutBack(operation) ? missingAbove(operation.path, { made, gone }, pins) : [];
    for (const path of missing) made.add(path);
    if (operation.kind === "unlink") gone.add(operation.path);
    if (operation.kind === "makeDirectory") made.add(operation.path);
    if (operation.kind === "rename") made.add(operation.to);
    return [...missing.map((path) => ({ operation: { kind: "makeDirectory", path } as const, authors })), one];
  });
}

function isPutBack(operation: Operation): operation is Operation & { readonly kind: "write" | "link" } {
  return (operation.kind === "write" || operation.kind === "link") && operation.basis === null;
}

/** The outermost first. */
function missingAbove(path: string, known: { readonly made: ReadonlySet<string>; readonly gone: ReadonlySet<string> }, pins: Pins): string[] {
  const directory = dirname(path);
  if (known.made.has(directory) || directory === path || (exists(pins, directory) && !known.gone.has(directory))) return [];
  return [...missingAbove(directory, known, pins), directory];
}
