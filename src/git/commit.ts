import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HeadMove, IndexChange } from "../core/head-move.ts";
import type { CommitFile, FileBefore } from "./commit-file.ts";
import { writeBeforeTree } from "./before-tree.ts";
import { addFiles, blobId, type Difference, fitCommandLine, inOnePiece, readDifferences, setEntries, type TreeEntry, treeEntries } from "./entries.ts";
import { foldersAbove } from "./folders-above.ts";
import { asBytes, type Git, GitFailed } from "./git.ts";
import { findUntrustedFilters, refuseUntrustedSigning } from "./filters.ts";
import { findIgnored, type Ignored } from "./find-ignored.ts";
import { indexEntries, indexTree } from "./index-entries.ts";
import { COMMIT_FOLDER, copyIndex, type IndexLock, keepTime, lockIndex, removeTemporary } from "./index-lock.ts";
import { indexAt, markIntended } from "./reverse-move.ts";
import { committedSince, type SinceThen } from "./head-log.ts";
import { type AroundHooks, type Head, readHead, type Recorded, recordAtOnce, recordCommit, SMALL_INDEX, takeBack } from "./record-commit.ts";
import { operationInProgress } from "./repository.ts";

export interface CommitRequest extends SinceThen {
  readonly files: readonly CommitFile[];
  /** Made for the files that are in the commit, by their paths. */
  message(paths: readonly string[]): string;
  /** Of the commit for what the user had changed in these files before. */
  readonly messageBefore: string;
  /** Where hooks have a say in a commit: what they change in the work tree is to be noted. */
  readonly aroundHooks?: AroundHooks | undefined;
  /** Is told before HEAD and the index change. Where it throws, no commit is made. */
  readonly onMoving?: (move: HeadMove) => void;
  /** It reverts a commit: as with git's own revert, `pre-commit` and `commit-msg` have no say in it. */
  readonly isRevert?: boolean;
}

export interface Committed {
  /** Its name; undefined where nothing in the files is new to HEAD, or nothing was left to commit. */
  readonly commit?: string;
  /** The one of what the user had changed before. */
  readonly commitBefore?: string;
  /** Files that somebody else has changed since the run wrote them, and that were left out: their paths. */
  readonly changedSince: readonly string[];
  /** Files that were left out since git would need a filter for them that is not trusted, by path. */
  readonly filtered: ReadonlyMap<string, string>;
  /** Why there is no commit, where there should be one. */
  readonly failure?: string;
}

/**
 * Commits what a run has left in its files, and nothing else: by way of an index of its own, so that what the user has staged of other files
 * is neither committed nor lost. What the user had changed in the files before goes into a commit before it. Does not throw: where there is no commit, `failure` says why,
 * and index, HEAD and files are as they were.
 */
export async function commitFiles(git: Git, request: CommitRequest): Promise<Committed> {
  const changedSince: string[] = [];
  const filtered = new Map<string, string>();
  let lock: IndexLock | undefined;
  try {
    const operation = operationInProgress(request.repository);
    if (operation !== undefined) throw new GitFailed(`${operation} is in progress`);
    lock = await lockIndex(request.repository.gitFolder);
    return { ...(await new Committing(git, request, lock).run(changedSince, filtered)), changedSince, filtered };
  } catch (thrown) {
    return { changedSince, filtered, failure: thrown instanceof Error ? thrown.message : String(thrown) };
  } finally {
    lock?.release();
  }
}

class Committing {
  readonly #git: Git;
  readonly #request: CommitRequest;
  readonly #lock: IndexLock;
  readonly #folder: string;
  /** The one that commits are made of. */
  readonly #index: string;

