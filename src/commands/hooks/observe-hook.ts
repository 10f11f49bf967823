/** Runs hooks on the project's files and records their changes in the run's log. */
import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { join, relative } from "node:path";
import type { Settings } from "../../config/schema.ts";
import { messageOf } from "../../core/errors.ts";
import { namedFew } from "../../core/visible.ts";
import { pathsOf } from "../../disk/operation.ts";
import { readableName } from "../../disk/scan.ts";
import { attempt } from "../../disk/system-error.ts";
import { type Base, baseAtHead, differences, fromTop, withCheckout } from "../../git/compare.ts";
import { type Git, GitFailed } from "../../git/git.ts";
import { openRepository } from "../../git/repository-of-project.ts";
import {
  existedBefore, sizeAndVersion, type Snapshot, type Suspect, takeSnapshot, withCurrentPermissions
} from "../../journal/hook-changes.ts";
import type { Journal } from "../../journal/journal.ts";
import { doneOperations } from "../../journal/read-log.ts";
import { isWithin } from "../../paths/path-segments.ts";
import { configDigest, dropTrust } from "../../trust/trust.ts";

export interface HookSite {
  /** Canonical. */
  readonly root: string;
  readonly settings: Settings;
  readonly journal: Journal;
  /** Receives notices for the user. */
  notify(notice: string): void;
}

/** Everything must be flushed before. Records the changes even if `act` throws. */
export async function observeHook<Value>(
  { root, settings, journal, notify }: HookSite, act: () => Promise<Value>
): Promise<Value> {
  const log = journal.read();
  const touched =
    log === undefined ? [] : doneOperations(log).flatMap(({ intent: { operation } }) => pathsOf(operation));
  const opened = await undefinedIfGitFails(openRepository({ root, settings }));
  const watch = await HookWatch.begin({ root, touched, git: opened?.git });
  return withConfigWatched({ root, notify }, async () => {
    try {
      return await act();
    } finally {
      await record();
    }
  });

  async function record(): Promise<void> {
    try {
      const { suspects, lost, since } = await watch.end();
      await journal.recordHookChanges(suspects, since);
      if (lost.length > 0) notify(`A hook changed files that undo does not cover: ${named(root, lost)}`);
    } catch (thrown) {
      notify(`Undo covers NOTHING that a hook changed: ${messageOf(thrown)}`);
    }
  }
}

/**
 * Notices a change of loaf.yml. Enough for the hooks before a run, which starts from the tree that they leave: what
 * they change or put aside is the user's and no part of the run.
 */
export async function withConfigWatched<Value>(
  { root, notify }: Pick<HookSite, "root" | "notify">, act: () => Promise<Value>
): Promise<Value> {
  const config = configDigest(root);
  try {
    return await act();
  } finally {
    if (configDigest(root) !== config) {
      attempt(() => dropTrust(root));
      notify(
        "A hook changed loaf.yml, which controls what Loaf may do. It is no longer trusted: check it, then: loaf trust",
      );
    }
  }
}

const MAX_NAMED = 10;

function named(root: string, paths: readonly string[]): string {
  return namedFew(paths.map((path) => relative(root, path)), MAX_NAMED);
}

/**
 * Where to find what hooks change. Hooks are the user's own programs and work directly on the project's files. Loaf
 * compares files that the run touched, and files that git reports as changed, with their earlier state. Content known
 * from HEAD or the log can be restored; other changes are only reported.
 */
export interface WatchOptions {
  /** Canonical. */
  readonly root: string;
  /** Canonical paths that the run has changed so far. */
  readonly touched: readonly string[];
  /** The project's repository; undefined if there is none. */
  readonly git: Git | undefined;
}

export interface HookChanges {
  readonly suspects: readonly Suspect[];
  /** Paths of changed files whose earlier content is unknown. */
  readonly lost: readonly string[];
  /** Start of the hook, by the clock of the file system, in nanoseconds. */
  readonly since: bigint;
}

/** Bytes of file content held in memory while a hook runs. */
const MAX_HELD_BYTES = 64 * 2 ** 20;
/** How far the file system's clock may lag behind, in milliseconds. */
const CLOCK_MS = 20;

interface WatchedFile {
  /** Undefined if nothing was there. */
  readonly version: string | undefined;
  /** Undefined if nothing was there, or it was too large to hold. */
  readonly snapshot: Snapshot | undefined;
}

