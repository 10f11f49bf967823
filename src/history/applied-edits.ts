import { tryOr } from "../core/errors.ts";
import { choosePins } from "../disk/choose-pins.ts";
import { isState, lookAtIfThere } from "../disk/look-at.ts";
import type { State } from "../disk/operation.ts";
import { attempt, unlessSystemError } from "../disk/system-error.ts";
import { doneOperations, listSequences, type Log, logPath, logVersion, readLog } from "../journal/read-log.ts";
import { appendToStateFile, readStateFile, removeStateFile } from "../state/state-file.ts";
import { type Logged, undoneBy } from "./past-runs.ts";
import { journalFolder } from "./turn.ts";

/** The edits of a finished log: one line of a cache file, which can be rebuilt from the logs at any time. */
interface Row extends Logged {
  /** Version of the log: size and time. */
  readonly version: string;
  /** Hashes of the blocks whose edits succeeded. */
  readonly edits?: readonly string[];
  /** The run changed nothing, or the undo was refused: not part of history. */
  readonly isVoid?: true;
}

const FILE = "edits";

/** Edits of past runs that are not undone, by block hash. A block applied twice is found twice. */
export class AppliedEdits {
  readonly #folder: string;
  readonly #runs = new Map<string, number[]>();
  readonly #reverted = new Map<number, boolean>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads the project's journal. */
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

  /**
   * Returns the last run that applied a block and removes that entry. Another block with the same hash finds the run
   * before. Undefined if no run applied it.
   */
  take(hash: string): number | undefined {
    const run = this.#runs.get(hash)?.pop();
    return run === undefined || this.#isReverted(run) ? undefined : run;
  }

  /** Returns the runs that applied some of an answer's items, by their position. */
  runsOf(items: ReadonlyArray<{ readonly hash: string; readonly isEdit: boolean }>): ReadonlyMap<number, number> {
    const found = items.flatMap(({ hash, isEdit }, position): Array<[number, number]> => {
      const run = isEdit ? this.take(hash) : undefined;
      return run === undefined ? [] : [[position, run]];
    });
    return new Map(found);
  }

  /**
   * Returns whether everything that a run changed is as it was before, because somebody reverted it with git or by
   * hand.
   */
  #isReverted(run: number): boolean {
    const known = this.#reverted.get(run);
    if (known !== undefined) return known;
    const log = unlessSystemError(() => readLog(logPath(this.#folder, run)), undefined);
    const isGone = log !== undefined && isReverted(log);
    this.#reverted.set(run, isGone);
    return isGone;
  }
}

function isReverted(log: Log): boolean {
  const before = new Map<string, State | null>();
  for (const { intent } of doneOperations(log)) {
    const { operation } = intent;
    if (operation.kind === "rename") {
      if (!before.has(operation.from)) before.set(operation.from, intent.moved ?? null);
      if (!before.has(operation.to)) before.set(operation.to, intent.before);
    } else if (operation.kind !== "makeDirectory" && !before.has(operation.path))
      before.set(operation.path, intent.before);
  }
  const pins = choosePins();
  return (
    before.size > 0 &&
    [...before].every(([path, state]) =>
      isState(unlessSystemError(() => lookAtIfThere(pins, path), undefined)?.state, state),
    )
  );
}

/** Returns rows in the order of the logs. Reads each finished log only once. */
function rowsOf(root: string): Row[] {
  const folder = journalFolder(root);
  const known = new Map(parseRows(readStateFile(root, FILE) ?? "").map((row) => [row.sequence, row]));
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
    const log = unlessSystemError(() => readLog(file), undefined);
    if (log === undefined) continue;
    const row = rowOf(log, version);
    rows.push(row);
    if (log.end !== undefined) added.push(row);
  }
  // Most cached rows belong to dropped logs.
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
  return {
    version,
    sequence,
    kind,
    of,
    ...(end?.edits !== undefined && { edits: end.edits }),
    ...(isVoid && { isVoid }),
  };
}

/** Skips lines torn by a power cut. */
function parseRows(text: string): Row[] {
  return text.split("\n").flatMap((line) => {
    const row = tryOr(() => JSON.parse(line) as Row | null, null);
    return typeof row?.version === "string" ? [row] : [];
  });
}
