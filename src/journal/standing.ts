import { exists } from "./apply.ts";
import type { IntentRecord, LoggedOutcome } from "./log-record.ts";
import { isSameOne, isState, type Look, lookAtIfThere, type Other } from "./look-at.ts";
import type { State } from "../disk/operation.ts";
import type { Pins } from "../disk/pin.ts";
import type { Step } from "./prepare.ts";

/** What can be seen of an operation that a crash has interrupted, or not. */
export type Standing =
  /** `isCertain`: nothing but the operation can have brought it about. */
  | { readonly is: "done"; readonly outcome: LoggedOutcome; readonly isCertain: boolean }
  | { readonly is: "pending"; readonly step: Step }
  /** Nothing is done, and what it would put in place is not there. */
  | { readonly is: "lost" }
  /** Somebody else has changed what it is about. `isMade`: after it, so its new file is gone. */
  | { readonly is: "changed"; readonly isMade: boolean };

/** Tells by looking whether an operation was made. */
export function standingOf(pins: Pins, intent: IntentRecord): Standing {
  const { operation, before, after } = intent;
  switch (operation.kind) {
    case "write":
      return standingOfFile(pins, intent, operation.path, { kind: "file", ...(after ?? { size: 0, sha256: "" }) });
    case "link":
      return standingOfFile(pins, intent, operation.path, { kind: "link", target: operation.target });
    case "unlink": {
      const found = lookAtIfThere(pins, operation.path);
      if (found === undefined) return { is: "done", outcome: {}, isCertain: true };
      return isState(found.state, before) ? { is: "pending", step: { intent, expected: found.version } } : CHANGED;
    }
    case "rename":
      return standingOfRename(pins, intent, operation);
    case "makeDirectory":
    case "removeDirectory": {
      const found = lookAtIfThere(pins, operation.path);
      const isMaking = operation.kind === "makeDirectory";
      if (found !== undefined && found.state.kind !== "directory") return CHANGED;
      const isDone = (found !== undefined) === isMaking;
      return isDone ? { is: "done", outcome: {}, isCertain: !isMaking } : { is: "pending", step: { intent, expected: null } };
    }
  }
}

const CHANGED: Standing = { is: "changed", isMade: false };

function standingOfFile(pins: Pins, intent: IntentRecord, path: string, wanted: State): Standing {
  const { before, temporary = "" } = intent;
  const waiting = lookAtIfThere(pins, temporary);
  const waits = isState(waiting?.state, wanted);
  const found = lookAtIfThere(pins, path);
  if (waiting?.state.kind === "other") return CHANGED;
  const isOld = isState(found?.state, before);
  if (waits) return isOld ? { is: "pending", step: { intent, expected: found?.version ?? null } } : CHANGED;
  if (isState(found?.state, wanted)) return { is: "done", outcome: found?.state.kind === "file" ? modeOf(found.state) : {}, isCertain: !isOld };
  return isOld ? { is: "lost" } : { is: "changed", isMade: true };
}

function standingOfRename(pins: Pins, intent: IntentRecord, { from, to }: { readonly from: string; readonly to: string }): Standing {
  const { before, moved, temporary, aside } = intent;
  const [source, target] = [lookAtIfThere(pins, from), lookAtIfThere(pins, to)];
  const isFree = isState(target?.state, before);
  const step: Step = { intent, expected: isFree ? (target?.version ?? null) : "changed", ...(source !== undefined && { expectedFrom: source.version }) };
  if (aside !== undefined && temporary !== undefined) {
    const waits = exists(pins, temporary);
    // The only original: it is put in place or back, whatever stands there by now.
    if (exists(pins, aside) && (waits || !isMoved(target, moved, true))) return { is: "pending", step };
    if (!waits) return isMoved(target, moved, true) ? { is: "done", outcome: {}, isCertain: true } : { is: "lost" };
  }
  if (isMoved(source, moved, false)) return isFree ? { is: "pending", step } : CHANGED;
  if (!isMoved(target, moved, false)) return CHANGED;
  return { is: "done", outcome: target?.state.kind === "file" ? modeOf(target.state) : {}, isCertain: true };
}

/** @param isCopied a copied directory is another one than that which was moved */
function isMoved(found: Look<State | Other> | undefined, moved: State | undefined, isCopied: boolean): boolean {
  if (found === undefined || moved === undefined) return false;
  return isCopied ? isState(found.state, moved) : isSameOne(found.state, moved);
}

function modeOf({ mode }: { readonly mode?: number }): LoggedOutcome {
  return mode === undefined ? {} : { mode };
}
