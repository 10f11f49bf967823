import { dirname } from "node:path";
import type { Operation, Staged } from "../disk/operation.ts";
import type { Pins } from "../disk/pin.ts";
import { lookAtIfThere } from "./look-at.ts";

/**
 * The same operations, and before each that puts something back those that make the directories it lay in, where they have gone since: somebody has removed
 * them, or a command has, when they were empty, and of such no log tells.
 */
export function withMissingFolders(staged: readonly Staged[], pins: Pins): Staged[] {
  const folders = new Folders(pins);
  return staged.flatMap((one) => {
    const { operation, authors } = one;
    const place = placeOf(operation);
    const missing = place === undefined ? [] : folders.missingAbove(place);
    for (const path of missing) folders.note(path, true);
    if (operation.kind === "unlink" || operation.kind === "removeDirectory") folders.note(operation.path, false);
    if (operation.kind === "makeDirectory") folders.note(operation.path, true);
    if (operation.kind === "rename") {
      folders.note(operation.from, false);
      folders.note(operation.to, true);
    }
    return [...missing.map((path) => ({ operation: { kind: "makeDirectory", path } as const, authors })), one];
  });
}

/** Where something comes back to, and nothing should stand. */
function placeOf(operation: Operation): string | undefined {
  if (operation.kind === "rename") return operation.replaced === null ? operation.to : undefined;
  if (operation.kind === "makeDirectory") return operation.path;
  return (operation.kind === "write" || operation.kind === "link") && operation.basis === null ? operation.path : undefined;
}

/** Which directories will be there. */
class Folders {
  readonly #pins: Pins;
  readonly #known = new Map<string, boolean>();

  constructor(pins: Pins) {
    this.#pins = pins;
  }

  /** @param isThere false for a file that stands in a directory's place by now, and goes before that is needed */
  note(path: string, isThere: boolean): void {
    this.#known.set(path, isThere);
  }

  /** The outermost first. */
  missingAbove(path: string): string[] {
    const directory = dirname(path);
    return directory === path || this.#isThere(directory) ? [] : [...this.missingAbove(directory), directory];
  }

  #isThere(path: string): boolean {
    const known = this.#known.get(path) ?? lookAtIfThere(this.#pins, path)?.state.kind === "directory";
    this.#known.set(path, known);
    return known;
  }
}
