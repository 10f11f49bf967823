/** Runs hooks on the project's files, records their changes in the run's log, and tells what they took back. */
import { join, relative } from "node:path";
import type { Settings } from "../config/schema.ts";
import { isSame, type Other, type State, type TakenBack } from "../core/change-set.ts";
import { countsOf } from "../core/counted.ts";
import { messageOf } from "../core/errors.ts";
import { namedFew } from "../core/visible.ts";
import { entryIfThere, look } from "../disk/look.ts";
import { attempt } from "../disk/system-error.ts";
import type { Version } from "../disk/volume.ts";
import { differingPaths } from "../git/entries.ts";
import { type Git, GitFailed } from "../git/git.ts";
import { asBytes, readableName, textOf } from "../paths/names.ts";
import { commitAt } from "../git/record-commit.ts";
import { openRepository } from "../git/repository-of-project.ts";
import { type DonePut, donePuts, netOf, PastFiles } from "../journal/change-set.ts";
import { HOOK, type Journal, type WatchedPath } from "../journal/journal.ts";
import type { Log } from "../journal/log.ts";
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
  const changesSince = await watch(root, touched, opened?.git);
  return withConfigWatched({ root, notify }, async () => {
    try {
      return await act();
    } finally {
      try {
        const { changed, others } = await changesSince();
        await journal.recordHookChanges(changed);
        const names = others.map((path) => relative(root, path));
        if (names.length > 0) notify(`A hook changed files that undo does not cover: ${namedFew(names, MAX_NAMED)}`);
      } catch (thrown) {
        notify(`Undo covers NOTHING that a hook changed: ${messageOf(thrown)}`);
      }
    }
  });
}

const MAX_NAMED = 10;

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
 * Holds the files that the run touched, to compare them after a hook: the user's own program works on the project's
 * files. Finds what it changes elsewhere through git, only to name it; if git fails, finds none of that.
 *
 * @param touched canonical paths that the run has changed so far
 * @returns a function to be called after the hook
 */
async function watch(root: string, touched: readonly string[], git?: Git): Promise<() => Promise<HookChanges>> {
  let left = MAX_HELD_BYTES;
  const held = [...new Set(touched)].map((path): Touched => {
    const { kind, size = 0, version } = entryIfThere(path) ?? {};
    if (kind === "file" && size > left) return { path, version, before: undefined };
    left -= size;
    return { path, version, before: look(path) };
  });
  const ofRun = new Set(touched);
  const elsewhere = git && (await undefinedIfGitFails(watchElsewhere(root, git)));
  return async () => {
    const changed = held.filter(({ path, version }) => entryIfThere(path)?.version !== version);
    const isHeld = ({ version, before }: Touched): boolean => version === undefined || before !== undefined;
    const others = ((await elsewhere?.()) ?? []).filter((path) => !ofRun.has(path));
    const unheld = changed.filter((change) => !isHeld(change)).map(({ path }) => path);
    return { changed: changed.filter(isHeld), others: [...unheld, ...others].toSorted() };
  };
}

/** Returns a function that lists the changes since. */
async function watchElsewhere(root: string, git: Git): Promise<() => Promise<string[]>> {
  const folder = relative(git.top, root).replaceAll("\\", process.platform === "win32" ? "/" : "\\");
  const commit = await commitAt(git, "HEAD");
  const differing = (): Promise<string[]> => differingPaths(git, commit, asBytes(folder));
  // As git has it, as a string of bytes.
  const pathOf = (name: string): string => join(git.top, readableName(name));
  // Undefined also for a name that is not UTF-8.
  const versionAt = (name: string): Version | undefined =>
    textOf(name) === undefined ? undefined : entryIfThere(pathOf(name))?.version;
  const before = new Map((await differing()).map((name) => [name, versionAt(name)]));
  return async () => {
    const names = new Set([...((await undefinedIfGitFails(differing())) ?? []), ...before.keys()]);
    const isSame = (name: string): boolean => before.has(name) && versionAt(name) === before.get(name);
    return [...names].filter((name) => !isSame(name)).map(pathOf);
  };
}

async function undefinedIfGitFails<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof GitFailed) return undefined;
    throw thrown;
  }
}

/**
 * Returns which changes of a run its hooks took back. A hook that formats files keeps the changes.
 *
 * @param log undefined for a run that changed nothing
 */
export function takenBack(log: Log | undefined): TakenBack {
  const puts = log === undefined ? [] : donePuts(log);
  const isHooks = ({ authors }: DonePut): boolean => authors.includes(HOOK);
  const hooked = new Set(puts.filter(isHooks).map(({ path }) => path));
  const clauses = new Map<number, Map<string, string>>();
  if (log === undefined || hooked.size === 0) return clauses;
  const ofRun = puts.filter((put) => !isHooks(put));
  const past = new PastFiles([log]);
  for (const { path, before, after } of netOf(ofRun)) {
    const there = hooked.has(path) ? look(path) : undefined;
    const texts = (): Array<Buffer | undefined> => [
      past.before({ path, before }),
      past.after({ path, after }),
      there?.bytes,
    ];
    const is = hooked.has(path) ? fate(before, after, there?.state, texts) : undefined;
    if (is === undefined) continue;
    const authors = new Set(ofRun.flatMap((put) => (put.path === path ? put.authors : [])));
    for (const author of authors) clauses.set(author, (clauses.get(author) ?? new Map<string, string>()).set(path, is));
  }
  return clauses;
}

/** Returns what became of a path if its change was taken back. */
function fate(
  before: State | null,
  after: State | null,
  current: State | Other | undefined,
  texts: () => Array<Buffer | undefined>,
): string | undefined {
  if (current === undefined) return after === null ? undefined : "is gone";
  if (after === null) return "is there again";
  if (before !== null && isSame(current, before)) return "is as it was";
  const [old, made, now] = texts().map((bytes) => bytes?.toString().split("\n"));
  if (old === undefined || made === undefined || now === undefined) return undefined;
  const added = without(made, old);
  const isLost = added.length > 0 ? without(now, old).length === 0 : without(without(old, made), now).length === 0;
  return isLost ? "is without it" : undefined;
}

/** Returns the lines that are not among others, each of which counts once. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = countsOf(others);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}
