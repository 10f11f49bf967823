/** How the last run of a project went, also if it changed nothing. */
import { tryOr } from "../core/errors.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import { readStateFile, writeStateFile } from "../state/state-file.ts";

export interface LastRun {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Blocks that failed, or could not be read. */
  readonly failed: number;
  /** Its number in the log. Absent if it changed nothing. */
  readonly run?: number | undefined;
}

const FILE = "last-run.json";

/**
 * Notes the end of a run, unless its answer had no block. Ignores write failures: the run itself is done.
 *
 * @param run its number in the log, if it changed anything
 */
export function noteLastRun(root: string, result: ExecutionResult, run: number | undefined): void {
  const { totalBlocks, results, parseErrors } = result;
  if (totalBlocks + parseErrors.length === 0) return;
  const unread = new Set(parseErrors.map(({ blockStartLine }) => blockStartLine));
  const last: LastRun = {
    at: new Date().toISOString(),
    failed: results.filter(({ success }) => !success).length + unread.size,
    run,
  };
  tryOr(() => writeStateFile(root, FILE, JSON.stringify(last)), undefined);
}

/** Returns undefined if there is none, or the record is unreadable. */
export function readLastRun(root: string): LastRun | undefined {
  return tryOr(() => (JSON.parse(readStateFile(root, FILE) ?? "null") as LastRun | null) ?? undefined, undefined);
}
