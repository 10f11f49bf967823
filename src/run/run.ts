import type { EarlierEdits } from "../answer/applied-before.ts";
import { ArrivingText } from "../answer/arriving-text.ts";
import { firstWords } from "../answer/first-words.ts";
import { type Item, type Reading, type ReadingOptions, readWhole, refusedWhole } from "../answer/reading.ts";
import { readStructured, type StructuredAction } from "../answer/structured.ts";
import type { Check } from "../config/schema.ts";
import { isBlock } from "../core/block.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import { startWorkBudget } from "../edit/work-budget.ts";
import { showErrors } from "./approving.ts";
import { runChecks } from "./checks.ts";
import { type Done, resultOf } from "./perform.ts";
import { untilSignal } from "./in-time.ts";
import type { ExecuteOptions, Listener } from "./options.ts";
import { RunRecord } from "./run-record.ts";
import type { Session } from "./session.ts";
import { ShownBases } from "./shown-bases.ts";
import { isAction, Steps } from "./steps.ts";

/** An answer: a text, a text in pieces, or a list of actions. */
export type Input = string | AsyncIterable<string> | readonly StructuredAction[];

/** What a run needs beside the session in which its actions run. */
export interface RunOptions extends ExecuteOptions, Pick<ReadingOptions, "fileWith"> {
  /** Edits that earlier runs made, if they are to be skipped. */
  readonly applied?: EarlierEdits | undefined;
  readonly onEvent?: Listener | undefined;
  /** Run after all actions, if files of theirs have changed. */
  readonly checks: readonly Check[];
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
export async function run(input: Input, session: Session, options: RunOptions): Promise<Ran> {
  startWorkBudget();
  const reading = open(input, session, options);
  if (typeof reading === "string") return { result: refusedWhole(reading), edits: [] };
  const isWhole = typeof input === "string" || isList(input);
  const record = new RunRecord(session.onProgress, options.onEvent);
  const shown = new ShownBases(session);
  const known = isWhole ? await allOf(reading.groups()) : undefined;
  const { only, applied } = options;
  const steps = new Steps(session, { record, reading, known, only, applied, signal: stopSignal(options) });
  for await (const items of known ?? reading.groups()) {
    record.tellFindings(reading.findings, lineOf(items.group[0]));
    for (const [, resolved] of await steps.resolve(items)) {
      if (isAction(resolved)) {
        await record.add(shown.after(await steps.perform(resolved)), session.lines.take());
        // The sender of a text in pieces may look at the files before the next piece.
        if (!isWhole || session.isFull()) await record.markFailed(await session.flush());
      } else {
        await showErrors(resolved, session);
        record.addErrors(resolved);
      }
    }
  }
  // Those of a text in pieces are known only now.
  if (reading.errors !== undefined && reading.refusal === undefined) record.addErrors(reading.errors);
  record.tellFindings(reading.findings, Infinity);
  if (reading.refusal !== undefined) return { result: reading.refusal, edits: [] };
  const { sentence } = reading;
  const result = await finish(reading, { session, options, record, shown, steps });
  return { result, edits: record.edits, sentence, words: sentence && firstWords(sentence) };
}

/** Returns the runs that made edits of an answer whose effects are still there, by the position of the item. */
export async function appliedIn(
  text: string,
  session: Session,
  options: Pick<RunOptions, "applied" | "fileWith" | "format">,
): Promise<ReadonlyMap<number, number>> {
  const reading = open(text, session, options);
  if (typeof reading === "string") return new Map();
  const known = await allOf(reading.groups());
  const { applied } = options;
  const steps = new Steps(session, { record: new RunRecord(), reading, known, applied });
  const runs = new Map<number, number>();
  for (const items of known)
    for (const [at, resolved] of await steps.place(items))
      if (isAction(resolved) && resolved.applied) runs.set(at, resolved.applied.run);
  return runs;
}

interface Ending {
  readonly session: Session;
  readonly options: RunOptions;
  readonly record: RunRecord;
  readonly shown: ShownBases;
  readonly steps: Steps;
}

/** Flushes the last changes, looks at what they have broken, and returns the result. */
async function finish(
  reading: Reading,
  { session, options, record, shown, steps }: Ending,
): Promise<ExecutionResult> {
  const { checks, signal } = options;
  const { interrupted, totalBlocks, findings, readAs } = reading;
  const stop = stopSignal(options);
  const isDone = interrupted === undefined && record.isSuccess;
  await record.markFailed(await session.finish(isDone));
  if (stop?.aborted !== true) await record.addWarnings(await session.syntaxWarnings());
  const checked = steps.isStopped ? [] : await runChecks(session, { checks, signal, stop });
  const { done, parseErrors, eventError } = record;
  const isRolledBack = session.isRolledBack();
  const { comments } = session.consent;
  return {
    success: isDone && record.isSuccess,
    totalBlocks,
    executedActions: done.filter(isExecuted).length,
    results: shown.atEnd(isRolledBack ? done.map(withoutChanged) : done).map(resultOf),
    parseErrors,
    ...(readAs !== undefined && { readAs }),
    ...(findings.length > 0 && { findings }),
    ...(interrupted !== undefined && { interrupted }),
    ...(isRolledBack && { rolledBack: true }),
    ...(checked.length > 0 && { checks: checked }),
    ...(eventError !== undefined && { eventError }),
    ...(comments.length > 0 && { comments }),
  };
}

/** What a command changed is not there after a rollback. */
function withoutChanged(done: Done): Done {
  if (done.action.definition.runs === undefined || done.data === undefined) return done;
  const { changed: _, ...data } = Object(done.data) as { readonly changed?: unknown };
  return { ...done, data };
}

function lineOf(item: Item | undefined): number {
  return item === undefined ? 0 : isBlock(item) ? item.startLine : item.line;
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
export function stopSignal({ signal, stop }: Pick<ExecuteOptions, "signal" | "stop">): AbortSignal | undefined {
  return signal === undefined || stop === undefined ? (signal ?? stop) : AbortSignal.any([signal, stop]);
}

function isList(input: Input): input is readonly StructuredAction[] {
  return Array.isArray(input);
}

/** Starts to read an answer. Returns a sentence if nothing of it can run. */
function open(
  input: Input,
  session: Session,
  { format, fileWith, only, ...signals }: Pick<RunOptions, "format" | "fileWith" | "only" | "signal" | "stop">,
): Reading | string {
  const { settings } = session.options;
  const options = { settings, format, fileWith, wants: only && ((position: number) => only.has(position)) };
  if (isList(input)) return readStructured(input, options);
  if (typeof input === "string")
    return readUntilSignal(input, options) ?? "Stopped before the text was read: nothing was run";
  // A program without type checks may pass anything.
  if (input?.[Symbol.asyncIterator] !== undefined) return new ArrivingText(input, options, stopSignal(signals));
  return `The text must be a string, not ${input === null ? "null" : typeof input}: nothing was run`;
}

/** Returns undefined if Ctrl-C ended it. */
function readUntilSignal(text: string, options: ReadingOptions): Reading | undefined {
  const read = () => readWhole(text, options);
  return text.length < LONG ? read() : untilSignal(read);
}

/** UTF-16 units above which reading may take more than half a second. */
const LONG = 1_000_000;
