/**
 * Records what hooks changed in files of the run, as a completed group of its log, as if Loaf had made the changes.
 * Undo, redo and other readers of logs need no special case for hooks.
 */
import { isSame, type Other, type State } from "../core/change-set.ts";
import { type Look, look } from "../disk/look.ts";
import { netOf } from "./change-set.ts";
import type { LogWriter } from "./log-writer.ts";
import { PastFiles } from "./past-files.ts";
import { type DonePut, donePuts, type Log } from "./read-log.ts";

/** A path that the run touched, as it was before a hook. */
export interface WatchedPath {
  /** Canonical. */
  readonly path: string;
  /** Undefined if nothing was there. A file's bytes are in it. */
  readonly before: Look<State | Other> | undefined;
}

/** Records actual changes. Returns false if there are none. If it throws, the log is unchanged. */
export async function recordHookChanges(watched: readonly WatchedPath[], log: LogWriter): Promise<boolean> {
  const forget = log.mark();
  try {
    log.append({ type: "group", isAtomic: false, continues: false, isRollback: false, isObserved: true });
    const outcomes = watched.flatMap(({ path, before }) => {
      const after = newState(before?.state, look(path)?.state);
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

/** What hooks took back: by the position of the action, clauses (`is gone`) by path. */
export type TakenBack = ReadonlyMap<number, ReadonlyMap<string, string>>;

/** Returns which changes of a run its hooks took back. A hook that formats files keeps the changes. */
export function takenBack(log: Log): TakenBack {
  const puts = donePuts(log);
  const isHooks = ({ authors }: DonePut): boolean => authors.includes(HOOK);
  const hooked = new Set(puts.filter(isHooks).map(({ path }) => path));
  const clauses = new Map<number, Map<string, string>>();
  if (hooked.size === 0) return clauses;
  const own = puts.filter((put) => !isHooks(put));
  const past = new PastFiles([log]);
  for (const { path, before, after } of netOf(own)) {
    const found = hooked.has(path) ? look(path) : undefined;
    const texts = (): Array<Buffer | undefined> => [
      past.before({ path, before }),
      past.after({ path, after }),
      found?.bytes,
    ];
    const is = hooked.has(path) ? fate(before, after, found?.state, texts) : undefined;
    if (is === undefined) continue;
    const authors = new Set(own.flatMap((put) => (put.path === path ? put.authors : [])));
    for (const author of authors) clauses.set(author, (clauses.get(author) ?? new Map<string, string>()).set(path, is));
  }
  return clauses;
}

/** Returns what became of a path if its change was taken back. */
function fate(
  before: State | null,
  after: State | null,
  found: State | Other | undefined,
  texts: () => Array<Buffer | undefined>,
): string | undefined {
  if (found === undefined) return after === null ? undefined : "is gone";
  if (after === null) return "is there again";
  if (before !== null && isSame(found, before)) return "is as it was";
  const [old, made, now] = texts().map((bytes) => bytes?.toString().split("\n"));
  if (old === undefined || made === undefined || now === undefined) return undefined;
  const added = without(made, old);
  const isLost = added.length > 0 ? without(now, old).length === 0 : without(without(old, made), now).length === 0;
  return isLost ? "is without it" : undefined;
}

/** Returns the lines that are not among others, each of which counts once. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}
