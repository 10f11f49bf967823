import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf, tryOr } from "../core/errors.ts";
import type { HeadMove, IndexChange } from "../core/head-move.ts";
import { append } from "../core/lists.ts";
import { findExcludedFilters, refuseExcludedSigning, writeBeforeTree, writeRules } from "./filters.ts";
import type { CommitFile, FileBefore } from "./commit-files.ts";
import {
  addFiles, blobContent, blobId, difference, type Difference, foldersAbove, isSameEntry, readDifferences, setEntries,
  treeEntries, type TreeEntry,
} from "./entries.ts";
import { type Git, GitFailed, reasonOf } from "./git.ts";
import { asBytes } from "../paths/names.ts";
import { COMMIT_FOLDER, copyIndex, type IndexLock, keepTime, lockIndex, removeTemporary } from "./index-lock.ts";
import { type AroundHooks, type HeadCommit, readHead, recordCommit, type Recorded } from "./record-commit.ts";
import { operationInProgress, type Repository } from "./repository.ts";
import { flagIntents, indexAt } from "./reverse-move.ts";

export interface CommitRequest extends SinceThen {
  readonly files: readonly CommitFile[];
  /** Returns the message for the files in the commit. */
  message(paths: readonly string[]): string;
  /** Message of the commit for the user's earlier changes in these files. Has no trailer: `squash` stops there. */
  readonly messageBefore: string;
  /** Wraps commit hooks, so that their changes to the work tree are recorded. */
  readonly aroundHooks?: AroundHooks | undefined;
  /** Called before HEAD and the index change. If it throws, no commit is made. */
  readonly onMoving?: (move: HeadMove) => void;
  /** It is a revert: skips `pre-commit` and `commit-msg`, as git's own revert does. */
  readonly isRevert?: boolean;
}

export interface Committed {
  /** Name of the commit. Undefined if the files do not differ from HEAD, or all were left out. */
  readonly commit?: string;
  /** Name of the commit with the user's earlier changes. */
  readonly commitBefore?: string;
  /** Paths left out because somebody else changed them after the run. */
  readonly changedSince: readonly string[];
  /** Paths left out because they need a filter that Loaf does not start, with the filter's name. */
  readonly filtered: ReadonlyMap<string, string>;
  /** Why there is no commit where one was expected. */
  readonly failure?: string;
}

/**
 * Commits what a run left in its files, and nothing else. Uses a temporary index, so the user's staged content of other
 * files is neither committed nor lost. Commits the user's earlier changes in the same files first. Never throws: on
 * failure, index, HEAD and files are unchanged.
 */
export async function commit(git: Git, request: CommitRequest): Promise<Committed> {
  const changedSince: string[] = [];
  const filtered = new Map<string, string>();
  let lock: IndexLock | undefined;
  try {
    const operation = operationInProgress(request.repository);
    if (operation !== undefined) throw new GitFailed(`${operation} is in progress`);
    lock = await lockIndex(request.repository.gitFolder);
    return { ...(await new Committing(git, request, lock).run(changedSince, filtered)), changedSince, filtered };
  } catch (thrown) {
    return { changedSince, filtered, failure: messageOf(thrown) };
  } finally {
    lock?.release();
  }
}

class Committing {
  readonly #git: Git;
  readonly #request: CommitRequest;
  readonly #lock: IndexLock;
  readonly #folder: string;
  /** The temporary index that commits are made from. */
  readonly #index: string;

