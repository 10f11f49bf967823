import { readCommands } from "../../actions/command-words.ts";
import { commandLine } from "../../commands/programs.ts";

/**
 * Returns commands in the form of a run's question. One word is the text of a RUN block, several are the words of one
 * command. Throws `Failed` if a command needs a shell.
 */
export function commandLinesOf(words: readonly string[]): string[] {
  const [first = "", ...rest] = words;
  return (rest.length > 0 ? [words] : readCommands(first)).map(commandLine);
}
