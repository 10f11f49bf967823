import * as z from "zod/mini";
import type { CommandData } from "../core/command.ts";
import { readCommands } from "./command-words.ts";
import { defineAction } from "./define.ts";
import { outputOf } from "./exec.ts";
import { commands, path } from "./params.ts";

export const runCommands = defineAction({
  name: "run_commands",
  summary: "Run commands without a shell, one per line, up to the first that fails.",
  params: z.object({
    commands: commands("The commands, one per line"),
    dir: z.optional(path("Where they run; default: the root")),
  }),
  isInternal: true,
  needs: { dir: ["read"] },
  runs: "commands",
  subject: ({ commands }) => commands.trim().replace(/\n[^]*/, " …"),
  show: (data: CommandData) => outputOf(data),
  changed: ({ changed = [] }: CommandData) => changed.map(({ path }) => path),
  example: { commands: "npm test" },
  run: ({ commands, dir }, { programs }) => programs.runEach(readCommands(commands), dir),
});
