import { ArrivingText } from "../answer/arriving-text.ts";
import { firstWords } from "../answer/first-words.ts";
import { type Item, type Reading, type ReadingOptions, readWhole, refusedWhole } from "../answer/reading.ts";
import { readStructured, type StructuredAction } from "../answer/structured.ts";
import { isBlock } from "../core/block.ts";
import type { Failure } from "../core/failure.ts";
import type { CheckResult, ExecutionResult } from "../core/outcome.ts";
import { startWorkBudget } from "../edit/work-budget.ts";
import { type Done, resultOf } from "./done.ts";
import { untilSignal } from "./in-time.ts";
import type { LineTally } from "./line-tally.ts";
import { type Listeners, RunRecord } from "./run-record.ts";
import { type ProjectOfSteps, Steps, type StepsEnvironment } from "./steps.ts";

/** An answer: a text, a text in pieces, or a list of actions. */
export type Input = string | AsyncIterable<string> | readonly StructuredAction[];

/** What a run needs: the answer's limits, the project that its actions change, and those who decide or are told. */
export interface RunEnvironment extends StepsEnvironment, Pick<ReadingOptions, "format" | "fileWith">, Listeners {
  readonly project: RunProject;
  /** Tags what the actions show: after each action, and at the end. */
  readonly shown: {
    after(done: Done): Done;
    atEnd(all: readonly Done[]): readonly Done[];
  };
  /** Runs the checks of the configuration after all actions. */
  runChecks(): Promise<readonly CheckResult[]>;
}

/** The project as the actions of one run see and change it. */
export interface RunProject extends ProjectOfSteps {
  readonly lines: Pick<LineTally, "take">;
  /** Whether so many changes are pending that they should be flushed before the end. */
  isFull(): boolean;
  /** Flushes the changes since the last flush. Returns the failures of actions, by their position. */
  flush(): Promise<ReadonlyMap<number, Failure>>;
  /**
   * Flushes for the last time. Discards the changes instead if an atomic run has failed.
   *
   * @param isWhole whether everything has succeeded so far
   */
  finish(isWhole: boolean): Promise<ReadonlyMap<number, Failure>>;
  /** Whether `finish` has taken everything back. */
  isRolledBack(): boolean;
  /** Returns warnings about the changed files, by the position of the action. */
  syntaxWarnings(): Promise<ReadonlyMap<number, readonly string[]>>;
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
    results: shown.atEnd(project.isRolledBack() ? done.map(withoutChanged) : done).map(resultOf),
    parseErrors,
    ...(readAs !== undefined && { readAs }),
    ...(findings.length > 0 && { findings }),
    ...(interrupted !== undefined && { interrupted }),
    ...(project.isRolledBack() && { rolledBack: true }),
    ...(checks.length > 0 && { checks }),
    ...(eventError !== undefined && { eventError }),
    ...(approver.comments.length > 0 && { comments: approver.comments }),
  };
}

/** What a command changed is not there after a rollback. */
function withoutChanged(done: Done): Done {
  if (done.action.definition.runs === undefined || done.data === undefined) return done;
  const { changed: _, ...data } = Object(done.data) as { readonly changed?: unknown };
  return { ...done, data };
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
