import { Failed } from "../core/failure.ts";
import type { UndoLog } from "../core/undo-log.ts";
import type { Workspace } from "../files/workspace.ts";

/** UTF-16 units. The text stays in memory for the report, and may grow sixfold in JSON, where string length is limited too. */
const MAX_READ = 2 ** 26;

/** Limits what all actions of one run read together, each through a workspace wrapped here. */
export function createReadBudget(undo: UndoLog): (workspace: Workspace) => Workspace {
  let left = MAX_READ;
  return (workspace) => ({
    ...workspace,
    read(path) {
      // Once the budget is used up, nothing more is read, because reading alone could take hours.
      const text = left < 0 ? "" : workspace.read(path);
      const before = left;
      undo.note(() => (left = before));
      left -= text.length;
      if (left < 0) throw new Failed({ code: "file/read-budget", path, limit: MAX_READ });
      return text;
    },
  });
}
