import type { MessageFacts } from "../config/commit-message.ts";
import type { Settings } from "../config/schema.ts";
import { explain, Failed } from "../core/failure.ts";
import type { ActionResult, ExecutionResult, FailedHook } from "../core/outcome.ts";
import type { TakenBack } from "../core/change-set.ts";
import { joinPath } from "../paths/path-segments.ts";
import { refusedWhole } from "../answer/reading.ts";

/** The settings about hooks and checks. */
export type Hooked = Pick<Settings, "hooks" | "vars" | "checks">;

export interface HookEnvironment extends Hooked {
  /** Absolute. */
  readonly root: string;
  /**
   * Runs a program on the project's files and records its changes as the run's, unless it runs before the run. Throws
   * `Failed` without starting it if its changes could not be recorded.
   */
  observe<Value>(act: () => Promise<Value>, when?: "before" | "after"): Promise<Value>;
  /** Paths that the run has changed so far, relative to the root. */
  modifiedFiles(): readonly string[];
  takenBack(): TakenBack;
  /** Kills a hook before the run. Hooks after it always run, because they may clean up. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `act` between its hooks. If a hook before it fails, the run does not start. Once it has started, the hooks after
 * it run whatever happens, because they may clean up.
 */
export async function withHooks(
  environment: HookEnvironment,
  act: () => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const { root, hooks: { before = [], after = [] } = {}, vars = {}, observe } = environment;
  if (before.length + after.length === 0) return act();
  // Loaded before the run: a failure to load it afterwards would lose the result.
  const { runHooks } = await import("../programs/hooks/hooks.ts");
  const run = async (when: "before" | "after", context: Record<string, string>): Promise<FailedHook[]> => {
    const [hooks, signal] = when === "before" ? [before, environment.signal] : [after];
    if (hooks.length === 0) return [];
    try {
      return await observe(() => runHooks(hooks, { root, context, vars, signal }), when);
    } catch (thrown) {
      if (!(thrown instanceof Failed)) throw thrown;
      // The run's result must still be reported.
      return [{ command: hooks[0]?.run.trim() ?? "", error: explain(thrown.failure), stdout: "", stderr: "" }];
    }
  };
  const failedBefore = await run("before", {});
  if (failedBefore.length > 0)
    return {
      ...refusedWhole("Before hooks failed - aborting execution"),
      ...failedHooksResult("before", failedBefore),
    };
  const ran = await act();
  if (after.length === 0) return ran;
  const failedAfter = await run("after", factsOfRun(ran, environment.modifiedFiles()));
  const result = { ...ran, results: ran.results.map((result) => withTakenBack(result, environment)) };
  return failedAfter.length === 0 ? result : { ...result, success: false, ...failedHooksResult("after", failedAfter) };
}

/** Adds a warning about what hooks took back of an action. */
function withTakenBack(result: ActionResult, { root, takenBack }: HookEnvironment): ActionResult {
  const clauses = takenBack().get(result.seq);
  if (clauses === undefined || !result.success) return result;
  const said = [...clauses].map(([path, is]) => `${path.replace(joinPath(root, ""), "")} ${is}`).join(", ");
  return { ...result, warnings: [...(result.warnings ?? []), `a hook took this back: ${said}`] };
}

/** Returns a notice about hooks that a dry run skips, because they would change the actual files. */
export function skippedHooksNotice({ hooks: { before = [], after = [] } = {} }: Hooked): string[] {
  const commands = [...before, ...after].map(({ run }) => run.trim());
  return commands.length === 0 ? [] : [`Hooks do not run in a dry run: ${commands.join(", ")}`];
}

function failedHooksResult(
  when: "before" | "after",
  failed: readonly FailedHook[],
): Pick<ExecutionResult, "hookErrors" | "failedHooks"> {
  return { hookErrors: { [when]: failed.map(({ command, error }) => `${command}: ${error}`) }, failedHooks: failed };
}

/**
 * Returns what hooks, and the message of the commit, may know about a finished run.
 *
 * @param modifiedFiles relative to the root
 */
export function factsOfRun(
  { success, executedActions, totalBlocks, results, parseErrors, fatalError }: ExecutionResult,
  modifiedFiles: readonly string[],
): Omit<MessageFacts, "operation_summary"> {
  const errors = [
    ...(fatalError === undefined ? [] : [fatalError]),
    ...parseErrors.map(({ message }) => message),
    ...results.flatMap(({ error }) => (error === undefined ? [] : [error])),
  ];
  return {
    success: String(success),
    executedActions: String(executedActions),
    totalBlocks: String(totalBlocks),
    modifiedFiles: modifiedFiles.join(","),
    operations: results
      .filter(({ appliedIn }) => appliedIn === undefined)
      .map((result) => (result.success ? result.action : `${result.action} (failed)`))
      .join(","),
    // An error may quote a NUL, which no environment variable can hold.
    errors: errors.join("; ").replaceAll("\0", "\uFFFD"),
    errorCount: String(errors.length),
  };
}
