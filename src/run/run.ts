import type { Failure } from "../core/failure.ts";
import type { ActionResult, ExecutionResult, ParseError } from "../core/outcome.ts";
import type { Settings } from "../config/schema.ts";
import type { ReadBlock } from "../core/block.ts";
import { isBlock } from "../syntaxes/read.ts";
import { hashOfBlock } from "./answer/answer-items.ts";
import { ArrivingText } from "./answer/arriving-text.ts";
import { rehearse } from "./answer/groups.ts";
import { turnWhenDue, untilSignal } from "./in-time.ts";
import { type ContextFor, perform, withoutEffect } from "./perform.ts";
import { type ReadingOptions, readWhole, refusedWhole } from "./answer/reading.ts";
import { type Action, resolve, strayError } from "./answer/resolve.ts";
import { readStructured, type StructuredAction } from "./answer/structured.ts";

/** An answer: a text, a text in pieces, or a list of actions. */
export type Input = string | AsyncIterable<string> | readonly StructuredAction[];

/** Receives each result as it happens. Where it returns a promise, that is awaited. */
export type Listener = (result: ActionResult) => unknown;

/** An action that is about to run. */
export type Starting = Pick<ActionResult, "seq" | "blockId" | "action" | "params">;

/** What a run works with; `open.ts` wires it. */
export interface RunEnvironment extends ReadingOptions {
  /** Absolute. */
  readonly root: string;
  readonly settings: Settings;
  /** Aborted, no further action is begun: those that are left are told as not run. */
  readonly signal?: AbortSignal | undefined;
  /** Where somebody decides on each action: it comes back as it is, or refused. */
  readonly approve?: ((action: Action) => Promise<Action>) | undefined;
  /** There where somebody decides: shows the errors of a block that is no action. */
  readonly showErrors?: ((errors: readonly ParseError[]) => Promise<void>) | undefined;
  /** The run that applied an edit before, by the hash of its block; undefined where it is to be made. */
  appliedIn?(hash: string): number | undefined;
  /** Told the hashes of the blocks whose edits succeeded. */
  noteEdits?(hashes: readonly string[]): void;
  /** Whether somebody who was asked wanted nothing more to run. */
  isStopped(): boolean;
  readonly onStart?: ((action: Starting) => void) | undefined;
  readonly contextFor: ContextFor;
  /** The same for actions that are only tried out: what they change is seen by those tried after them, and then forgotten. */
  rehearsal(): ContextFor;
  /** Gives an action the paths that it means. */
  place(action: Action): Action;
  /** Whether so much waits to be brought to the disk that it should not wait for the end. */
  isFull(): boolean;
  /**
   * Brings to the disk what the actions since the last time have changed. Yields the actions of whom something could not be done,
   * by their position.
   */
  flush(): Promise<ReadonlyMap<number, Failure>>;
  /** The last flush or, where the run is all or nothing and not whole, none. */
  finish(isWhole: boolean): Promise<ReadonlyMap<number, Failure>>;
  readonly onEvent?: Listener | undefined;
}

/**
 * The pipeline: every block in its order is read, resolved and performed. What fails is data in the result and stops nothing
 * after it; only a text beyond the limits is refused whole.
 */
