import { lstatSync } from "node:fs";
import type { Put } from "../core/change-set.ts";
import { tryOr } from "../core/errors.ts";
import { attempt, unlessSystemError } from "../disk/system-error.ts";
import { hasChanges, PastFiles } from "../journal/change-set.ts";
import { listSequences, logPath, readLog } from "../journal/log.ts";
import { readStateJson, writeStateFile } from "../state/state-file.ts";
import { type Logged, undoneBy } from "./past-runs.ts";
import { journalFolder } from "./turn.ts";

/** The edits of a finished log, cached because a long history has hundreds of logs. */
interface Row extends Omit<Logged, "kind"> {
  /** Version of the log: size and time. */
  readonly version: string;
  /** Void if the run changed nothing, or the undo was refused: not part of history. */
  readonly kind: Logged["kind"] | "void";
  /** Keys of the edits that succeeded. */
  readonly edits?: readonly string[] | undefined;
}

const FILE = "edits";

/** Edits of past runs that are not undone, by their key. */
export class AppliedEdits {
  readonly #folder: string;
  readonly #runs = new Map<string, number>();
  readonly #changes = new Map<number, RunChanges>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads the project's journal. */
  static of(root: string): AppliedEdits {
    const applied = new AppliedEdits(journalFolder(root));
    const rows = rowsOf(root).filter((row): row is Row & Logged => row.kind !== "void");
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
    const after = this.#changesOf(run).puts.get(path)?.after;
    return after?.kind === "file" ? after.sha256 : undefined;
  }

  /** Returns the text of a file before a run. */
  textBefore(run: number, path: string): string | undefined {
    const { puts, files } = this.#changesOf(run);
    const before = puts.get(path)?.before ?? null;
    return files.before({ path, before })?.toString();
  }

  #changesOf(run: number): RunChanges {
    let changes = this.#changes.get(run);
    if (changes === undefined) {
      const log = unlessSystemError(() => readLog(logPath(this.#folder, run)), undefined);
      const files = new PastFiles(log === undefined ? [] : [log]);
      changes = { puts: new Map(files.changes.map((put) => [put.path, put])), files };
      this.#changes.set(run, changes);
    }
    return changes;
  }
}

/** What a run changed, by its path, and the content of files before it. */
interface RunChanges {
  readonly puts: ReadonlyMap<string, Put>;
  readonly files: PastFiles;
}

/** Returns rows in the order of the logs. Reads each finished log only once. */
function rowsOf(root: string): Row[] {
  const folder = journalFolder(root);
  const known = new Map(knownRows(root).map((row) => [row.sequence, row]));
  let isNew = false;
  const rows = listSequences(folder).flatMap((sequence): Row | [] => {
    const file = logPath(folder, sequence);
    const { size, mtimeMs } = lstatSync(file, { throwIfNoEntry: false }) ?? {};
    const version = `${size} ${mtimeMs}`;
    const row = known.get(sequence);
    if (row?.version === version) return row;
    const log = unlessSystemError(() => readLog(file), undefined);
    if (log === undefined) return [];
    isNew = true;
    const { of, end } = log;
    const kind = hasChanges(log) || (log.kind === "undo" && end?.summary !== undefined) ? log.kind : "void";
    // A log without an end may still be written.
    return { version: end === undefined ? "" : version, sequence, kind, of, edits: end?.edits };
  });
  if (isNew) attempt(() => writeStateFile(root, FILE, JSON.stringify(rows)));
  return rows;
}

/** Returns none if the cache is missing or damaged. */
function knownRows(root: string): readonly Row[] {
  const rows = tryOr(() => readStateJson(root, FILE), undefined);
  return Array.isArray(rows) ? rows.filter((row: Row | null) => typeof row?.version === "string") : [];
}
