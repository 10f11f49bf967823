/**
 * How a work tree gets from one commit to another: by a git that has a HEAD and an index of its own, in `.git/loaf-step`, while the user's are locked. Those follow last of
 * all. So whatever ends it in between, the user's HEAD and index are as they were, and what has happened in the work tree can be taken back.
 */
import { closeSync, copyFileSync, existsSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Aside, difference, forget, keep, keptIndex, sharedIndexes } from "./aside.ts";
import { fromBytes, type Git, GitFailed, records } from "./git.ts";
import { copyIndex, type IndexLock, lockIndex, STEP_FOLDER } from "./index-lock.ts";
import { bringBackOriginals, lookAt, missingFolders } from "./originals.ts";
import type { Repository } from "./repository.ts";

export interface Place {
  /** What HEAD is. */
  readonly commit: string;
  /** The branch that it is on: `refs/heads/main`. */
  readonly branch?: string | undefined;
  /** The commit that has what is in the work tree; else that is HEAD's. */
  readonly files?: string;
}

export interface Crossing {
  readonly from: Place;
  readonly to: Place;
  /** What is set aside at the beginning. */
  readonly left?: Aside | undefined;
  /** What comes back at the end, and need not be kept then unless a part of it does not. */
  readonly returning?: Aside | undefined;
  readonly isReturningWhole?: boolean;
  /** The work tree is there: HEAD and index are to follow. */
  readonly isThere?: boolean;
}

const filesOf = ({ commit, files }: Place): string => files ?? commit;

/** Throws `GitFailed` where git refuses, with everything as it was but for what was set aside. */
export async function cross(git: Git, repository: Repository, lock: IndexLock, crossing: Crossing): Promise<void> {
  const { from, to, left, returning } = crossing;
  const own = openFolder(git, repository, filesOf(from));
  try {
    // Of what is set aside the index has to know, or git would see changes in it.
    await own.git(["read-tree", "--reset", filesOf(from)]);
    await own.git.attempt(["update-index", "-q", "--refresh"]);
    const folders = returning?.originals === undefined ? [] : missingFolders(git, returning.originals);
    own.note({ ...crossing, isThere: false });
    // From here on recovery knows of it.
    if (left !== undefined) await keep(git, left);
    await own.git(["checkout", "--quiet", "--no-overwrite-ignore", "--detach", filesOf(to), "--"]);
    if (returning?.originals !== undefined) await bringBackOriginals(git, repository, filesOf(to), returning.originals, { folders: [...folders, ...missingFolders(git, returning.originals)], isJustNow: true });
  } catch (thrown) {
    // Git checks before it changes a file, but a disk may be full.
    if (existsSync(own.record)) await takeBack(git, repository, crossing, own);
    else own.remove();
    throw thrown;
  }
  own.note({ ...crossing, isThere: true });
  await follow(git, repository, lock, crossing, own);
}

interface OwnFolder {
  readonly path: string;
  readonly index: string;
  /** What is being done. */
  readonly record: string;
  /** With a HEAD and an index of its own. */
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
    for (const name of ["info/sparse-checkout", "config.worktree"]) if (existsSync(join(gitFolder, name))) copyFileSync(join(gitFolder, name), join(path, name));
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

/** A linked work tree has the objects and branches in the main repository. */
function commonFolder(gitFolder: string): string {
  const file = join(gitFolder, "commondir");
  return existsSync(file) ? resolve(gitFolder, readFileSync(file, "utf8").trim()) : resolve(gitFolder);
}

/** The work tree is there. May be done again. */
async function follow(git: Git, repository: Repository, lock: IndexLock, { from, to, returning, isReturningWhole = false }: Crossing, own: OwnFolder): Promise<void> {
  if (existsSync(own.index)) {
    if (returning !== undefined && returning.base === to.commit && existsSync(keptIndex(repository.gitFolder, returning))) copyIndex(keptIndex(repository.gitFolder, returning), own.index);
    else if (filesOf(to) !== to.commit) await own.git(["read-tree", "--reset", to.commit]);
    await own.git.attempt(["update-index", "-q", "--refresh"]);
    lock.replace(own.index);
  }
  const names = [from, to].map(({ branch, commit }) => branch?.replace(/^refs\/heads\//, "") ?? commit);
  const message = `checkout: moving from ${names[0]} to ${names[1]}`;
  if (to.branch !== undefined) await git(["symbolic-ref", "-m", message, "HEAD", to.branch]);
  else await git(["update-ref", "--no-deref", "-m", message, "HEAD", to.commit]);
  if (returning !== undefined && isReturningWhole) await forget(git, repository, returning);
  own.remove();
}

/**
 * Takes back what an interrupted step has done to the work tree, or ends it where only HEAD and index were missing. Returns sentences; none where there is nothing to be done.
 */
export async function recoverCrossing(git: Git, repository: Repository): Promise<string[]> {
  const own = openFolder(git, repository);
  if (!existsSync(own.path)) return [];
  const lock = await lockIndex(repository.gitFolder);
  try {
    await untilNobodyUses(own.path);
    if (!existsSync(own.record)) {
      own.remove();
      return [];
    }
    const crossing = JSON.parse(readFileSync(own.record, "utf8")) as Crossing;
    const head = (await git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])).toString().trim();
    if (head !== crossing.from.commit && !(crossing.isThere === true && head === crossing.to.commit)) {
      own.remove();
      return [`A loaf back or forward was interrupted, and HEAD has moved since: the files stay as they are${crossing.left === undefined ? "" : `; what was changed before is kept: git show ${crossing.left.files.slice(0, 10)}:PATH`}`];
    }
    if (crossing.isThere === true) {
      await follow(git, repository, lock, crossing, own);
      return ["A loaf back or forward that was interrupted is finished"];
    }
    await takeBack(git, repository, crossing, own);
    return ["A loaf back or forward that was interrupted was taken back"];
  } finally {
    lock.release();
  }
}

/** Git may outlive a Loaf that was killed, and go on with the work tree. */
async function untilNobodyUses(folder: string): Promise<void> {
  for (let tries = 0; isUsed(folder); tries++) {
    if (tries === 100) throw new GitFailed(`a git that Loaf started is still working in ${folder}`);
    await wait(100);
  }
}

/** Only Linux tells. */
function isUsed(folder: string): boolean {
  if (!existsSync("/proc/self/cmdline")) return false;
  return readdirSync("/proc").some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(join("/proc", name, "cmdline"), "utf8").split("\0").includes(`--git-dir=${folder}`);
    } catch {
      return false;
    }
  });
}

