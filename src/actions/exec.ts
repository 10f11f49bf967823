import * as z from "zod/mini";
import { type CommandData, LANGUAGE_NAMES, LANGUAGES } from "../core/command.ts";
import { afterReturns } from "../core/visible.ts";
import { defineAction, type ShownResult } from "./define.ts";
import { boolean, choice, commands, path, positive, text } from "./params.ts";

export const exec = defineAction({
  name: "exec",
  summary: "Run code in a sandbox, without network.",
  summaryUnder: ({ languages, network, sandbox, timeout }) => {
    if (languages.length === 0) return undefined;
    const where = sandbox === "off" ? "without sandbox" : network ? "in a sandbox with network" : "in a sandbox";
    return `Run ${languages.join(", ")} ${where}, ${timeout / 1_000} s.`;
  },
  params: z.object({
    code: commands("The code"),
    lang: choice("Its language", LANGUAGES, LANGUAGE_NAMES),
    version: z.optional(text("`3.11`")),
    cwd: z.optional(path("Default: the root")),
    return_output: z.optional(boolean("`false`: not in the report")),
    timeout: z.optional(positive("Milliseconds")),
  }),
  needs: { cwd: ["read"] },
  runs: "code",
  subject: "lang",
  show: (data: CommandData, { code, return_output }) => (return_output === false ? [] : outputOf(data, code)),
  changed: ({ changed = [] }: CommandData) => changed.map(({ path }) => path),
  example: { lang: "bash", code: "ls src" },
  run: (params, { programs }) => programs.exec(params),
});

/** Returns the streams that are not empty. For a failure, also what was run and how it ended. */
export function outputOf({ stdout, stderr, exit_code, changed = [] }: CommandData, code?: string): ShownResult[] {
  const failed = exit_code !== 0;
  if (!failed && stdout === "" && stderr === "" && changed.length === 0) return [{ text: "" }];
  return [
    ...(failed && code !== undefined ? [section("command", code)] : []),
    ...(stdout === "" ? [] : [section("stdout", afterReturns(stdout))]),
    ...(stderr === "" ? [] : [section("stderr", afterReturns(stderr))]),
    ...(changed.length === 0 ? [] : [{ facts: changed.map(({ path, change }) => `${change}: ${path}`) }]),
    ...(failed && typeof exit_code === "number" ? [{ facts: [`exit code: ${exit_code}`] }] : []),
  ];
}

/** Strips the final newline, which would show as a blank line. */
function section(title: string, text: string): ShownResult {
  return { title, text: text.replace(/\r?\n$/, "") };
}
