import { appendToStateFile, readStateFile, removeStateFile } from "../state/state-file.ts";
import { choosePins } from "../disk/choose-pins.ts";
import { isState, lookAtIfThere } from "../journal/look-at.ts";
import { doneOperations } from "../journal/inverse.ts";
import { listSequences, type Log, logPath, logVersion, readLog } from "../journal/read-log.ts";
import type { State } from "../disk/operation.ts";
import { attempt, isSystemError } from "../disk/system-error.ts";
import { journalFolder } from "./turn.ts";
import { type Logged, undoneBy } from "./undo-rules.ts";

/** What a finished log tells of edits: lines of a file that can be made again from the logs at any time. */
interface Row extends Logged {
  /** Of the log: size and time. */
  readonly version: string;
  /** The hashes of the blocks whose edits succeeded. */
  readonly edits?: readonly string[];
  /** It changed nothing, or its undo was refused: no part of history. */
  readonly isVoid?: true;
}

const FILE = "edits";

/** The edits of past runs that were not undone, by the hashes of their blocks. As often as a block was applied, it is found once. */
export class AppliedEdits {
  readonly #folder: string;
  readonly #runs = new Map<string, number[]>();
  readonly #gone = new Map<number, boolean>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads what the project's journal still has. */
  static of(root: string): AppliedEdits {
    const applied = new AppliedEdits(journalFolder(root));
    const rows = rowsOf(root).filter(({ isVoid }) => isVoid !== true);
    const undone = undoneBy(rows);
    for (const { kind, sequence, edits = [] } of rows) {
      if (kind !== "run" || undone.has(sequence)) continue;
      for (const hash of edits) applied.#runs.set(hash, [...(applied.#runs.get(hash) ?? []), sequence]);
    }
    return applied;
  }

  /** The last run that applied a block, which then no longer counts for another block of the same hash; undefined where none did. */
  take(hash: string): number | undefined {
    const run = this.#runs.get(hash)?.pop();
    return run === undefined || this.#isGone(run) ? undefined : run;
  }

  /** Whether all that a run changed is again as it was before it: somebody has taken it back with git, or by hand. */
  #isGone(run: number): boolean {
    const known = this.#gone.get(run);
    if (known !== undefined) return known;
    const log = readable(() => readLog(logPath(this.#folder, run)));
    const isGone = log !== undefined && isTakenBack(log);
    this.#gone.set(run, isGone);
    return isGone;
  }
}

function isTakenBack(log: Log): boolean {
  const before = new Map<string, State | null>();
  for (const { intent } of doneOperations(log)) {
    const { operation } = intent;
    if (operation.kind === "rename") {
      if (!before.has(operation.from)) before.set(operation.from, intent.moved ?? null);
      if (!before.has(operation.to)) before.set(operation.to, intent.before);
    } else if (operation.kind !== "makeDirectory" && !before.has(operation.path)) before.set(operation.path, intent.before);
  }
  const pins = choosePins();
  return before.size > 0 && [...before].every(([path, state]) => isState(readable(() => lookAtIfThere(pins, path))?.state, state));
}

/** In the order of the logs. Of those that have ended each is read once. */
function rowsOf(root: string): Row[] {
  const folder = journalFolder(root);
  const known = new Map(parsed(readStateFile(root, FILE) ?? "").map((row) => [row.sequence, row]));
  const sequences = listSequences(folder);
  const rows: Row[] = [];
  const added: Row[] = [];
  for (const sequence of sequences) {
    const file = logPath(folder, sequence);
    const version = logVersion(file);
    const old = known.get(sequence);
    if (old?.version === version) {
      rows.push(old);
      continue;
    }
    const log = readable(() => readLog(file));
    if (log === undefined) continue;
    const row = rowOf(log, version);
    rows.push(row);
    if (log.end !== undefined) added.push(row);
  }
  // Most of it is about logs that were dropped.
  const isStale = known.size > 2 * rows.length + 100;
  attempt(() => {
    if (isStale) removeStateFile(root, FILE);
    else if (added.length > 0) appendToStateFile(root, FILE, added.map((row) => `${JSON.stringify(row)}\n`).join(""));
  });
  return rows;
}

function rowOf(log: Log, version: string): Row {
  const { header: { sequence, kind, of }, end } = log;
  const isVoid = doneOperations(log).length === 0 && !(kind === "undo" && end?.summary !== undefined);
  return { version, sequence, kind, of, ...(end?.edits !== undefined && { edits: end.edits }), ...(isVoid && { isVoid }) };
}

/** Undefined where the system refuses: such a log is left out everywhere. */
function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (thrown) {
    if (isSystemError(thrown)) return undefined;
    throw thrown;
  }
}

/** A line that a power cut has torn does not count. */
function parsed(text: string): Row[] {
  return text.split("\n").flatMap((line) => {
    try {
      const row = JSON.parse(line) as Row | null;
      return typeof row?.version === "string" ? [row] : [];
    } catch {
      return [];
    }
  });
}
