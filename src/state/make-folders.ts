import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** Makes a folder of Loaf's own and those above it, for the user alone. (Node's own `recursive` never returns below /proc.) */
export function makeFolders(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    // Another run may have been quicker.
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
}
