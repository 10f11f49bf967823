import type { Put } from "../core/change-set.ts";
import { tryOr } from "../core/errors.ts";
import { attempt, unlessSystemError } from "../disk/system-error.ts";
import { donePuts, listSequences, type Log, logPath, logVersion, readLog } from "../journal/read-log.ts";
import { compose, hasChanges } from "../journal/change-set.ts";
import { PastFiles } from "../journal/past-files.ts";
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
  readonly #changes = new Map<number, RunChanges>();

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
    const after = this.#changesOf(run).puts.get(path)?.after;
    return after?.kind === "file" ? after.sha256 : undefined;
  }

  /** Returns the text of a file before a run. */
  textBefore(run: number, path: string): string | undefined {
    const { puts, files } = this.#changesOf(run);
    const before = puts.get(path)?.before;
    return before?.kind === "file" ? files?.find(path, before, 0)?.toString() : undefined;
  }

  #changesOf(run: number): RunChanges {
    let changes = this.#changes.get(run);
    if (changes === undefined) {
      const log = unlessSystemError(() => readLog(logPath(this.#folder, run)), undefined);
      const puts = log === undefined ? [] : compose(donePuts(log));
      changes = {
        puts: new Map(puts.map((put) => [put.path, put])),
        files: log === undefined ? undefined : new PastFiles([log]),
      };
      this.#changes.set(run, changes);
    }
    return changes;
  }
}

/** What a run changed, by its path, and the content of files before it. */
interface RunChanges {
  readonly puts: ReadonlyMap<string, Put>;
  readonly files: PastFiles | undefined;
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
  const isVoid = !hasChanges(log) && !(kind === "undo" && end?.summary !== undefined);
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
