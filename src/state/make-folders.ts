import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** Creates a folder and its parents, accessible to the user only. Node's `recursive` never returns below /proc. */
export function makeFolders(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    // Another process may have created it.
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
}
