import type { Command } from "commander";
import { explainEnd } from "./explain-end.ts";
import { complain } from "./output.ts";

/** Commands that can be typed into the live view, such as `/undo 2`. Each works as on the command line. */
const COMMANDS = [
  "undo",
  "redo",
  "log",
  "diff",
  "squash",
  "back",
  "forward",
  "context",
  "outline",
  "config",
  "trust",
  "doctor",
  "recover",
  "instructions",
];

/** Runs a command, and ignores its exit code. */
export async function runSlashCommand(
  line: string,
  { root, createProgram }: { readonly root: string; readonly createProgram: () => Command },
): Promise<void> {
  const [name = "", ...args] = wordsOf(line);
  const program = createProgram();
  const isThere = COMMANDS.includes(name) && program.commands.some((command) => command.name() === name);
  if (!isThere)
    return complain(
      `There is no /${name} here. Available: ${slashCommands(program)
        .map((one) => `/${one}`)
        .join(" ")}`,
    );
  const exitCode = process.exitCode;
  try {
    await program.parseAsync([name, ...args, ...(isNamed(args, "--help", "-h") ? [] : ["--root", root])], {
      from: "user",
    });
  } catch (thrown) {
    explainEnd(thrown);
  }
  process.exitCode = exitCode;
}

/** Returns the slash commands that the program has. */
export function slashCommands(program: Command): string[] {
  const known = new Set(program.commands.map((command) => command.name()));
  return COMMANDS.filter((name) => known.has(name));
}

function isNamed(args: readonly string[], ...options: readonly string[]): boolean {
  return options.some((option) => args.includes(option));
}

/** Splits a line into words, with quotes for paths with spaces. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([word, double, single]) => double ?? single ?? word);
}
