import { relative } from "node:path";
import { doneOperations } from "../workspace/journal/inverse.ts";
import { logPath, readLog } from "../workspace/journal/read-log.ts";
import { pathsOf } from "../workspace/journal/split-groups.ts";

/**
 * The files that a run has changed so far, each once, in the order in which it changed them; relative to the root.
 *
 * @param runs the folder of the logs
 * @param run its number, or undefined where it has changed nothing
 */
export function modifiedFiles(runs: string, run: number | undefined, root: string): string[] {
  const log = run === undefined ? undefined : readLog(logPath(runs, run));
  if (log === undefined) return [];
  const operations = doneOperations(log).map(({ intent }) => intent.operation);
  const paths = operations.filter(({ kind }) => kind !== "makeDirectory" && kind !== "removeDirectory").flatMap(pathsOf);
  return [...new Set(paths)].map((path) => relative(root, path));
}
