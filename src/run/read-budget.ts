import { Failed } from "../core/failure.ts";
import type { UndoLog } from "../core/undo-log.ts";
import type { Workspace } from "../files/workspace.ts";

/** UTF-16 units. What was read stays in memory for the report, and grows up to sixfold in JSON, where a string has an end as well. */
const MOST_READ = 2 ** 26;

/** Bounds what all actions of one run read together, each through the workspace it is given here. */
export function createReadBudget(undo: UndoLog): (workspace: Workspace) => Workspace {
  let left = MOST_READ;
  return (workspace) => ({
    ...workspace,
    read(path) {
      // Once it is used up nothing more is read, or the reading alone would take hours.
      const text = left < 0 ? "" : workspace.read(path);
      const before = left;
      undo.note(() => (left = before));
      left -= text.length;
      if (left < 0) throw new Failed({ code: "file/read-budget", path, limit: MOST_READ });
      return text;
    },
  });
}
