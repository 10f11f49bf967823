/** The file that the whole report of a run is found in. */
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { InputError } from "./input.ts";
import { writeNewFile } from "./new-file.ts";

/**
 * Why a file cannot be the output, as a sentence, or undefined. What a cloned repository brings must not lead out of the project, and no
 * file of the user's be replaced by a report.
 *
 * @param root canonical
 * @param isReport tells Loaf's reports from other texts
 */
export function problemWithOutput(root: string, name: string, isReport: (text: string) => boolean): string | undefined {
  const path = join(root, name);
  const folder = realpathSync(nearestFolder(dirname(path)));
  if (folder !== root && !folder.startsWith(root + sep)) return `'${name}' is not in the project: a link on its way leads to ${folder}`;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return `'${name}' is a directory`;
  if (found === undefined || found.isSymbolicLink() || found.size === 0) return undefined;
  return isReport(readFileSync(path, "utf8")) ? undefined : `'${name}' is there and is no report of Loaf's: move it away, or name another file under watch.output`;
}

/** All old or all new, whoever reads it meanwhile; a link in its place is replaced, not followed. Throws a system error, or `InputError` as above. */
export function writeOutput(root: string, name: string, text: string, isReport: (text: string) => boolean): void {
  const problem = problemWithOutput(root, name, isReport);
  if (problem !== undefined) throw new InputError("The output file", problem);
  const path = join(root, name);
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  // What only people read is no part of the project.
  if (folder === join(root, ".loaf")) writeNewFile(join(folder, ".gitignore"), "*\n");
  const unfinished = join(folder, `.${basename(path)}.loaf-new`);
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, text, { flag: "wx" });
  renameSync(unfinished, path);
}

function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder));
}
