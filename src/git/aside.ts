import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { entryIfThere } from "../disk/look.ts";
import { addFiles, difference, type Difference, setEntries } from "./entries.ts";
import { fromBytes, type Git } from "./git.ts";
import { copyIndex, COMMIT_FOLDER } from "./index-lock.ts";
import { asideFolder, forgetOriginals, keepOriginals, type Originals } from "./originals.ts";
import { createCommit } from "./record-commit.ts";
import type { Repository } from "./repository.ts";
import type { Impact, WorkTree } from "./work-tree.ts";

/**
 * Uncommitted changes of a work tree, stored as a commit on top of the one they were made on. A reference of Loaf's own
 * protects it from garbage collection.
 */
export interface Aside {
  readonly base: string;
  /** Commit of all files as they were. */
  readonly files: string;
  /** Commit of the staged content. The index itself is kept beside the originals. */
  readonly index: string;
  /** What `files` does not record about them. */
  readonly originals?: Originals;
  /** Whether it holds more than permissions and the like, which do not matter at another commit. */
  readonly hasChanges?: boolean;
}

const REFERENCES = "refs/loaf/aside/";

/** Path of the saved copy of the user's index, beside the originals. */
export function savedIndex(gitFolder: string, { files }: Aside): string {
  return join(asideFolder(gitFolder, files), "index");
}

/**
 * Saves changed and staged content, and what git would not restore exactly. Leaves the work tree and the index alone.
 * The caller must hold the index lock.
 *
 * @returns undefined if git itself restores everything
 */
export async function makeAside(
  git: Git, repository: Repository, base: string, { changed, tracked, isSparse }: WorkTree, { leaving, folders }: Impact
): Promise<Aside | undefined> {
  const index = join(repository.gitFolder, "index");
  return inFolder(repository, async (folder) => {
    const own = join(folder, "index");
    if (existsSync(index)) copyIndex(index, own);
    const staged = await commitIndex(git, own, [base], "what was staged");
    await addFiles(
      git, changed.map((path) => ({ path, exists: entryIfThere(join(git.top, path)) !== undefined })), { index: own }
    );
    const files = await commitIndex(git, own, [base, staged], "changed files");
    const isChanged = new Set(changed);
    const isNotedAnyway = (path: string): boolean => isSparse || isChanged.has(path);
    const originals = await keepOriginals(git, repository, files, { paths: leaving, isNotedAnyway, folders });
    const hasFlags = [...tracked.values()].some(({ isFlagged }) => isFlagged);
    const hasChanges = changed.length > 0 || (await difference(git, base, staged)).length > 0;
    if (!hasChanges && !hasFlags && originals.files.length === 0 && originals.folders.length === 0) return undefined;
    const aside = { base, files, index: staged, originals, hasChanges };
    mkdirSync(asideFolder(repository.gitFolder, files), { recursive: true, mode: 0o700 });
    if (existsSync(index)) copyIndex(index, savedIndex(repository.gitFolder, aside));
    // A split index depends on a shared file that may be gone later.
    if (sharedIndexes(repository.gitFolder).length > 0) {
      const whole = ["-c", "core.splitIndex=false", "update-index", "--no-split-index"];
      await git(whole, { index: savedIndex(repository.gitFolder, aside) });
    }
    return aside;
  });
}

/** Protects it from garbage collection. */
export async function protectAside(git: Git, { files }: Aside): Promise<void> {
  await git(["update-ref", REFERENCES + files, files]);
}

/** The state of a work tree with the files of an aside restored. */
export interface PlannedReturn {
  readonly aside: Aside;
  /** The commit that has all of these files. */
  readonly to: string;
  readonly restored: readonly string[];
  /** Files that the checked-out commit has changed since: they stay in the aside. */
  readonly conflicts: readonly string[];
}

/** @param at the commit to be checked out, which need not be the one the files were changed on */
export async function planReturn(git: Git, repository: Repository, aside: Aside, at: string): Promise<PlannedReturn> {
  const changed = await difference(git, aside.base, aside.files);
  const pathsOf = (some: readonly Difference[]) => some.map(({ path }) => fromBytes(path));
  if (at === aside.base) return { aside, to: aside.files, restored: pathsOf(changed), conflicts: [] };
  const moved = new Set((await difference(git, aside.base, at)).map(({ path }) => path));
  const kept = changed.filter(({ path }) => !moved.has(path));
  return {
    aside,
    to: await commitOnTopOf(git, repository, at, kept),
    restored: pathsOf(kept),
    conflicts: pathsOf(changed.filter(({ path }) => moved.has(path))),
  };
}

function commitOnTopOf(git: Git, repository: Repository, at: string, changed: readonly Difference[]): Promise<string> {
  return inFolder(repository, async (folder) => {
    const index = join(folder, "index");
    await git(["read-tree", at], { index });
    await setEntries(git, index, changed, "after");
    return commitIndex(git, index, [at], "changed files");
  });
}

async function commitIndex(git: Git, index: string, parents: readonly string[], what: string): Promise<string> {
  const tree = (await git(["write-tree"], { index })).toString().trim();
  return createCommit(git, { tree, parents, message: `Loaf set aside ${what}\n` });
}

/** Succeeds also if it never had a reference. */
export async function deleteAside(git: Git, repository: Repository, { files }: Aside): Promise<void> {
  await git.attempt(["update-ref", "-d", REFERENCES + files]);
  forgetOriginals(repository, [...(await listAsides(git))]);
}

/** Returns the commits of all asides that have a reference. */
export async function listAsides(git: Git): Promise<ReadonlySet<string>> {
  return new Set((await git(["for-each-ref", "--format=%(objectname)", REFERENCES])).toString().split("\n"));
}

export function referenceOf({ files }: Aside): string {
  return REFERENCES + files;
}

export function sharedIndexes(gitFolder: string): string[] {
  return readdirSync(gitFolder).filter((name) => name.startsWith("sharedindex."));
}

/** The caller must hold the index lock. */
async function inFolder<Value>({ gitFolder }: Repository, act: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(gitFolder, COMMIT_FOLDER));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
