import { dirname } from "node:path";
import type { Operation, Staged } from "../disk/operation.ts";
import type { Pins } from "../disk/pin.ts";
import { lookAtIfThere } from "./look-at.ts";

/**
 * Adds operations that make missing parent directories before each operation that restores something. A user may have removed them, or a
 * command that emptied them, and no log records that.
 */
export function withMissingFolders(staged: readonly Staged[], pins: Pins): Staged[] {
  const folders = new KnownDirectories(pins);
  return staged.flatMap((one) => {
    const { operation, authors } = one;
    const place = restoredPathOf(operation);
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

/** Returns the path that an operation restores, where nothing should exist yet. */
function restoredPathOf(operation: Operation): string | undefined {
  if (operation.kind === "rename") return operation.replaced === null ? operation.to : undefined;
  if (operation.kind === "makeDirectory") return operation.path;
  return (operation.kind === "write" || operation.kind === "link") && operation.basis === null ? operation.path : undefined;
}

/** Tracks which directories will exist. */
class KnownDirectories {
  readonly #pins: Pins;
  readonly #known = new Map<string, boolean>();

  constructor(pins: Pins) {
    this.#pins = pins;
  }

  /** @param isThere false also for a file in the place of a directory; it is removed before the directory is needed */
  note(path: string, isThere: boolean): void {
    this.#known.set(path, isThere);
  }

  /** Returns the missing ones, outermost first. */
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
