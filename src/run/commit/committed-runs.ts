/** Which commit each run, undo or redo of a project has ended in: known by their numbers in the log, kept in the state folder. */
import { readStateFile, writeStateFile } from "../../host/state-file.ts";

const FILE = "commits.json";

/** As many as are remembered: what is older cannot be taken back by a commit, but in the files. */
const MOST = 1_000;

/** Number of the run to name of its commit. What cannot be read is not known. */
export function committedRuns(root: string): ReadonlyMap<number, string> {
  try {
    const entries = JSON.parse(readStateFile(root, FILE) ?? "[]") as Array<[number, string]>;
    return new Map(entries);
  } catch {
    return new Map();
  }
}

export function rememberCommit(root: string, run: number, commit: string): void {
  const entries = [...committedRuns(root), [run, commit]];
  writeStateFile(root, FILE, JSON.stringify(entries.slice(-MOST)));
}
