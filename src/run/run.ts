import { startWorkBudget } from "../edit/work-budget.ts";
import type { Failure } from "../core/failure.ts";
import type { CheckResult, ExecutionResult, ParseError } from "../core/outcome.ts";
import { type ReadBlock, isBlock } from "../core/block.ts";
import { AppliedBefore, currentFiles, editKey, type EarlierEdits } from "../answer/applied-before.ts";
import { ArrivingText } from "../answer/arriving-text.ts";
import { firstWords } from "../answer/first-words.ts";
import { FailureHints } from "./failure-hints.ts";
import { pathsByTail, TailFinder } from "../answer/find-by-tail.ts";
import { placeGroup } from "../answer/groups.ts";
import { rehearse } from "./rehearse.ts";
import { placed } from "../answer/placed.ts";
import { KnownFiles } from "../answer/known-files.ts";
import type { AddressedFiles } from "../files/addressed-files.ts";
import type { Tree } from "../files/tree.ts";
import type { Guard } from "../guard/guard.ts";
import { type Done, resultOf } from "./done.ts";
import { yieldToEventLoopWhenDue, untilSignal } from "./in-time.ts";
import type { LineTally } from "./line-tally.ts";
import { type ContextFor, perform } from "./perform.ts";
import {
  type Item, type ReadGroup, type Reading, type ReadingOptions, readWhole, refusedWhole
} from "../answer/reading.ts";
import { type Action, resolve, strayError } from "../answer/resolve.ts";
import { type Listeners, RunRecord } from "./run-record.ts";
import { readStructured, type StructuredAction } from "../answer/structured.ts";
import { type Selection, withChosenHunks } from "./selection.ts";

/** An answer: a text, a text in pieces, or a list of actions. */
export type Input = string | AsyncIterable<string> | readonly StructuredAction[];

/** What a run needs: the answer's limits, the project that its actions change, and those who decide or are told. */
export interface RunEnvironment extends Pick<ReadingOptions, "settings" | "format" | "fileWith">, Listeners {
  /** Absolute. */
  readonly root: string;
  readonly only?: Selection | undefined;
  /** On abort, starts no more actions and reports the remaining ones as not run. */
  readonly signal?: AbortSignal | undefined;
  readonly project: RunProject;
  readonly approver: Approver;
  /** Edits that earlier runs made, if they are to be skipped. */
  readonly applied?: EarlierEdits | undefined;
  /** Tags what the actions show: after each action, and at the end. */
  readonly shown: {
    after(done: Done): Done;
    atEnd(all: readonly Done[]): readonly Done[];
  };
  /** Runs the checks of the configuration after all actions. */
  runChecks(): Promise<readonly CheckResult[]>;
}

/** The project as the actions of one run see and change it. */
export interface RunProject {
  readonly guard: Guard;
  readonly tree: Tree;
  readonly lines: Pick<LineTally, "take">;
  readonly contextFor: ContextFor;
  readonly workspace: AddressedFiles;
  /** Returns a copy in which groups are rehearsed. Its changes reach nobody else. */
  rehearsal(): Pick<RunProject, "contextFor">;
  /** Whether so many changes are pending that they should be flushed before the end. */
  isFull(): boolean;
  /** Flushes the changes since the last flush. Returns the failures of actions, by their position. */
  flush(): Promise<ReadonlyMap<number, Failure>>;
  /** Flushes for the last time. Discards the changes instead if an atomic run has failed. */
  finish(isWhole: boolean): Promise<ReadonlyMap<number, Failure>>;
  /** Returns warnings about the changed files, by the position of the action. */
  syntaxWarnings(): Promise<ReadonlyMap<number, readonly string[]>>;
}

/** Decides about the actions of a run, mostly by asking somebody. */
export interface Approver {
  /** Returns the action, unchanged or refused. */
  approve(action: Action): Action | Promise<Action>;
  /** Shows the errors of an invalid block in its place. */
  showErrors(errors: readonly ParseError[]): Promise<void>;
  /** Whether somebody decided that nothing more should run. */
  readonly isStopped: boolean;
}

export interface Ran {
  readonly result: ExecutionResult;
  /** Keys of its successful edits. */
  readonly edits: readonly string[];
  /** The first sentence of its answer. */
  readonly sentence?: string | undefined;
  /** The first words of that. */
  readonly words?: string | undefined;
}

/**
 * The pipeline: reads, resolves and performs each block in order. A failure is data in the result and stops nothing.
 * Only a text beyond the limits is refused entirely.
 */
