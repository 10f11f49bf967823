import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "./make-folders.ts";
import { projectStateFolder } from "./project-state-folder.ts";

/** So many commands' are kept: a command can make as much as it likes. */
const MOST_KEPT = 20;

/** A new folder for what is taken out of a project. The oldest of its kind goes. Throws where the state folder cannot be written. */
export function takenOutFolder(root: string): string {
  const folder = join(projectStateFolder(root), "taken-out");
  makeFolders(folder);
  const numbers = readdirSync(folder).map(Number).filter(Number.isInteger).toSorted((a, b) => a - b);
  for (const old of numbers.slice(0, Math.max(0, numbers.length - MOST_KEPT + 1))) rmSync(join(folder, String(old)), { recursive: true, force: true });
  const path = join(folder, String((numbers.at(-1) ?? 0) + 1));
  makeFolders(path);
  return path;
}
