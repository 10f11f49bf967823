import { lstatSync, rmdirSync, unlinkSync } from "node:fs";

export interface Place {
  /** Absolute. */
  readonly path: string;
  readonly kind: "file" | "directory";
}

/**
 * Removes what a sandbox had to make so that it could cover it: an empty file or directory, made since. What anybody has put something into stays.
 *
 * @param since milliseconds since 1970, as is `until`
 */
export function removePlaces(places: readonly Place[], since: number, until = Infinity): void {
  for (const { path, kind } of places) {
    try {
      const found = lstatSync(path);
      // The clock of a file system may be a tick behind.
      if (found.birthtimeMs < since - 1_000 || found.birthtimeMs > until) continue;
      if (kind === "file" && found.isFile() && found.size === 0 && found.nlink === 1) unlinkSync(path);
      else if (kind === "directory" && found.isDirectory()) rmdirSync(path);
    } catch {
      // It is not there, or not empty.
    }
  }
}
