/**
 * Moves a work tree from one commit to another. A git with its own HEAD and index in `.git/loaf-step` does the work,
 * while the user's index is locked. The user's HEAD and index follow last, so an interrupted step can be rolled back.
 */
import {
  copyFileSync, existsSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, renameSync,
  rmdirSync, rmSync, unlinkSync, writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Settings } from "../config/schema.ts";
import { tryOr } from "../core/errors.ts";
import { entryIfThere } from "../disk/look.ts";
import { withFile } from "../disk/pin.ts";
import { type Aside, deleteAside, protectAside, savedIndex, sharedIndexes } from "./aside.ts";
import { difference } from "./entries.ts";
import { fromBytes, type Git, GitFailed, records } from "./git.ts";
import { copyIndex, type IndexLock, lockIndex, STEP_FOLDER } from "./index-lock.ts";
import { missingFolders, restoreModes, restoreOriginals } from "./originals.ts";
import { openRepository } from "./repository-of-project.ts";
import type { Repository } from "./repository.ts";

export interface Place {
  /** The commit of HEAD. */
  readonly commit: string;
  /** The branch of HEAD: `refs/heads/main`. */
  readonly branch?: string | undefined;
  /** The commit that matches the work tree. Defaults to HEAD's. */
  readonly files?: string;
}

export interface Crossing {
  readonly from: Place;
  readonly to: Place;
  /** Changes that are set aside first. */
  readonly left?: Aside | undefined;
  /** Changes that are restored at the end. The aside is then deleted, unless a part of it stays. */
  readonly returning?: Aside | undefined;
  readonly isReturningWhole?: boolean;
  /** The work tree is done: only HEAD and index are left to move. Stored in the record, so the name stays. */
  readonly isThere?: boolean;
}

const filesOf = ({ commit, files }: Place): string => files ?? commit;

/** Throws `GitFailed` if git refuses. Then everything is as before, except that changes are set aside. */
export async function cross(git: Git, repository: Repository, lock: IndexLock, crossing: Crossing): Promise<void> {
  const { from, to, left, returning } = crossing;
  const own = openFolder(git, repository, filesOf(from));
  try {
    // The index must match the files as they are, or git would see changes in them.
    await own.git(["read-tree", "--reset", filesOf(from)]);
    await own.git.attempt(["update-index", "-q", "--refresh"]);
    const folders = returning?.originals === undefined ? [] : missingFolders(git, returning.originals);
    own.note({ ...crossing, isThere: false });
    // From here on recovery finds the step.
    if (left !== undefined) await protectAside(git, left);
    await own.git(["checkout", "--quiet", "--no-overwrite-ignore", "--detach", filesOf(to), "--"]);
    // Git makes a folder anew whose files it removes before it restores others there.
    if (left?.originals !== undefined) restoreModes(git, left.originals.folders);
    if (returning?.originals !== undefined) {
      const restored = [...folders, ...missingFolders(git, returning.originals)];
      await restoreOriginals(git, repository, filesOf(to), returning.originals, { folders: restored, isJustNow: true });
    }
  } catch (thrown) {
    // Git checks before it changes files, but it can still fail half-way, as on a full disk.
    if (existsSync(own.record)) await rollBackCrossing(git, repository, crossing, own);
    else own.remove();
    throw thrown;
  }
  own.note({ ...crossing, isThere: true });
  await moveHeadAndIndex(git, repository, lock, crossing, own);
}

interface OwnFolder {
  readonly path: string;
  readonly index: string;
  /** Path of the record that recovery reads. */
  readonly record: string;
  /** Git with this folder's HEAD and index. */
  readonly git: Pick<Git, "attempt"> & ((args: readonly string[]) => Promise<Buffer>);
  note(crossing: Crossing): void;
  remove(): void;
}

