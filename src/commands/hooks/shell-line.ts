import { withCmdVariables } from "./cmd-text.ts";
import { HookProblem } from "./hook-problem.ts";
import { withVariables } from "./shell-text.ts";

/** How to pass a command to the system's shell. */
export interface ShellLine {
  readonly program: string;
  readonly args: readonly string[];
  /** The values: they reach the shell only through its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The arguments are already quoted for Windows. */
  readonly verbatim: boolean;
}

/** Maximum size of an environment variable in bytes, a little below the systems' limits. */
const MAX_VALUE_BYTES = { posix: 100_000, windows: 30_000 };

/**
 * Builds the line that runs a command, with all values that fit in its environment. Throws `HookProblem` if `${NAME}`
 * names no value, or one that does not fit.
 */
export function shellLine(command: string, values: ReadonlyMap<string, string>, platform: NodeJS.Platform): ShellLine {
  const isWindows = platform === "win32";
  const longest = isWindows ? MAX_VALUE_BYTES.windows : MAX_VALUE_BYTES.posix;
  const env = Object.fromEntries([...values].filter(([, value]) => Buffer.byteLength(value) <= longest && !value.includes("\0")));
  const valueOf = (name: string): string => {
    if (!values.has(name)) throw new HookProblem(`Variable not found: ${name}`);
    const value = env[name];
    if (value === undefined) throw new HookProblem(`The value of ${name} is too long for an environment variable (over ${longest} bytes), or contains a NUL`);
    return value;
  };
  if (isWindows) {
    const line = withCmdVariables(command, valueOf);
    // With /s, cmd removes exactly the outer quotes.
    return { program: process.env["ComSpec"] ?? "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], env, verbatim: true };
  }
  return { program: "/bin/sh", args: ["-c", withVariables(command, (name) => void valueOf(name))], env, verbatim: false };
}
