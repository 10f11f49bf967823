import type { ActionContext } from "../actions/define.ts";
import { explain, nextStep } from "../core/explain.ts";
import { Failed, type Failure, failureOf } from "../core/failure.ts";
import type { ActionResult, Outcome } from "../core/outcome.ts";
import { namedFew } from "../core/visible.ts";
import type { Action } from "./answer/resolve.ts";
import type { InTime } from "./in-time.ts";

/**
 * Creates the context of an action. Throws `Failed` if it may not run at all. Passes warnings about its effects to
 * `warn`.
 */
export type ContextFor = (action: Action, seq: number, warn: (warning: string) => void) => Promise<PerformContext>;

export interface PerformContext extends ActionContext {
  /** Runs the action's handler within its time limit. */
  readonly inTime: InTime;
}

/**
 * Runs one action and returns its result. Never throws: failures are caught only here.
 *
 * @param hintOn returns a hint on a failure that came without one
 */
export async function perform(
  action: Action,
  seq: number,
  contextFor: ContextFor,
  hintOn: (failure: Failure) => string | undefined,
): Promise<ActionResult> {
  const { applied } = action;
  const warnings = applied === undefined ? [...action.warnings] : [];
  const outcome: Outcome =
    applied !== undefined
      ? { ...(applied.isUnchanged && { data: { unchanged: true } }) }
      : await outcomeOf(action, () =>
          contextFor(action, seq, (warning) => void (warnings.includes(warning) || warnings.push(warning))),
        );
  const { failure } = outcome;
  const hint = outcome.hint ?? (failure && (hintOn(failure) ?? nextStep(failure)));
  warnings.push(...(outcome.warnings ?? []));
  const part = failure === undefined ? action.hunks?.part : undefined;
  if (part !== undefined) warnings.push(partSentence(part, action.hunks?.leftOut ?? []));
  return {
    seq,
    blockId: action.block.id,
    blockStartLine: action.block.startLine,
    action: action.definition.name,
    ...(action.translation?.operation !== undefined && { operation: action.translation.operation }),
    params: action.params,
    success: failure === undefined,
    ...(applied !== undefined && { appliedIn: applied.run }),
    ...(part !== undefined && { hunks: part }),
    ...(outcome.data !== undefined && { data: outcome.data }),
    ...(failure !== undefined && errorOf(failure, action.definition.name)),
    ...(hint !== undefined && { hint }),
    ...(warnings.length > 0 && { warnings }),
  };
}

function errorOf(failure: Failure, action: string): Pick<ActionResult, "error" | "code" | "errorPath" | "failure"> {
  const { code } = failure;
  const isOfOnePath = (code === "file/not-found" || code === "file/permission") && failure.to === undefined;
  return { error: explain(failure, action), code, ...(isOfOnePath && { errorPath: failure.path }), failure };
}

/** Tells the model what the user left out. */
function partSentence(
  { taken, of }: { readonly taken: number; readonly of: number },
  leftOut: readonly string[],
): string {
  return `partly taken: ${taken} of ${of} hunks; the user left out ${namedFew(leftOut, 10)}: do not send these again unless asked`;
}

/** Returns the result of an action whose changes did not reach the disk, without claims about them. */
export function withoutEffect(
  { seq, blockId, blockStartLine, action, operation, params, warnings }: ActionResult,
  failure: Failure,
): ActionResult {
  const named = { seq, blockId, blockStartLine, action, ...(operation !== undefined && { operation }), params };
  return {
    ...named,
    success: false,
    ...errorOf(failure, action),
    ...(warnings && { warnings }),
  };
}

/** Returns the outcome of an action, or its failure. Never throws. */
export async function outcomeOf(
  { definition, params, refusal }: Action,
  contextOf: () => Promise<PerformContext>,
): Promise<Outcome> {
  if (refusal !== undefined) return refusal;
  try {
    const context = await contextOf();
    return await context.inTime(() => definition.run(params as never, context));
  } catch (thrown) {
    const hint = thrown instanceof Failed ? thrown.hint : undefined;
    return { failure: failureOf(thrown), ...(hint !== undefined && { hint }) };
  }
}
