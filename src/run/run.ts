import { relative } from "node:path";
import type { EarlierEdits } from "../answer/applied-before.ts";
import { ArrivingText } from "../answer/arriving-text.ts";
import { firstWords } from "../answer/first-words.ts";
import {
  type Reading,
  type ReadingOptions,
  readStructured,
  readWhole,
  refused,
  type StructuredAction,
} from "../answer/reading.ts";
import type { Check } from "../config/schema.ts";
import type { Change, Content } from "../core/change-set.ts";
import { explain, type FailureCode, Refusal } from "../core/failure.ts";
import { smallest } from "../core/lists.ts";
import type { ActionResult, CheckResult, EditHunk, ExecutionResult, ParseError } from "../core/outcome.ts";
import { startWorkBudget } from "../edit/work-budget.ts";
import { linesOf } from "../syntaxes/line-blocks.ts";
import { rehearse, showErrors } from "./approving.ts";
import { type Done, resultOf } from "./perform.ts";
import { untilSignal } from "./limits.ts";
import type { ExecuteOptions, Listener, SessionOptions } from "./options.ts";
import { RunRecord } from "./run-record.ts";
import { Session } from "./session.ts";
import { ShownBases } from "./shown-bases.ts";
import { isAction, Steps } from "./steps.ts";
import { createPrograms, type SandboxDecision } from "../programs/programs.ts";
import { onThrowawayView } from "../programs/view/command-views.ts";
import { compileInclude } from "../paths/glob.ts";
import { Consent } from "./consent.ts";

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
  const isWhole = !(reading instanceof ArrivingText);
  const record = new RunRecord(session.onProgress, options.onEvent);
  const shown = new ShownBases(session);
  const known = isWhole ? await allOf(reading.groups()) : undefined;
  const { only, applied } = options;
  const steps = new Steps(session, { reading, known, only, applied, signal: stopSignal(options) });
  for await (const items of known ?? reading.groups()) {
    record.tellFindings(reading.findings, smallest(items.group.map((item) => linesOf(item).first)));
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

/** One item of a text: an action with its expected result, or the errors of an invalid block. */
export interface Previewed {
  /** Position in the text, as `execute` takes it in `only`. */
  readonly position: number;
  readonly result?: ActionResult;
  readonly errors?: readonly ParseError[];
  /** Places that its edits would change, each of which `execute` can take alone. Empty for other actions. */
  readonly hunks: readonly EditHunk[];
  /** Changes that the action would make, by path. Without the bytes of unreadable files. */
  readonly changes: readonly Change[];
}

/**
 * Performs an answer in a dry session, so that later items see the changes of earlier ones. Throws `Refusal` if nothing
 * of it can run.
 */
export async function* preview(
  input: Input,
  options: SessionOptions,
  how: Pick<RunOptions, "only" | "format" | "fileWith">,
): AsyncGenerator<Previewed> {
  let changes: readonly Change[] = [];
  const session = new Session({ ...options, dryRun: true, onCommandChanges: (made) => (changes = made) });
  const reading = open(input, session, how);
  if (reading.refusal?.fatalError !== undefined) throw new Refusal(reading.refusal.fatalError);
  const steps = new Steps(session, { reading, only: how.only, observesHunks: true });
  try {
    for await (const items of reading.groups()) {
      for (const [position, resolved] of await steps.resolve(items)) {
        if (!isAction(resolved)) {
          yield { position, errors: resolved, hunks: [], changes: [] };
          continue;
        }
        const action = steps.placed(resolved);
        const runsCommands = action.definition.runs !== undefined;
        changes = runsCommands ? [] : (await rehearse(action, session)).changes;
        const performed = await steps.perform(action);
        const warnings = [...performed.warnings, ...[...(await session.syntaxWarnings()).values()].flat()];
        const done = { ...performed, warnings };
        const isDone = done.failure === undefined;
        // The changes of a failed command land.
        const made = isDone || runsCommands ? changes : [];
        yield {
          position,
          result: resultOf(done),
          hunks: isDone ? (action.hunks?.hunks ?? []) : [],
          changes: made.map((change) => withoutSecrets(change, session)),
        };
      }
    }
  } finally {
    await session.closeViews();
  }
}

/** Removes the bytes of a file that may not be read. */
function withoutSecrets(change: Change, { guard }: Session): Change {
  if (guard.refusal(change.path, "read") === undefined) return change;
  return { ...change, before: withoutBytes(change.before), after: withoutBytes(change.after) };
}

function withoutBytes(content: Content | undefined): Content | undefined {
  if (content?.kind !== "file") return content;
  const { bytes: _, ...others } = content;
  return others;
}

/** Returns the runs that made edits of an answer whose effects are still there, by the position of the item. */
export async function appliedIn(
  text: string,
  session: Session,
  options: Pick<RunOptions, "applied" | "fileWith" | "format">,
): Promise<ReadonlyMap<number, number>> {
  const reading = open(text, session, options);
  const known = await allOf(reading.groups());
  const { applied } = options;
  const steps = new Steps(session, { reading, known, applied });
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
async function finish(reading: Reading, { session, options, record, shown, steps }: Ending): Promise<ExecutionResult> {
  const { checks, signal } = options;
  const { interrupted, totalBlocks, findings, readAs } = reading;
  const stop = stopSignal(options);
  const isDone = interrupted === undefined && record.isSuccess;
  await record.markFailed(await session.finish(isDone));
  if (stop?.aborted !== true) await record.addWarnings(await session.syntaxWarnings());
  const checked = steps.isStopped ? [] : await runChecks(session, checks, { signal, stop });
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

/** Starts to read an answer. */
function open(
  input: Input,
  session: Session,
  { format, fileWith, only, ...signals }: Pick<RunOptions, "format" | "fileWith" | "only" | "signal" | "stop">,
): Reading {
  const { settings } = session.options;
  const options = { settings, format, fileWith, wants: only && ((position: number) => only.has(position)) };
  if (typeof input === "string") {
    const read = () => readWhole(input, options);
    const reading = input.length < LONG ? read() : untilSignal(read);
    return reading ?? refused("Stopped before the text was read: nothing was run");
  }
  if (isList(input)) return readStructured(input, options);
  // A program without type checks may pass anything.
  if (input?.[Symbol.asyncIterator] !== undefined) return new ArrivingText(input, options, stopSignal(signals));
  return refused(`The text must be a string, not ${input === null ? "null" : typeof input}: nothing was run`);
}

function isList(input: Input): input is readonly StructuredAction[] {
  return Array.isArray(input);
}

/** UTF-16 units above which reading may take more than half a second. */
const LONG = 1_000_000;

/**
 * Runs the checks whose files have changed, one after another, each on a view of its own. What they change is
 * discarded: nobody has asked for it, and `loaf undo` would take back a coverage report.
 *
 * @param signals.signal kills a running check
 * @param signals.stop aborted when no further check should start
 */
async function runChecks(
  session: Session,
  checks: readonly Check[],
  { signal, stop }: { readonly [Name in "signal" | "stop"]: AbortSignal | undefined },
): Promise<CheckResult[]> {
  if (checks.length === 0) return [];
  const { root } = session.options;
  const changed = session.isDry
    ? session.overlay.changes(() => false).map(({ path }) => relative(root, path))
    : session.footprint().modifiedFiles;
  const due = checks.filter(({ on = "**" }) => changed.some(compileInclude(on, root) ?? (() => false)));
  const known: SandboxDecision = {};
  const results: CheckResult[] = [];
  for (const check of due) {
    if (stop?.aborted === true) break;
    session.onProgress?.({ kind: "checking", command: check.run.trim() });
    const result = await runCheck(session, check, known, signal);
    session.onProgress?.({ kind: "checked", check: result });
    results.push(result);
  }
  return results;
}

async function runCheck(
  { site, guard, overlay, isDry }: Session,
  { run, timeout }: Check,
  known: SandboxDecision,
  signal: AbortSignal | undefined,
): Promise<CheckResult> {
  const command = run.trim();
  const programs = createPrograms({
    // Which languages an answer may use does not matter: the user has written this command.
    site: { ...site, settings: { ...site.settings, exec: { ...site.settings.exec, languages: ["bash"] } } },
    guard,
    consent: new Consent(undefined),
    mode: "dry",
    signal,
    known,
    onView: async (act) => ({ value: await onThrowawayView(site, { overlay, isDry }, act), changed: [], refused: [] }),
    onFiles: () => Promise.reject(new Error("A check runs on a view only")),
  });
  const { data, failure, hint } = await programs.exec({ code: command, lang: "bash", timeout });
  const isSkipped = failure === undefined && data === undefined;
  const error = isSkipped ? NO_SANDBOX : failure && explain(failure);
  const { stdout = "", stderr = "" } = data ?? {};
  const advice = failure?.code === "exec/timeout" ? "the user can give this check a longer timeout in loaf.yml" : hint;
  return {
    command,
    success: error === undefined,
    ...((isSkipped || (failure !== undefined && PREVENTED.has(failure.code))) && { notRun: true }),
    ...(error !== undefined && { error }),
    ...(advice !== undefined && { hint: advice }),
    stdout,
    stderr,
  };
}

const NO_SANDBOX =
  "not run: there is no sandbox, and its changes would stay; a command under hooks.after in loaf.yml needs none";

/** Failures of the machine, not of the command. */
const PREVENTED: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "exec/no-sandbox",
  "exec/sandbox-failed",
  "exec/no-view",
  "exec/not-found",
]);
