import { withCmdVariables } from "./cmd-text.ts";
import { HookProblem } from "./hook-problem.ts";
import { withVariables } from "./shell-text.ts";

/** How a command is handed to the system's shell. */
export interface ShellLine {
  readonly program: string;
  readonly args: readonly string[];
  /** The values, by which alone they reach it. */
  readonly env: Readonly<Record<string, string>>;
  /** The arguments are already as Windows wants them. */
  readonly verbatim: boolean;
}

/** A variable of the environment can be so long, in bytes; the systems' own limits are a little above. */
const LONGEST = { posix: 100_000, windows: 30_000 };

/**
 * The line that runs a command. All values are in its environment, but for those that no environment can hold. Throws `HookProblem` where
 * `${NAME}` names no value, or one that cannot be handed over.
 */
export function shellLine(command: string, values: ReadonlyMap<string, string>, platform: NodeJS.Platform): ShellLine {
  const isWindows = platform === "win32";
  const longest = isWindows ? LONGEST.windows : LONGEST.posix;
  const env = Object.fromEntries([...values].filter(([, value]) => Buffer.byteLength(value) <= longest && !value.includes("\0")));
  const valueOf = (name: string): string => {
    if (!values.has(name)) throw new HookProblem(`Variable not found: ${name}`);
    const value = env[name];
    if (value === undefined) throw new HookProblem(`The value of ${name} is too long for an environment variable (over ${longest} bytes), or holds a NUL`);
    return value;
  };
  if (isWindows) {
    const line = withCmdVariables(command, valueOf);
    // With /s exactly the outer quotes are taken off.
    return { program: process.env["ComSpec"] ?? "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], env, verbatim: true };
  }
  return { program: "/bin/sh", args: ["-c", withVariables(command, (name) => void valueOf(name))], env, verbatim: false };
}
