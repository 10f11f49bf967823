import type { ActionContext } from "../actions/define.ts";
import { explain } from "../core/explain.ts";
import { failureOf } from "../core/failure.ts";
import type { ActionResult, Outcome } from "../core/outcome.ts";
import type { Action } from "./resolve.ts";

/** What an action may use. Throws `Failed` where it may not run at all. */
export type ContextFor = (action: Action) => ActionContext;

/** Runs one action to its result. It never throws: this is the one place where failures are caught. */
export async function perform(action: Action, seq: number, contextFor: ContextFor): Promise<ActionResult> {
  const outcome = await outcomeOf(action, contextFor);
  const { failure } = outcome;
  const warnings = [...action.warnings, ...(outcome.warnings ?? [])];
  return {
    seq,
    blockId: action.block.id,
    blockStartLine: action.block.startLine,
    action: action.definition.name,
    ...(action.translation?.operation !== undefined && { operation: action.translation.operation }),
    params: action.params,
    success: failure === undefined,
    ...(outcome.data !== undefined && { data: outcome.data }),
    ...(failure !== undefined && { error: explain(failure, action.definition.name), code: failure.code }),
    ...(outcome.hint !== undefined && { hint: outcome.hint }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** What comes of an action, or why nothing does. It never throws. */
export async function outcomeOf(action: Action, contextFor: ContextFor): Promise<Outcome> {
  const { definition, params, refusal } = action;
  if (refusal !== undefined) return refusal;
  try {
    return await definition.run(params as never, contextFor(action));
  } catch (thrown) {
    return { failure: failureOf(thrown) };
  }
}
