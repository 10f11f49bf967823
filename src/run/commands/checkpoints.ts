import { isUtf8 } from "node:buffer";
import { join, relative, sep } from "node:path";
import type { Settings } from "../../config/schema.ts";
import { ignoredAbove } from "../../git/ignored-above.ts";
import { allFoldersAbove, indexFolders } from "../../git/index-folders.ts";
import { indexInodes } from "../../git/index-inodes.ts";
import { pathsOf } from "../../git/raw-diff.ts";
import { GitError, Shadow } from "../../git/shadow.ts";
import { findProgram } from "../../host/find-program.ts";
import { ShadowFolder } from "../../host/shadow-folder.ts";
import { arrivalOf, canBeKept, changedAt, fingerprintOf } from "../../workspace/arrival.ts";
import type { Suspect, Suspicion } from "../../workspace/journal/observed.ts";
import { readableName } from "../../workspace/scan.ts";
import { KnownModes } from "./known-modes.ts";

/** Paths from the root on, as bytes. */
export interface Paths {
  readonly there: readonly Buffer[];
  readonly gone: readonly Buffer[];
}

/** After a command its own checkpoint still holds for as many milliseconds: somebody else's change in them is no likelier than during a checkpoint. */
const SHARED_MS = 100;

/** Bytes that are stored before what is no longer needed is looked for. */
const MOST_GROWTH = 64 * 2 ** 20;

/** Finds out what a command changes: the project's files are noted before it, in the shadow, and compared with that after it. */
export class Checkpoints {
  readonly #root: string;
  readonly #mostBytes: number;
  readonly #folder: ShadowFolder;
  /** What cannot be kept, and how it was: only whether it was changed can be told. */
  #uncovered = new Map<string, string>();
  /** What the last command has changed, which the shadow does not have yet. */
  #recent: (Paths & { readonly at: number }) | undefined;

