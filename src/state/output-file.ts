/** The file that `loaf watch` writes whole reports to. */
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { InputError } from "./input.ts";
import { replaceFile, writeNewFile } from "./state-file.ts";

/**
 * Returns why a file cannot be the output, as a sentence, or undefined. A link in a cloned repository must not lead out
 * of the project, and a report must not replace a file of the user.
 *
 * @param root canonical
 * @param isReport returns whether a text is a report of Loaf
 */
export function problemWithOutput(root: string, name: string, isReport: (text: string) => boolean): string | undefined {
  const path = join(root, name);
  const problem = problemWithPlace(root, name);
  if (problem !== undefined) return problem;
  if ((lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
  return isReport(readFileSync(path, "utf8"))
    ? undefined
    : `'${name}' exists and is not one of Loaf's reports: move it away, or set another file as watch.output`;
}

/**
 * Returns why a watched file is refused, as a sentence, or undefined. Through a link, or a second name of another file,
 * a cloned repository could lead out of the project.
 */
export function problemWithPlace(root: string, name: string): string | undefined {
  const path = join(root, name);
  const folder = realpathSync(nearestFolder(dirname(path)));
  if (folder !== root && !folder.startsWith(root + sep))
    return `'${name}' is not in the project: a link in its path leads to ${folder}`;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return `'${name}' is a directory`;
  if (stats.isSymbolicLink()) return `'${name}' is a link: put a file in its place`;
  if (!stats.isFile()) return `'${name}' is not an ordinary file`;
  if (stats.nlink > 1) return `'${name}' has another name elsewhere (a hard link): put a new file in its place`;
  return undefined;
}

/** Replaces the file as `replaceFile` does. Throws a system error, or `InputError` for a problem as above. */
export function writeOutput(root: string, name: string, text: string, isReport: (text: string) => boolean): void {
  const problem = problemWithOutput(root, name, isReport);
  if (problem !== undefined) throw new InputError("The output file", problem);
  const path = join(root, name);
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  // Keep reports out of git.
  if (folder === join(root, ".loaf")) writeNewFile(join(folder, ".gitignore"), "*\n");
  replaceFile(path, text, 0o666);
}

function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder));
}
