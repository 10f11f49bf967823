import type { Failure } from "../core/failure.ts";
import type { ActionResult, ExecutionResult, ParseError } from "../core/outcome.ts";
import type { Settings } from "../config/schema.ts";
import { readAnswer } from "../syntax/answer.ts";
import type { Format } from "../syntax/format.ts";
import { isBlock } from "../syntax/read.ts";
import { inGroups, rehearse } from "./groups.ts";
import { type ContextFor, perform, withoutEffect } from "./perform.ts";
import { type Action, fatalErrorOf, resolve, strayError } from "./resolve.ts";

/** Told of each result as it happens. Where it returns a promise, that is waited for. */
export type Listener = (result: ActionResult) => unknown;

/** What a run works with; `open.ts` wires it. */
export interface RunEnvironment {
  readonly settings: Settings;
  /** The syntax to read; without it the text tells. */
  readonly format?: Format | undefined;
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
export async function run(text: string, environment: RunEnvironment): Promise<ExecutionResult> {
  const { settings, format, contextFor, rehearsal, place, onEvent } = environment;
  // A program that is not type-checked may pass anything.
  if (typeof text !== "string") return refusedWhole(`The text must be a string, not ${text === null ? "null" : typeof text}: nothing was run`);
  const tooLong = exceeds(Buffer.byteLength(text), settings.limits.max_input, "bytes");
  if (tooLong !== undefined) return refusedWhole(tooLong);
  const { text: answer, items, totalBlocks, findings, fatal } = readAnswer(text, { format, csl: settings.csl });
  if (fatal !== undefined) return refusedWhole(`Line ${fatal.diagnostic.line}: ${fatal.diagnostic.message}: nothing was run`, [fatalErrorOf(fatal)]);
  const tooMany = exceeds(totalBlocks, settings.limits.max_blocks, "blocks");
  if (tooMany !== undefined) return refusedWhole(tooMany);

  const results: ActionResult[] = [];
  const parseErrors: ParseError[] = [];
  let eventError: string | undefined;
  for (const group of inGroups(items)) {
    const resolved = group.map((item) => (isBlock(item) ? resolve(item, answer, { relativePaths: settings.relative_paths }) : [strayError(item)]));
    for (const one of group.length > 1 ? await rehearse(resolved, rehearsal()) : resolved) {
      if (!("definition" in one)) {
        for (const error of one) parseErrors.push(error);
        continue;
      }
      results.push(await perform(place(one), results.length + 1, contextFor));
      // A listener is a program that may look at the files.
      if (onEvent !== undefined || environment.isFull()) withdraw(results, await environment.flush());
      eventError ??= await tell(results.at(-1) as ActionResult, onEvent);
    }
  }
  const isWhole = parseErrors.length === 0 && results.every((result) => result.success);
  withdraw(results, await environment.finish(isWhole));
  const success = isWhole && results.every((result) => result.success);
  const found = findings.length === 0 ? {} : { findings };
  return { success, totalBlocks, executedActions: results.length, results, parseErrors, ...found, ...(eventError !== undefined && { eventError }) };
}

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

function exceeds(count: number, limit: number, unit: string): string | undefined {
  return count > limit ? `The text has ${count} ${unit}, the limit is ${limit}: nothing was run` : undefined;
}

/** The result where nothing was run at all. */
export function refusedWhole(fatalError: string, parseErrors: readonly ParseError[] = []): ExecutionResult {
  return { success: false, totalBlocks: 0, executedActions: 0, results: [], parseErrors, fatalError };
}