function openFolder(git: Git, { gitFolder }: Repository, head?: string): OwnFolder {
  const path = join(gitFolder, STEP_FOLDER);
  const [index, record] = [join(path, "index"), join(path, "record.json")];
  if (head !== undefined) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(join(path, "info"), { recursive: true, mode: 0o700 });
    writeFileSync(join(path, "HEAD"), `${head}\n`);
    writeFileSync(join(path, "commondir"), `${commonFolder(gitFolder)}\n`);
    const settings = ["info/sparse-checkout", "config.worktree"].filter((name) => existsSync(join(gitFolder, name)));
    for (const name of settings) copyFileSync(join(gitFolder, name), join(path, name));
    for (const name of sharedIndexes(gitFolder)) linkSync(join(gitFolder, name), join(path, name));
    if (existsSync(join(gitFolder, "index"))) copyIndex(join(gitFolder, "index"), index);
  }
  const given = [`--git-dir=${path}`, `--work-tree=${git.top}`, "-c", "core.splitIndex=false"];
  const attempt: Git["attempt"] = (args, options) => git.attempt([...given, ...args], { ...options, fetches: true });
  return {
    path,
    index,
    record,
    git: Object.assign((args: readonly string[]) => git([...given, ...args], { fetches: true }), { attempt }),
    note: (crossing) => {
      writeFileSync(`${record}.new`, JSON.stringify(crossing));
      renameSync(`${record}.new`, record);
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** A linked work tree shares objects and branches with the main repository. */
function commonFolder(gitFolder: string): string {
  const file = join(gitFolder, "commondir");
  return existsSync(file) ? resolve(gitFolder, readFileSync(file, "utf8").trim()) : resolve(gitFolder);
}

/** Moves HEAD and the index after the work tree. Can be repeated. */
async function moveHeadAndIndex(
  git: Git, repository: Repository, lock: IndexLock, crossing: Crossing, own: OwnFolder
): Promise<void> {
  const { from, to, returning, isReturningWhole = false } = crossing;
  if (existsSync(own.index)) {
    const saved = returning?.base === to.commit ? savedIndex(repository.gitFolder, returning) : "";
    if (existsSync(saved)) copyIndex(saved, own.index);
    else if (filesOf(to) !== to.commit) await own.git(["read-tree", "--reset", to.commit]);
    await own.git.attempt(["update-index", "-q", "--refresh"]);
    lock.replace(own.index);
  }
  const names = [from, to].map(({ branch, commit }) => branch?.replace(/^refs\/heads\//, "") ?? commit);
  const message = `checkout: moving from ${names[0]} to ${names[1]}`;
  if (to.branch !== undefined) await git(["symbolic-ref", "-m", message, "HEAD", to.branch]);
  else await git(["update-ref", "--no-deref", "-m", message, "HEAD", to.commit]);
  if (returning !== undefined && isReturningWhole) await deleteAside(git, repository, returning);
  own.remove();
}

/**
 * Rolls back an interrupted step, or finishes it if only HEAD and index are left to move. Returns notices, none if
 * there was no such step.
 */
export async function recoverCrossing(git: Git, repository: Repository): Promise<string[]> {
  const own = openFolder(git, repository);
  if (!existsSync(own.path)) return [];
  const lock = await lockIndex(repository.gitFolder);
  try {
    await waitUntilUnused(own.path);
    if (!existsSync(own.record)) {
      own.remove();
      return [];
    }
    const crossing = JSON.parse(readFileSync(own.record, "utf8")) as Crossing;
    const head = (await git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])).toString().trim();
    if (head !== crossing.from.commit && !(crossing.isThere === true && head === crossing.to.commit)) {
      own.remove();
      const kept = crossing.left && `; earlier changes are kept: git show ${crossing.left.files.slice(0, 10)}:PATH`;
      const also = kept ?? "";
      return [`A loaf back or forward was interrupted, and HEAD has moved since: the files stay as they are${also}`];
    }
    if (crossing.isThere === true) {
      await moveHeadAndIndex(git, repository, lock, crossing, own);
      return ["An interrupted loaf back or forward was finished"];
    }
    await rollBackCrossing(git, repository, crossing, own);
    return ["An interrupted loaf back or forward was rolled back"];
  } finally {
    lock.release();
  }
}

/** Git may outlive a killed Loaf and keep changing the work tree. */
async function waitUntilUnused(folder: string): Promise<void> {
  for (let tries = 0; isUsed(folder); tries++) {
    if (tries === 100) throw new GitFailed(`a git process that Loaf started is still running in ${folder}`);
    await wait(100);
  }
}

/** Works only on Linux; elsewhere returns false. */
function isUsed(folder: string): boolean {
  if (!existsSync("/proc/self/cmdline")) return false;
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const commandLines = processes.map((name) => tryOr(() => readFileSync(join("/proc", name, "cmdline"), "utf8"), ""));
  return commandLines.some((line) => line.split("\0").includes(`--git-dir=${folder}`));
}

/**
 * Restores the start of a crossing at each path that has the content of its end, or a beginning of that. Skips files
 * that somebody has changed since.
 */
async function rollBackCrossing(
  git: Git, repository: Repository, { from, to, left }: Crossing, own: OwnFolder
): Promise<void> {
  const differences = await difference(git, filesOf(from), filesOf(to));
  rmSync(`${own.index}.lock`, { force: true });
  await own.git(["read-tree", filesOf(to)]);
  await own.git.attempt(["update-index", "-q", "--refresh"]);
  const foreign = new Set(records(await own.git(["diff-files", "--name-only", "-z"])));
  const isReached = async ({ path, after }: (typeof differences)[number]): Promise<boolean> => {
    const file = join(git.top, fromBytes(path));
    const kind = entryIfThere(file)?.kind;
    if (kind === undefined) return true;
    if (after === undefined) return kind === "directory";
    return !foreign.has(path) || (kind === "file" && holdsBeginningOf(file, await git(["cat-file", "blob", after.id])));
  };
  const reached: typeof differences = [];
  for (const one of differences) if (await isReached(one)) reached.push(one);
  for (const { path, before } of reached) if (before === undefined) removeFile(git.top, fromBytes(path));
  const folders = left?.originals === undefined ? [] : missingFolders(git, left.originals);
  const isFree = (path: string): boolean => !hasFilesAfterPruning(join(git.top, fromBytes(path)));
  const missing = reached.filter(({ path, before }) => before !== undefined && isFree(path));
  const files = missing.map(({ path }) => `${path}\0`).join("");
  await own.git(["read-tree", filesOf(from)]);
  await own.git.attempt(["checkout-index", "--force", "-z", "--stdin"], { input: Buffer.from(files, "latin1") });
  if (left?.originals !== undefined)
    await restoreOriginals(git, repository, filesOf(from), left.originals, { folders, isJustNow: false });
  own.remove();
  if (left !== undefined) await deleteAside(git, repository, left);
}

/** Returns whether a file holds a beginning of the bytes that git was writing. */
function holdsBeginningOf(file: string, whole: Buffer): boolean {
  return withFile(openSync(file, "r"), (descriptor) => {
    const piece = Buffer.alloc(whole.length + 1);
    const size = readSync(descriptor, piece);
    return size <= whole.length && piece.subarray(0, size).equals(whole.subarray(0, size));
  });
}

/** Removes a folder that has no files, with its subfolders. Returns whether a folder with files remains. */
function hasFilesAfterPruning(path: string): boolean {
  if (entryIfThere(path)?.kind !== "directory") return false;
  const isFull = readdirSync(path)
    .map((name) => hasFilesAfterPruning(join(path, name)) || entryIfThere(join(path, name)) !== undefined)
    .includes(true);
  if (!isFull) rmdirSync(path);
  return isFull;
}

/** Removes a file, and parent folders that become empty. */
function removeFile(top: string, path: string): void {
  if ([undefined, "directory"].includes(entryIfThere(join(top, path))?.kind)) return;
  unlinkSync(join(top, path));
  try {
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) rmdirSync(join(top, folder));
  } catch {
    // The folder is not empty.
  }
}

/** Finishes or rolls back an interrupted `loaf back` or `forward`. Returns notices. */
export async function recoverStep(project: { readonly root: string; readonly settings: Settings }): Promise<string[]> {
  const opened = await openRepository(project);
  return opened === undefined ? [] : recoverCrossing(opened.git, opened.repository);
}
