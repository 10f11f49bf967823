import { appendToStateFile, readStateFile, removeStateFile } from "../../host/state-file.ts";
import { doneOperations } from "../../workspace/journal/inverse.ts";
import { listSequences, type Log, logPath, logVersion, readLog } from "../../workspace/journal/read-log.ts";
import { attempt, isSystemError } from "../../workspace/volume/system-error.ts";
import { journalFolder } from "../turn.ts";
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
  readonly #runs = new Map<string, number[]>();

  /** Reads what the project's journal still has. */
  static of(root: string): AppliedEdits {
    const applied = new AppliedEdits();
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
    return this.#runs.get(hash)?.pop();
  }
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
