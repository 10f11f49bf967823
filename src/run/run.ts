import type { Failure } from "../core/failure.ts";
import type { ActionResult, CheckResult, ExecutionResult, ParseError } from "../core/outcome.ts";
import type { Settings } from "../config/schema.ts";
import { type ReadBlock, isBlock } from "../core/block.ts";
import { hashOfBlock } from "./answer/answer-items.ts";
import { ArrivingText } from "./answer/arriving-text.ts";
import { placeGroup, rehearse } from "./answer/groups.ts";
import { yieldToEventLoopWhenDue, untilSignal } from "./in-time.ts";
import { type ContextFor, perform, withoutEffect } from "./perform.ts";
import { type ReadingOptions, readWhole, refusedWhole } from "./answer/reading.ts";
import type { Advise } from "../syntaxes/answer.ts";
import { type Action, resolve, strayError } from "./answer/resolve.ts";
import { withWarnings } from "./syntax-check.ts";
import { readStructured, type StructuredAction } from "./answer/structured.ts";
import { type Selection, withChosenHunks } from "./selection.ts";
import { messageOf } from "../core/errors.ts";

/** An answer: a text, a text in pieces, or a list of actions. */
export type Input = string | AsyncIterable<string> | readonly StructuredAction[];

/**
 * Receives each result as it happens, perhaps before its changes are on the disk; and once more if it changed at the end of the run: as failed
 * if its changes could not be written, or with a warning of broken syntax. A returned promise is awaited.
 */
export type Listener = (result: ActionResult) => unknown;

/** An action that is about to run. */
export type Starting = Pick<ActionResult, "seq" | "blockId" | "action" | "params">;

/** The dependencies of a run. */
export interface RunEnvironment extends ReadingOptions {
  /** Absolute. */
  readonly root: string;
  readonly settings: Settings;
  readonly only?: Selection | undefined;
  /** On abort, starts no more actions and reports the remaining ones as not run. */
  readonly signal?: AbortSignal | undefined;
  /** Set if somebody decides on each action. Returns it unchanged or refused. */
  readonly approve?: ((action: Action) => Action | Promise<Action>) | undefined;
  /** Set if somebody decides: shows them the errors of an invalid block. */
  readonly showErrors?: ((errors: readonly ParseError[]) => Promise<void>) | undefined;
  /** Returns the run that already made an edit, by the hash of its block. Undefined if it is to be made. */
  appliedIn?(hash: string): number | undefined;
  /** Receives the block hashes of successful edits. */
  noteEdits?(hashes: readonly string[]): void;
  /** Whether somebody decided that nothing more should run. */
  isStopped(): boolean;
  readonly onStart?: ((action: Starting) => void) | undefined;
  readonly contextFor: ContextFor;
  /** Creates contexts for rehearsals: their changes are visible to later rehearsals and then discarded. */
  rehearsal(): ContextFor;
  /** Resolves the paths of an action. */
  place(action: Action): Action;
  /** Returns a hint on a failure that came without one. */
  hintOn(this: void, failure: Failure): string | undefined;
  /** Whether so many changes are pending that they should be flushed before the end. */
  isFull(): boolean;
  /** Flushes the changes since the last flush. Returns the failures of actions, by their position. */
  flush(): Promise<ReadonlyMap<number, Failure>>;
  /** Flushes for the last time. Discards the changes instead if an atomic run has failed. */
  finish(isWhole: boolean): Promise<ReadonlyMap<number, Failure>>;
  /** Returns warnings about the changed files, by the position of the action. */
  syntaxWarnings(): Promise<ReadonlyMap<number, readonly string[]>>;
  /** Runs the checks of the configuration. */
  runChecks(): Promise<readonly CheckResult[]>;
  readonly onEvent?: Listener | undefined;
}

/**
 * The pipeline: reads, resolves and performs each block in order. A failure is data in the result and stops nothing.
 * Only a text beyond the limits is refused entirely.
 */