export async function run(input: Input, environment: RunEnvironment): Promise<ExecutionResult> {
  const { root, settings, contextFor, rehearsal, place, approve, onEvent, onStart, signal } = environment;
  const isWhole = typeof input === "string" || isList(input);
  // A program that is not type-checked may pass anything.
  if (!isWhole && input?.[Symbol.asyncIterator] === undefined) return refusedWhole(`The text must be a string, not ${input === null ? "null" : typeof input}: nothing was run`);
  const reading = !isWhole ? new ArrivingText(input, environment, signal) : isList(input) ? readStructured(input, environment) : readUntilSignal(input, environment);
  if (reading === undefined) return refusedWhole("Stopped before the text was read: nothing was run");

  const resolving = { root, relativePaths: settings.relative_paths, allowed: settings["allowed-actions"] };
  const results: ActionResult[] = [];
  /** Of edits that were made, by their position. */
  const hashes = new Map<number, string>();
  const parseErrors: ParseError[] = [];
  let omitted = 0;
  let eventError: string | undefined;
  for await (const { group, text: answer } of reading.groups()) {
    const resolved = group.map((item) => (isBlock(item) ? recognised(item, answer) : [strayError(item)]));
    for (const one of group.length > 1 && signal?.aborted !== true ? await rehearse(resolved, rehearsal()) : resolved) {
      if (!("definition" in one)) {
        for (const error of one) {
          if (parseErrors.length < MOST_PARSE_ERRORS) parseErrors.push(error);
          else omitted += 1;
        }
        await environment.showErrors?.(one);
        continue;
      }
      results.push(await performNext(one));
      // A listener may look at the files; so may who sends a text piece by piece, before the next piece.
      if (onEvent !== undefined || !isWhole || environment.isFull()) withdraw(results, await environment.flush());
      eventError ??= await tell(results.at(-1) as ActionResult, onEvent);
    }
  }
  if (omitted > 0) parseErrors.push({ blockId: "unknown", errorType: "syntax", message: `${omitted} more errors in the text`, blockStartLine: parseErrors.at(-1)?.blockStartLine ?? 1, neslContent: "" });
  const { refusal, interrupted, totalBlocks, findings } = reading;
  if (refusal !== undefined) return refusal;
  const isDone = interrupted === undefined && parseErrors.length === 0 && results.every((result) => result.success);
  withdraw(results, await environment.finish(isDone));
  environment.noteEdits?.(results.flatMap(({ seq, success }) => (success ? (hashes.get(seq) ?? []) : [])));
  return {
    success: isDone && results.every((result) => result.success),
    totalBlocks,
    executedActions: results.filter(({ code, appliedIn }) => appliedIn === undefined && code !== "skip/stopped" && code !== "skip/refused").length,
    results,
    parseErrors,
    ...(findings.length > 0 && { findings }),
    ...(interrupted !== undefined && { interrupted }),
    ...(eventError !== undefined && { eventError }),
  };

  function recognised(item: ReadBlock, answer: string): Action | readonly ParseError[] {
    const resolved = resolve(item, answer, resolving);
    if (!("definition" in resolved) || resolved.definition.effect === undefined || signal?.aborted === true) return resolved;
    const hash = hashOfBlock(item, answer);
    return { ...resolved, hash, appliedIn: environment.appliedIn?.(hash) };
  }

  async function performNext(action: Action): Promise<ActionResult> {
    const seq = results.length + 1;
    if (action.appliedIn !== undefined) return perform(action, seq, contextFor);
    if (action.hash !== undefined) hashes.set(seq, action.hash);
    await turnWhenDue();
    if (signal?.aborted === true || environment.isStopped()) return perform({ ...action, refusal: { failure: { code: "skip/stopped" } } }, seq, contextFor);
    onStart?.({ seq, blockId: action.block.id, action: action.definition.name, params: action.params });
    const placed = place(action);
    return perform(approve === undefined ? placed : await approve(placed), seq, contextFor);
  }
}

function isList(input: Input): input is readonly StructuredAction[] {
  return Array.isArray(input);
}

/** Undefined where Ctrl-C has ended it. */
function readUntilSignal(text: string, environment: RunEnvironment): ReturnType<typeof readWhole> | undefined {
  const read = () => readWhole(text, environment);
  return text.length < LONG ? read() : untilSignal(read);
}

/** UTF-16 units that may take longer than half a second to read. */
const LONG = 1_000_000;

/** Further errors are only counted: nobody reads them, and a text can hold millions. As many as a text may have blocks, and more. */
const MOST_PARSE_ERRORS = 20_000;

/** What an action has changed counts once it is on the disk. One that failed before keeps its own reason. */
function withdraw(results: ActionResult[], failures: ReadonlyMap<number, Failure>): void {
  for (const [seq, failure] of failures) {
    const result = results[seq - 1];
    if (result?.success === true) results[seq - 1] = withoutEffect(result, failure);
  }
}

/** A listener that throws stops nothing: what was done is done, and has to be in the result. */
async function tell(result: ActionResult, onEvent: Listener | undefined): Promise<string | undefined> {
  try {
    await onEvent?.(result);
    return undefined;
  } catch (thrown) {
    return `onEvent failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}
