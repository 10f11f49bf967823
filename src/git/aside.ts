import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { addFiles, type Difference, readDifferences, setEntries } from "./entries.ts";
import { fromBytes, type Git } from "./git.ts";
import { copyIndex, COMMIT_FOLDER } from "./index-lock.ts";
import { asideFolder, forgetOriginals, keepOriginals, lookAt, type Originals } from "./originals.ts";
import { createCommit } from "./record-commit.ts";
import type { Repository } from "./repository.ts";
import type { Impact, WorkTree } from "./work-tree.ts";

/** What was changed in a work tree, as a commit on top of the one that it was changed from. A reference of Loaf's own keeps it from being collected. */
export interface Aside {
  readonly base: string;
  /** Holds all files as they were. */
  readonly files: string;
  /** Holds what was staged. The index itself lies beside the originals. */
  readonly index: string;
  /** What `files` does not hold of them. */
  readonly originals?: Originals;
  /** Whether there is more in it than permissions and the like, which nobody misses at another commit. */
  readonly hasChanges?: boolean;
}

const REFERENCES = "refs/loaf/aside/";

/** The user's index as it was, beside the originals. */
export function keptIndex(gitFolder: string, { files }: Aside): string {
  return join(asideFolder(gitFolder, files), "index");
}

/**
 * Stores what is changed, what is staged, and what git would not bring back as it was. Changes nothing in the work tree, and nothing in the index, which is to be locked.
 *
 * @returns undefined where git itself brings everything back
 */
export async function makeAside(git: Git, repository: Repository, base: string, { changed, tracked, isSparse }: WorkTree, { leaving, folders }: Impact): Promise<Aside | undefined> {
  const index = join(repository.gitFolder, "index");
  return inFolder(repository, async (folder) => {
    const own = join(folder, "index");
    if (existsSync(index)) copyIndex(index, own);
    const commitOf = async (parents: readonly string[], what: string) => createCommit(git, { tree: (await git(["write-tree"], { index: own })).toString().trim(), parents, message: `Loaf set aside ${what}\n` });
    const staged = await commitOf([base], "what was staged");
    await addFiles(git, changed.map((path) => ({ path, exists: lookAt(join(git.top, path)) !== undefined })), { index: own });
    const files = await commitOf([base, staged], "changed files");
    const isChanged = new Set(changed);
    const originals = await keepOriginals(git, repository, files, { paths: leaving, isNotedAnyway: (path) => isSparse || isChanged.has(path), folders });
    const hasFlags = [...tracked.values()].some(({ isFlagged }) => isFlagged);
    const hasChanges = changed.length > 0 || (await difference(git, base, staged)).length > 0;
    if (!hasChanges && !hasFlags && originals.files.length === 0 && originals.folders.length === 0) return undefined;
    const aside = { base, files, index: staged, originals, hasChanges };
    mkdirSync(asideFolder(repository.gitFolder, files), { recursive: true, mode: 0o700 });
    if (existsSync(index)) copyIndex(index, keptIndex(repository.gitFolder, aside));
    // The part of it that lies in a file of its own may be gone by then.
    if (sharedIndexes(repository.gitFolder).length > 0) await git(["-c", "core.splitIndex=false", "update-index", "--no-split-index"], { index: keptIndex(repository.gitFolder, aside) });
    return aside;
  });
}

/** Keeps git from collecting it. */
export async function keep(git: Git, { files }: Aside): Promise<void> {
  await git(["update-ref", REFERENCES + files, files]);
}

/** What a work tree is to hold so that files that were set aside are back in it. */
export interface Return {
  readonly aside: Aside;
  /** The commit that has them all. */
  readonly to: string;
  readonly restored: readonly string[];
  /** What the commit that is checked out has changed since they were set aside: that stays set aside. */
  readonly conflicts: readonly string[];
}

/** @param at the commit that is to be checked out; it need not be the one that they were changed from */
export async function planReturn(git: Git, repository: Repository, aside: Aside, at: string): Promise<Return> {
  const changed = await difference(git, aside.base, aside.files);
  const pathsOf = (some: readonly Difference[]) => some.map(({ path }) => fromBytes(path));
  if (at === aside.base) return { aside, to: aside.files, restored: pathsOf(changed), conflicts: [] };
  const moved = new Set((await difference(git, aside.base, at)).map(({ path }) => path));
  const kept = changed.filter(({ path }) => !moved.has(path));
  return { aside, to: await onTopOf(git, repository, at, kept), restored: pathsOf(kept), conflicts: pathsOf(changed.filter(({ path }) => moved.has(path))) };
}

export async function difference(git: Git, from: string, to: string): Promise<Difference[]> {
  return readDifferences(await git(["diff-tree", "-r", "-z", "--no-renames", from, to]));
}

function onTopOf(git: Git, repository: Repository, at: string, changed: readonly Difference[]): Promise<string> {
  return inFolder(repository, async (folder) => {
    const index = join(folder, "index");
    await git(["read-tree", at], { index });
    await setEntries(git, index, changed, "after");
    const tree = (await git(["write-tree"], { index })).toString().trim();
    return createCommit(git, { tree, parents: [at], message: "Loaf set aside changed files\n" });
  });
}

/** Where it was never kept under a name, that is no fault. */
export async function forget(git: Git, repository: Repository, { files }: Aside): Promise<void> {
  await git.attempt(["update-ref", "-d", REFERENCES + files]);
  forgetOriginals(repository, [...(await keptAsides(git))]);
}

/** Commits of files that are kept. */
export async function keptAsides(git: Git): Promise<ReadonlySet<string>> {
  return new Set((await git(["for-each-ref", "--format=%(objectname)", REFERENCES])).toString().split("\n"));
}

export function referenceOf({ files }: Aside): string {
  return REFERENCES + files;
}

export function sharedIndexes(gitFolder: string): string[] {
  return readdirSync(gitFolder).filter((name) => name.startsWith("sharedindex."));
}

/** Only for the holder of the index lock. */
async function inFolder<Value>({ gitFolder }: Repository, act: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(gitFolder, COMMIT_FOLDER));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
