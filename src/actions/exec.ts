import * as z from "zod/mini";
import { type CommandData, LANGUAGES } from "../core/command.ts";
import { defineAction, type Shown } from "./define.ts";
import { boolean, choice, integer, path, text } from "./params.ts";

export const exec = defineAction({
  name: "exec",
  summary: "Run code, in a sandbox: it writes only to the project, and reaches no network.",
  notes: ["Standard input is empty, and nothing goes on in the background once the code has ended.", "Secrets such as .env cannot be read, and .git and loaf.yml cannot be changed."],
  params: z.object({
    code: text("The code"),
    lang: choice("Its language", LANGUAGES),
    version: z.optional(text("Version of the language, where it matters: `3.11`")),
    cwd: z.optional(path("Directory to run in; the root unless given")),
    return_output: z.optional(boolean("`false` leaves the output out of the report")),
    timeout: z.optional(integer("Milliseconds after which it is ended")),
  }),
  needs: { cwd: ["read"] },
  subject: "lang",
  show: (data: CommandData, { code, return_output }) => (return_output === false ? [] : outputOf(data, code)),
  example: { lang: "bash", code: "ls src" },
  run: (params, { programs }) => programs.exec(params),
});

/** Both streams where they hold something and, of a failure, what was run and how it ended. */
export function outputOf({ stdout, stderr, exit_code, changed = [] }: CommandData, code?: string): Shown[] {
  const failed = exit_code !== 0;
  if (!failed && stdout === "" && stderr === "" && changed.length === 0) return [{ text: "" }];
  return [
    ...(failed && code !== undefined ? [section("command", code)] : []),
    ...(stdout === "" ? [] : [section("stdout", stdout)]),
    ...(stderr === "" ? [] : [section("stderr", stderr)]),
    ...(changed.length === 0 ? [] : [{ entries: changed.map((path) => `changed: ${path}`) }]),
    ...(failed && typeof exit_code === "number" ? [{ text: `exit code: ${exit_code}` }] : []),
  ];
}

/** Without the newline at its end, which a blank line would show. */
function section(title: string, text: string): Shown {
  return { text: `${title}:\n${text.replace(/\n$/, "")}` };
}
