import { dirname, join } from "node:path";
import type { Settings } from "../config/schema.ts";
import { stateFolders, userConfigPath } from "./places.ts";
import type { OwnFiles } from "../guard/built-in.ts";

/** What neither actions nor commands may touch: Loaf's state, the user's own settings, the files that are watched. Absolute. */
export function ownPlaces(root: string, { watch }: Pick<Settings, "watch">): OwnFiles {
  return { sealed: stateFolders(), readOnly: [dirname(userConfigPath()), userConfigPath(), join(root, watch.input), join(root, watch.output)] };
}
