/**
 * Prepares a step to another commit and completes it. A git with its own HEAD and index in `.git/loaf-step` writes the
 * files that differ into a folder there, where filters, line endings and a sparse checkout are git's. The journal
 * brings them to the work tree. HEAD and the user's index follow last.
 *
 * Before that, it compares the work tree with HEAD: a step sets changed and untracked files aside, and leaves ignored
 * ones alone.
 */
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { HeadMove, IndexChange } from "../core/head-move.ts";
import { imageOf } from "../disk/images.ts";
import type { Image, NewEntry } from "../disk/planned.ts";
import { type Git, GitFailed, records } from "./git.ts";
import { asBytes, fromBytes } from "../paths/names.ts";
import { copyIndex, type IndexLock, STEP_FOLDER } from "./index-lock.ts";
import type { Repository } from "./repository.ts";
import { makeFolders } from "../state/places.ts";
import { namedFew } from "../core/visible.ts";
import { entryIfThere } from "../disk/look.ts";
import { openFile } from "../disk/choose-pins.ts";
import { readPieces } from "../disk/disk.ts";
import { blobId, fitCommandLine, foldersAbove } from "./entries.ts";

/** A file or link as a commit has it. */
export type CheckedOut = Exclude<NewEntry<Image>, { readonly kind: "directory" }>;

export interface Checkout {
  /** Index of the commit, for the user. */
  readonly index: string;
  /** Returns a path of the commit. Undefined if it has none there, or leaves it out of a sparse checkout. */
  at(path: string): CheckedOut | undefined;
}

const INDEX = "index";
const FILES = "files";

/**
 * Writes what differs between the user's index and a commit, and the paths given, into a folder of Loaf's own.
 *
 * @param paths relative to the top; the commit need not have them
 */
export async function checkOut(
  git: Git,
  { gitFolder }: Repository,
  { from, to }: Readonly<Record<"from" | "to", string>>,
  paths: readonly string[],
): Promise<Checkout> {
  const stepFolder = join(gitFolder, STEP_FOLDER);
  const [index, files] = [join(stepFolder, INDEX), join(stepFolder, FILES)];
  rmSync(stepFolder, { recursive: true, force: true });
  for (const folder of [join(stepFolder, "info"), files]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(stepFolder, "HEAD"), `${from}\n`);
  writeFileSync(join(stepFolder, "commondir"), `${commonFolder(gitFolder)}\n`);
  for (const name of ["info/sparse-checkout", "config.worktree"])
    if (existsSync(join(gitFolder, name))) copyFileSync(join(gitFolder, name), join(stepFolder, name));
  for (const name of sharedIndexes(gitFolder)) linkSync(join(gitFolder, name), join(stepFolder, name));
  if (existsSync(join(gitFolder, INDEX))) copyIndex(join(gitFolder, INDEX), index);
  const call = (args: readonly string[], input?: Buffer): Promise<Buffer> =>
    git([`--git-dir=${stepFolder}`, `--work-tree=${files}`, "-c", "core.splitIndex=false", ...args], {
      fetches: true,
      ...(input && { input }),
    });
  await call(["read-tree", "--reset", from]);
  await call(["read-tree", "-m", "-u", to]);
  // Whole where the index already was as the commit is, but the work tree is not.
  const left = await inIndex(
    call,
    paths.filter((path) => lstatSync(join(files, path), NO_THROW) === undefined),
  );
  if (left.length > 0) await call(["checkout-index", "--force", "-z", "--stdin"], Buffer.from(left.join(""), "latin1"));
  return { index, at: (path) => readCheckedOut(join(files, path)) };
}

/** Returns those of the paths that the index has and does not leave out of the checkout, each with its NUL. */
async function inIndex(
  call: (args: readonly string[]) => Promise<Buffer>,
  paths: readonly string[],
): Promise<string[]> {
  if (paths.length === 0) return [];
  const wanted = new Set(paths.map(asBytes));
  return records(await call(["ls-files", "-z", "-t"])).flatMap((line) => {
    const [tag, path] = [line.slice(0, 1), line.slice(2)];
    return tag !== "S" && wanted.has(path) ? [`${path}\0`] : [];
  });
}

function readCheckedOut(file: string): CheckedOut | undefined {
  const stats = lstatSync(file, NO_THROW);
  if (stats?.isSymbolicLink() === true) return { kind: "link", target: readlinkSync(file) };
  return stats?.isFile() === true ? { kind: "file", content: imageOf(file), mode: stats.mode & 0o777 } : undefined;
}

const NO_THROW = { throwIfNoEntry: false } as const;

/** A linked work tree shares objects and branches with the main repository. */
function commonFolder(gitFolder: string): string {
  const file = join(gitFolder, "commondir");
  return existsSync(file) ? resolve(gitFolder, readFileSync(file, "utf8").trim()) : resolve(gitFolder);
}

