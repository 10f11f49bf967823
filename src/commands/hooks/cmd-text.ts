import { HookProblem } from "./hook-problem.ts";

/**
 * Never safe: a quote would end the quotes around it, a line end would end the line, and cmd replaces the rest when
 * `call` reads a line again.
 */
const UNSAFE = /["%\r\n\0]/;
/** Special to cmd outside quotes. */
const UNSAFE_UNQUOTED = /[&|<>()^!\s,;=]/;

/**
 * Like `withVariables`, for Windows' cmd. Cmd substitutes a variable as part of the line, so `${NAME}` becomes `%NAME%`
 * only if the value is harmless there. Otherwise throws `HookProblem`, and nothing runs. `\$` is a plain `$`.
 *
 * @param command one line
 * @param valueOf may throw
 */
export function withCmdVariables(command: string, valueOf: (name: string) => string): string {
  const line = command.trimEnd();
  if (/[\r\n]/.test(line)) throw new HookProblem("The command has several lines, and cmd would run only the first: put them into a script");
  let isQuoted = false;
  return line.replace(/\\\$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\^.|"/g, (text, name?: string) => {
    if (text === "\\$") return "$";
    if (text === '"') isQuoted = !isQuoted;
    // In quotes a caret is an ordinary character, and a quote after it ends them.
    if (text === '^"' && isQuoted) isQuoted = false;
    if (name === undefined) return text;
    const value = valueOf(name);
    if (UNSAFE.test(value)) throw new HookProblem(`The value of ${name} contains a character that cmd would interpret: pass it to a script, which reads the environment variable ${name}`);
    if (!isQuoted && UNSAFE_UNQUOTED.test(value)) throw new HookProblem(`The value of ${name} contains a character that cmd would interpret: put \${${name}} into double quotes`);
    // Cmd treats an empty variable as undefined and would leave the name in place.
    return value === "" ? "" : `%${name}%`;
  });
}
