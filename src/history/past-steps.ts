/** What the logs tell of steps between commits: where stepping began, and what was set aside. */
import { existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import type { Settings } from "../config/schema.ts";
import type { State } from "../core/change-set.ts";
import type { HeadMove, StepMove, SteppingSession } from "../core/head-move.ts";
import { imageOf, writeImage } from "../disk/images.ts";
import { Disk } from "../disk/disk.ts";
import { entryIfThere } from "../disk/look.ts";
import type { Basis, Image, NewEntry, Planned } from "../disk/planned.ts";
import type { VersionedEntry } from "../disk/volume.ts";
import { type CheckedOut, completeStep, forgetStaged, removeStepFolder } from "../git/checkout.ts";
import { foldersAbove } from "../git/entries.ts";
import { GitFailed } from "../git/git.ts";
import { lockIndex } from "../git/index-lock.ts";
import { type OpenedRepository, openRepository } from "../git/repository-of-project.ts";
import { compose, donePuts, hasChanges, withMissingFolders } from "../journal/change-set.ts";
import { LogWriter } from "../journal/log-writer.ts";
import { listLogs, type Log } from "../journal/log.ts";
import { setAside } from "../programs/view/view-folders.ts";
import { projectStateFolder } from "../state/places.ts";

/** A project in a repository, while nobody else changes it. */
export interface StepSite extends OpenedRepository {
  readonly root: string;
  /** Folder of the project's logs. */
  readonly runs: string;
}

/** The log of a step that was completed. */
export type StepLog = Log & { readonly head: HeadMove & { readonly from: string; readonly step: StepMove } };

function isStep(log: Log): log is StepLog {
  return log.kind === "step" && log.head?.isDone === true && log.head.step !== undefined;
}

export interface PastSteps {
  /** Undefined where no step is to be taken back. */
  readonly session: SteppingSession | undefined;
  /** The last step from each commit whose files no other step has brought back. */
  readonly asides: ReadonlyMap<string, StepLog>;
}

export function pastSteps(runs: string): PastSteps {
  const steps = listLogs(runs).filter(isStep);
  const returned = new Set(steps.map(({ of }) => of));
  const first = steps.findLastIndex(({ head }) => head.step.isOver) + 1;
  // What is no more than permissions and the like does not matter once stepping is over.
  const asides = steps.filter(
    ({ sequence, setsAside, head: { from, to } }, index) =>
      !returned.has(sequence) && from !== to && (setsAside === true || index >= first),
  );
  // A later step that set nothing aside does not replace one that did.
  const counts = (log: StepLog): boolean =>
    log.setsAside === true || !asides.some((aside) => aside.head.from === log.head.from && aside.setsAside);
  const isActive = first < steps.length || asides.length > 0;
  return {
    session: isActive ? steps.at(-1)?.head.step : undefined,
    asides: new Map(asides.filter(counts).map((log) => [log.head.from, log])),
  };
}

/** Returns what the paths that a step changed had before it, by path relative to the top of the work tree. */
export function wantedBefore(log: Log, top: string): ReadonlyMap<string, WantedEntry> {
  return new Map(compose(donePuts(log)).map(({ path, before }) => [relative(top, path), wantedOf(before, log)]));
}

/** Git makes a file anew without setuid, and it may belong to somebody else. */
function wantedOf(before: State | null, { file }: Pick<Log, "file">): WantedEntry {
  if (before?.kind !== "file") return before;
  const { image, sha256, mode = 0o644 } = before;
  if (image === undefined) throw new GitFailed(`the log ${file} lacks a file that was set aside`);
  return { kind: "file", content: { log: file, ...image, sha256 }, mode: mode & 0o777, isExact: true };
}

/** Copies files that a step set aside into a new folder for the user. Returns it, or undefined if there are none. */
export async function copyForUser(
  log: Log,
  { git, root }: Pick<StepSite, "git" | "root">,
  paths: readonly string[],
): Promise<string | undefined> {
  const before = wantedBefore(log, git.top);
  const files = paths.flatMap((path) => {
    const wanted = before.get(path) ?? null;
    const isFile = wanted?.kind === "file" || wanted?.kind === "link";
    return isFile ? [{ path, write: (to: string) => writeWanted(to, wanted) }] : [];
  });
  return files.length === 0 ? undefined : setAside(root, files);
}

/** Returns the folder of the saved indexes. */
export function indexFolder(root: string): string {
  return join(projectStateFolder(root), "steps");
}

/** Removes indexes and references that no step needs any more. */
export async function removeUnused({ git, root, runs }: StepSite): Promise<void> {
  const steps = [...pastSteps(runs).asides.values()].map(({ head }) => head.step);
  await forgetStaged(
    git,
    steps.flatMap(({ staged }) => staged ?? []),
  );
  const kept = new Set(steps.map(({ index }) => index));
  const folder = indexFolder(root);
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (!kept.has(name)) rmSync(join(folder, name), { force: true });
}

/** Completes an interrupted step whose files are there, or forgets it. Returns notices. */
export async function finishStep(
  { root, settings }: { readonly root: string; readonly settings: Settings },
  runs: string,
): Promise<string[]> {
  const opened = await openRepository({ root, settings });
  const log = listLogs(runs, 1).at(-1);
  if (opened === undefined) return [];
  const { git, repository } = opened;
  const lock = await lockIndex(repository.gitFolder);
  try {
    const head = (await git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])).toString().trim();
    const move = log?.kind === "step" && log.end === undefined ? log.head : undefined;
    const isMade = log !== undefined && (hasChanges(log) || head === move?.to);
    if (log === undefined || move === undefined || !isMade) {
      await removeUnused({ ...opened, root, runs });
      removeStepFolder(repository.gitFolder);
      return [];
    }
    const writer = LogWriter.resume(log);
    try {
      const isElsewhere = head !== move.from && head !== move.to;
      if (!isElsewhere) await completeStep(git, repository, lock, move);
      if (!move.isDone) writer.write({ type: "moved" });
      writer.write({ type: "end", summary: `step to ${move.to?.slice(0, 10)}`, duration: 0 });
      await removeUnused({ ...opened, root, runs });
      removeStepFolder(repository.gitFolder);
      return [
        isElsewhere
          ? "A loaf back or forward was interrupted, and HEAD has moved since: the files stay as they are; loaf log shows the step"
          : "An interrupted loaf back or forward was finished",
      ];
    } finally {
      writer.close();
    }
  } finally {
    lock.release();
  }
}

