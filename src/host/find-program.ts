import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** The path of a program, looked up as a shell would, or undefined. Relative folders on PATH are passed over: a project could plant programs there. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const endings = process.platform === "win32" ? (process.env["PATHEXT"] ?? ".EXE;.CMD;.BAT").split(";") : [""];
  return folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
