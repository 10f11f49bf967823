/** Files in the state folder of a project. Writes throw if the folder is not writable. */
import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "../core/errors.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { makeFolders, projectStateFolder } from "./places.ts";

/** Returns undefined if the file is missing. */
export function readStateFile(root: string, name: string): string | undefined {
  const file = join(projectStateFolder(root), name);
  // Usually missing, and a thrown error costs several times as much as this check.
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  return unlessSystemError(() => readFileSync(file, "utf8"), undefined, ["ENOENT"]);
}

/** Returns the value of a file of JSON. Undefined if the file is missing, or damaged, as after a power cut. */
export function readStateJson(root: string, name: string): unknown {
  const text = readStateFile(root, name) ?? "";
  return tryOr((): unknown => JSON.parse(text) ?? undefined, undefined);
}

/** Replaces the file atomically. */
export function writeStateFile(root: string, name: string, text: string): void {
  replaceFile(join(projectStateFolder(root), name), text);
}

/** Replaces a file atomically. Makes its folder. Replaces a link instead of following it. */
export function replaceFile(file: string, text: string | Buffer, mode = 0o600): void {
  makeFolders(dirname(file));
  const unfinished = `${file}.${process.pid}`;
  // A cloned repository may have a link there.
  rmSync(unfinished, { force: true });
  try {
    writeFileSync(unfinished, text, { mode, flag: "wx" });
    renameSync(unfinished, file);
  } catch (thrown) {
    rmSync(unfinished, { force: true });
    throw thrown;
  }
}

/**
 * Makes a folder hold exactly the named files. Writes a file that is missing, if its text is given, and leaves the
 * others as they are.
 */
export function fillStateFolder(root: string, folder: string, files: ReadonlyMap<string, string | undefined>): void {
  const place = join(projectStateFolder(root), folder);
  makeFolders(place);
  const names = new Set(readdirSync(place));
  for (const name of names) if (!files.has(name)) rmSync(join(place, name), { force: true });
  for (const [name, text] of files) if (text !== undefined && !names.has(name)) replaceFile(join(place, name), text);
}

/** Does nothing if the file is missing. */
export function removeStateFile(root: string, name: string): void {
  rmSync(join(projectStateFolder(root), name), { force: true });
}

/** Creates a file. Removes it again if the write fails. Returns false if the path exists. */
export function writeNewFile(path: string, text: string | Uint8Array): boolean {
  const file = unlessSystemError(() => openSync(path, "wx"), undefined, ["EEXIST"]);
  if (file === undefined) return false;
  try {
    writeFileSync(file, text);
    return true;
  } catch (thrown) {
    unlinkSync(path);
    throw thrown;
  } finally {
    closeSync(file);
  }
}
