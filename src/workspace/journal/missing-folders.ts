import { mkdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Operation } from "../volume/operation.ts";
import type { Pins } from "../volume/pin.ts";
import { exists } from "./apply.ts";

/**
 * Makes the directories that a file which was deleted is to be put back into, where they have gone since: they were empty, and of such no log tells. Yields
 * the directories that they were made in. Throws a system error.
 *
 * @param made directories that the same group of operations makes
 */
export function makeMissingFolders(pins: Pins, operation: Operation, made: ReadonlySet<string>): string[] {
  const isPutBack = (operation.kind === "write" || operation.kind === "link") && operation.basis === null;
  return isPutBack ? make(dirname(operation.path), pins, made) : [];
}

function make(directory: string, pins: Pins, made: ReadonlySet<string>): string[] {
  const parent = dirname(directory);
  if (made.has(directory) || parent === directory || exists(pins, directory)) return [];
  const above = make(parent, pins, made);
  pins.inDirectory(parent, (at) => mkdirSync(at(basename(directory))));
  return [...above, parent];
}
