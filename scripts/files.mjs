/** Files below a folder, for the scripts. */
import { readdirSync, statSync } from "node:fs";

/** Paths of the files at or below each path, with `/` between names; none where nothing is. */
export function filesBelow(...paths) {
  return paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    return found.isFile() ? [path] : filesBelow(...readdirSync(path).map((name) => `${path}/${name}`));
  });
}
