import { performance } from "node:perf_hooks";
import type { Failure } from "../../core/failure.ts";
import { type Entry, failureAt } from "./attempts.ts";
import { choosePins } from "../volume/choose-pins.ts";
import { commit } from "./commit.ts";
import type { LogHeader } from "./log-record.ts";
import { LogWriter } from "./log-writer.ts";
import type { Staged } from "../volume/operation.ts";
import { PathMap } from "../volume/path-map.ts";
import type { Pins } from "../volume/pin.ts";
import { attempt } from "../volume/system-error.ts";
import type { Version } from "../volume/volume.ts";

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

/** One run's way to the disk. Its log comes to be with the first commit: a run that changes nothing leaves none. */
export class Journal {
  readonly #folder: string;
  readonly #options: JournalOptions;
  readonly #pins: Pins;
  readonly #started = new Date().toISOString();
  readonly #start = performance.now();
  #log: LogWriter | undefined;
  #isWhole = true;

  /** @param folder of all logs of the project; it exists */
  static create(folder: string, options: JournalOptions): Journal {
    return new Journal(folder, options);
  }

  private constructor(folder: string, options: JournalOptions) {
    [this.#folder, this.#options, this.#pins] = [folder, options, options.pins ?? choosePins()];
  }

  /** The run's place in the order of all; undefined as long as nothing was committed. */
  get sequence(): number | undefined {
    return this.#log?.sequence;
  }

  /**
   * Makes operations: durably, in their order, and each wholly or not at all. What fails is an outcome; what depends on it fails too,
   * and with `isAtomic` everything else. Also makes the log where there are no operations.
   */
  async commit(staged: readonly Staged[], { atomic }: { readonly atomic: boolean }): Promise<Committed> {
    const entries: Entry[] = staged.map((one) => ({ ...one }));
    const versions = new PathMap<Version | null>();
    try {
      const log = this.#open();
      this.#isWhole = await commit(entries, { pins: this.#pins, log, versions, isAtomic: atomic, isReversal: this.#options.kind === "undo", takesBack: false });
    } catch (thrown) {
      for (const entry of entries) entry.failure = failureAt({ path: this.#folder }, thrown);
    }
    const changed = [...versions.entries()].flatMap(([path, version]) => (version === null ? [] : [[path, version] as const]));
    return { outcomes: entries.map(({ failure }) => (failure === undefined ? {} : { failure })), versions: new Map(changed) };
  }

  /** Ends the log. Does not throw: what is done is done. */
  finish({ summary, kept = [] }: { readonly summary?: string; readonly kept?: readonly string[] } = {}): void {
    const log = this.#log;
    if (log === undefined) return;
    // Without an end it is for recovery.
    if (this.#isWhole) log.append({ type: "end", duration: Math.round(performance.now() - this.#start), ...(summary !== undefined && { summary }), ...(kept.length > 0 && { kept }) });
    attempt(() => log.flush());
    attempt(() => log.close());
  }

  #open(): LogWriter {
    const { kind, of, root, transaction, newest } = this.#options;
    this.#log ??= LogWriter.create(this.#folder, { kind, ...(of !== undefined && { of }), started: this.#started, root, transaction }, newest);
    return this.#log;
  }
}