/** Gives the work tree back what the beginning of a crossing had, at each place where it has what the end has, or a part of it. What somebody has changed since stays. */
async function takeBack(git: Git, repository: Repository, { from, to, left }: Crossing, own: OwnFolder): Promise<void> {
  const differences = await difference(git, filesOf(from), filesOf(to));
  rmSync(`${own.index}.lock`, { force: true });
  await own.git(["read-tree", filesOf(to)]);
  await own.git.attempt(["update-index", "-q", "--refresh"]);
  const foreign = new Set(records(await own.git(["diff-files", "--name-only", "-z"])));
  const isReached = async ({ path, after }: (typeof differences)[number]): Promise<boolean> => {
    const file = join(git.top, fromBytes(path));
    const stats = lookAt(file);
    if (stats === undefined) return true;
    if (after === undefined) return stats.isDirectory();
    return !foreign.has(path) || (stats.isFile() && isBeginning(file, await git(["cat-file", "blob", after.id])));
  };
  const reached: typeof differences = [];
  for (const one of differences) if (await isReached(one)) reached.push(one);
  for (const { path, before } of reached) if (before === undefined) removeFile(git.top, fromBytes(path));
  const folders = left?.originals === undefined ? [] : missingFolders(git, left.originals);
  const files = reached.filter(({ path, before }) => before !== undefined && !isFolder(join(git.top, fromBytes(path)))).map(({ path }) => `${path}\0`).join("");
  await own.git(["read-tree", filesOf(from)]);
  await own.git.attempt(["checkout-index", "--force", "-z", "--stdin"], { input: Buffer.from(files, "latin1") });
  if (left?.originals !== undefined) await bringBackOriginals(git, repository, filesOf(from), left.originals, { folders, isJustNow: false });
  own.remove();
  if (left !== undefined) await forget(git, repository, left);
}

/** Whether git was about to write this into a file. */
function isBeginning(file: string, whole: Buffer): boolean {
  const descriptor = openSync(file, "r");
  try {
    const piece = Buffer.alloc(whole.length + 1);
    const size = readSync(descriptor, piece);
    return size <= whole.length && piece.subarray(0, size).equals(whole.subarray(0, size));
  } finally {
    closeSync(descriptor);
  }
}

/** Unless there is nothing in it but folders: those go. */
function isFolder(path: string): boolean {
  if (lookAt(path)?.isDirectory() !== true) return false;
  const isFull = readdirSync(path).map((name) => isFolder(join(path, name)) || lookAt(join(path, name)) !== undefined).includes(true);
  if (!isFull) rmdirSync(path);
  return isFull;
}

/** And folders that are empty then. */
function removeFile(top: string, path: string): void {
  if (lookAt(join(top, path))?.isDirectory() !== false) return;
  unlinkSync(join(top, path));
  try {
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) rmdirSync(join(top, folder));
  } catch {
    // There is more in it.
  }
}

