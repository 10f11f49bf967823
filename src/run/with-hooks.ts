import type { Hook } from "../config/hook-schema.ts";
import type { Settings } from "../config/schema.ts";
import { explain } from "../core/explain.ts";
import { Failed } from "../core/failure.ts";
import type { ExecutionResult, FailedHook } from "../core/outcome.ts";
import { hookContext } from "../commands/hooks/hook-context.ts";
import { refusedWhole } from "./answer/reading.ts";

/** What the settings say of hooks. */
export type Hooked = Pick<Settings, "hooks" | "vars">;

export interface HookEnvironment extends Hooked {
  /** Absolute. */
  readonly root: string;
  /** Lets a program loose on the project: what it changes belongs to the run. Throws `Failed`, and has not started it, where nobody could tell what it changes. */
  observe<Value>(act: () => Promise<Value>): Promise<Value>;
  /** What the run has changed so far, relative to the root. */
  modifiedFiles(): readonly string[];
  /** Ends a hook before the run; those after it, which may tidy up, always run. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A run between its hooks. Where one before it fails, the run does not begin; once it has begun, those after it run, whatever came
 * of it: they may tidy up what the first ones have prepared.
 */
export async function withHooks(environment: HookEnvironment, act: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
  const { before = [], after = [] } = environment.hooks ?? {};
  if (before.length + after.length === 0) return act();
  // Where it could not be loaded after the run, what was done could not be told.
  const { runHooks } = await import("../commands/hooks/hooks.ts");
  const { root, vars = {} } = environment;
  const run = (hooks: readonly Hook[], context: Record<string, string>, signal?: AbortSignal) => observed(environment, hooks, () => runHooks(hooks, { root, context, vars, signal }));
  const failedBefore = await run(before, {}, environment.signal);
  if (failedBefore.length > 0) return { ...refusedWhole("Before hooks failed - aborting execution"), ...told("before", failedBefore) };
  const result = await act();
  if (after.length === 0) return result;
  const failedAfter = await run(after, hookContext(result, environment.modifiedFiles()));
  return failedAfter.length === 0 ? result : { ...result, success: false, ...told("after", failedAfter) };
}

/** What a dry run says of hooks, which it leaves out: they would change what is really there. */
export function hooksLeftOut({ hooks: { before = [], after = [] } = {} }: Hooked): string[] {
  const commands = [...before, ...after].map(({ run }) => run.trim());
  return commands.length === 0 ? [] : [`Hooks do not run in a dry run: ${commands.join(", ")}`];
}

async function observed({ observe }: HookEnvironment, hooks: readonly Hook[], act: () => Promise<FailedHook[]>): Promise<FailedHook[]> {
  if (hooks.length === 0) return [];
  try {
    return await observe(act);
  } catch (thrown) {
    if (!(thrown instanceof Failed)) throw thrown;
    // What the run has done is to be told all the same.
    return [{ command: hooks[0]?.run.trim() ?? "", error: explain(thrown.failure), stdout: "", stderr: "" }];
  }
}

function told(when: "before" | "after", failed: readonly FailedHook[]): Pick<ExecutionResult, "hookErrors" | "failedHooks"> {
  return { hookErrors: { [when]: failed.map(({ command, error }) => `${command}: ${error}`) }, failedHooks: failed };
}