  constructor(git: Git, request: CommitRequest, lock: IndexLock) {
    [this.#git, this.#request, this.#lock] = [git, request, lock];
    const { gitFolder } = request.repository;
    removeTemporary(gitFolder);
    this.#folder = mkdtempSync(join(gitFolder, COMMIT_FOLDER));
    this.#index = join(this.#folder, "index");
  }

  /** Both are filled. */
  async run(changedSince: string[], filtered: Map<string, string>): Promise<Pick<Committed, "commit" | "commitBefore" | "failure">> {
    try {
      const head = await readHead(this.#git);
      const staged = await this.#staged(head);
      const inIndex = this.#entriesByIndex(head, staged);
      const inHead = inIndex ?? (await this.#entriesIn(head));
      if (staged.some(({ isUnmerged }) => isUnmerged)) throw new GitFailed("some files are not merged yet");
      // What HEAD has is not ignored, whatever a pattern says.
      const { files } = this.#request;
      const ignored = await findIgnored(this.#git, files.filter(({ path }) => !inHead.has(asBytes(path))), { all: files, folder: join(this.#folder, "ignoring") });
      await refuseUntrustedSigning(this.#git);
      for (const [path, filter] of await findUntrustedFilters(this.#git, files, join(this.#folder, "attributes"))) filtered.set(path, filter);
      const candidates = files.filter((file) => {
        // What the run has only changed of an ignored file, the rest being the user's, stays out even where it changed the ignore files too.
        if ((file.exists && ignored.now.has(file.path)) || ignored.before.has(file.path) || filtered.has(file.path)) return false;
        if (!file.isUntouched()) changedSince.push(file.path);
        return !changedSince.includes(file.path);
      });
      if (candidates.length === 0) return {};
      this.#request.onMoving?.({ ...(head.branch && { branch: head.branch }), ...(head.commit && { from: head.commit }), index: await this.#indexBefore(head, staged), isCommit: true });
      await this.#beginIndex(head, staged);
      return await this.#commitAll(candidates, { head, inHead, staged, ignored, changedSince, isPlain: inIndex !== undefined && staged.length === 0 });
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  async #commitAll(files: readonly CommitFile[], found: Found): Promise<Pick<Committed, "commit" | "commitBefore" | "failure">> {
    const { head, staged, changedSince } = found;
    const commitBefore = await this.#commitBefore(files, found);
    const parent = commitBefore === undefined ? head : { ...head, ...commitBefore };
    const names = commitBefore && { commitBefore: commitBefore.commit };
    try {
      const atOnce = commitBefore === undefined ? await this.#commitAtOnce(files, found) : undefined;
      const { commit, isWhole } = atOnce ?? (await this.#commitInSteps(files, parent, changedSince));
      const own = new Set(this.#request.files.map(({ path }) => asBytes(path)));
      // Where nothing else was staged, the index of the commit is what the user's is to be, times of files and all.
      if (commit === undefined && commitBefore === undefined) return {};
      if (isWhole && head.commit !== undefined && staged.every(({ path }) => own.has(path))) this.#lock.replace(this.#index);
      else await this.#bringToIndex(head, [commitBefore, commit]);
      return { ...names, ...(commit !== undefined && { commit: commit.commit }) };
    } catch (thrown) {
      if (commitBefore === undefined) throw thrown;
      await this.#bringToIndex(head, [commitBefore]);
      return { ...names, failure: (thrown as Error).message };
    }
  }

  async #entriesIn({ commit }: Head): Promise<Map<string, TreeEntry>> {
    return commit === undefined ? new Map() : treeEntries(this.#git, commit, this.#request.files.map(({ path }) => path));
  }

  /** What HEAD has at every path is what the index has, but for where they differ; undefined where reading that would take longer than asking git, or it cannot be read. */
  #entriesByIndex({ commit }: Head, staged: readonly Difference[]): Map<string, TreeEntry> | undefined {
    const size = statSync(this.#lock.index, { throwIfNoEntry: false })?.size ?? Infinity;
    if (commit === undefined || size > SMALL_INDEX) return undefined;
    const entries = indexEntries(readFileSync(this.#lock.index), commit.length / 2);
    for (const { path, before } of staged) {
      if (before === undefined) entries?.delete(path);
      else entries?.set(path, before);
    }
    return entries;
  }

  /** Where the user's index differs from HEAD. */
  async #staged({ commit, tree }: Head): Promise<Difference[]> {
    if (commit === undefined) return [];
    if (existsSync(this.#lock.index) && indexTree(readFileSync(this.#lock.index), commit.length / 2) === tree) return [];
    return readDifferences(await this.#git(["diff-index", "--cached", "-z", "--no-renames", "--ignore-submodules=dirty", commit, "--"]));
  }

  /** What the index has that HEAD has not, at the files' paths, and where a file stands in place of a folder of theirs. */
  async #indexBefore({ commit }: Head, staged: readonly Difference[]): Promise<IndexChange[]> {
    if (commit === undefined) return [...(await indexAt(this.#git, []))].map(([path, before]) => ({ path, before }));
    const paths = new Set(this.#request.files.map(({ path }) => asBytes(path)));
    const folders = new Set([...paths].flatMap(foldersAbove));
    const isConcerned = (path: string): boolean => paths.has(path) || folders.has(path) || foldersAbove(path).some((folder) => paths.has(folder));
    const before = staged.filter(({ path }) => isConcerned(path)).map(({ path, after }): IndexChange => ({ path, before: after }));
    return markIntended(this.#git, commit, before);
  }

  /** What HEAD holds. A copy of the user's index knows the times of the files besides, so that git need not read them. */
  async #beginIndex({ commit }: Head, staged: readonly Difference[]): Promise<void> {
    if (commit === undefined) return;
    if (!existsSync(this.#lock.index)) return this.#beginAgain(commit);
    copyIndex(this.#lock.index, this.#index);
    await setEntries(this.#git, this.#index, staged, "before");
  }

  async #beginAgain(commit: string | undefined): Promise<void> {
    await this.#git(["read-tree", ...(commit === undefined ? ["--empty"] : [commit])], { index: this.#index });
  }

  async #commitBefore(files: readonly CommitFile[], { head, inHead, ignored }: Found): Promise<Recorded | undefined> {
    const different = files.filter(({ path, before }) => !ignored.before.has(path) && differs(before, inHead.get(asBytes(path))));
    // It would take back what a hook, a command or the user has committed meanwhile.
    const committed = await committedSince(this.#git, this.#request, different.map(({ path }) => path), inHead);
    const changed = different.filter(({ path }) => !committed.has(path));
    if (changed.length === 0) return undefined;
    const workTree = join(this.#folder, "tree");
    writeBeforeTree(workTree, this.#git.top, changed, this.#request.files);
    const were = changed.map(({ path, before }) => ({ path, exists: before !== undefined }));
    await keepTime(this.#index, () => addFiles(this.#git, were, { index: this.#index, workTree }));
    return this.#commit(head, this.#request.messageBefore, false);
  }

  async #commitInSteps(files: readonly CommitFile[], parent: Head, changedSince: string[]): Promise<Made> {
    const isWhole = await this.#addUntouched(files, parent, changedSince);
    const message = this.#request.message(files.map(({ path }) => path).filter((path) => !changedSince.includes(path)));
    return { commit: await this.#commit(parent, message, this.#request.isRevert), isWhole };
  }

  /**
   * The same by one process less, as most runs end: a few files that HEAD has are changed. Git takes them in and commits before anybody can look whether they were touched
   * meanwhile; where they were, the commit is taken back. Undefined then, and where it cannot be done so.
   */
  async #commitAtOnce(files: readonly CommitFile[], { head, inHead, isPlain }: Found): Promise<Made | undefined> {
    const paths = files.map(({ path }) => path);
    const isFit = isPlain && !head.hasHooks && fitCommandLine(paths) && files.every(({ path, exists }) => exists && inHead.has(asBytes(path)));
    if (!isFit || head.commit === undefined) return undefined;
    const { repository, message } = this.#request;
    const isUntouched = () => files.every((file) => file.isUntouched());
    const commit = await recordAtOnce(this.#git, head.commit, { repository, index: this.#index, message: message(paths) }, paths).catch((thrown: unknown) => {
      if (isUntouched()) throw thrown;
      return undefined;
    });
    if (isUntouched()) return { commit, isWhole: commit?.isCutShort !== true };
    if (commit !== undefined) await takeBack(this.#git, commit.commit, head.commit, "that may have what somebody else has changed");
    return undefined;
  }

  /** False where the index had to be begun again, because somebody has changed a file while git was reading it. */
  async #addUntouched(files: readonly CommitFile[], parent: Head, changedSince: string[]): Promise<boolean> {
    await addFiles(this.#git, files, { index: this.#index });
    const changed = files.filter((file) => !file.isUntouched());
    if (changed.length === 0) return true;
    changedSince.push(...changed.map(({ path }) => path));
    await this.#beginAgain(parent.commit);
    await this.#addUntouched(files.filter((file) => !changed.includes(file)), parent, changedSince);
    return false;
  }

  #commit(head: Head, message: string, isRevert = false): Promise<Recorded | undefined> {
    const { repository, aroundHooks } = this.#request;
    return recordCommit(this.#git, { repository, head, index: this.#index, message, aroundHooks, isRevert });
  }

  /**
   * Makes the user's index say of what was committed what the last commit says, and leaves all else in it as it is. What the one commit has brought and the next has taken
   * back may be staged all the same.
   */
  async #bringToIndex({ commit: head }: Head, commits: ReadonlyArray<Recorded | undefined>): Promise<void> {
    const index = join(this.#folder, "users-index");
    if (existsSync(this.#lock.index)) copyIndex(this.#lock.index, index);
    const committed = new Map<string, Difference>();
    let from = head ?? (await this.#git(["mktree"], { input: "" })).toString().trim();
    for (const { commit } of commits.filter((one) => one !== undefined)) {
      for (const one of readDifferences(await this.#git(["diff-tree", "-r", "-z", "--no-renames", from, commit]))) committed.set(one.path, one);
      from = commit;
    }
    await setEntries(this.#git, index, [...committed.values()], "after");
    this.#lock.replace(index);
  }
}

interface Found {
  readonly head: Head;
  readonly inHead: ReadonlyMap<string, TreeEntry>;
  readonly staged: readonly Difference[];
  readonly ignored: Ignored;
  readonly changedSince: string[];
  /** Nothing is staged, and the index is small and leaves nothing out of the work tree. */
  readonly isPlain: boolean;
}

interface Made {
  readonly commit: Recorded | undefined;
  /** Whether the index has what the commit has, and the times of the files besides. */
  readonly isWhole: boolean;
}

/** Whether what stood somewhere may be something else than what a tree has there. Where it says so for nothing, as with line endings that git changes, the tree that is made shows it. */
function differs(before: FileBefore | undefined, entry: TreeEntry | undefined): boolean {
  if (before === undefined || entry === undefined) return before !== undefined || entry !== undefined;
  if (before.kind === "link") return entry.mode !== "120000" || blobId(inOnePiece(Buffer.from(before.target)), entry.id) !== entry.id;
  const id = blobId(before, entry.id);
  // What is not known any more cannot be committed; that HEAD has it is likely.
  return id !== undefined && (id !== entry.id || entry.mode !== (before.isExecutable ? "100755" : "100644"));
}
