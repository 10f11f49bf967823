import { isSame, type Other, type State } from "../core/change-set.ts";
import { type Look, look } from "../disk/look.ts";
import type { Pins } from "../disk/pin.ts";
import { exists } from "./apply.ts";
import type { IntentRecord, LoggedOutcome } from "./log-record.ts";
import type { Step } from "./prepare.ts";
/** What the file system shows of an operation that a crash may have interrupted. */
export type OperationStatus =
  /** `isCertain`: only the operation itself can have caused this state. */
  | { readonly is: "done"; readonly outcome: LoggedOutcome; readonly isCertain: boolean }
  | { readonly is: "pending"; readonly step: Step }
  /** The operation was not made, and its temporary file is missing. */
  | { readonly is: "lost" }
  /** Somebody else changed the path before the operation was made. */
  | { readonly is: "changed" }
  /** Somebody else changed the path, probably after the operation, because its temporary file is gone. */
  | { readonly is: "overwritten" };

/** Inspects the file system to find out whether an operation was made. */
export function statusOf(pins: Pins, intent: IntentRecord): OperationStatus {
  const { operation, before, after } = intent;
  switch (operation.kind) {
    case "write":
      return statusOfFile(pins, intent, operation.path, { kind: "file", ...(after ?? { size: 0, sha256: "" }) });
    case "link":
      return statusOfFile(pins, intent, operation.path, { kind: "link", target: operation.target });
    case "unlink": {
      const found = look(pins, operation.path);
      if (found === undefined) return { is: "done", outcome: {}, isCertain: true };
      return isSame(found.state, before) ? { is: "pending", step: { intent, expected: found.version } } : CHANGED;
    }
    case "rename":
      return statusOfRename(pins, intent, operation);
    case "makeDirectory":
    case "removeDirectory": {
      const found = look(pins, operation.path);
      const isCreation = operation.kind === "makeDirectory";
      if (found !== undefined && found.state.kind !== "directory") return CHANGED;
      const isDone = (found !== undefined) === isCreation;
      return isDone
        ? { is: "done", outcome: {}, isCertain: !isCreation }
        : { is: "pending", step: { intent, expected: null } };
    }
  }
}

const CHANGED: OperationStatus = { is: "changed" };

function statusOfFile(pins: Pins, intent: IntentRecord, path: string, wanted: State): OperationStatus {
  const { before, temporary = "" } = intent;
  const waiting = look(pins, temporary);
  const isWaiting = isSame(waiting?.state, wanted);
  const found = look(pins, path);
  if (waiting?.state.kind === "other") return CHANGED;
  const isOld = isSame(found?.state, before);
  if (isWaiting) return isOld ? { is: "pending", step: { intent, expected: found?.version ?? null } } : CHANGED;
  if (isSame(found?.state, wanted))
    return { is: "done", outcome: found?.state.kind === "file" ? modeOf(found.state) : {}, isCertain: !isOld };
  return { is: isOld ? "lost" : "overwritten" };
}

function statusOfRename(
  pins: Pins,
  intent: IntentRecord,
  { from, to }: { readonly from: string; readonly to: string },
): OperationStatus {
  const { before, moved, temporary, aside } = intent;
  const [source, target] = [look(pins, from), look(pins, to)];
  const isFree = isSame(target?.state, before);
  const step: Step = {
    intent,
    expected: isFree ? (target?.version ?? null) : "changed",
    ...(source !== undefined && { expectedFrom: source.version }),
  };
  if (aside !== undefined && temporary !== undefined) {
    const waits = exists(pins, temporary);
    // This is the only original: rename it into place or back, whatever is there now.
    if (exists(pins, aside) && (waits || !isMoved(target, moved))) return { is: "pending", step };
    if (!waits) return isMoved(target, moved) ? { is: "done", outcome: {}, isCertain: true } : { is: "lost" };
  }
  if (isMoved(source, moved)) return isFree ? { is: "pending", step } : CHANGED;
  if (!isMoved(target, moved)) return CHANGED;
  return { is: "done", outcome: target?.state.kind === "file" ? modeOf(target.state) : {}, isCertain: true };
}

function isMoved(found: Look<State | Other> | undefined, moved: State | undefined): boolean {
  return found !== undefined && moved !== undefined && isSame(found.state, moved);
}

function modeOf({ mode }: { readonly mode?: number }): LoggedOutcome {
  return mode === undefined ? {} : { mode };
}
