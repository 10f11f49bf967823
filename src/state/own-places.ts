import { dirname, join } from "node:path";
import type { Settings } from "../config/schema.ts";
import { stateFolders, userConfigPath } from "./places.ts";
import type { OwnFiles } from "../guard/built-in.ts";

/**
 * Returns Loaf's own paths: state folders are sealed, the user's settings and the watched files are read-only. The
 * folder of the settings is read-only as a whole, so that no action can move or make it. Absolute.
 */
export function ownPlaces(root: string, { watch }: Pick<Settings, "watch">): OwnFiles {
  return {
    sealed: stateFolders(),
    readOnly: [dirname(userConfigPath()), userConfigPath(), join(root, watch.input), join(root, watch.output)],
  };
}