  constructor(root: string, { max_size: mostBytes }: Pick<Settings["history"], "max_size">) {
    [this.#root, this.#mostBytes, this.#folder] = [root, mostBytes, new ShadowFolder(root)];
  }

  /**
   * Notes how all is. Throws where it cannot: an error of the system, or of git in its own words.
   *
   * @param written what Loaf itself has changed since the last command; undefined where that cannot be told
   * @returns its time, by the clock of the file system, in nanoseconds
   */
  async before(written?: Paths): Promise<bigint> {
    checkGit();
    this.#folder.prepare(ignoredAbove(this.#root));
    try {
      await this.#catchUp(written);
    } catch (thrown) {
      if (!(thrown instanceof GitError) || IS_FULL.test(thrown.message)) throw thrown;
      // It may be damaged. All of it can be had again.
      this.#folder.remove();
      this.#folder.prepare(ignoredAbove(this.#root));
      await this.#catchUp(undefined);
    }
    this.#folder.noteAlive();
    return this.#folder.mark();
  }

  /** Runs a command, and goes on noting that Loaf is there to see it. */
  async during<Value>(act: () => Promise<Value>): Promise<Value> {
    const timer = setInterval(() => this.#folder.noteAlive(), ALIVE_MS);
    try {
      return await act();
    } finally {
      clearInterval(timer);
    }
  }

  /** What may have changed since. Throws as `before` does. */
  async after(): Promise<Suspicion> {
    const at = performance.now();
    const since = this.#folder.markedAt() ?? 0n;
    const { modified, unknown } = await this.#shadow.differences();
    const suspects: Suspect[] = [];
    const uncovered: string[] = [];
    const suspect = (path: Buffer, facts: Omit<Suspect, "path">): void => {
      if (isUtf8(path)) suspects.push({ path: join(this.#root, path.toString()), ...facts });
      else uncovered.push(this.#readable(path));
    };
    const modes = new KnownModes(this.#folder);
    for (const { path, mode, id, isGone } of modified) {
      const before = mode === "120000" ? ({ kind: "link", blob: id } as const) : ({ kind: "file", mode: modes.of(keyOf(path), mode === "100755"), blob: id } as const);
      suspect(path, { before, isGone });
    }
    let inodes: ReadonlyMap<number, string> | undefined;
    const knownInodes = () => (inodes ??= indexInodes(this.#folder.readIndex()));
    const news = unknown.filter((path) => !this.#uncovered.has(keyOf(path)));
    const { there, gone } = pathsOf(modified);
    for (const path of news) {
      const arrival = arrivalOf(this.#at(path), since, knownInodes);
      const isKept = this.#canBeKept(path) !== undefined;
      if (isKept && arrival.is === "new") suspect(path, { before: undefined });
      else if (isKept && arrival.is === "moved") suspect(path, { before: undefined, movedFrom: this.#readable(Buffer.from(arrival.from, "latin1")), isCarried: arrival.isCarried });
      else if (arrival.is !== "old") uncovered.push(this.#readable(path));
      if (isKept) there.push(path);
      else this.#noteUncovered(path);
    }
    if ([...modified.map(({ path }) => path), ...news].some(isIgnoreFile)) uncovered.push(...(await this.#hidden(since)));
    for (const [key, before] of this.#uncovered) {
      const path = Buffer.from(key, "latin1");
      if (this.#noteUncovered(path) !== before) uncovered.push(this.#readable(path));
    }
    this.#recent = { there, gone, at };
    return {
      suspects,
      uncovered: [...new Set(uncovered)].toSorted(),
      since,
      readBlobs: (ids, sink) => this.#shadow.readBlobs(ids, sink),
      folderMode: (path) => modes.of(keyOf(Buffer.from(`${relative(this.#root, path).replaceAll(sep, "/")}/`)), true),
    };
  }

  /** What was made since, and is ignored by now: a command that writes an ignore file may hide with it what else it has made. */
  async #hidden(since: bigint): Promise<string[]> {
    const isNew = (path: Buffer) => arrivalOf(this.#at(path), since, () => new Map()).is === "new";
    return (await this.#shadow.ignored()).filter(isNew).map((path) => this.#readable(path));
  }

  /** What Loaf itself has changed, for `before`. Undefined where it has moved something, as directories are moved with all that is in them. */
  async #catchUp(written: Paths | undefined): Promise<void> {
    const recent = this.#recent;
    this.#recent = undefined;
    if (recent !== undefined && written !== undefined && performance.now() - recent.at < SHARED_MS) {
      const gone = new Set([...recent.gone, ...written.gone].map(keyOf));
      for (const path of written.there) gone.delete(keyOf(path));
      await this.#store({ there: [...recent.there, ...written.there], gone: [...gone].map((key) => Buffer.from(key, "latin1")) });
      return;
    }
    for (let tries = 3; ; tries -= 1) {
      const [{ modified, unknown }] = await Promise.all([this.#shadow.differences(), this.#noteFolders()]);
      this.#uncovered = new Map();
      const { there, gone } = pathsOf(modified);
      try {
        await this.#store({ there: [...there, ...unknown], gone });
        return;
      } catch (thrown) {
        // Somebody may be changing files at this very moment.
        if (tries === 1 || !(thrown instanceof GitError)) throw thrown;
      }
    }
  }

  async #store({ there, gone }: Paths): Promise<void> {
    if (there.length + gone.length === 0) return;
    const kept: Buffer[] = [];
    const lost = [...gone];
    let growth = 0;
    const modes = new KnownModes(this.#folder);
    for (const path of gone) modes.note(keyOf(path), undefined);
    for (const path of there) {
      const found = this.#canBeKept(path);
      modes.note(keyOf(path), found?.mode);
      growth += found?.size ?? 0;
      if (found !== undefined) kept.push(path);
      else {
        this.#noteUncovered(path);
        if (path.at(-1) !== SLASH) lost.push(path);
      }
    }
    modes.noteFolders(allFoldersAbove([...there, ...gone].map(keyOf)), this.#root);
    // The index comes last: where we are killed in between, these files are looked at again.
    modes.save();
    await this.#shadow.remove(lost);
    await this.#shadow.add(kept);
    this.#folder.noteGrowth(growth);
  }

  /** While git looks at the files: where only a folder's permissions have changed it sees nothing. */
  async #noteFolders(): Promise<void> {
    const modes = new KnownModes(this.#folder);
    modes.noteFolders(indexFolders(this.#folder.readIndex()), this.#root);
    modes.save();
  }

  /** What is not there has nothing to be kept: what comes there is as new as elsewhere. */
  #noteUncovered(path: Buffer): string {
    const now = fingerprintOf(this.#at(path));
    if (now === "") this.#uncovered.delete(keyOf(path));
    else this.#uncovered.set(keyOf(path), now);
    return now;
  }

  #canBeKept(path: Buffer): ReturnType<typeof canBeKept> {
    const isOfGit = path.at(-1) === SLASH || OF_GIT.test(path.toString("latin1"));
    return isOfGit ? undefined : canBeKept(this.#at(path), this.#mostBytes);
  }

  #at(path: Buffer): Buffer {
    return Buffer.concat([Buffer.from(join(this.#root, "/")), path]);
  }

  #readable(path: Buffer): string {
    return join(this.#root, readableName(path));
  }

  get #shadow(): Shadow {
    return new Shadow({ git: checkGit(), folder: this.#folder.path, root: this.#root });
  }

  /**
   * What a command that was interrupted may have changed, as long as Loaf was there to see it: what came later is another's. Undefined where that cannot be
   * told any more.
   *
   * @param checkpoint its time, as `before` told it
   */
  async afterInterrupted(checkpoint: bigint): Promise<Suspicion | undefined> {
    const alive = this.#folder.lastAlive();
    if (alive === undefined || this.#folder.markedAt() !== checkpoint) return undefined;
    const limit = alive + BigInt(2 * ALIVE_MS) * 1_000_000n;
    try {
      const suspicion = await this.after();
      const isLate = ({ path }: Suspect): boolean => changedAt(Buffer.from(path)) > limit;
      return { ...suspicion, suspects: suspicion.suspects.filter((one) => !isLate(one)), uncovered: [...suspicion.uncovered, ...suspicion.suspects.filter(isLate).map(({ path }) => path)] };
    } catch (thrown) {
      if (thrown instanceof GitError) return undefined;
      throw thrown;
    }
  }

  /** Drops what is no longer needed, now and then: all that undo needs is in the logs. Does not throw. */
  async tidy(): Promise<void> {
    if (this.#folder.growth() < Math.min(MOST_GROWTH, this.#mostBytes / 4)) return;
    try {
      await this.#shadow.prune();
      this.#folder.noteGrowth(undefined);
    } catch (thrown) {
      if (!(thrown instanceof GitError)) throw thrown;
    }
  }
}

function checkGit(): string {
  const git = findProgram("git");
  if (git === undefined) throw new GitError("git is not installed, and without it nobody can tell what a command changes");
  return git;
}

const ALIVE_MS = 500;
const SLASH = 47;
const OF_GIT = /(^|\/)\.git(\/|$)/i;
const isIgnoreFile = (path: Buffer): boolean => /(^|\/)\.gitignore$/.test(path.toString("latin1"));
/** Bytes as a string of as many characters. */
const keyOf = (path: Buffer): string => path.toString("latin1");
const IS_FULL = /No space left|quota exceeded|Read-only file system/i;
