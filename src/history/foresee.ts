import type { Restored, Refused } from "../core/history.ts";
import { undoLog } from "../journal/undo.ts";
import { pastLogs, redoableRun, undoableRun } from "./past-runs.ts";
import { journalFolder } from "./turn.ts";

/** What an undo or a redo would do now. */
export interface Foreseen {
  readonly restored: readonly Restored[];
  /** Paths that would stay, because of later changes. */
  readonly refused: readonly Refused[];
}

/**
 * Plans the undo or the redo of a run without making it. Throws `Refusal` if the run is not there, or undone already.
 *
 * @param root as `Loaf` has it
 */
export async function foresee(root: string, kind: "undo" | "redo", run: number): Promise<Foreseen> {
  const logs = pastLogs(journalFolder(root));
  const target = kind === "undo" ? undoableRun(logs, run) : redoableRun(logs, run);
  if (target === undefined) return { restored: [], refused: [] };
  return undoLog(target.log, { commit: async (planned) => planned.map(() => ({})) });
}
