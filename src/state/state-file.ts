/** Texts that Loaf keeps about one project, in the state folder. */
import { appendFileSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders } from "./make-folders.ts";
import { projectStateFolder } from "./project-state-folder.ts";

/** Undefined where there is none. */
export function readStateFile(root: string, name: string): string | undefined {
  const file = join(projectStateFolder(root), name);
  try {
    // Most runs find none, and to throw costs several times what looking does.
    return lstatSync(file, { throwIfNoEntry: false }) && readFileSync(file, "utf8");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw thrown;
  }
}

/** All old or all new, whoever reads it meanwhile. Throws where the state folder cannot be written. */
export function writeStateFile(root: string, name: string, text: string): void {
  const file = join(projectStateFolder(root), name);
  makeFolders(dirname(file));
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, text, { mode: 0o600 });
    renameSync(unfinished, file);
  } catch (thrown) {
    rmSync(unfinished, { force: true });
    throw thrown;
  }
}

/** A line that a power cut may leave in part. Throws where the state folder cannot be written. */
export function appendToStateFile(root: string, name: string, text: string): void {
  const file = join(projectStateFolder(root), name);
  makeFolders(dirname(file));
  appendFileSync(file, text, { mode: 0o600 });
}

/** Whether it was there or not. Throws where the state folder cannot be written. */
export function removeStateFile(root: string, name: string): void {
  rmSync(join(projectStateFolder(root), name), { force: true });
}
