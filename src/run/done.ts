/** What happened to an action, as facts; and at the edge of the library, its words. */
import { explain } from "../core/explain.ts";
import type { Failure } from "../core/failure.ts";
import type { ActionResult, Outcome } from "../core/outcome.ts";
import type { Action } from "../answer/resolve.ts";

export interface Done extends Outcome {
  /** 1-based position among the executed actions. */
  readonly seq: number;
  /** As it was performed: at its place, or refused. */
  readonly action: Action;
  readonly warnings: readonly string[];
  /** Tags of the files that it shows, by path. */
  readonly bases?: Readonly<Record<string, string>>;
}

/** Returns an action whose changes did not reach the disk, without claims about them. */
export function withoutEffect({ seq, action, warnings }: Done, failure: Failure): Done {
  return { seq, action, failure, warnings };
}

export function withWarnings(done: Done, added: readonly string[]): Done {
  return { ...done, warnings: [...done.warnings, ...added] };
}

/** Returns what the library's users and the reports get. No code of a run reads it. */
export function resultOf({ seq, action, data, failure, hint, near, warnings, bases }: Done): ActionResult {
  const { block, definition, params, translation, applied, hunks } = action;
  const part = failure === undefined ? hunks?.part : undefined;
  return {
    seq,
    blockId: block.id,
    blockStartLine: block.startLine,
    action: definition.name,
    ...(translation?.operation !== undefined && { operation: translation.operation }),
    params,
    success: failure === undefined,
    ...(failure === undefined && applied && { appliedIn: applied.run }),
    ...(part && { hunks: part }),
    ...(data !== undefined && { data }),
    ...(failure && { error: explain(failure, definition.name), code: failure.code, failure }),
    ...(hint !== undefined && { hint }),
    ...(near && { near }),
    ...(warnings.length > 0 && { warnings }),
    ...(bases && { bases }),
  };
}
