import type { Command } from "commander";
import { explainEnd } from "./usage-error.ts";
import { complain } from "./output.ts";

/** Commands that can be typed into the live view, such as `/undo 12`. Each works as on the command line. */
export const SLASH_COMMANDS = [
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
  if (!SLASH_COMMANDS.includes(name))
    return complain(`There is no /${name} here. Available: ${SLASH_COMMANDS.map((command) => `/${command}`).join(" ")}`);
  const exitCode = process.exitCode;
  try {
    const asksForHelp = args.includes("--help") || args.includes("-h");
    await createProgram().parseAsync([name, ...args, ...(asksForHelp ? [] : ["--root", root])], { from: "user" });
  } catch (thrown) {
    explainEnd(thrown);
  }
  process.exitCode = exitCode;
}

/** Splits a line into words, with quotes for paths with spaces. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([word, double, single]) => double ?? single ?? word);
}
