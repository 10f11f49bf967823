/** Which commit each run, undo or redo of a project has ended in: known by their numbers in the log, kept in the state folder for as long as the log keeps them. */
import { appendToStateFile, readStateFile, writeStateFile } from "../../host/state-file.ts";

const FILE = "commits";

/** Number of the run to name of its commit. What cannot be read is not known. */
export function committedRuns(root: string): ReadonlyMap<number, string> {
  try {
    return new Map(linesOf(readStateFile(root, FILE) ?? ""));
  } catch {
    return new Map();
  }
}

/** Throws where the state folder cannot be written. */
export function rememberCommit(root: string, run: number, commit: string): void {
  // Where a power cut has left half a line, this one begins another.
  appendToStateFile(root, FILE, `\n${run} ${commit}`);
}

/** Of all runs up to this one, which the log no longer has. Throws where the state folder cannot be written. */
export function forgetCommits(root: string, run: number): void {
  const known = committedRuns(root);
  const left = [...known].filter(([one]) => one > run);
  if (left.length < known.size) writeStateFile(root, FILE, left.map(([one, commit]) => `\n${one} ${commit}`).join(""));
}

/** Numbers only rise: where they begin anew, somebody has removed the logs that were meant by what stands above. */
function linesOf(text: string): Array<[run: number, commit: string]> {
  const lines: Array<[number, string]> = [];
  for (const [, number, commit = ""] of text.matchAll(/^(\d+) ([0-9a-f]{40}(?:[0-9a-f]{24})?)$/gm)) {
    const run = Number(number);
    while ((lines.at(-1)?.[0] ?? 0) >= run) lines.pop();
    lines.push([run, commit]);
  }
  return lines;
}
