/**
 * Records what hooks changed in files of the run, as a completed group of its log, as if Loaf had made the changes.
 * Undo, redo and other readers of logs need no special case for hooks.
 */
import { isSame, type Other, type State } from "../core/change-set.ts";
import { type Look, look } from "../disk/look.ts";
import type { Pins } from "../disk/pin.ts";
import type { LogWriter } from "./log-writer.ts";

/** A path that the run touched, as it was before a hook. */
export interface WatchedPath {
  /** Canonical. */
  readonly path: string;
  /** Undefined if nothing was there. A file's bytes are in it. */
  readonly before: Look<State | Other> | undefined;
}

/** Records actual changes. Returns false if there are none. If it throws, the log is unchanged. */
export async function recordHookChanges(
  watched: readonly WatchedPath[],
  { pins, log }: { readonly pins: Pins; readonly log: LogWriter },
): Promise<boolean> {
  const forget = log.mark();
  try {
    log.append({ type: "group", isAtomic: false, continues: false, isRollback: false, isObserved: true });
    const outcomes = watched.flatMap(({ path, before }) => {
      const after = newState(before?.state, look(pins, path)?.state);
      if (after === undefined) return [];
      log.append({ type: "put", path, authors: [HOOK], before: keptState(before, log), after });
      return [{}];
    });
    if (outcomes.length === 0) {
      forget();
      return false;
    }
    log.append({ type: "done", outcomes });
    await log.sync();
    return true;
  } catch (thrown) {
    forget();
    throw thrown;
  }
}

/** Author of these puts, in place of an action's position. */
const HOOK = 0;

/** Returns undefined for an unchanged path, and for what could not be undone. */
function newState(before: State | Other | undefined, after: State | Other | undefined): State | null | undefined {
  if (after?.kind === "other" || before?.kind === "other" || before?.kind === "directory") return undefined;
  // A directory in the place of a file is the user's. Undo then finds it, and leaves it.
  if (after === undefined || after.kind === "directory") return before === undefined ? undefined : null;
  return isSame(before, after) ? undefined : after;
}

/** Stores a file's bytes in the log. */
function keptState(before: WatchedPath["before"], log: LogWriter): State | null {
  if (before === undefined || before.state.kind === "other") return null;
  const { state, bytes } = before;
  return state.kind === "file" && bytes !== undefined ? { ...state, image: log.keep(bytes, state.sha256) } : state;
}
