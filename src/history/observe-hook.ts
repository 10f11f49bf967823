/** Runs hooks on the project's files and records their changes in the run's log. */
import { isUtf8 } from "node:buffer";
import { join, relative } from "node:path";
import type { Settings } from "../config/schema.ts";
import { messageOf } from "../core/errors.ts";
import { namedFew } from "../core/visible.ts";
import { entryIfThere, look } from "../disk/look.ts";
import { readableName } from "../disk/scan.ts";
import { attempt } from "../disk/system-error.ts";
import type { Version } from "../disk/volume.ts";
import { type Base, baseAtHead, differingPaths } from "../git/compare.ts";
import { type Git, GitFailed } from "../git/git.ts";
import { openRepository } from "../git/repository-of-project.ts";
import type { WatchedPath } from "../journal/hook-changes.ts";
import type { Journal } from "../journal/journal.ts";
import { donePuts } from "../journal/read-log.ts";
import { configDigest, dropTrust } from "../trust/trust.ts";

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
  { root, settings, journal, notify }: HookSite,
  act: () => Promise<Value>,
): Promise<Value> {
  const log = journal.read();
  const touched = log === undefined ? [] : donePuts(log).map(({ path }) => path);
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
      const { changed, others } = await watch.end();
      await journal.recordHookChanges(changed);
      if (others.length > 0) notify(`A hook changed files that undo does not cover: ${named(root, others)}`);
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
  { root, notify }: Pick<HookSite, "root" | "notify">,
  act: () => Promise<Value>,
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
  return namedFew(
    paths.map((path) => relative(root, path)),
    MAX_NAMED,
  );
}

/** What a hook may change: the user's own program works directly on the project's files. */
interface WatchOptions {
  /** Canonical. */
  readonly root: string;
  /** Canonical paths that the run has changed so far. */
  readonly touched: readonly string[];
  /** The project's repository; undefined if there is none. */
  readonly git: Git | undefined;
}

interface HookChanges {
  /** Paths of the run that may have changed. */
  readonly changed: readonly WatchedPath[];
  /** Other paths that changed, and those too large to hold: the hook's changes of them are no part of the run. */
  readonly others: readonly string[];
}

/** Bytes of file content held in memory while a hook runs. */
const MAX_HELD_BYTES = 64 * 2 ** 20;

interface Touched extends WatchedPath {
  readonly version: Version | undefined;
}

/**
 * Holds the files that the run touched, to compare them after a hook. What the hook changes elsewhere is found through
 * git, only to name it.
 */
class HookWatch {
  readonly #touched: readonly Touched[];
  readonly #base: Base | undefined;
  /** Versions of the other files that already differed from the commit. */
  readonly #versions: ReadonlyMap<string, Version | undefined>;

  private constructor(
    touched: readonly Touched[],
    base: Base | undefined,
    versions: ReadonlyMap<string, Version | undefined>,
  ) {
    [this.#touched, this.#base, this.#versions] = [touched, base, versions];
  }

  /** Call it before a hook starts. If git fails, only watches files that the run touched. */
  static async begin({ root, touched, git }: WatchOptions): Promise<HookWatch> {
    let left = MAX_HELD_BYTES;
    const held = [...new Set(touched)].map((path): Touched => {
      const { kind, size = 0, version } = entryIfThere(path) ?? {};
      if (kind === "file" && size > left) return { path, version, before: undefined };
      left -= size;
      return { path, version, before: look(path) };
    });
    const base = git && (await undefinedIfGitFails(baseAtHead(git, relative(git.top, root))));
    const differing = base && (await undefinedIfGitFails(differingPaths(base)));
    const versions = new Map(differing?.map((path) => [path, base && versionAt(base, path)]));
    return new HookWatch(held, differing && base, versions);
  }

  /** Call it after the hook has ended. */
  async end(): Promise<HookChanges> {
    const changed = this.#touched.filter(({ path, version }) => entryIfThere(path)?.version !== version);
    const isHeld = ({ version, before }: Touched): boolean => version === undefined || before !== undefined;
    return {
      changed: changed.filter(isHeld),
      others: [
        ...changed.filter((change) => !isHeld(change)).map(({ path }) => path),
        ...(await this.#others()),
      ].toSorted(),
    };
  }

  async #others(): Promise<string[]> {
    const base = this.#base;
    if (base === undefined) return [];
    const touched = new Set(this.#touched.map(({ path }) => path));
    const differing = (await undefinedIfGitFails(differingPaths(base))) ?? [];
    const names = new Set([...differing, ...this.#versions.keys()]);
    return [...names].flatMap((name) => {
      const isSame = this.#versions.has(name) && versionAt(base, name) === this.#versions.get(name);
      const path = pathOf(base, name);
      return isSame || touched.has(path) ? [] : [path];
    });
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

/** @param name as git has it, as a string of bytes */
function pathOf({ git }: Base, name: string): string {
  return join(git.top, readableName(Buffer.from(name, "latin1")));
}

/** Undefined also for a name that is not UTF-8. */
function versionAt(base: Base, name: string): Version | undefined {
  return isUtf8(Buffer.from(name, "latin1")) ? entryIfThere(pathOf(base, name))?.version : undefined;
}
