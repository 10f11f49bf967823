/** What the table of commands holds, and what help, completions and the manual read of it. */
import type { Command } from "commander";

export interface CommandSpec {
  readonly name: string;
  /** `<path...>`, `[run]` */
  readonly takes?: string;
  /** Words that the argument must be one of. */
  readonly choices?: readonly string[];
  /** A line for the list of commands, if the description is longer. */
  readonly summary?: string;
  readonly does: string;
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** The last paragraph of the help. */
  readonly note?: string;
  /**
   * Loads the code of the command when it is called, so that `loaf --help` is fast. Gets its arguments and options, the
   * `Command`, and the function that makes the program.
   */
  readonly act?: Parameters<Command["action"]>[0];
  readonly below?: readonly CommandSpec[];
  /** Whether it runs where only the command above it is named. */
  readonly isDefault?: true;
}

/** A flag, or an option with a value: `--levels <number>`. */
export type OptionSpec = readonly [
  flags: string,
  does: string,
  choices?: readonly string[] | undefined,
  byDefault?: string,
];

export const HELP: OptionSpec = ["-h, --help", "print this help"];

/** A command with the words that name it: `["loaf", "context", "add"]` */
export interface NamedCommand extends CommandSpec {
  readonly path: readonly string[];
}

/** Returns the program, its commands and theirs, parents first. */
export function allCommands(spec: CommandSpec, above: readonly string[] = []): NamedCommand[] {
  const path = [...above, spec.name];
  return [{ ...spec, path }, ...(spec.below ?? []).flatMap((command) => allCommands(command, path))];
}

/** Returns the end of a command's help. */
export function afterHelp({ examples, note }: CommandSpec): string {
  const lines = ["Example:", ...examples.map((line) => `  $ ${line}`)].join("\n");
  return note === undefined ? lines : `${lines}\n\n${note}`;
}
