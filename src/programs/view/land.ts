/** Turns a command's changes on its view into changes of the run. */
import { basename, dirname } from "node:path";
import type { ChangedPath } from "../../core/change-set.ts";
import { namedFew } from "../../core/visible.ts";
import { entryIfThere } from "../../disk/look.ts";
import { type VersionedEntry } from "../../disk/volume.ts";
import { readBeginning, readImage } from "../../disk/images.ts";
import type { NewEntry } from "../../disk/planned.ts";
import type { Overlay } from "../../disk/overlay.ts";
import { asFailure } from "../../disk/system-error.ts";
import { type HeadEntry, headAt, isGitDirectory, isPart, MAX_HEAD_BYTES } from "../../guard/placement.ts";
import { isWithin, joinPath } from "../../paths/path-segments.ts";
import { ViewReader } from "./read-view.ts";
import type { RefusalReason, RefusedChange, ViewReading, ViewChange } from "./view.ts";

export interface LandingOptions extends ViewReading {
  readonly before: Overlay;
  /** Absolute paths of `.git` in the project. */
  readonly repositories: readonly string[];
  /**
   * Bytes of files that may be held in memory, so that the view can be closed. Larger files are read from the view when
   * needed.
   */
  readonly mostHeld: number;
  /** Receives the pre-images of changed files, up to 16 MB in total. */
  readonly noteBefore?: ((path: string, bytes: Buffer) => void) | undefined;
  /** Returns a path relative to the root. */
  named(path: string): string;
}

export interface Landed {
  /** Files, links, and directories without any of these, sorted. */
  readonly changed: readonly ChangedPath[];
  readonly refused: readonly RefusedChange[];
  /** Whether the view can be closed at once, because all bytes are in memory. */
  readonly isHeld: boolean;
}

/**
 * Stages landable changes on the overlay that the view was made of. Throws system errors if the view cannot be read;
 * then nothing is staged. Throws `Failed` if a change cannot be staged; then those before it are.
 */
export function land(options: LandingOptions): Landed {
  const { before, named } = options;
  const { wanted: all, refused } = new ViewReader(options).read();
  const { wanted, repositories } = withoutRepositories(all, refused, options);
  if (options.noteBefore !== undefined) reportPreImages(wanted, before, options.noteBefore);
  let left = options.mostHeld;
  let isHeld = true;
  const entries = wanted.map((item): NewEntry | null => {
    if (item.kind !== "file") return item.kind === "gone" ? null : item;
    if (item.content.length > left) {
      isHeld = false;
      return item;
    }
    left -= item.content.length;
    return { ...item, content: readImage(item.content) };
  });
  for (const [position, { path, old }] of wanted.entries())
    asFailure("open", path, () => before.place(path, entries[position] ?? null, old));
  // Files tell of the directories around them.
  const parents = new Set(wanted.map(({ path }) => dirname(path)));
  const changed = wanted
    .filter(({ path, kind, old }) => !parents.has(path) || isFile(old) || kind === "file" || kind === "link")
    .flatMap((item) => changeOf(item) ?? [])
    .map(({ path, change, isDirectory }) => ({ path: `${named(path)}${isDirectory ? "/" : ""}`, change }));
  return {
    changed: changed.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    refused: [...refused, ...repositories],
    isHeld,
  };
}

function reportPreImages(
  wanted: readonly ViewChange[], before: Overlay, note: (path: string, bytes: Buffer) => void
): void {
  let left = MAX_REPORTED;
  for (const { kind, path, old } of wanted) {
    if (kind !== "file" || old?.kind !== "file" || old.size > left) continue;
    left -= old.size;
    note(path, before.readFile(path).bytes);
  }
}

const MAX_REPORTED = 2 ** 24;

function changeOf({ path, kind, old }: ViewChange): (ChangedPath & { readonly isDirectory: boolean }) | undefined {
  if (kind === "file" || kind === "link")
    return { path, change: isFile(old) ? "changed" : "created", isDirectory: false };
  if (isFile(old)) return { path, change: "deleted", isDirectory: false };
  const change = kind === "directory" ? "created" : "deleted";
  return (kind === "directory") === (old === undefined) ? { path, change, isDirectory: true } : undefined;
}

function isFile(entry: VersionedEntry | undefined): boolean {
  return entry !== undefined && entry.kind !== "directory";
}

/**
 * Excludes repositories: bare ones that a command completed or wrote to, and repositories that it moved. Their files
 * must not be separated from their `.git` or `HEAD`.
 */
