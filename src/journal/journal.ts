import { unlinkSync } from "node:fs";
import { relative, sep } from "node:path";
import type { ChangeSet, Put } from "../core/change-set.ts";
import type { Planned } from "../disk/planned.ts";
import { attempt } from "../disk/system-error.ts";
import type { Version } from "../disk/volume.ts";
import { applyChanges, type ApplyOptions, type RolledBack, takeBack } from "./apply.ts";
import { failureAt, type Outcome } from "./put.ts";
import { recordHookChanges, type TakenBack, takenBack, type WatchedPath } from "./hook-changes.ts";
import type { EndRecord, LogHeader, MovedRecord, MovingRecord } from "./log-record.ts";
import { LogWriter } from "./log-writer.ts";
import { compose } from "./change-set.ts";
import { PastFiles } from "./past-files.ts";
import { donePuts, type Log } from "./read-log.ts";

export type JournalOptions = Pick<LogHeader, "kind" | "of" | "setsAside" | "root">;

/**
 * Brings one run's changes to the disk. Creates the log at the first commit or hook, so a run without changes leaves
 * none.
 */
export class Journal {
  readonly #folder: string;
  readonly #options: JournalOptions;
  readonly #newest: number | undefined;
  readonly #started = new Date().toISOString();
  readonly #start = performance.now();
  #log: LogWriter | undefined;
  #lastRead: Log | undefined;
  #isWhole = true;
  /** Whether the log has content worth keeping. */
  #isNeeded = false;
  #isUnconfined = false;
  readonly #versions = new Map<string, Version>();

