import * as z from "zod/mini";
import type { Outcome } from "../core/outcome.ts";
import { readCommands } from "../text/command-words.ts";
import { defineAction } from "./define.ts";
import { path, text } from "./params.ts";

export const runCommands = defineAction({
  name: "run_commands",
  summary: "Run commands without a shell, one a line, up to the first that fails.",
  params: z.object({ commands: text("The commands, one a line"), dir: z.optional(path("Where they run; the root unless given")) }),
  isInternal: true,
  needs: { dir: ["read"] },
  subject: ({ commands }) => commands.trim().replace(/\n[^]*/, " …"),
  show: "never",
  example: { commands: "npm test" },
  run: ({ commands }) => runWithoutShell(readCommands(commands)),
});

/** Nothing starts processes yet. */
function runWithoutShell(_commands: readonly string[][]): Outcome {
  return { failure: { code: "skip/command" } };
}
