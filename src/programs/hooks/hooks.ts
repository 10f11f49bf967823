/**
 * The user's own commands around a run: through the shell, outside the sandbox, with facts about the run in their
 * environment.
 */
import { resolve } from "node:path";
import type { Hook } from "../../config/schema.ts";
import type { FailedHook } from "../../core/outcome.ts";
import { runProgram } from "../../process/run-program.ts";
import { HookProblem, shellLine } from "./shell-line.ts";

export interface HookSettings {
  /** Absolute. Hooks run there. */
  readonly root: string;
  /** Values for `${NAME}`. Names of the run come before those of the configuration. */
  readonly context: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
  /** Kills the running hook, which then counts as failed. */
  readonly signal?: AbortSignal | undefined;
}

/** Default timeout in milliseconds. */
const TIMEOUT_MS = 30_000;
/** Bytes of each stream kept for the report. */
const KEPT = 32_768;

/**
 * Runs hooks in order, up to the first that fails without `continueOnError`. Ends their background processes. Never
 * throws.
 */
export async function runHooks(hooks: readonly Hook[], surroundings: HookSettings): Promise<FailedHook[]> {
  const failed: FailedHook[] = [];
  for (const hook of hooks) {
    const failure = await runHook(hook, surroundings);
    if (failure === undefined) continue;
    failed.push({ command: hook.run, ...failure });
    if (hook.continueOnError !== true) break;
  }
  return failed;
}

type Problem = Omit<FailedHook, "command">;

async function runHook(
  { run, cwd, timeout = TIMEOUT_MS }: Hook, { root, context, vars, signal }: HookSettings
): Promise<Problem | undefined> {
  const values = new Map([...Object.entries(vars), ...Object.entries(context)]);
  try {
    const { env, ...line } = shellLine(run, values, process.platform);
    const place = resolve(root, cwd ?? ".");
    const environment = { ...(process.env as Record<string, string>), ...env };
    const {
      exitCode, signal: killedBy, endedBy, stdout, stderr
    } = await runProgram({ ...line, cwd: place, env: environment, timeout, signal, keep: KEPT });
    if (exitCode === 0) return undefined;
    const error =
      endedBy === "timeout"
        ? `Command timed out after ${timeout / 1_000}s`
        : exitCode === null
          ? `Command was killed by signal ${killedBy}`
          : `Command failed with exit code ${exitCode}`;
    return { error, stdout, stderr };
  } catch (thrown) {
    return { error: reasonOf(thrown, cwd), stdout: "", stderr: "" };
  }
}

function reasonOf(thrown: unknown, cwd: string | undefined): string {
  if (thrown instanceof HookProblem) return thrown.message;
  const { code, message } = thrown as NodeJS.ErrnoException;
  // The shell always exists, so the folder must be missing. The system's error names the program instead.
  if (cwd !== undefined && (code === "ENOENT" || code === "ENOTDIR"))
    return `Working directory does not exist '${cwd}' (${code})`;
  return `Command could not be started (${message})`;
}