export async function run(input: Input, environment: RunEnvironment): Promise<ExecutionResult> {
  const { root, settings, contextFor, rehearsal, place, hintOn, approve, onEvent, onStart, signal } = environment;
  const isWhole = typeof input === "string" || isList(input);
  // A program without type checks may pass anything.
  if (!isWhole && input?.[Symbol.asyncIterator] === undefined) return refusedWhole(`The text must be a string, not ${input === null ? "null" : typeof input}: nothing was run`);
  const reading = !isWhole ? new ArrivingText(input, environment, signal) : isList(input) ? readStructured(input, environment) : readUntilSignal(input, environment);
  if (reading === undefined) return refusedWhole("Stopped before the text was read: nothing was run");

  const resolving = { root, relativePaths: settings.relative_paths, allowed: settings["allowed-actions"] };
  const results: ActionResult[] = [];
  /** Hashes of the edits made, by position. */
  const hashes = new Map<number, string>();
  const parseErrors: ParseError[] = [];
  let omitted = 0;
  let eventError: string | undefined;
  for await (const { group, positions, text: answer, advise } of reading.groups()) {
    const resolved = group.map((item, index) =>
      isBlock(item) ? resolveItem(item, { answer, advise, position: positions[index] ?? 0 }) : [strayError(item, advise)],
    );
    for (const one of group.length > 1 && signal?.aborted !== true ? await rehearse(placeGroup(resolved, place), rehearsal()) : resolved) {
      if (!("definition" in one)) {
        for (const error of one) {
          if (parseErrors.length < MAX_PARSE_ERRORS) parseErrors.push(error);
          else omitted += 1;
        }
        await environment.showErrors?.(one);
        continue;
      }
      results.push(await performNext(one));
      await notify(results.at(-1) as ActionResult);
      // The sender of a text in pieces may look at the files before the next piece.
      if (!isWhole || environment.isFull()) await markFailed(await environment.flush());
    }
  }
  if (omitted > 0) parseErrors.push({ blockId: "unknown", errorType: "syntax", message: `${omitted} more errors in the text`, blockStartLine: parseErrors.at(-1)?.blockStartLine ?? 1, neslContent: "" });
  const { refusal, interrupted, totalBlocks, findings, readAs } = reading;
  if (refusal !== undefined) return refusal;
  const isDone = interrupted === undefined && parseErrors.length === 0 && results.every((result) => result.success);
  await markFailed(await environment.finish(isDone));
  if (signal?.aborted !== true) await warnOfSyntax();
  const checks = signal?.aborted === true || environment.isStopped() ? [] : await environment.runChecks();
  environment.noteEdits?.(results.flatMap(({ seq, success }) => (success ? (hashes.get(seq) ?? []) : [])));
  return {
    success: isDone && results.every((result) => result.success),
    totalBlocks,
    executedActions: results.filter(({ code, appliedIn }) => appliedIn === undefined && code !== "skip/stopped" && code !== "skip/refused").length,
    results,
    parseErrors,
    ...(readAs !== undefined && { readAs }),
    ...(findings.length > 0 && { findings }),
    ...(interrupted !== undefined && { interrupted }),
    ...(checks.length > 0 && { checks }),
    ...(eventError !== undefined && { eventError }),
  };

  /** Marks actions as failed whose changes did not reach the disk. An action that already failed keeps its own reason. */
  async function markFailed(failures: ReadonlyMap<number, Failure>): Promise<void> {
    for (const [seq, failure] of failures) {
      const result = results[seq - 1];
      if (result?.success !== true) continue;
      const failed = withoutEffect(result, failure);
      results[seq - 1] = failed;
      await notify(failed);
    }
  }

  async function warnOfSyntax(): Promise<void> {
    for (const [seq, added] of await environment.syntaxWarnings()) {
      const result = results[seq - 1];
      if (result === undefined) continue;
      const warned = withWarnings(result, added);
      results[seq - 1] = warned;
      await notify(warned);
    }
  }

  /** A throwing listener stops nothing, because what was done must be in the result. */
  async function notify(result: ActionResult): Promise<void> {
    if (eventError !== undefined) return;
    try {
      await onEvent?.(result);
    } catch (thrown) {
      eventError = `onEvent failed: ${messageOf(thrown)}`;
    }
  }

  function resolveItem(item: ReadBlock, { answer, advise, position }: ItemPlace): Action | readonly ParseError[] {
    const resolved = resolve(item, answer, { ...resolving, advise });
    if (!("definition" in resolved) || resolved.definition.effect === undefined || signal?.aborted === true) return resolved;
    const chosen = withChosenHunks(resolved, environment.only, position);
    // What was left out of a part may still come, so only a whole edit counts as applied.
    if (chosen !== resolved) return chosen;
    const hash = hashOfBlock(item, answer);
    return { ...resolved, hash, appliedIn: environment.appliedIn?.(hash) };
  }

  async function performNext(action: Action): Promise<ActionResult> {
    const seq = results.length + 1;
    if (action.appliedIn !== undefined) return perform(action, seq, contextFor, hintOn);
    if (action.hash !== undefined) hashes.set(seq, action.hash);
    await yieldToEventLoopWhenDue();
    if (signal?.aborted === true || environment.isStopped()) return perform({ ...action, refusal: { failure: { code: "skip/stopped" } } }, seq, contextFor, hintOn);
    onStart?.({ seq, blockId: action.block.id, action: action.definition.name, params: action.params });
    const placed = place(action);
    return perform(approve === undefined ? placed : await approve(placed), seq, contextFor, hintOn);
  }
}

interface ItemPlace {
  readonly answer: string;
  readonly advise: Advise | undefined;
  /** In the whole text. */
  readonly position: number;
}

/** Aborted when no further action should start. */
export function stopSignal({ signal, stop }: { readonly signal?: AbortSignal; readonly stop?: AbortSignal }): AbortSignal | undefined {
  return signal === undefined || stop === undefined ? (signal ?? stop) : AbortSignal.any([signal, stop]);
}

function isList(input: Input): input is readonly StructuredAction[] {
  return Array.isArray(input);
}

/** Returns undefined if Ctrl-C ended it. */
function readUntilSignal(text: string, environment: RunEnvironment): ReturnType<typeof readWhole> | undefined {
  const read = () => readWhole(text, environment);
  return text.length < LONG ? read() : untilSignal(read);
}

/** UTF-16 units above which reading may take more than half a second. */
const LONG = 1_000_000;

/**
 * Further errors are only counted, because a text can have millions. The limit exceeds the maximum number of blocks.
 */
const MAX_PARSE_ERRORS = 20_000;
