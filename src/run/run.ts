import type { ActionContext } from "../actions/define.ts";
import type { ReadBlock, Diagnostic } from "../core/block.ts";
import type { ActionResult, ExecutionResult, ParseError } from "../core/outcome.ts";
import type { Settings } from "../config/schema.ts";
import { NeslParser } from "../syntax/nesl.ts";
import { perform } from "./perform.ts";
import { type Action, resolve, strayError } from "./resolve.ts";

/** Told of each result as it happens. Where it returns a promise, that is waited for. */
export type Listener = (result: ActionResult) => unknown;

/** What a run works with; `open.ts` wires it. */
export interface RunEnvironment {
  readonly settings: Settings;
  /** What the handler of an action may use. Throws `Failed` where the action may not run at all. */
  contextFor(action: Action): Promise<ActionContext>;
  readonly onEvent?: Listener | undefined;
}

/**
 * The pipeline: every block in its order is read, resolved and performed. What fails is data in the result and stops nothing
 * after it; only a text beyond the limits is refused whole.
 */
export async function run(text: string, { settings, contextFor, onEvent }: RunEnvironment): Promise<ExecutionResult> {
  // A program that is not type-checked may pass anything.
  if (typeof text !== "string") return refusedWhole(`The text must be a string, not ${text === null ? "null" : typeof text}: nothing was run`);
  const tooLong = exceeds(Buffer.byteLength(text), settings.limits.max_input, "bytes");
  if (tooLong !== undefined) return refusedWhole(tooLong);
  const { items, totalBlocks } = read(text);
  const tooMany = exceeds(totalBlocks, settings.limits.max_blocks, "blocks");
  if (tooMany !== undefined) return refusedWhole(tooMany);

  const results: ActionResult[] = [];
  const parseErrors: ParseError[] = [];
  let eventError: string | undefined;
  for (const item of items) {
    if ("message" in item) {
      parseErrors.push(strayError(item));
      continue;
    }
    const resolved = resolve(item, text, { relativePaths: settings.relative_paths });
    if ("definition" in resolved) {
      const result = await perform(resolved, results.length + 1, () => contextFor(resolved));
      results.push(result);
      eventError ??= await tell(result, onEvent);
    } else for (const error of resolved) parseErrors.push(error);
  }
  const success = parseErrors.length === 0 && results.every((result) => result.success);
  return { success, totalBlocks, executedActions: results.length, results, parseErrors, ...(eventError !== undefined && { eventError }) };
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

/** Blocks, and what was wrong outside them, as they follow in the text. */
function read(text: string): { items: Array<ReadBlock | Diagnostic>; totalBlocks: number } {
  const items: Array<ReadBlock | Diagnostic> = [];
  let totalBlocks = 0;
  const parser = new NeslParser(
    (block) => {
      totalBlocks += 1;
      items.push(block);
    },
    (stray) => items.push(stray),
  );
  parser.write(text);
  parser.end();
  return { items, totalBlocks };
}

function exceeds(count: number, limit: number, unit: string): string | undefined {
  return count > limit ? `The text has ${count} ${unit}, the limit is ${limit}: nothing was run` : undefined;
}

function refusedWhole(fatalError: string): ExecutionResult {
  return { success: false, totalBlocks: 0, executedActions: 0, results: [], parseErrors: [], fatalError };
}
