/** Folders for views in a project's state folder, each with a number as its name and a file that names its process. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { tryOr } from "../../core/errors.ts";
import { unlessSystemError } from "../../disk/system-error.ts";
import { Syncing, withAncestors } from "../../disk/sync.ts";
import { makeFolders, projectStateFolder } from "../../state/places.ts";
import { type ProcessIdentity, processTable } from "../../state/process-identity.ts";

export interface ViewFolder {
  readonly path: string;
  /** Creation time by the clock of the file system, in nanoseconds. */
  readonly made: bigint;
  /** Resolves once that clock has advanced, within a few milliseconds: later changes have a newer time. */
  later(): Promise<void>;
}

const OWNER = "owner";
/** Prefix among temporary files. */
const PREFIX = "loaf-view-";
/** How long to keep a folder, in milliseconds, if the state of its process is unknown. */
const MAX_AGE_MS = 86_400_000;

/**
 * Makes a new folder for this process: in the state folder, or among temporary files in a dry run. Throws if it cannot
 * be written.
 */
export function newViewFolder(root: string, isDry: boolean): ViewFolder {
  const path = isDry
    ? mkdtempSync(join(realpathSync(tmpdir()), PREFIX))
    : makeNumberedFolder(join(projectStateFolder(root), "views"));
  writeFileSync(join(path, OWNER), JSON.stringify(processTable.identify()), { mode: 0o600 });
  const made = changedAt(join(path, OWNER));
  const later = async (): Promise<void> => {
    for (chmodSync(join(path, OWNER), 0o600); changedAt(join(path, OWNER)) <= made; chmodSync(join(path, OWNER), 0o600))
      await setTimeout(1);
  };
  return { path, made, later };
}

function changedAt(path: string): bigint {
  return lstatSync(path, { bigint: true }).ctimeNs;
}

/**
 * Returns folders in the state folder whose processes are gone. Call it while holding the project's lock: then no
 * process is between making a folder and writing its owner. One without an owner was left by a kill at that moment, or
 * during removal.
 */
export function orphanedViewFolders(root: string): string[] {
  return foldersIn(join(projectStateFolder(root), "views")).filter((path) => isOrphaned(path, true));
}

/** Returns folders of dry runs whose processes are gone. */
export function orphanedDryViewFolders(): string[] {
  return foldersIn(realpathSync(tmpdir()), PREFIX).filter((path) => isOrphaned(path, false));
}

/** @param isUnownedGone whether a folder without an owner is orphaned at any age */
function isOrphaned(path: string, isUnownedGone: boolean): boolean {
  try {
    const { uid } = lstatSync(path);
    if (uid !== (process.geteuid?.() ?? uid)) return false;
    const owner = JSON.parse(readFileSync(join(path, OWNER), "utf8")) as ProcessIdentity;
    const whereabouts = processTable.find(owner);
    return whereabouts === "gone" || (whereabouts === "unknown" && lstatSync(path).mtimeMs < Date.now() - MAX_AGE_MS);
  } catch {
    return isUnownedGone || (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - MAX_AGE_MS;
  }
}

/**
 * Removes a layer, whatever permissions a command has set in it. The kernel's own work folder has none at all. Leaves
 * what cannot be removed, such as files of other users, to the next run.
 *
 * @param path below which nobody else changes anything
 */
export function removeLayer(path: string): void {
  // Moves each directory up before emptying it: a command can nest them deeper than the maximum path length.
  const waiting = [Buffer.from(path)];
  let number = 0;
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    for (const name of openAndList(directory)) {
      const entry = Buffer.concat([directory, Buffer.from("/"), name]);
      tryOr(() => {
        if (!lstatSync(entry).isDirectory()) return unlinkSync(entry);
        chmodSync(entry, 0o700);
        do number += 1;
        while (existsSync(`${path}/${number}`));
        const moved = Buffer.from(`${path}/${number}`);
        renameSync(entry, moved);
        waiting.push(moved);
      }, undefined);
    }
    if (directory.toString() !== path) tryOr(() => rmdirSync(directory), undefined);
  }
  tryOr(() => (lstatSync(path).isDirectory() ? rmdirSync(path) : unlinkSync(path)), undefined);
}

function openAndList(directory: Buffer): Buffer[] {
  return tryOr(() => {
    if (!lstatSync(directory).isDirectory()) return [];
    chmodSync(directory, 0o700);
    return readdirSync(directory, { encoding: "buffer" });
  }, []);
}

const DAY_MS = 86_400_000;

/**
 * Writes files into a new folder within the state folder and returns it. They may be the only copies, so they are
 * synced first. Throws system errors.
 *
 * @param files paths relative to the folder, and how to write each to a path
 */
export async function setAside(
  root: string, files: ReadonlyArray<{ readonly path: string; write(to: string): void }>
): Promise<string> {
  const folder = makeNumberedFolder(setAsideFolder(root));
  const copies = files.map(({ path, write }) => {
    const to = join(folder, path);
    makeFolders(dirname(to));
    write(to);
    return to;
  });
  const syncing = new Syncing(true);
  await syncing.files(copies);
  await syncing.directories(new Set(copies.flatMap((copy) => withAncestors(realpathSync(dirname(copy))))));
  await syncing.finished();
  return folder;
}

/** Returns saved folders older than this many days. */
export function expiredAsides(root: string, days: number): string[] {
  return foldersIn(setAsideFolder(root)).filter(
    (path) => (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - days * DAY_MS,
  );
}

function setAsideFolder(root: string): string {
  return join(projectStateFolder(root), "aside");
}

/** Makes a new folder, named by the first free number. Throws if it cannot be made. */
function makeNumberedFolder(folder: string): string {
  makeFolders(folder);
  for (let number = 1; ; number++) {
    const path = join(folder, String(number));
    if (unlessSystemError(() => (mkdirSync(path, { mode: 0o700 }), true), false, ["EEXIST"])) return path;
  }
}

export function foldersIn(folder: string, prefix = ""): string[] {
  return tryOr(
    () =>
      readdirSync(folder).filter((name) => name.startsWith(prefix)).map((name) => join(folder, name)),
    [],
  );
}
