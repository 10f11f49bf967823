import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { addFiles, readDifferences, setEntries } from "./entries.ts";
import { refuseUntrustedCheckout } from "./filters.ts";
import { fromBytes, type Git, records } from "./git.ts";
import { copyIndex, lockIndex } from "./index-lock.ts";
import { createCommit } from "./record-commit.ts";
import { bringBackOriginals, forgetOriginals, keepOriginals, type Originals } from "./originals.ts";
import type { Repository } from "./repository.ts";

/** What was changed in a work tree, kept as a commit on top of the one that it was changed from. A reference of Loaf's own keeps it from being collected. */
export interface Aside {
  readonly base: string;
  /** Holds all files as they stood. */
  readonly files: string;
  /** Holds what was staged. */
  readonly index: string;
  /** What `files` does not hold of them. */
  readonly originals?: Originals;
}

const reference = ({ files }: Aside) => `refs/loaf/aside/${files}`;

/**
 * Keeps all changed and untracked files but for ignored ones, and what is staged. Nothing is changed yet; undefined where there is nothing to keep.
 *
 * @param remember stores it, before anything else happens
 * @returns the files' paths, and how to go away from them: then HEAD is the commit that holds them, and index and files are as that says
 */
export async function setAside(git: Git, repository: Repository, base: string, remember: (aside: Aside) => void): Promise<readonly string[]> {
  const changed = records(await git(["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"])).map((line) => line.slice(3)).filter((path) => !path.endsWith("/"));
  if (changed.length === 0) return [];
  const lock = await lockIndex(repository.gitFolder);
  const folder = mkdtempSync(join(repository.gitFolder, "loaf-aside-"));
  try {
    const index = join(folder, "index");
    if (existsSync(lock.index)) copyIndex(lock.index, index);
    const commitOf = async (parents: readonly string[], what: string) => createCommit(git, { tree: (await git(["write-tree"], { index })).toString().trim(), parents, message: `Loaf set aside ${what}\n` });
    const staged = await commitOf([base], "what was staged");
    const paths = changed.map(fromBytes);
    await addFiles(git, paths.map((path) => ({ path, exists: existsSync(join(git.top, path)) })), { index });
    const files = await commitOf([base, staged], "changed files");
    const aside = { base, files, index: staged, originals: await keepOriginals(git, repository, files, paths) };
    await git(["update-ref", reference(aside), aside.files]);
    remember(aside);
    // From here on git sees an unchanged work tree, on a commit like any other.
    await git(["update-ref", "--no-deref", "-m", "loaf: set aside", "HEAD", aside.files]);
    lock.replace(index);
    return paths;
  } finally {
    lock.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes HEAD and index what they were when files were set aside; these are there, as they were. */
export async function resume(git: Git, { base, index }: Pick<Aside, "base" | "index">, branch: string | undefined): Promise<void> {
  if (branch === undefined) await git(["update-ref", "--no-deref", "-m", "loaf: bring back", "HEAD", base]);
  else await git(["symbolic-ref", "-m", "loaf: bring back", "HEAD", branch]);
  // It keeps the times of files, but refuses where somebody has changed one meanwhile.
  const { exitCode } = await git.attempt(["read-tree", "-m", index]);
  if (exitCode !== 0) await git(["read-tree", index]);
  await git.attempt(["update-index", "-q", "--refresh"]);
}

/** Where it was never kept under a name, that is no fault. */
export async function forget(git: Git, repository: Repository, aside: Aside): Promise<void> {
  await git.attempt(["update-ref", "-d", reference(aside)]);
  const kept = (await git(["for-each-ref", "--format=%(objectname)", "refs/loaf/aside/"])).toString().split("\n");
  forgetOriginals(repository, kept);
}

/** Goes on where files were given back, or were about to be set aside, and that was interrupted. */
export async function takeUp(git: Git, repository: Repository, { files, originals }: Aside): Promise<void> {
  if (originals !== undefined) await bringBackOriginals(git, repository, files, originals, false);
}

/** Checks a commit out, without a branch. All or nothing; ignored files are not overwritten either. */
export async function checkOut(git: Git, commit: string): Promise<void> {
  await refuseUntrustedCheckout(git, commit);
  await git(["checkout", "--quiet", "--no-overwrite-ignore", "--detach", commit, "--"], { fetches: true });
}

export interface GivenBack {
  readonly restored: readonly string[];
  /** What the commit has changed as well, or what is in the way: it stays set aside. */
  readonly conflicts: readonly string[];
}

/**
 * Puts files that were set aside back into a work tree in which nothing is changed.
 *
 * @param at the commit that is checked out: where it is not the one that they were changed from, those that it has changed too are conflicts
 * @param isAbout is told of the commit that is checked out for a moment
 */
export async function giveBack(git: Git, repository: Repository, aside: Aside, { at, branch, isAbout }: { readonly at: string; readonly branch: string | undefined; readonly isAbout: (aside: Aside) => void }): Promise<GivenBack> {
  const changed = await difference(git, aside.base, aside.files);
  const moved = new Set(at === aside.base ? [] : (await difference(git, aside.base, at)).map(({ path }) => path));
  const [kept, conflicts] = [changed.filter(({ path }) => !moved.has(path)), changed.filter(({ path }) => moved.has(path)).map(({ path }) => fromBytes(path))];
  const back: Aside = at === aside.base ? aside : { ...(await onTopOf(git, at, kept)), ...(aside.originals && { originals: partOf(aside.originals, kept) }) };
  isAbout(back);
  const isAllowed = await refuseUntrustedCheckout(git, back.files).then(() => true, () => false);
  const checked = isAllowed ? await git.attempt(["checkout", "--quiet", "--no-overwrite-ignore", "--detach", back.files, "--"], { fetches: true }) : undefined;
  if (checked?.exitCode !== 0) {
    await resume(git, { base: at, index: at }, branch);
    return { restored: [], conflicts: changed.map(({ path }) => fromBytes(path)) };
  }
  if (back.originals !== undefined) await bringBackOriginals(git, repository, back.files, back.originals, true);
  await resume(git, back, branch);
  return { restored: kept.map(({ path }) => fromBytes(path)), conflicts };
}

function partOf({ of, files }: Originals, changed: Changed): Originals {
  const paths = new Set(changed.map(({ path }) => fromBytes(path)));
  return { of, files: files.filter(({ path }) => paths.has(path)) };
}

type Changed = ReturnType<typeof readDifferences>;

async function difference(git: Git, from: string, to: string): Promise<Changed> {
  return readDifferences(await git(["diff-tree", "-r", "-z", "--no-renames", from, to]));
}

/** Nothing of it counts as staged: that was on top of another commit. */
async function onTopOf(git: Git, at: string, changed: Changed): Promise<Aside> {
  const gitFolder = (await git(["rev-parse", "--absolute-git-dir"])).toString().trim();
  const folder = mkdtempSync(join(gitFolder, "loaf-aside-"));
  try {
    const index = join(folder, "index");
    await git(["read-tree", at], { index });
    await setEntries(git, index, changed, "after");
    const tree = (await git(["write-tree"], { index })).toString().trim();
    return { base: at, files: await createCommit(git, { tree, parents: [at], message: "Loaf set aside changed files\n" }), index: at };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
