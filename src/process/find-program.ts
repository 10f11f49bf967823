import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { tryOr } from "../core/errors.ts";
import { isWithin } from "../paths/path-segments.ts";

/** Roots of the projects that this process works in. */
const projects = new Set<string>();

/**
 * Makes `findProgram` skip programs below this folder, which npm may have put on PATH. Files in a project may come from
 * an action or a sandboxed command, but Loaf's own programs run outside the sandbox.
 *
 * @param root canonical
 */
export function excludeProgramsOf(root: string): void {
  projects.add(root);
}

/**
 * Returns the path of a program, looked up as a shell would, or undefined. Skips relative folders on PATH, where a
 * project could plant programs.
 */
export function findProgram(name: string): string | undefined {
  return candidates(name).find((path) => !isInProject(path) && isExecutable(path));
}

/** Like `findProgram`, but also within the project. Only for commands that the user allows, never for Loaf's own. */
export function findCommand(name: string): string | undefined {
  return candidates(name).find(isExecutable);
}

/** Returns PATH without the folders that `findProgram` skips, for programs that look up others. */
export function trustedPath(): string {
  return folders()
    .filter((folder) => !isInProject(folder))
    .join(delimiter);
}

function folders(): string[] {
  return (process.env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
}

function candidates(name: string): string[] {
  const endings = process.platform === "win32" ? (process.env["PATHEXT"] ?? ".EXE;.CMD;.BAT").split(";") : [""];
  return folders().flatMap((folder) => endings.map((ending) => join(folder, name + ending)));
}

/** Checks the unresolved path too, because a link in a project may lead anywhere. */
function isInProject(path: string): boolean {
  if (projects.size === 0) return false;
  const names = [join(path), tryOr(() => realpathSync(path), path)];
  return [...projects].some((root) => names.some((name) => isWithin(name, root)));
}

/** Returns whether a path is a file that the user may run. */
export function isExecutable(path: string): boolean {
  return tryOr(() => (accessSync(path, constants.X_OK), statSync(path).isFile()), false);
}
