/** Folders for views in a project's state folder: each is named after nothing but a number, and says which process it belongs to. */
import { chmodSync, lstatSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type ProcessIdentity, processTable } from "../../state/process-identity.ts";
import { projectStateFolder } from "../../state/project-state-folder.ts";
import { foldersIn, newNumbered } from "./set-aside.ts";

export interface ViewFolder {
  readonly path: string;
  /** When it was made, by the clock of the file system, in nanoseconds. */
  readonly made: bigint;
  /** Resolves once that clock has gone on: whatever is changed from then on is newer. It moves every few milliseconds. */
  later(): Promise<void>;
}

const OWNER = "owner";
/** Of folders among temporary files. */
const PREFIX = "loaf-view-";
/** Of a process that cannot be told to be running or not, a folder is kept for so many milliseconds. */
const KEPT_MS = 86_400_000;

/**
 * A new folder of this process: in the state folder or, for a dry run, which leaves nothing there, among temporary files. Throws where it cannot be written.
 */
export function newViewFolder(root: string, isDry: boolean): ViewFolder {
  const path = isDry ? mkdtempSync(join(realpathSync(tmpdir()), PREFIX)) : newNumbered(join(projectStateFolder(root), "views"));
  writeFileSync(join(path, OWNER), JSON.stringify(processTable.identify()), { mode: 0o600 });
  const made = changedAt(join(path, OWNER));
  const later = async (): Promise<void> => {
    for (chmodSync(join(path, OWNER), 0o600); changedAt(join(path, OWNER)) <= made; chmodSync(join(path, OWNER), 0o600)) await setTimeout(1);
  };
  return { path, made, later };
}

function changedAt(path: string): bigint {
  return lstatSync(path, { bigint: true }).ctimeNs;
}

/** Folders that a process which is gone has left. */
export function leftViewFolders(root: string): string[] {
  const temporary = realpathSync(tmpdir());
  const all = [...foldersIn(join(projectStateFolder(root), "views")), ...foldersIn(temporary).filter((path) => path.startsWith(join(temporary, PREFIX)))];
  return all.filter(isLeft);
}

function isLeft(path: string): boolean {
  try {
    const { uid } = lstatSync(path);
    if (uid !== (process.geteuid?.() ?? uid)) return false;
    const owner = JSON.parse(readFileSync(join(path, OWNER), "utf8")) as ProcessIdentity;
    const whereabouts = processTable.find(owner);
    return whereabouts === "gone" || (whereabouts === "unknown" && lstatSync(path).mtimeMs < Date.now() - KEPT_MS);
  } catch {
    // Killed before it could say whose it is. Another process may be about to.
    return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs !== undefined && lstatSync(path).mtimeMs < Date.now() - KEPT_MS;
  }
}
