import { unlinkSync } from "node:fs";
import type { Failure } from "../core/failure.ts";
import type { Refused } from "../core/history.ts";
import { type Entry, failureAt, isConflict } from "./attempts.ts";
import { commit, type CommitOptions, takeBack } from "./commit.ts";
import { choosePins } from "../disk/choose-pins.ts";
import { type DoneOperation, doneOperations } from "./inverse.ts";
import type { LogHeader, MovedRecord, MovingRecord } from "./log-record.ts";
import { LogWriter } from "./log-writer.ts";
import { recordDone, type Suspect } from "./record-done.ts";
import type { Log } from "./read-log.ts";
import type { Staged } from "../disk/operation.ts";
import { PathMap } from "../paths/path-map.ts";
import type { Pins } from "../disk/pin.ts";
import { refusalsOf } from "./undo-log.ts";
import { attempt } from "../disk/system-error.ts";
import type { Version } from "../disk/volume.ts";

export interface JournalOptions extends Pick<LogHeader, "kind" | "of" | "root" | "transaction"> {
  readonly pins?: Pins;
  /** The sequence of the newest log so far, where that was looked up. */
  readonly newest?: number;
}

export interface Committed {
  /** Of each operation, in their order. */
  readonly outcomes: ReadonlyArray<{ readonly failure?: Failure }>;
  /** Of the files that were written or moved, by path. */
  readonly versions: ReadonlyMap<string, Version>;
}

/** One run's way to the disk. Its log comes to be with the first commit or hook: a run that changes nothing leaves none. */
export class Journal {
  readonly #folder: string;
  readonly #options: JournalOptions;
  readonly #pins: Pins;
  readonly #started = new Date().toISOString();
  readonly #start = performance.now();
  #log: LogWriter | undefined;
  #lastRead: Log | undefined;
  #isWhole = true;
  /** Whether the log has anything to tell. */
  #isNeeded = false;
  /** All or nothing is on the disk in part. */
  #goesOn = false;
  readonly #left = new Map<string, Version>();

  /** @param folder of all logs of the project; it exists */
  static create(folder: string, options: JournalOptions): Journal {
    return new Journal(folder, options);
  }

  private constructor(folder: string, options: JournalOptions) {
    [this.#folder, this.#options, this.#pins] = [folder, options, options.pins ?? choosePins()];
  }

  /** The run's place in the order of all; undefined as long as nothing was committed. */
  get sequence(): number | undefined {
    return this.#isNeeded ? this.#log?.sequence : undefined;
  }

  /** The log as it is now, also where the disk has no room for the last of it; undefined where there is none. */
  read(): Log | undefined {
    const log = this.#log;
    if (log === undefined) return undefined;
    attempt(() => log.flush());
    if (this.#lastRead?.digest !== log.digest) this.#lastRead = log.told();
    return this.#lastRead;
  }

  /** The versions of the files that it has written or moved so far, by path. */
  get left(): ReadonlyMap<string, Version> {
    return this.#left;
  }

  /**
   * Makes operations: durably, in their order, and each wholly or not at all. What fails is an outcome; what depends on it fails too,
   * and with `isAtomic` everything else. Also makes the log where there are no operations.
   *
   * @param options.goesOn more will come that is all or nothing together with this
   */
  async commit(staged: readonly Staged[], { atomic, goesOn = false }: { readonly atomic: boolean; readonly goesOn?: boolean }): Promise<Committed> {
    const entries: Entry[] = staged.map((one) => ({ ...one }));
    const versions = new PathMap<Version | null>();
    try {
      const earlier = this.#standing();
      this.#isNeeded = true;
      this.#isWhole = await commit(entries, { ...this.#optionsFor(versions), isAtomic: atomic, goesOn, earlier });
      this.#goesOn = goesOn && entries.every(({ failure }) => failure === undefined);
    } catch (thrown) {
      for (const entry of entries) entry.failure = failureAt({ path: this.#folder }, thrown);
    }
    const changed = [...versions.entries()].flatMap(([path, version]) => (version === null ? [] : [[path, version] as const]));
    for (const [path, version] of changed) this.#left.set(path, version);
    return { outcomes: entries.map(({ failure }) => (failure === undefined ? {} : { failure })), versions: new Map(changed) };
  }

  /** Notes what a hook has changed as if the run had. Throws where it cannot: then it was not noted. */
  async noteDone(suspects: readonly Suspect[], since: bigint): Promise<void> {
    if (suspects.length === 0) return;
    const hasChanged = await recordDone(suspects, { pins: this.#pins, log: this.#open(), root: this.#options.root, since });
    if (hasChanged) this.#isNeeded = true;
  }

  /** Notes how HEAD of the user's repository moves, for undo and recovery. Throws where the log cannot be written. */
  note(record: MovingRecord | MovedRecord): void {
    const log = this.#open();
    log.append(record);
    log.flush();
  }

  /**
   * Takes back what all or nothing has brought to the disk. Yields what stays, mostly since somebody else has changed it, and where the system has
   * refused something why: then recovery will try again.
   */
  async takeBack(): Promise<{ readonly stays: readonly Refused[]; readonly trouble?: Failure }> {
    const done = this.#standing();
    if (done.length === 0) return { stays: [] };
    this.#goesOn = false;
    const failed = await takeBack(done, this.#optionsFor(new PathMap()));
    const trouble = failed.map(({ failure }) => failure).find((failure) => failure !== undefined && !isConflict(failure));
    this.#isWhole = trouble === undefined;
    return trouble === undefined ? { stays: refusalsOf(failed, this.#open().path) } : { stays: [], trouble };
  }

  /**
   * Ends the log. Does not throw: what is done is done.
   *
   * @param end.isVain whether all that was done leaves everything as it was: there is nothing to undo, and nothing is kept
   */
  finish({ summary, edits = [], kept = [], isVain = false }: { readonly summary?: string; readonly edits?: readonly string[]; readonly kept?: readonly string[]; readonly isVain?: boolean } = {}): void {
    const log = this.#log;
    if (log === undefined) return;
    // What is not whole is for recovery.
    if (isVain && this.#isWhole) this.#isNeeded = false;
    // Without an end it is for recovery.
    const duration = Math.round(performance.now() - this.#start);
    attempt(() => {
      if (!this.#isWhole) return log.flush();
      log.end({ duration, ...(summary !== undefined && { summary }), ...(edits.length > 0 && { edits }), ...(kept.length > 0 && { kept }) });
      if (this.#isNeeded) log.noteEnded();
    });
    attempt(() => log.close());
    if (!this.#isNeeded) attempt(() => unlinkSync(log.path));
  }

  /** What was done of all or nothing so far. */
  #standing(): DoneOperation[] {
    const log = this.#goesOn ? this.read() : undefined;
    return log === undefined ? [] : doneOperations(log);
  }

  #optionsFor(versions: PathMap<Version | null>): CommitOptions {
    return { pins: this.#pins, log: this.#open(), versions, isAtomic: true, isReversal: this.#options.kind === "undo", takesBack: false };
  }

  #open(): LogWriter {
    const { kind, of, root, transaction, newest } = this.#options;
    this.#log ??= LogWriter.create(this.#folder, { kind, ...(of !== undefined && { of }), started: this.#started, root, transaction }, newest);
    return this.#log;
  }
}