/** Null for nothing. `isExact` is set if the permissions count, not only whether a file is executable. */
export type WantedEntry = (NewEntry<Image> & { readonly isExact?: true }) | null;

/**
 * Returns what brings a tree to what is wanted. Like git, removes directories that lose their last file. Follows no
 * link.
 *
 * @param wanted by path, relative to the top
 * @param isReturn whether a path returns to an earlier state: then only directories that are wanted gone are removed
 */
export function planTree(
  top: string,
  wanted: ReadonlyMap<string, WantedEntry>,
  isReturn: (path: string) => boolean,
): Planned[] {
  const planned = new Map<string, Planned>();
  const plan = (path: string, basis: Basis, after: WantedEntry): void =>
    void planned.set(path, { path, basis, after, authors: [0] });
  const removeFolders = (folder: string): void => {
    for (const { name, kind } of disk.readDirectory(folder)) {
      if (kind !== "directory") continue;
      removeFolders(join(folder, name));
      plan(join(folder, name), DIRECTORY, null);
    }
  };
  for (const [path, after] of wanted) {
    const [at, entry] = [join(top, path), entryIn(top, path)];
    const isRight = after === null ? entry === undefined : entry?.kind === after.kind && isAsWanted(at, entry, after);
    if (isRight || (after === null && entry?.kind === "directory")) continue;
    if (entry?.kind === "directory") removeFolders(at);
    plan(at, entry?.kind === "directory" ? DIRECTORY : (entry?.version ?? null), after);
  }
  const kept = new Set<string>();
  const emptied = new Set<string>();
  for (const [path, after] of wanted) {
    if (after !== null) for (const above of parentsOf(path)) kept.add(above);
    else
      for (const above of planned.has(join(top, path)) && !isReturn(path) ? parentsOf(path) : [path])
        emptied.add(above);
  }
  for (const path of [...emptied].sort().toReversed()) {
    const at = join(top, path);
    const isGone = ({ name }: { readonly name: string }): boolean => planned.get(join(at, name))?.after === null;
    if (kept.has(path) || entryIn(top, path)?.kind !== "directory") continue;
    if (disk.readDirectory(at).every(isGone)) plan(at, DIRECTORY, null);
  }
  return withMissingFolders([...planned.values()]);
}

const DIRECTORY = { kind: "directory" } as const;
const disk = new Disk();

function isAsWanted(at: string, { mode, size }: VersionedEntry, wanted: Exclude<WantedEntry, null>): boolean {
  if (wanted.kind === "directory") return true;
  if (wanted.kind === "link") return disk.readLink(at) === wanted.target;
  const counts = wanted.isExact ? 0o7777 : 0o111;
  const isSameMode = (mode & counts) === (wanted.mode & counts);
  return isSameMode && size === wanted.content.length && imageOf(at).sha256 === wanted.content.sha256;
}

/** Returns what is at a path, unless it is behind a link or a file. */
function entryIn(top: string, path: string): VersionedEntry | undefined {
  const isBehind = parentsOf(path).some((above) => entryIfThere(join(top, above))?.kind !== "directory");
  return isBehind ? undefined : entryIfThere(join(top, path));
}

/** Returns "a" and "a/b" for "a/b/c". */
function parentsOf(path: string): string[] {
  return foldersAbove(path).slice(1);
}

/** Writes a file or link outside the project. */
export function writeWanted(to: string, wanted: CheckedOut): void {
  if (wanted.kind === "link") symlinkSync(wanted.target, to);
  else writeImage(wanted.content, to);
}
