import type { ActionContext } from "../actions/define.ts";
import { explain } from "../core/explain.ts";
import { failureOf } from "../core/failure.ts";
import type { ActionResult, Outcome } from "../core/outcome.ts";
import type { Action } from "./resolve.ts";

/** Runs one action to its result. It never throws: this is the one place where failures are caught. */
export async function perform(action: Action, seq: number, context: () => Promise<ActionContext>): Promise<ActionResult> {
  const outcome = await outcomeOf(action, context);
  const { failure } = outcome;
  const warnings = [...action.warnings, ...(outcome.warnings ?? [])];
  return {
    seq,
    blockId: action.block.id,
    blockStartLine: action.block.startLine,
    action: action.definition.name,
    params: action.params,
    success: failure === undefined,
    ...(outcome.data !== undefined && { data: outcome.data }),
    ...(failure !== undefined && { error: explain(failure, action.definition.name), code: failure.code }),
    ...(outcome.hint !== undefined && { hint: outcome.hint }),
    ...(warnings.length > 0 && { warnings }),
  };
}

async function outcomeOf({ definition, params }: Action, context: () => Promise<ActionContext>): Promise<Outcome> {
  try {
    return await definition.run(params as never, await context());
  } catch (thrown) {
    return { failure: failureOf(thrown) };
  }
}
