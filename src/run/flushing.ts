import type { ContextSet } from "../context/context-set.ts";
import { explain, Failed, type Failure, failureOf } from "../core/failure.ts";
import type { Overlay } from "../disk/overlay.ts";
import { describeReversal } from "../history/undo.ts";
import type { Journal } from "../journal/journal.ts";

export interface FlushingOptions {
  readonly overlay: Overlay;
  /** None for a dry run, whose changes stay on the overlay. */
  readonly journal: Journal | undefined;
  /** Whether all changes of the run are one unit. */
  readonly isAtomic: boolean;
  /** Returns the context set, if any action has used it. */
  context(): ContextSet | undefined;
  notify(notice: string): void;
}

type Failures = ReadonlyMap<number, Failure>;

/** Brings the changes of a session to the disk. Returns failures of actions, by their position. */
export class Flushing {
  readonly #options: FlushingOptions;
  /** Failures of actions already reported as successful. */
  #lateFailures = new Map<number, Failure>();
  /** Actions whose atomic changes were flushed early. */
  readonly #flushedEarly = new Set<number>();

  constructor(options: FlushingOptions) {
    this.#options = options;
  }

  /** Flushes during the run. Does nothing in an atomic run. */
  async flush(): Promise<Failures> {
    return this.#withLate(this.#options.isAtomic ? [] : [...(await this.commit()), ...this.#settleContext()]);
  }

  /** Flushes before a command that works on a view of the disk. */
  async flushForView(): Promise<void> {
    this.#noteLate(await this.commit());
  }

  /**
   * Flushes before a program that works on the files themselves. Throws `run/not-whole` if an atomic run has failed.
   */
  async flushForProgram(): Promise<void> {
    const { isAtomic } = this.#options;
    const failures = await this.commit({ continues: isAtomic });
    this.#noteLate(failures);
    if (!isAtomic) return this.#noteLate(this.#settleContext());
    if (failures.size > 0) throw new Failed({ code: "run/not-whole" });
  }

  /** Whether an atomic run was not whole, so that nothing of it is left. */
  isRolledBack = false;

  /** Flushes at the end of the run, or rolls back an atomic run that is not whole. */
  async settle(isWhole: boolean): Promise<Failures> {
    const { isAtomic, context } = this.#options;
    const isBroken = isAtomic && (!isWhole || this.#lateFailures.size > 0);
    this.isRolledBack = isBroken;
    const failures = isBroken ? await this.#rollBack() : await this.commit();
    const isKept = !isAtomic || (!isBroken && failures.size === 0);
    return this.#withLate([...(isKept ? this.#settleContext() : notWhole(context()?.discard() ?? [])), ...failures]);
  }

  /**
   * @param options.continues whether more commits of the same atomic unit follow
   * @param options.isWhole whether this commit alone is atomic
   */
  async commit({ continues = false, isWhole = false }: CommitOptions = {}): Promise<Failures> {
    const { overlay, journal, isAtomic } = this.#options;
    if (journal === undefined) return new Map();
    const staged = overlay.take();
    if (staged.length === 0) return new Map();
    try {
      const { outcomes } = await journal.commit(staged, { atomic: isAtomic || isWhole, continues });
      for (const [index, { path }] of staged.entries()) overlay.remember(path, outcomes[index]?.version);
      const failures = failuresOf(staged.map(({ authors }, index) => ({ authors, failure: outcomes[index]?.failure })));
      if (journal.isTorn) return this.#torn(failures);
      if (continues) for (const author of staged.flatMap(({ authors }) => authors)) this.#flushedEarly.add(author);
      return isAtomic && failures.size > 0 ? new Map([...notWhole(this.#flushedEarly), ...failures]) : failures;
    } catch (thrown) {
      return failuresOf(staged.map(({ authors }) => ({ authors, failure: failureOf(thrown) })));
    }
  }

  /** Never says that nothing was written, because that would not be true. */
  #torn(failures: Failures): Failures {
    this.#options.notify(`Part of the run's changes could not be rolled back: ${REMEDY}`);
    return new Map([...failures].map(([author, failure]) => [author, { code: "run/torn", cause: { failure } }]));
  }

  /** Rolls back an atomic run. */
  async #rollBack(): Promise<Failures> {
    const { overlay, journal, notify } = this.#options;
    const { reverted = [], failure } = (await journal?.rollBack()) ?? {};
    for (const { path, reason } of describeReversal(reverted, journal?.read()?.file ?? "").refused)
      notify(`${path} stays as it is: ${reason}`);
    if (failure !== undefined) notify(`The run's changes could not be rolled back (${explain(failure)}): ${REMEDY}`);
    return notWhole([...overlay.take().flatMap(({ authors }) => authors), ...this.#flushedEarly]);
  }

  /** Saves the context set after the files. If that fails, only its own actions fail. */
  #settleContext(): Failures {
    const context = this.#options.context();
    try {
      context?.flush();
      return new Map();
    } catch (thrown) {
      const failure = failureOf(thrown);
      return new Map(context?.discard().map((author) => [author, failure]));
    }
  }

  #noteLate(failures: Failures): void {
    for (const [author, failure] of failures) this.#lateFailures.set(author, failure);
  }

  #withLate(failures: Iterable<readonly [number, Failure]>): Failures {
    const all = new Map([...failures, ...this.#lateFailures]);
    this.#lateFailures = new Map();
    return all;
  }
}

const REMEDY = "once that is fixed, loaf recover or the next command that changes something does it";

interface CommitOptions {
  readonly continues?: boolean;
  readonly isWhole?: boolean;
}

/** Returns the failures for an atomic run that was rolled back. */
function notWhole(authors: Iterable<number>): Map<number, Failure> {
  return new Map([...authors].map((author) => [author, { code: "run/not-whole" }]));
}

/** Returns the first specific failure of each action. */
function failuresOf(
  outcomes: ReadonlyArray<{ readonly authors: readonly number[]; readonly failure: Failure | undefined }>,
): Map<number, Failure> {
  const failures = new Map<number, Failure>();
  for (const { authors, failure } of outcomes) {
    if (failure === undefined) continue;
    for (const author of authors) if (isVague(failures.get(author))) failures.set(author, failure);
  }
  return failures;
}

/** Returns whether a failure only says that something else failed. */
function isVague(failure: Failure | undefined): boolean {
  return failure === undefined || failure.code === "run/not-whole" || failure.code === "run/depends";
}
