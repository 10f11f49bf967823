import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, sep } from "node:path";

/** Roots in which this process works. */
const projects = new Set<string>();

/**
 * From now on `findProgram` takes none from below this folder, as it stands on PATH where npm started Loaf: what lies in a project may come from an action or
 * from a command in its sandbox, and what Loaf starts for itself runs outside of that.
 *
 * @param root canonical
 */
export function takeNoProgramsOf(root: string): void {
  projects.add(root);
}

/** The path of a program, looked up as a shell would, or undefined. Relative folders on PATH are passed over: a project could plant programs there. */
export function findProgram(name: string): string | undefined {
  return candidates(name).find((path) => !isOfProject(path) && isExecutable(path));
}

/** The same, wherever it lies: for a command that the user lets run, and never for one of Loaf's own. */
export function findCommand(name: string): string | undefined {
  return candidates(name).find(isExecutable);
}

/** PATH without what `findProgram` passes over: for programs that start others by it. */
export function trustedPath(): string {
  return folders().filter((folder) => !isOfProject(folder)).join(delimiter);
}

function folders(): string[] {
  return (process.env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
}

function candidates(name: string): string[] {
  const endings = process.platform === "win32" ? (process.env["PATHEXT"] ?? ".EXE;.CMD;.BAT").split(";") : [""];
  return folders().flatMap((folder) => endings.map((ending) => join(folder, name + ending)));
}

/** By its own path too: a link in a project leads wherever an action wants. */
function isOfProject(path: string): boolean {
  if (projects.size === 0) return false;
  const names = [join(path), realPath(path)];
  return [...projects].some((root) => names.some((name) => name === root || name.startsWith(root.endsWith(sep) ? root : root + sep)));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