export async function run(input: Input, environment: RunEnvironment): Promise<Ran> {
  const { project, approver, shown } = environment;
  startWorkBudget();
  const reading = open(input, environment);
  if (typeof reading === "string") return { result: refusedWhole(reading), edits: [] };
  const isWhole = typeof input === "string" || isList(input);
  const record = new RunRecord(environment);
  const known = isWhole ? await allOf(reading.groups()) : undefined;
  const steps = new Steps(environment, { record, reading, known });
  for await (const items of known ?? reading.groups()) {
    record.tellFindings(reading.findings, lineOf(items.group[0]));
    for (const one of await steps.resolve(items)) {
      if ("definition" in one) {
        await record.add(shown.after(await steps.perform(one)), project.lines.take());
        // The sender of a text in pieces may look at the files before the next piece.
        if (!isWhole || project.isFull()) await record.markFailed(await project.flush());
      } else {
        await approver.showErrors(one);
        record.addErrors(one);
      }
    }
  }
  // Those of a text in pieces are known only now.
  if (reading.errors !== undefined && reading.refusal === undefined) record.addErrors(reading.errors);
  record.tellFindings(reading.findings, Infinity);
  if (reading.refusal !== undefined) return { result: reading.refusal, edits: [] };
  const { sentence } = reading;
  const result = await finish(reading, record, environment);
  return { result, edits: record.edits, sentence, words: sentence && firstWords(sentence) };
}

/** Returns the runs that made edits of an answer whose effects are still there, by the position of the item. */
export async function appliedIn(text: string, environment: RunEnvironment): Promise<ReadonlyMap<number, number>> {
  const reading = open(text, environment);
  if (typeof reading === "string") return new Map();
  const known = await allOf(reading.groups());
  const steps = new Steps(environment, { record: new RunRecord(environment), reading, known });
  const runs = new Map<number, number>();
  for (const items of known)
    for (const [index, one] of (await steps.place(items)).entries())
      if ("definition" in one && one.applied !== undefined) runs.set(items.positions[index] ?? 0, one.applied.run);
  return runs;
}

/** Flushes the last changes, looks at what they have broken, and returns the result. */
async function finish(reading: Reading, record: RunRecord, environment: RunEnvironment): Promise<ExecutionResult> {
  const { project, approver, shown, signal } = environment;
  const { interrupted, totalBlocks, findings, readAs } = reading;
  const isDone = interrupted === undefined && record.isSuccess;
  await record.markFailed(await project.finish(isDone));
  if (signal?.aborted !== true) await record.addWarnings(await project.syntaxWarnings());
  const checks = signal?.aborted === true || approver.isStopped ? [] : await environment.runChecks();
  const { done, parseErrors, eventError } = record;
  return {
    success: isDone && record.isSuccess,
    totalBlocks,
    executedActions: done.filter(isExecuted).length,
    results: shown.atEnd(done).map(resultOf),
    parseErrors,
    ...(readAs !== undefined && { readAs }),
    ...(findings.length > 0 && { findings }),
    ...(interrupted !== undefined && { interrupted }),
    ...(checks.length > 0 && { checks }),
    ...(eventError !== undefined && { eventError }),
  };
}

interface StepsOptions {
  readonly record: RunRecord;
  readonly reading: Reading;
  /** The groups to run, unless they are still to arrive. */
  readonly known: readonly ReadGroup[] | undefined;
}

/** The steps of each item, from its block to the result of its action. */
class Steps {
  readonly #environment: RunEnvironment;
  readonly #record: RunRecord;
  readonly #tails: TailFinder;
  readonly #hints: FailureHints;
  readonly #applied: AppliedBefore | undefined;

