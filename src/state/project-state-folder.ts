import { hash } from "node:crypto";
import { join } from "node:path";
import { stateFolder } from "./places.ts";

/** The folder for what Loaf keeps about one project: trust, later its journal. It need not be there yet. */
export function projectStateFolder(root: string): string {
  return join(stateFolder(), hash("sha256", root, "hex").slice(0, 32));
}
