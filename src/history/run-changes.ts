import type { Change, Content } from "../core/change.ts";
import { type NetChange, netChanges, PastFiles, type VisibleFile, type VisibleState } from "../journal/net-changes.ts";
import { doneOperations, listLogs } from "../journal/read-log.ts";

export interface RunChanges {
  readonly run: number;
  /** Sorted by path. */
  readonly changes: readonly Change[];
}

/** Maximum number of bytes shown, over all changes. */
const MAX_SHOWN_BYTES = 32 * 2 ** 20;

/**
 * Returns the changes of a run, as far as later logs and the current files still hold the content. Undefined if there
 * is no such run.
 *
 * @param runs folder of the logs
 * @param run its number, or undefined for the last one
 * @param mayShow whether the content of a file may be shown
 */
export function changesOfRun(
  runs: string, run: number | undefined, mayShow: (path: string) => boolean
): RunChanges | undefined {
  const logs = listLogs(runs);
  const index = logs.findLastIndex(
    ({ header }) => header.kind === "run" && header.sequence === (run ?? header.sequence),
  );
  const log = logs[index];
  if (log === undefined) return undefined;
  const own = doneOperations(log);
  const past = new PastFiles(logs.slice(index));
  let left = MAX_SHOWN_BYTES;
  const contentOf = (state: VisibleState | undefined, path: string, start: number): Content | undefined => {
    if (state?.kind === "directory") return { kind: "directory" };
    if (state?.kind !== "file") return state;
    const file = fileOf(state);
    if (!mayShow(path)) return { ...file, withheld: "it may not be read" };
    if (file.size > left) return { ...file, withheld: "it is too large" };
    const bytes = past.find(path, state, start);
    if (bytes === undefined) return { ...file, withheld: "it has changed since, and its earlier content is not kept" };
    left -= file.size;
    return { ...file, bytes };
  };
  const changeOf = ({ path, movedFrom, before, after }: NetChange): Change => {
    const moved = movedFrom !== undefined && { movedFrom };
    // The content is the same, so the diff needs no bytes.
    if (before?.kind === "file" && after?.kind === "file" && before.sha256 === after.sha256)
      return { path, ...moved, before: { ...fileOf(before), bytes: NONE }, after: { ...fileOf(after), bytes: NONE } };
    return {
      path,
      ...moved,
      before: contentOf(before, movedFrom ?? path, 0),
      after: contentOf(after, path, own.length),
    };
  };
  return { run: log.header.sequence, changes: netChanges(own).map(changeOf) };
}

const NONE = new Uint8Array();

function fileOf({ mode = 0o644, size }: VisibleFile): {
  readonly kind: "file";
  readonly mode: number;
  readonly size: number;
} {
  return { kind: "file", mode, size };
}
