import { unlessSystemError } from "./system-error.ts";
import type { VersionedEntry, Volume } from "./volume.ts";

/** Returns the entry at a path. Undefined also if a parent is a file. */
export function entryIfThere(volume: Pick<Volume, "entry">, path: string): VersionedEntry | undefined {
  return unlessSystemError(() => volume.entry(path), undefined, ["ENOTDIR"]);
}
