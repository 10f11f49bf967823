import { HookProblem } from "./hook-problem.ts";

/** Besides a quote, which would end those around it: a line's end, and what cmd replaces when it reads a line a second time, as `call` lets it. */
const NEVER = /["%\r\n\0]/;
/** What cmd acts upon where no quotes are around it. */
const ACTS = /[&|<>()^!\s,;=]/;

/**
 * The same as `withVariables` for Windows' cmd. It has no way to read a variable that it does not take for a part of its line, so `${NAME}` becomes
 * `%NAME%` only where the value can do nothing there; otherwise this throws `HookProblem`, and nothing is run. `\$` is a plain `$`.
 *
 * @param command one line
 * @param valueOf may throw
 */
export function withCmdVariables(command: string, valueOf: (name: string) => string): string {
  const line = command.trimEnd();
  if (/[\r\n]/.test(line)) throw new HookProblem("The command has several lines, of which cmd would run only the first: put them into a script");
  let isQuoted = false;
  return line.replace(/\\\$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\^.|"/g, (text, name?: string) => {
    if (text === "\\$") return "$";
    if (text === '"') isQuoted = !isQuoted;
    // In quotes a caret is a character like any other, and a quote after it ends them.
    if (text === '^"' && isQuoted) isQuoted = false;
    if (name === undefined) return text;
    const value = valueOf(name);
    if (NEVER.test(value)) throw new HookProblem(`The value of ${name} holds a character that cmd would act upon: hand it to a script, which reads the environment variable ${name}`);
    if (!isQuoted && ACTS.test(value)) throw new HookProblem(`The value of ${name} holds a character that cmd would act upon: put \${${name}} into double quotes`);
    // Of an empty variable cmd knows nothing, and would leave the name.
    return value === "" ? "" : `%${name}%`;
  });
}
