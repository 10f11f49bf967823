import { hash } from "node:crypto";
import { relative } from "node:path";
import type { Change, Content, FileState, Put } from "../core/change-set.ts";
import { treeEntries } from "../git/entries.ts";
import { GitFailed } from "../git/git.ts";
import { openRepository } from "../git/repository-of-project.ts";
import { PastFiles } from "../journal/change-set.ts";
import { asBytes } from "../paths/names.ts";
import { listLogs } from "../journal/log.ts";
import { type Undone, undoLog } from "./undo.ts";
import { commitIn, pastLogs, redoableRun, undoableRun } from "./past-runs.ts";
import { journalFolder, type Project } from "./turn.ts";

export interface RunChanges {
  readonly run: number;
  /** Sorted by path. */
  readonly changes: readonly Change[];
}

/** Maximum number of bytes shown, over all changes. */
const MAX_SHOWN_BYTES = 32 * 2 ** 20;

/**
 * Returns the changes of a run, as far as later logs, the current files or the run's commit still hold the content.
 * Undefined if there is no such run.
 *
 * @param run its number, or undefined for the last one
 * @param mayShow whether the content of a file may be shown
 */
export async function changesOfRun(
  project: Project,
  run: number | undefined,
  mayShow: (path: string) => boolean,
): Promise<RunChanges | undefined> {
  const logs = listLogs(journalFolder(project.root));
  const index = logs.findLastIndex(({ kind, sequence }) => kind === "run" && sequence === (run ?? sequence));
  const log = logs[index];
  if (log === undefined) return undefined;
  const past = new PastFiles(logs.slice(index));
  let left = MAX_SHOWN_BYTES;
  /** Files after the run whose content only its commit may hold. */
  const lost = new Map<string, FileState>();
  const contentOf = (side: "before" | "after", put: Put): Content | undefined => {
    const state = put[side];
    if (state?.kind !== "file") return state?.kind === "directory" ? { kind: "directory" } : (state ?? undefined);
    const file = fileOf(state);
    if (!mayShow(side === "before" ? (put.from ?? put.path) : put.path))
      return { ...file, withheld: "it may not be read" };
    if (file.size > left) return { ...file, withheld: "it is too large" };
    const bytes = past[side](put);
    left -= file.size;
    if (bytes !== undefined) return { ...file, bytes };
    if (side === "after") lost.set(put.path, state);
    return { ...file, withheld: "it has changed since, and its earlier content is not kept" };
  };
  const changeOf = (put: Put): Change => {
    const { path, from, before, after } = put;
    const moved = { path, ...(from !== undefined && { movedFrom: from }) };
    // The content is the same, so the diff needs no bytes.
    if (before?.kind === "file" && after?.kind === "file" && before.sha256 === after.sha256)
      return { ...moved, before: { ...fileOf(before), bytes: NONE }, after: { ...fileOf(after), bytes: NONE } };
    return { ...moved, before: contentOf("before", put), after: contentOf("after", put) };
  };
  const changes = past.changes.map(changeOf);
  const committed = await committedBytes(project, commitIn(log)[0], lost);
  const whole = ({ after, path, ...change }: Change): Change => {
    const [state, bytes] = [lost.get(path), committed.get(path)];
    return { path, ...change, after: state === undefined || bytes === undefined ? after : { ...fileOf(state), bytes } };
  };
  return { run: log.sequence, changes: changes.map(whole) };
}

/** Returns the bytes of the files that a commit holds unchanged by filters. Empty where git cannot say. */
async function committedBytes(
  project: Project,
  commit: string | undefined,
  files: ReadonlyMap<string, FileState>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  if (commit === undefined || files.size === 0) return contents;
  try {
    const opened = await openRepository(project);
    if (opened === undefined) return contents;
    const { git } = opened;
    const names = new Map([...files.keys()].map((path) => [path, relative(git.top, path)]));
    const entries = await treeEntries(git, commit, [...names.values()]);
    for (const [path, { sha256 }] of files) {
      const entry = entries.get(asBytes(names.get(path) ?? ""));
      const bytes = entry && (await git(["cat-file", "blob", entry.id]));
      if (bytes !== undefined && hash("sha256", bytes, "hex") === sha256) contents.set(path, bytes);
    }
  } catch (thrown) {
    // The commit may be gone, since the user may rewrite the branch.
    if (!(thrown instanceof GitFailed)) throw thrown;
  }
  return contents;
}

/** What an undo or a redo would do now. `refused` are paths that would stay, because of later changes. */
export type Foreseen = Undone;

/**
 * Plans the undo or the redo of a run without making it. Throws `Refusal` if the run is not there, or undone already.
 *
 * @param root as `Loaf` has it
 */
export async function foresee(root: string, kind: "undo" | "redo", run: number): Promise<Foreseen> {
  const logs = pastLogs(journalFolder(root));
  const log = kind === "undo" ? undoableRun(logs, run) : redoableRun(logs, run);
  return undoLog(log, { commit: async (planned) => planned.map(() => ({})) });
}

const NONE = new Uint8Array();

function fileOf({ mode = 0o644, size }: FileState): Content & { readonly kind: "file" } {
  return { kind: "file", mode, size };
}
