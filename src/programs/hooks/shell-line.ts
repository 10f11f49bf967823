/** How to pass a command to the system's shell. */
import { append } from "../../core/lists.ts";

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
  const env = Object.fromEntries(
    [...values].filter(([, value]) => Buffer.byteLength(value) <= longest && !value.includes("\0")),
  );
  const valueOf = (name: string): string => {
    if (!values.has(name)) throw new HookProblem(`Variable not found: ${name}`);
    const value = env[name];
    if (value === undefined) {
      throw new HookProblem(
        `The value of ${name} is too long for an environment variable (over ${longest} bytes), or contains a NUL`,
      );
    }
    return value;
  };
  if (isWindows) {
    const line = withCmdVariables(command, valueOf);
    // With /s, cmd removes exactly the outer quotes.
    return { program: process.env["ComSpec"] ?? "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], env, verbatim: true };
  }
  for (const name of variablesIn(command).names) valueOf(name);
  return { program: "/bin/sh", args: ["-c", command], env, verbatim: false };
}

/**
 * Finds Loaf's variables in a command for a POSIX shell. The command itself is left to the shell, which reads the
 * values from its environment: no value becomes part of the text.
 */
export function variablesIn(command: string): {
  /** Names of the variables that the shell replaces. */
  readonly names: readonly string[];
  /** `${NAME}` in single quotes, where the shell keeps it as it is. */
  readonly literal: readonly string[];
} {
  const [names, literal]: [string[], string[]] = [[], []];
  let [at, isDouble] = [0, false];
  for (;;) {
    const pattern = isDouble ? IN_DOUBLE_QUOTES : OUTSIDE_QUOTES;
    pattern.lastIndex = at;
    const match = pattern.exec(command);
    if (match === null) return { names, literal };
    const [piece, name] = match;
    if (piece === '"') isDouble = !isDouble;
    if (name !== undefined) names.push(name);
    if (piece.startsWith("'")) append(literal, piece.match(LITERAL) ?? []);
    at = pattern.lastIndex;
  }
}

const IN_DOUBLE_QUOTES = /\\[^]|"|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
/** Comments and text in single quotes too. */
const OUTSIDE_QUOTES = new RegExp(`(?<=^|[\\s;&|(])#[^\\n]*|'[^']*'|${IN_DOUBLE_QUOTES.source}`, "g");
const LITERAL = /(?<!\\)\$\{[A-Za-z_][A-Za-z0-9_]*\}/g;

/** Why a hook cannot be started, as a sentence without its full stop. */
export class HookProblem extends Error {
  override readonly name = "HookProblem";
}

/**
 * Never safe: a quote would end the quotes around it, a line end would end the line, and cmd replaces the rest when
 * `call` reads a line again.
 */
const UNSAFE = /["%\r\n\0]/;
/** Special to cmd outside quotes. */
const UNSAFE_UNQUOTED = /[&|<>()^!\s,;=]/;

/**
 * For Windows' cmd. Cmd substitutes a variable as part of the line, so `${NAME}` becomes `%NAME%`
 * only if the value is harmless there. Otherwise throws `HookProblem`, and nothing runs. `\$` is a plain `$`.
 *
 * @param command one line
 * @param valueOf may throw
 */
export function withCmdVariables(command: string, valueOf: (name: string) => string): string {
  const line = command.trimEnd();
  if (/[\r\n]/.test(line))
    throw new HookProblem("The command has several lines, and cmd would run only the first: put them into a script");
  let isQuoted = false;
  return line.replace(/\\\$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\^.|"/g, (text, name?: string) => {
    if (text === "\\$") return "$";
    if (text === '"') isQuoted = !isQuoted;
    // In quotes a caret is an ordinary character, and a quote after it ends them.
    if (text === '^"' && isQuoted) isQuoted = false;
    if (name === undefined) return text;
    const value = valueOf(name);
    if (UNSAFE.test(value)) {
      throw new HookProblem(
        `The value of ${name} contains a character that cmd would interpret: pass it to a script, which reads the environment variable ${name}`,
      );
    }
    if (!isQuoted && UNSAFE_UNQUOTED.test(value)) {
      throw new HookProblem(
        `The value of ${name} contains a character that cmd would interpret: put \${${name}} into double quotes`,
      );
    }
    // Cmd treats an empty variable as undefined and would leave the name in place.
    return value === "" ? "" : `%${name}%`;
  });
}