class HookWatch {
  readonly #root: string;
  readonly #base: Base | undefined;
  readonly #watched: ReadonlyMap<string, WatchedFile>;
  readonly #since: bigint;

  private constructor(root: string, base: Base | undefined, noted: ReadonlyMap<string, WatchedFile>) {
    [this.#root, this.#base, this.#watched] = [root, base, noted];
    this.#since = BigInt(Date.now() - CLOCK_MS) * 1_000_000n;
  }

  /** Call it before a hook starts. If git fails, only watches files that the run touched. */
  static async begin({ root, touched, git }: WatchOptions): Promise<HookWatch> {
    const base = git && (await undefinedIfGitFails(baseAtHead(git, fromTop(relative(git.top, root)))));
    const changed = base && (await undefinedIfGitFails(differences(base)));
    const paths = [...touched, ...[...(changed?.keys() ?? [])].flatMap((path) => textOf(base, path) ?? [])];
    let left = MAX_HELD_BYTES;
    const noted = new Map<string, WatchedFile>();
    for (const path of new Set(paths)) {
      const { size = 0, version } = sizeAndVersion(path);
      const snapshot = size > left ? undefined : takeSnapshot(path);
      left -= snapshot?.kind === "file" ? size : 0;
      noted.set(path, { version, snapshot });
    }
    return new HookWatch(root, changed && base, noted);
  }

  /** Call it after the hook has ended. */
  async end(): Promise<HookChanges> {
    const suspects: Suspect[] = [];
    const lost: string[] = [];
    for (const [path, { version, snapshot }] of this.#watched) {
      if (sizeAndVersion(path).version === version) continue;
      if (version !== undefined && snapshot === undefined) lost.push(path);
      else suspects.push({ path, before: snapshot });
    }
    const base = this.#base;
    const changed = base && (await undefinedIfGitFails(differences(base)));
    if (base !== undefined && changed !== undefined) await this.#addClean(base, changed, suspects, lost);
    return { suspects, lost: lost.toSorted(), since: this.#since };
  }

  /** Adds files that equalled the commit, or did not exist, when the hook began. */
  async #addClean(
    base: Base, changed: ReadonlyMap<string, string | undefined>, suspects: Suspect[], lost: string[]
  ): Promise<void> {
    const untracked: string[] = [];
    const committed: string[] = [];
    for (const [bytes, id] of changed) {
      const path = textOf(base, bytes);
      if (path === undefined) lost.push(join(base.git.top, readableName(Buffer.from(bytes, "latin1"))));
      else if (this.#watched.has(path) || !isWithin(path, this.#root)) continue;
      else if (id === undefined) untracked.push(path);
      else committed.push(bytes);
    }
    let left = MAX_HELD_BYTES;
    const known = await undefinedIfGitFails(
      withCheckout(base, committed, (folder) => committed.map((bytes) => {
        const copy = join(folder, Buffer.from(bytes, "latin1").toString());
        left -= sizeAndVersion(copy).size ?? 0;
        return left < 0 ? undefined : takeSnapshot(copy);
      })),
    );
    for (const [index, bytes] of committed.entries()) {
      const path = textOf(base, bytes) ?? "";
      const before = known?.[index];
      if (before === undefined) lost.push(path);
      else suspects.push({ path, before: withCurrentPermissions(path, before) });
    }
    // An older file was ignored before, or was moved here: it may be the only copy.
    const gone = new Set(
      suspects.filter(({ path }) => sizeAndVersion(path).version === undefined).map(({ before }) => digestOf(before)),
    );
    for (const path of untracked) {
      if (existedBefore(path, this.#since) && !gone.has(digestOf(takeSnapshot(path)))) lost.push(path);
      else suspects.push({ path, before: undefined });
    }
  }
}

async function undefinedIfGitFails<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof GitFailed) return undefined;
    throw thrown;
  }
}

/** Returns a canonical path. Undefined for a name that is not UTF-8. */
function textOf(base: Base | undefined, bytes: string): string | undefined {
  const path = Buffer.from(bytes, "latin1");
  return base !== undefined && isUtf8(path) ? join(base.git.top, path.toString()) : undefined;
}

function digestOf(stood: Snapshot | undefined): string {
  return stood?.kind === "file" ? hash("sha256", stood.bytes, "hex") : "";
}