  constructor(git: Git, request: CommitRequest, lock: IndexLock) {
    [this.#git, this.#request, this.#lock] = [git, request, lock];
    const { gitFolder } = request.repository;
    removeTemporary(gitFolder);
    this.#folder = mkdtempSync(join(gitFolder, COMMIT_FOLDER));
    this.#index = join(this.#folder, "index");
  }

  /** Adds to both collections. */
  async run(changedSince: string[], filtered: Map<string, string>): Promise<Commits> {
    try {
      const head = await readHead(this.#git);
      const [staged, inHead] = await Promise.all([this.#staged(head), this.#entriesIn(head)]);
      if (staged.some(({ isUnmerged }) => isUnmerged)) throw new GitFailed("some files are not merged yet");
      // A tracked file is never ignored.
      const { files } = this.#request;
      const untracked = files.filter(({ path }) => !inHead.has(asBytes(path)));
      const ignored = await findIgnored(this.#git, untracked, files, join(this.#folder, "ignoring"));
      await refuseExcludedSigning(this.#git);
      const excluded = await findExcludedFilters(this.#git, files, join(this.#folder, "attributes"));
      for (const [path, filter] of excluded) filtered.set(path, filter);
      const candidates = files.filter(({ path, exists, isUntouched }) => {
        // A file that was ignored before the run is the user's, even if the run changed the ignore rules.
        if ((exists && ignored.now.has(path)) || ignored.before.has(path) || filtered.has(path)) return false;
        if (!isUntouched()) changedSince.push(path);
        return !changedSince.includes(path);
      });
      if (candidates.length === 0) return {};
      this.#request.onMoving?.({
        ...(head.branch && { branch: head.branch }),
        ...(head.commit && { from: head.commit }),
        index: await this.#indexBefore(head, staged),
        isCommit: true,
      });
      await this.#startIndex(head, staged);
      return await this.#commitAll(candidates, { head, inHead, staged, ignored, changedSince });
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  async #commitAll(files: readonly CommitFile[], before: Found): Promise<Commits> {
    const { head, staged, changedSince } = before;
    const commitBefore = await this.#commitBefore(files, before);
    const parent = commitBefore === undefined ? head : { ...head, ...commitBefore };
    const names = commitBefore && { commitBefore: commitBefore.commit };
    try {
      const { commit, isWhole } = await this.#commitUntouched(files, parent, changedSince);
      const paths = new Set(this.#request.files.map(({ path }) => asBytes(path)));
      // With nothing else staged, the commit's index can replace the user's, including file times.
      if (commit === undefined && commitBefore === undefined) return {};
      const isAllOwn = isWhole && head.commit !== undefined && staged.every(({ path }) => paths.has(path));
      if (isAllOwn) this.#lock.replace(this.#index);
      else await this.#updateUsersIndex(head, [commitBefore, commit]);
      return { ...names, ...(commit !== undefined && { commit: commit.commit }) };
    } catch (thrown) {
      if (commitBefore === undefined) throw thrown;
      await this.#updateUsersIndex(head, [commitBefore]);
      return { ...names, failure: messageOf(thrown) };
    }
  }

  async #entriesIn({ commit }: HeadCommit): Promise<Map<string, TreeEntry>> {
    if (commit === undefined) return new Map();
    return treeEntries(this.#git, commit, this.#request.files.map(({ path }) => path));
  }

  /** Returns how the user's index differs from HEAD. */
  async #staged({ commit }: HeadCommit): Promise<Difference[]> {
    if (commit === undefined) return [];
    const how = ["--cached", "-z", "--no-renames", "--ignore-submodules=dirty"];
    return readDifferences(await this.#git(["diff-index", ...how, commit, "--"]));
  }

  /** Returns index entries that differ from HEAD at the files' paths, and where a file replaces a parent folder. */
  async #indexBefore({ commit }: HeadCommit, staged: readonly Difference[]): Promise<IndexChange[]> {
    if (commit === undefined) return [...(await indexAt(this.#git, []))].map(([path, before]) => ({ path, before }));
    const paths = new Set(this.#request.files.map(({ path }) => asBytes(path)));
    const folders = new Set([...paths].flatMap(foldersAbove));
    const isAffected = (path: string): boolean =>
      paths.has(path) || folders.has(path) || foldersAbove(path).some((folder) => paths.has(folder));
    const affected = staged.filter(({ path }) => isAffected(path));
    return flagIntents(this.#git, commit, affected.map(({ path, after }) => ({ path, before: after })));
  }

  /** Starts from HEAD's entries. A copy of the user's index has the file times too, so git need not read the files. */
  async #startIndex({ commit }: HeadCommit, staged: readonly Difference[]): Promise<void> {
    if (commit === undefined) return;
    if (!existsSync(this.#lock.index)) return this.#resetIndex(commit);
    copyIndex(this.#lock.index, this.#index);
    await setEntries(this.#git, this.#index, staged, "before");
  }

  async #resetIndex(commit: string | undefined): Promise<void> {
    await this.#git(["read-tree", ...(commit === undefined ? ["--empty"] : [commit])], { index: this.#index });
  }

  async #commitBefore(files: readonly CommitFile[], { head, inHead, ignored }: Found): Promise<Recorded | undefined> {
    const mayHave = files.filter(({ path }) => !ignored.before.has(path));
    const different = mayHave.filter(({ path, before }) => mayDiffer(before, inHead.get(asBytes(path))));
    // Otherwise it would revert what a hook, a command or the user has committed meanwhile.
    const committed = await committedSince(this.#git, this.#request, different.map(({ path }) => path), inHead);
    const changed = different.filter(({ path }) => !committed.has(path));
    if (changed.length === 0) return undefined;
    const workTree = join(this.#folder, "tree");
    writeBeforeTree(workTree, this.#git.top, changed, this.#request.files);
    const preImages = changed.map(({ path, before }) => ({ path, exists: before !== undefined }));
    await keepTime(this.#index, () => addFiles(this.#git, preImages, { index: this.#index, workTree }));
    return this.#commit(head, this.#request.messageBefore, false);
  }

  async #commitUntouched(
    files: readonly CommitFile[], parent: HeadCommit, changedSince: string[]
  ): Promise<CommitResult> {
    const isWhole = await this.#addUntouched(files, parent, changedSince);
    const message = this.#request.message(files.map(({ path }) => path).filter((path) => !changedSince.includes(path)));
    return { commit: await this.#commit(parent, message, this.#request.isRevert), isWhole };
  }

  /** Returns false if a file changed while git was reading, so that the index was built again. */
  async #addUntouched(files: readonly CommitFile[], parent: HeadCommit, changedSince: string[]): Promise<boolean> {
    await addFiles(this.#git, files, { index: this.#index });
    const changed = files.filter((file) => !file.isUntouched());
    if (changed.length === 0) return true;
    append(changedSince, changed.map(({ path }) => path));
    await this.#resetIndex(parent.commit);
    await this.#addUntouched(files.filter((file) => !changed.includes(file)), parent, changedSince);
    return false;
  }

  #commit(head: HeadCommit, message: string, isRevert = false): Promise<Recorded | undefined> {
    const { aroundHooks } = this.#request;
    return recordCommit(this.#git, { head, index: this.#index, message, aroundHooks, isRevert });
  }

  /**
   * Updates the user's index to the last commit at the committed paths and keeps the rest. A path that the second
   * commit reverts may still be staged.
   */
  async #updateUsersIndex({ commit: head }: HeadCommit, commits: ReadonlyArray<Recorded | undefined>): Promise<void> {
    const index = join(this.#folder, "users-index");
    if (existsSync(this.#lock.index)) copyIndex(this.#lock.index, index);
    const committed = new Map<string, Difference>();
    let from = head;
    for (const { commit } of commits.filter((made) => made !== undefined)) {
      for (const changed of await difference(this.#git, from, commit)) committed.set(changed.path, changed);
      from = commit;
    }
    await setEntries(this.#git, index, [...committed.values()], "after");
    this.#lock.replace(index);
  }
}

type Commits = Pick<Committed, "commit" | "commitBefore" | "failure">;

interface Found {
  readonly head: HeadCommit;
  readonly inHead: ReadonlyMap<string, TreeEntry>;
  readonly staged: readonly Difference[];
  readonly ignored: Ignored;
  readonly changedSince: string[];
}

interface CommitResult {
  readonly commit: Recorded | undefined;
  /** Whether the index matches the commit, including file times. */
  readonly isWhole: boolean;
}

/** Returns whether a pre-image may differ from a tree entry. The new tree shows false ones, as from line endings. */
function mayDiffer(before: FileBefore | undefined, entry: TreeEntry | undefined): boolean {
  if (before === undefined || entry === undefined) return before !== undefined || entry !== undefined;
  if (before.kind === "link")
    return entry.mode !== "120000" || blobId(blobContent(Buffer.from(before.target)), entry.id) !== entry.id;
  const id = blobId(before, entry.id);
  // An unknown pre-image cannot be committed and probably equals HEAD.
  return id !== undefined && (id !== entry.id || entry.mode !== (before.isExecutable ? "100755" : "100644"));
}

/** Paths that git ignores. A file in the index is never ignored. */
export interface Ignored {
  readonly now: ReadonlySet<string>;
  /** At the start of the run. */
  readonly before: ReadonlySet<string>;
}

/**
 * Judges current files by the current ignore files, and pre-images by the ones before the run. A folder may have moved
 * with its ignore file and the files that it hides. Throws `GitFailed`.
 *
 * @param all the run's files, which may include ignore files
 * @param folder to write the earlier ignore files to
 */
async function findIgnored(
  git: Git, files: readonly CommitFile[], all: readonly CommitFile[], folder: string
): Promise<Ignored> {
  const now = await ignoredAmong(git, files.filter(({ exists }) => exists));
  const isSame = all.every(({ path }) => basename(path) !== ".gitignore");
  // A file ignored now is in neither commit.
  const isKept = ({ path, exists }: CommitFile): boolean => !(exists && (isSame || now.has(path)));
  const earlier = files.filter((file) => file.before !== undefined && isKept(file));
  if (earlier.length > 0) writeRules(folder, git.top, ".gitignore", earlier, all);
  return { now, before: await ignoredAmong(git, earlier, folder) };
}

/** @param workTree with the ignore files; defaults to the user's. The files themselves need not exist */
async function ignoredAmong(git: Git, files: readonly CommitFile[], workTree?: string): Promise<Set<string>> {
  if (files.length === 0) return new Set();
  // `check-ignore` does not take paths literally, but one with `./` cannot be mistaken for anything else.
  const input = files.map(({ path }) => `./${path}\0`).join("");
  const answer = await git.attempt(["--no-literal-pathspecs", "check-ignore", "-z", "--stdin"], { input, workTree });
  if (answer.exitCode !== 0 && answer.exitCode !== 1) throw new GitFailed(reasonOf(answer));
  return new Set(answer.stdout.toString().split("\0").map((path) => path.slice(2)));
}

export interface SinceThen {
  readonly repository: Repository;
  /** Length of the log at the start, from `endOfHeadLog`. Undefined if unknown. */
  readonly headLogEnd?: number | undefined;
}

/** Returns the length of git's log of HEAD in bytes: one line for each move, with the old and the new commit. */
export function endOfHeadLog(repository: Repository): number {
  return statSync(logOf(repository), { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Returns the paths whose entry in HEAD has changed since the start, by a commit or a checkout.
 *
 * @param inHead entries of the current HEAD
 */
async function committedSince(
  git: Git, { repository, headLogEnd: end }: SinceThen, paths: readonly string[], inHead: ReadonlyMap<string, TreeEntry>
): Promise<ReadonlySet<string>> {
  // One character for each byte, and nothing if there is no log.
  const log = end === undefined || paths.length === 0 ? "" : tryOr(() => readFileSync(logOf(repository), "latin1"), "");
  const then = /^([0-9a-f]{40,64}) [0-9a-f]{40,64} /.exec(log.slice(end))?.[1];
  if (then === undefined) return new Set();
  const known = /^0+$/.test(then) ? new Map<string, TreeEntry>() : await treeEntries(git, then, paths);
  return new Set(paths.filter((path) => !isSameEntry(known.get(asBytes(path)), inHead.get(asBytes(path)))));
}

function logOf({ gitFolder }: Repository): string {
  return join(gitFolder, "logs/HEAD");
}