function sharedIndexes(gitFolder: string): string[] {
  return readdirSync(gitFolder).filter((name) => name.startsWith("sharedindex."));
}

/** Saves the user's index, whole: a split one depends on a shared file that may be gone later. */
export async function saveIndex(git: Git, { gitFolder }: Repository, file: string): Promise<void> {
  const index = join(gitFolder, INDEX);
  makeFolders(dirname(file));
  if (!existsSync(index)) return;
  copyIndex(index, file);
  if (sharedIndexes(gitFolder).length > 0)
    await git(["-c", "core.splitIndex=false", "update-index", "--no-split-index"], { index: file });
}

/** Takes a saved index for that of the commit, unless it is gone. */
export function useIndex(saved: string, { index }: Pick<Checkout, "index">): void {
  if (existsSync(saved)) copyIndex(saved, index);
}

/** Returns the tree of what is staged on top of a commit, protected by a reference, or undefined if nothing is. */
export async function protectStaged(git: Git, commit: string, index: string): Promise<string | undefined> {
  if (!existsSync(index)) return undefined;
  const tree = (await git(["write-tree"], { index })).toString().trim();
  if (tree === (await git(["rev-parse", `${commit}^{tree}`])).toString().trim()) return undefined;
  await git(["update-ref", STAGED + tree, tree]);
  return tree;
}

const STAGED = "refs/loaf/staged/";

/** Removes the protection of all staged trees but these. */
export async function forgetStaged(git: Git, kept: readonly string[]): Promise<void> {
  const names = (await git(["for-each-ref", "--format=%(refname)", STAGED])).toString().split("\n").slice(0, -1);
  for (const name of names.filter((staged) => !kept.includes(staged.slice(STAGED.length))))
    await git.attempt(["update-ref", "-d", name]);
}