  constructor(
    environment: RunEnvironment,
    { record, reading, known: groups = [] }: StepsOptions,
  ) {
    const { project, root, applied: edits, settings } = environment;
    const known = new KnownFiles(project, root);
    [this.#environment, this.#record] = [environment, record];
    [this.#tails, this.#hints] = [
      new TailFinder(known, {
        root,
        paths: () => pathsByTail(reading.whole(), environment),
        isCertain: (syntax) => (settings.syntaxes as readonly string[]).includes(syntax),
      }),
      new FailureHints(known, root),
    ];
    const actions = () => new Map(groups.flatMap((items) => this.#actionsIn(items)));
    const { match } = settings.edits;
    this.#applied = edits && new AppliedBefore({ root, edits, files: currentFiles(project), match, actions });
  }

  /** Returns the actions of a group, by their position. */
  #actionsIn(items: ReadGroup): ReadonlyArray<readonly [number, Action]> {
    const resolved = this.#resolveGroup(items);
    return resolved.flatMap((one, index) =>
      "definition" in one ? [[items.positions[index] ?? 0, one] as const] : [],
    );
  }

  /** Returns for each item its action, or its errors. The actions of a group that fails in rehearsal are refused. */
  async resolve(items: ReadGroup): Promise<ReturnType<typeof placeGroup>> {
    const group = await this.place(items);
    const isAborted = this.#environment.signal?.aborted === true;
    return group.length < 2 || isAborted ? group : rehearse(group, this.#environment.project.rehearsal().contextFor);
  }

  /** Returns for each item its action at its place, or its errors. Notes the edits that were applied before. */
  async place(items: ReadGroup): Promise<ReturnType<typeof placeGroup>> {
    const group = this.#resolveGroup(items);
    const applied = this.#applied;
    if (applied === undefined || this.#environment.signal?.aborted === true) return group;
    const noted: Array<(typeof group)[number]> = [];
    for (const [index, one] of group.entries())
      noted.push(
        "definition" in one && one.hunks === undefined
          ? { ...one, applied: await applied.find(items.positions[index] ?? 0, one) }
          : one,
      );
    return noted;
  }

  /** Returns for each item its action at its place, or its errors. */
  #resolveGroup({ group, positions, text, advise }: ReadGroup): ReturnType<typeof placeGroup> {
    const resolved = group.map((item, index) =>
      isBlock(item)
        ? this.#resolveBlock(item, { text, advise, position: positions[index] ?? 0 })
        : [strayError(item, advise)],
    );
    return placeGroup(resolved, (action) => this.#place(action));
  }

  #resolveBlock(item: ReadBlock, { text, advise, position }: ItemPlace): Action | readonly ParseError[] {
    const { root, settings, signal, only } = this.#environment;
    const allowed = settings["allowed-actions"];
    const resolved = resolve(item, text, { root, relativePaths: settings.relative_paths, allowed, advise });
    if (!("definition" in resolved) || signal?.aborted === true) return resolved;
    return withChosenHunks(resolved, only, position);
  }

  async perform(action: Action): Promise<Done> {
    const decided = action.applied === undefined ? await this.#decide(action) : action;
    if (action.applied === undefined) this.#applied?.changed();
    // What was left out of a part may still come, so only a whole edit counts as applied.
    if (action.applied === undefined && action.definition.effect !== undefined && action.hunks === undefined)
      this.#record.noteEdit(editKey(decided, this.#environment.root));
    const { contextFor } = this.#environment.project;
    const hintOn = (failure: Failure): string | undefined => this.#hints.hintOn(failure);
    const performed = await perform(decided, this.#record.nextSeq, contextFor, hintOn);
    this.#hints.after(performed);
    return performed;
  }

  /** Returns the action as it is to be performed: at its place, or refused. */
  async #decide(action: Action): Promise<Action> {
    const { signal, approver, onProgress } = this.#environment;
    await yieldToEventLoopWhenDue();
    if (signal?.aborted === true || approver.isStopped)
      return { ...action, refusal: { failure: { code: "skip/stopped" } } };
    const { block, definition, params } = action;
    const started = { seq: this.#record.nextSeq, blockId: block.id, action: definition.name, params };
    onProgress?.({ kind: "started", action: started });
    return approver.approve(this.#place(action));
  }

  #place(action: Action): Action {
    const { project, settings } = this.#environment;
    return placed(action, { tails: this.#tails, workspace: project.workspace, match: settings.edits.match });
  }
}

function lineOf(item: Item | undefined): number {
  return item === undefined ? 0 : isBlock(item) ? item.block.startLine : item.line;
}

async function allOf<Value>(values: Iterable<Value> | AsyncIterable<Value>): Promise<readonly Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

function isExecuted({ action, failure }: Done): boolean {
  return action.applied === undefined && failure?.code !== "skip/stopped" && failure?.code !== "skip/refused";
}

interface ItemPlace extends Pick<ReadGroup, "text" | "advise"> {
  /** In the whole text. */
  readonly position: number;
}

/** Aborted when no further action should start. */
export function stopSignal({
  signal,
  stop,
}: {
  readonly signal?: AbortSignal;
  readonly stop?: AbortSignal;
}): AbortSignal | undefined {
  return signal === undefined || stop === undefined ? (signal ?? stop) : AbortSignal.any([signal, stop]);
}

function isList(input: Input): input is readonly StructuredAction[] {
  return Array.isArray(input);
}

/** Starts to read an answer. Returns a sentence if nothing of it can run. */
function open(input: Input, environment: RunEnvironment): Reading | string {
  const { settings, format, fileWith, only, signal } = environment;
  const options = { settings, format, fileWith, wants: only && ((position: number) => only.has(position)) };
  if (isList(input)) return readStructured(input, options);
  if (typeof input === "string")
    return readUntilSignal(input, options) ?? "Stopped before the text was read: nothing was run";
  // A program without type checks may pass anything.
  if (input?.[Symbol.asyncIterator] !== undefined) return new ArrivingText(input, options, signal);
  return `The text must be a string, not ${input === null ? "null" : typeof input}: nothing was run`;
}

/** Returns undefined if Ctrl-C ended it. */
function readUntilSignal(text: string, options: ReadingOptions): Reading | undefined {
  const read = () => readWhole(text, options);
  return text.length < LONG ? read() : untilSignal(read);
}

/** UTF-16 units above which reading may take more than half a second. */
const LONG = 1_000_000;
