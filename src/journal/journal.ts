import { unlinkSync } from "node:fs";
import { isSame, type Other, type State } from "../core/change-set.ts";
import { type Look, look } from "../disk/look.ts";
import type { Planned } from "../disk/planned.ts";
import { attempt } from "../disk/system-error.ts";
import type { Version } from "../disk/volume.ts";
import type { ApplyOptions } from "./apply.ts";
import type { EndRecord, Log, LogHeader, MovedRecord, MovingRecord } from "./log.ts";
import { LogWriter } from "./log-writer.ts";
import { failureAt, type OperationOutcome } from "./put.ts";
import { applyUnit, type RolledBack, takeBack } from "./recover.ts";

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
  ): Promise<{ readonly outcomes: readonly OperationOutcome[] }> {
    try {
      this.#isNeeded = true;
      const options = { ...this.#optionsFor(this.#open()), isAtomic: atomic, continues };
      const { outcomes, isWhole } = await applyUnit(planned, options);
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
   * Rolls back what was flushed of an atomic run. After a system error, returns the error, and recovery will try again.
   */
  async rollBack(): Promise<RolledBack> {
    if (this.#log === undefined) return { reverted: [] };
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

/** A path that the run touched, as it was before a hook. */
export interface WatchedPath {
  /** Canonical. */
  readonly path: string;
  /** Undefined if nothing was there. A file's bytes are in it. */
  readonly before: Look<State | Other> | undefined;
}

/**
 * Records what hooks changed in files of the run, as a completed group of its log, as if Loaf had made the changes.
 * Returns false if nothing changed. If it throws, the log is unchanged.
 */
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
export const HOOK = 0;

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
