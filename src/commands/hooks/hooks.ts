/** The user's own commands around a run: through the shell, outside the sandbox, with what Loaf knows in their environment. */
import { resolve } from "node:path";
import type { Hook } from "../../config/hook-schema.ts";
import type { FailedHook } from "../../core/outcome.ts";
import { runProgram } from "../run-program.ts";
import { HookProblem } from "./hook-problem.ts";
import { shellLine } from "./shell-line.ts";

export interface Surroundings {
  /** Absolute; hooks run there. */
  readonly root: string;
  /** What `${NAME}` stands for: names of the run's own, and after them those of the configuration. */
  readonly context: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
  /** Ends the hook that is running, and counts as its failure. */
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds, for a hook that names no time of its own. */
const TIMEOUT = 30_000;
/** Bytes of each stream that are kept for the report. */
const KEPT = 32_768;

/** Runs them in their order, up to the first that fails unless it says otherwise. What it leaves in the background ends with it. Never throws. */
export async function runHooks(hooks: readonly Hook[], surroundings: Surroundings): Promise<FailedHook[]> {
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

async function runHook({ run, cwd, timeout = TIMEOUT }: Hook, { root, context, vars, signal }: Surroundings): Promise<Problem | undefined> {
  const values = new Map([...Object.entries(vars), ...Object.entries(context)]);
  try {
    const { env, ...line } = shellLine(run, values, process.platform);
    const place = resolve(root, cwd ?? ".");
    const { exitCode, signal: killedBy, endedBy, stdout, stderr } = await runProgram({ ...line, cwd: place, env: { ...ownEnvironment(), ...env }, timeout, signal, keep: KEPT });
    if (exitCode === 0) return undefined;
    const error =
      endedBy === "timeout" ? `Command timed out after ${timeout / 1_000}s` : exitCode === null ? `Command was killed by signal ${killedBy}` : `Command failed with exit code ${exitCode}`;
    return { error, stdout, stderr };
  } catch (thrown) {
    return { error: reasonOf(thrown, cwd), stdout: "", stderr: "" };
  }
}

function reasonOf(thrown: unknown, cwd: string | undefined): string {
  if (thrown instanceof HookProblem) return thrown.message;
  const { code, message } = thrown as NodeJS.ErrnoException;
  // The shell is always there, so it is the folder that is not; the system names the program.
  if (cwd !== undefined && (code === "ENOENT" || code === "ENOTDIR")) return `Working directory does not exist '${cwd}' (${code})`;
  return `Command could not be started (${message})`;
}

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
