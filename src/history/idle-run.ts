/** The last run of a project that changed nothing: it has no log. */
import { tryOr } from "../core/errors.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import { readStateJson, writeStateFile } from "../state/state-file.ts";

export interface IdleRun {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Number of its blocks that failed or could not be read. */
  readonly failed: number;
}

const FILE = "last-run.json";

/** Ignores write failures: the run itself is done. */
export function noteIdleRun(root: string, failed: number): void {
  const run: IdleRun = { at: new Date().toISOString(), failed };
  tryOr(() => writeStateFile(root, FILE, JSON.stringify(run)), undefined);
}

/** Returns the number of blocks that failed or could not be read. */
export function failedBlocks({ results, parseErrors }: Pick<ExecutionResult, "results" | "parseErrors">): number {
  const unread = new Set(parseErrors.map(({ blockStartLine }) => blockStartLine));
  return results.filter(({ success }) => !success).length + unread.size;
}

/** Returns undefined if there is none, or the record is unreadable. */
export function readIdleRun(root: string): IdleRun | undefined {
  return tryOr(() => readStateJson(root, FILE) as IdleRun | undefined, undefined);
}