/** Moves the index and HEAD after the work tree. Can be repeated. */
export async function completeStep(
  git: Git,
  { gitFolder }: Repository,
  lock: IndexLock,
  { branch, from, to = "", step }: HeadMove,
): Promise<void> {
  const index = join(gitFolder, STEP_FOLDER, INDEX);
  if (existsSync(index)) {
    await git.attempt(["-c", "core.splitIndex=false", "update-index", "-q", "--refresh"], { index });
    lock.replace(index);
  }
  const names = [branch ?? from, step?.toBranch ?? to].map((name) => name?.replace(/^refs\/heads\//, ""));
  const message = `checkout: moving from ${names[0]} to ${names[1]}`;
  if (step?.toBranch !== undefined) await git(["symbolic-ref", "-m", message, "HEAD", step.toBranch]);
  else await git(["update-ref", "--no-deref", "-m", message, "HEAD", to]);
}

/** Must be the last act of a step: as long as the folder is there, the next turn looks after it. */
export function removeStepFolder(gitFolder: string): void {
  rmSync(join(gitFolder, STEP_FOLDER), { recursive: true, force: true });
}

export interface WorkTree {
  /** Paths of changed and untracked files, without nested repositories. */
  readonly changed: readonly string[];
  /** Files removed only from the index, and ignored since: HEAD has them, the index does not. */
  readonly uncached: readonly string[];
  /** Index entries, by the bytes of their path. */
  readonly tracked: ReadonlyMap<string, Tracked>;
  /** Ignored paths, as strings of bytes. A fully ignored folder ends with a slash. */
  readonly ignored: readonly string[];
  /** Whether the checkout is sparse. */
  readonly isSparse: boolean;
}

interface Tracked {
  readonly id: string;
  /** `assume-unchanged` or `skip-worktree`: git does not check the file for changes. */
  readonly isFlagged: boolean;
  /** `skip-worktree` */
  readonly isSkipped: boolean;
}

const MAX_NAMED = 5;

/** @param known paths ignored at an earlier step, which still count as ignored; same form as `ignored` */
export async function readWorkTree(git: Git, { gitFolder }: Repository, known: readonly string[]): Promise<WorkTree> {
  const [status, entries, ignored] = await Promise.all([
    git(["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"]),
    // Otherwise git treats a file outside the sparse patterns as an ordinary one if it exists.
    git(["-c", "sparse.expectFilesOutsideOfPatterns=true", "ls-files", "-z", "--stage", "-v"]),
    git(["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"]),
  ]);
  const isKnown = isInList(known);
  const lines = records(status).filter(
    (line) => !line.endsWith("/") && !(line.startsWith("??") && isKnown(line.slice(3))),
  );
  const untracked = new Set(lines.filter((line) => line.startsWith("??")).map((line) => line.slice(3)));
  // A file removed only from the index still exists, and may now be ignored.
  const isChanged = (line: string): boolean =>
    !line.startsWith("D ") ||
    untracked.has(line.slice(3)) ||
    kindAt(join(git.top, fromBytes(line.slice(3)))) === "none";
  const changed = [...new Set(lines.filter(isChanged).map((line) => fromBytes(line.slice(3))))];
  // With `--directory` git skips a folder in the place of a tracked file.
  const replaced = changed.filter((path) => kindAt(join(git.top, path)) === "folder");
  const given = fitCommandLine(replaced) ? replaced : [];
  const listIgnored = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard"];
  const within = replaced.length > 0 && (await git([...listIgnored, "--", ...given]));
  return {
    changed,
    uncached: lines.filter((line) => !isChanged(line)).map((line) => fromBytes(line.slice(3))),
    tracked: new Map(
      records(entries).map((line) => {
        const [, tag = "", id = "", path = ""] = /^(\S) \d+ (\w+) \d\t(.*)$/s.exec(line) ?? [];
        return [
          path,
          { id, isFlagged: tag === "S" || tag !== tag.toUpperCase(), isSkipped: tag.toUpperCase() === "S" },
        ];
      }),
    ),
    ignored: [...records(ignored), ...(within === false ? [] : records(within))],
    isSparse: existsSync(join(gitFolder, "info/sparse-checkout")),
  };
}

/** Returns a test whether a path is in a list, or in a folder of the list. */
function isInList(paths: readonly string[]): (path: string) => boolean {
  const all = new Set(paths);
  return (path) => all.has(path) || [...path.matchAll(/\//g)].some(({ index }) => all.has(path.slice(0, index + 1)));
}

/**
 * Throws `GitFailed` with the files that a step would overwrite although they are not saved: ignored files, and files
 * that git does not check for changes.
 *
 * @param differences between HEAD and the new work tree
 */
export function checkOverwrites(top: string, workTree: WorkTree, differences: readonly IndexChange[]): void {
  const { changed, tracked, isSparse } = workTree;
  const setAside = new Set(changed);
  const isOurs = (path: string): boolean => setAside.has(path) || tracked.has(asBytes(path));
  const kinds = new Map<string, Kind>();
  const kindOf = (path: string): Kind => {
    const known = kinds.get(path) ?? kindAt(join(top, path));
    kinds.set(path, known);
    return known;
  };
  const obstacles = new Set<string>();
  const hidden = new Set<string>();
  for (const { path: bytes, after } of differences) {
    const path = fromBytes(bytes);
    const above = foldersAbove(path).slice(1);
    const inTheWay = after && above.find((folder) => kindOf(folder) === "file" && !isOurs(folder));
    if (inTheWay !== undefined) obstacles.add(inTheWay);
    const kind = above.some((folder) => kindOf(folder) !== "folder") ? "none" : kindOf(path);
    const { id = "", isFlagged = false, isSkipped = false } = tracked.get(bytes) ?? {};
    const isAsInGit = (): boolean => {
      if (kind !== "file") return isSparse && isSkipped;
      return lstatSync(join(top, path)).isFile() && hasBlobBytes(join(top, path), id);
    };
    if (isFlagged && !setAside.has(path) && !isAsInGit()) hidden.add(path);
    if (after === undefined || after.mode === SUBMODULE) continue;
    if (kind === "file" && !isOurs(path)) obstacles.add(path);
    if (kind === "folder") for (const file of filesBelow(top, path)) if (!isOurs(file)) obstacles.add(file);
  }
  if (obstacles.size > 0) {
    const [are, them] = obstacles.size === 1 ? ["is", "it"] : ["are", "them"];
    const what = `${namedFew([...obstacles].toSorted(), MAX_NAMED)} ${are} ignored or untracked`;
    throw new GitFailed(`${what}, and the other commit has something else in that place; move ${them} away first`);
  }
  if (hidden.size > 0) {
    const what = `${namedFew([...hidden].toSorted(), MAX_NAMED)} ${hidden.size === 1 ? "is" : "are"} changed`;
    throw new GitFailed(
      `${what}, hidden from git by assume-unchanged or skip-worktree, and different in the other commit; clear the flag with git update-index first`,
    );
  }
}

const SUBMODULE = "160000";

type Kind = "none" | "file" | "folder";

function kindAt(path: string): Kind {
  const kind = entryIfThere(path)?.kind;
  if (kind === undefined) return "none";
  return kind === "directory" ? "folder" : "file";
}

function filesBelow(top: string, path: string): string[] {
  return readdirSync(join(top, path), { withFileTypes: true }).flatMap((entry) => {
    const inside = `${path}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(top, inside) : [inside];
  });
}

/** Returns whether a file's unfiltered bytes are those of a blob. */
function hasBlobBytes(file: string, id: string): boolean {
  const read = (take: (piece: Buffer) => void): boolean => {
    readPieces(openFile(file), file, (piece) => (take(piece), true));
    return true;
  };
  return blobId({ size: lstatSync(file).size, read }, id) === id;
}
