import type { Put } from "../core/change-set.ts";
import { tryOr } from "../core/errors.ts";
import { attempt, unlessSystemError } from "../disk/system-error.ts";
import { doneOperations, listSequences, type Log, logPath, logVersion, readLog } from "../journal/read-log.ts";
import { compose } from "../journal/change-set.ts";
import { appendToStateFile, readStateFile, removeStateFile } from "../state/state-file.ts";
import { type Logged, undoneBy } from "./past-runs.ts";
import { journalFolder } from "./turn.ts";

/** The edits of a finished log: one line of a cache file, which can be rebuilt from the logs at any time. */
interface Row extends Logged {
  /** Version of the log: size and time. */
  readonly version: string;
  /** Keys of the edits that succeeded. */
  readonly edits?: readonly string[];
  /** The run changed nothing, or the undo was refused: not part of history. */
  readonly isVoid?: true;
}

const FILE = "edits";

/** Edits of past runs that are not undone, by their key. */
export class AppliedEdits {
  readonly #folder: string;
  readonly #runs = new Map<string, number>();
  readonly #left = new Map<number, ReadonlyMap<string, string>>();

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
      for (const key of edits) applied.#runs.set(key, sequence);
    }
    return applied;
  }

  /** Returns the last run that made an edit. */
  runOf(key: string): number | undefined {
    return this.#runs.get(key);
  }

  /** Returns the SHA-256 of a file, in hexadecimal, as a run left it. */
  leftBy(run: number, path: string): string | undefined {
    let left = this.#left.get(run);
    if (left === undefined) {
      const log = unlessSystemError(() => readLog(logPath(this.#folder, run)), undefined);
      left = new Map(log === undefined ? [] : compose(doneOperations(log)).flatMap(fileLeft));
      this.#left.set(run, left);
    }
    return left.get(path);
  }
}

function fileLeft({ path, after }: Put): ReadonlyArray<readonly [string, string]> {
  return after?.kind === "file" ? [[path, after.sha256]] : [];
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
  const {
    header: { sequence, kind, of },
    end,
  } = log;
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
