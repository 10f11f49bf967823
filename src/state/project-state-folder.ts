import { hash } from "node:crypto";
import { join } from "node:path";
import { stateFolder } from "./places.ts";

/** Returns the folder for the state of one project, such as trust and journal. It may not exist yet. */
export function projectStateFolder(root: string): string {
  return join(stateFolder(), hash("sha256", root, "hex").slice(0, 32));
}