  /**
   * @param folder of the project's logs; it must exist
   * @param newest sequence of its newest log, as listed in this turn: others make no logs meanwhile
   */
  constructor(folder: string, options: JournalOptions, newest?: number) {
    [this.#folder, this.#options, this.#newest] = [folder, options, newest];
  }

  /** Position in the order of all runs. Undefined until something is committed. */
  get sequence(): number | undefined {
    return this.#isNeeded ? this.#log?.sequence : undefined;
  }

  /** Returns the current log, including records that the disk had no room for. Undefined if there is none. */
  read(): Log | undefined {
    const log = this.#log;
    if (log === undefined) return undefined;
    attempt(() => log.flush());
    if (this.#lastRead?.digest !== log.digest) this.#lastRead = log.toLog();
    return this.#lastRead;
  }

  /** Versions of all files written or moved so far, by path. */
  get versions(): ReadonlyMap<string, Version> {
    return this.#versions;
  }

  /**
   * Makes changes durably, each entirely or not at all. Returns the outcome of each; dependent changes fail too. With
   * `atomic`, one failure fails them all. Creates the log even without changes.
   *
   * @param options.continues whether more commits of the same atomic unit follow
   */
  async commit(
    planned: readonly Planned[],
    { atomic, continues = false }: { readonly atomic: boolean; readonly continues?: boolean },
  ): Promise<{ readonly outcomes: readonly Outcome[] }> {
    try {
      this.#isNeeded = true;
      const options = { ...this.#optionsFor(this.#open()), isAtomic: atomic, continues };
      const { outcomes, isWhole } = await applyChanges(planned, options);
      this.#isWhole = isWhole;
      for (const [index, { version }] of outcomes.entries())
        if (version !== undefined) this.#versions.set(planned[index]?.path ?? "", version);
      return { outcomes };
    } catch (thrown) {
      return { outcomes: planned.map(() => ({ failure: failureAt([this.#folder], thrown) })) };
    }
  }

  /** Records a hook's changes of the run's files as the run's own. Throws if it cannot; then nothing is recorded. */
  async recordHookChanges(watched: readonly WatchedPath[]): Promise<void> {
    if (watched.length === 0) return;
    if (await recordHookChanges(watched, this.#open())) this.#isNeeded = true;
  }

  /** Returns which changes hooks took back: see `takenBack` of hook-changes.ts. */
  takenBack(): TakenBack {
    const log = this.read();
    return log === undefined ? new Map() : takenBack(log);
  }

  /**
   * Records that a command is about to work on the files themselves, so that the run has a log. Throws if it cannot.
   */
  recordUnconfined(): void {
    if (this.#isUnconfined) return;
    this.#open().write({ type: "unconfined" });
    this.#isUnconfined = this.#isNeeded = true;
  }

  /** Whether an atomic change failed and could not be rolled back entirely. Recovery will try again. */
  get isTorn(): boolean {
    return !this.#isWhole;
  }

  /** Whether a command of the run worked on the files themselves. */
  get isUnconfined(): boolean {
    return this.#isUnconfined;
  }

  /** Records a move of HEAD in the user's repository, for undo and recovery. Throws if the log cannot be written. */
  recordHeadMove(record: MovingRecord | MovedRecord): void {
    this.#open().write(record);
  }

  /**
   * Rolls back what was flushed of an atomic run. Returns the files that stay because somebody else changed them. After
   * a system error, returns the error, and recovery will try again.
   */
  async rollBack(): Promise<RolledBack> {
    if (this.#log === undefined) return { kept: [] };
    const rolledBack = await takeBack(this.#optionsFor(this.#log));
    this.#isWhole = rolledBack.failure === undefined;
    return rolledBack;
  }

  /**
   * Ends the log. Never throws, because the changes are already made.
   *
   * @param end.isNoop whether the run left everything as it was: nothing to undo, so the log is removed
   */
  finish({ isNoop = false, ...end }: Omit<EndRecord, "type" | "duration"> & { readonly isNoop?: boolean } = {}): void {
    const log = this.#log;
    if (log === undefined) return;
    // Recovery needs the log of an incomplete run.
    if (isNoop && this.#isWhole && !this.#isUnconfined) this.#isNeeded = false;
    // A log without an end record is left to recovery.
    const duration = Math.round(performance.now() - this.#start);
    attempt(() => {
      if (this.#isWhole) log.write({ type: "end", duration, ...end });
      else log.flush();
    });
    attempt(() => log.close());
    if (!this.#isNeeded) attempt(() => unlinkSync(log.path));
  }

  #optionsFor(log: LogWriter): ApplyOptions {
    return { log, isAtomic: true, isReversal: this.#options.kind === "undo" };
  }

  #open(): LogWriter {
    return (this.#log ??= LogWriter.create(this.#folder, { ...this.#options, started: this.#started }, this.#newest));
  }
}

/** The net changes of a run, by its actions, commands and hooks, as recorded in its log. */
export interface RunFootprint {
  /** State before and after the run, with digests and modes. Sorted by absolute path. */
  readonly changes: ChangeSet;
  /**
   * Files changed by actions and commands, without those that only hooks changed. Relative to the root, in the order of
   * the first change.
   */
  readonly modifiedFiles: readonly string[];
}

/** @param log undefined for a run that changed nothing */
export function footprintOf(log: Log | undefined, root: string, placeOf: (path: string) => number): RunFootprint {
  const done = log === undefined ? [] : donePuts(log);
  const changes = compose(done);
  const byActions = done.filter(({ authors }) => authors.some((author) => author > 0));
  const isChanged = new Set(filesOf(changes));
  const modified = filesOf(byActions.length === done.length ? changes : compose(byActions)).filter((path) =>
    isChanged.has(path),
  );
  const modifiedFiles = modified
    .toSorted((left, right) => (placeOf(left) < placeOf(right) ? -1 : Number(placeOf(left) > placeOf(right))))
    .map((path) => relative(root, path).split(sep).join("/"));
  return { changes, modifiedFiles };
}

function filesOf(changes: ChangeSet): string[] {
  return [
    ...new Set(changes.filter(isOfFile).flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]))),
  ];
}

/** Returns whether a change concerns a file or link. A moved directory counts, because its files moved. */
export function isOfFile({ before, after, from }: Put): boolean {
  return from !== undefined || [before, after].some((state) => state !== null && state.kind !== "directory");
}

/**
 * Returns a file's pre-image from before an action's command, taken from the run's log. Undefined where the log has
 * none.
 */
export function bytesBeforeCommand(log: Log | undefined, path: string, author: number): Buffer | undefined {
  if (log === undefined) return undefined;
  const step = donePuts(log).find(
    (put) => put.path === path && !put.isRename && put.after?.kind === "file" && put.authors.includes(author),
  );
  return step && new PastFiles([log]).before({ path, before: step.before });
}
