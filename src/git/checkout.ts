/**
 * Prepares a step to another commit and completes it. A git with its own HEAD and index in `.git/loaf-step` writes the
 * files that differ into a folder there, where filters, line endings and a sparse checkout are git's. The journal
 * brings them to the work tree. HEAD and the user's index follow last.
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
import type { HeadMove } from "../core/head-move.ts";
import { imageOf } from "../disk/images.ts";
import type { Image } from "../disk/planned.ts";
import { asBytes, type Git, records } from "./git.ts";
import { copyIndex, type IndexLock, STEP_FOLDER } from "./index-lock.ts";
import type { Repository } from "./repository.ts";
import { makeFolders } from "../state/places.ts";

/** A file or link as a commit has it. */
export type CheckedOut =
  | { readonly kind: "file"; readonly content: Image; readonly mode: number }
  | { readonly kind: "link"; readonly target: string };

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
  const own = join(gitFolder, STEP_FOLDER);
  const [index, files] = [join(own, INDEX), join(own, FILES)];
  rmSync(own, { recursive: true, force: true });
  for (const folder of [join(own, "info"), files]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(own, "HEAD"), `${from}\n`);
  writeFileSync(join(own, "commondir"), `${commonFolder(gitFolder)}\n`);
  for (const name of ["info/sparse-checkout", "config.worktree"])
    if (existsSync(join(gitFolder, name))) copyFileSync(join(gitFolder, name), join(own, name));
  for (const name of sharedIndexes(gitFolder)) linkSync(join(gitFolder, name), join(own, name));
  if (existsSync(join(gitFolder, INDEX))) copyIndex(join(gitFolder, INDEX), index);
  const call = (args: readonly string[], input?: Buffer): Promise<Buffer> =>
    git([`--git-dir=${own}`, `--work-tree=${files}`, "-c", "core.splitIndex=false", ...args], {
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
  for (const name of names.filter((one) => !kept.includes(one.slice(STAGED.length))))
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