function withoutRepositories(
  wanted: readonly ViewChange[],
  refused: readonly RefusedChange[],
  { before, repositories, root, named }: LandingOptions
): { readonly wanted: readonly ViewChange[]; readonly repositories: readonly RefusedChange[] } {
  const gone = new Set(wanted.filter(({ kind }) => kind === "gone").map(({ path }) => path));
  const made = new Set(wanted.filter(({ kind }) => kind !== "gone").map(({ path }) => path));
  const childrenOf = new Map<string, string[]>();
  for (const path of made) {
    const siblings = childrenOf.get(dirname(path));
    if (siblings === undefined) childrenOf.set(dirname(path), [basename(path)]);
    else siblings.push(basename(path));
  }
  const isThere = (path: string): boolean =>
    made.has(path) || (!gone.has(path) && entryIfThere(path, before) !== undefined);
  const planted = refused
    .filter(({ reason, path }) => reason === "rule" && OF_GIT.test(path))
    .map(({ path }) => dirname(joinPath(root, path)));
  const emptied =
    planted.length === 0
      ? []
      : repositories.map((path) => dirname(path)).filter((path) => path !== root && isEmptied(path));
  const moved =
    emptied.length === 0
      ? []
      : [...emptied, ...planted.filter((path) => path !== root && !repositories.includes(joinPath(path, ".git")))];
  const bare = directoriesOf([...made], root).filter(becomesRepository);
  // A moved bare repository shows as a new one and an emptied one.
  const bareEmptied =
    bare.length === 0 ? [] : directoriesOf([...gone], root).filter((path) => gone.has(path) && wasRepository(path));
  const whole = [...moved, ...bareEmptied, ...bare.filter((path) => made.has(path) || wasRepository(path))];
  const out = [
    ...new Set([
      ...whole,
      ...bare.flatMap((path) => (childrenOf.get(path) ?? []).filter(isPart).map((name) => joinPath(path, name))),
    ]),
  ];
  if (out.length === 0) return { wanted, repositories: [] };
  const isExcluded = ({ path }: ViewChange): boolean => out.some((outer) => isWithin(path, outer));
  const reported = new Set([...moved, ...bareEmptied, ...bare]);
  return {
    wanted: wanted.filter((item) => !isExcluded(item)),
    repositories: [...reported].map((path) => ({ path: named(path) || ".", reason: "repository" })),
  };

  /** Returns whether git would take a directory for a repository after the change. */
  function becomesRepository(directory: string): boolean {
    const names = [...new Set([...namesBefore(directory), ...(childrenOf.get(directory) ?? [])])].filter((name) =>
      isThere(joinPath(directory, name)),
    );
    return isGitDirectory(names, (name) => headOf(joinPath(directory, name)));
  }

  function wasRepository(directory: string): boolean {
    return isGitDirectory(namesBefore(directory), (name) => headAt(before, joinPath(directory, name)));
  }

  function namesBefore(directory: string): string[] {
    return entryIfThere(directory, before)?.kind === "directory"
      ? before.namesIn(directory).map(({ name }) => name)
      : [];
  }

  function headOf(path: string): HeadEntry {
    const item = wanted.find((other) => other.path === path && other.kind !== "gone");
    if (item?.kind === "link") return { target: item.target };
    if (item?.kind === "file") return { start: readBeginning(item.content, MAX_HEAD_BYTES).toString("latin1") };
    return item === undefined ? headAt(before, path) : undefined;
  }

  function isEmptied(directory: string): boolean {
    const names = before.namesIn(directory).map(({ name }) => name).filter((name) => name !== ".git");
    return names.length > 0 && names.every((name) => gone.has(joinPath(directory, name)));
  }
}

/** Returns the parent directories of paths, up to the root. */
function directoriesOf(paths: readonly string[], root: string): string[] {
  const folders = new Set<string>();
  for (const path of paths)
    for (let at = path; at !== root && !folders.has(dirname(at)); at = dirname(at)) folders.add(dirname(at));
  return [...folders];
}

const OF_GIT = /(^|\/)\.git$/i;
const MAX_NAMED = 10;

/** Returns one sentence for each reason why changes of a command stay out of the project. */
export function noticesOn(refused: readonly RefusedChange[]): string[] {
  const pathsFor = new Map<string, string[]>();
  for (const { path, reason, rule, kept } of refused) {
    const words =
      rule ?? (kept === undefined ? WORDS[reason] : `${WORDS[reason]}; the command's version is in ${kept}`);
    pathsFor.set(words, [...(pathsFor.get(words) ?? []), path]);
  }
  return [...pathsFor].map(([words, paths]) => `left out of the project: ${namedFew(paths, MAX_NAMED)} (${words})`);
}

/** Above this duration, a notice explains the delay. */
const LONG_LANDING_MS = 10_000;

/** Adds a notice if landing takes long, with a faster alternative. */
export async function withLandingNotice<Value>(
  land: () => Promise<Value>, files: number, tell: (notice: string) => void
): Promise<Value> {
  const began = performance.now();
  const landed = await land();
  const duration = performance.now() - began;
  if (duration < LONG_LANDING_MS) return landed;
  const what = files === 1 ? "1 file" : `${files} files`;
  tell(
    `What a command changed, ${what}, took ${Math.round(duration / 1_000)} s to reach the project, because each file is kept for undo: install and remove whole trees such as node_modules in your own terminal`,
  );
  return landed;
}

const WORDS: Readonly<Record<RefusalReason, string>> = {
  rule: "a rule forbids it",
  name: "the name is not UTF-8, so no action could address it",
  special: "only files, links and folders are accepted",
  "set-id": "setuid and setgid files are not accepted",
  "link-target": "the link's target is not UTF-8",
  closed: "commands cannot see what is there, so they cannot replace it",
  hidden: "it stays, because commands cannot see all that is in it",
  changed: "somebody else changed it while the command ran",
  mode: "permissions of existing folders are not changed",
  unreadable: "it is unreadable, so undo could not restore it",
  long: "the path is too long for the system, or has more than 250 folders",
  sparse: "it is a sparse file larger than limits.max_file_size",
  moved: "it stays where it was, because its new place is refused",
  repository: "commands cannot move or make repositories",
};
