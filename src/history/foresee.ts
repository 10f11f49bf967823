import { type Undone, undoLog } from "../journal/undo.ts";
import { pastLogs, redoableRun, undoableRun } from "./past-runs.ts";
import { journalFolder } from "./turn.ts";

/** What an undo or a redo would do now. `refused` are paths that would stay, because of later changes. */
export type Foreseen = Undone;

/**
 * Plans the undo or the redo of a run without making it. Throws `Refusal` if the run is not there, or undone already.
 *
 * @param root as `Loaf` has it
 */
export async function foresee(root: string, kind: "undo" | "redo", run: number): Promise<Foreseen> {
  const logs = pastLogs(journalFolder(root));
  const { log } = kind === "undo" ? undoableRun(logs, run) : redoableRun(logs, run);
  return undoLog(log, { commit: async (planned) => planned.map(() => ({})) });
}
