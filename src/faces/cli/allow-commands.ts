/** Commands as the user allows them: the same line that a run asks about. */
import { readCommands } from "../../actions/run-commands.ts";
import { commandLine } from "../../commands/programs.ts";

/** One word is text as RUN would hold it, several are the words of one command. Throws `Failed` where it is none that starts without a shell. */
export function commandLinesOf(words: readonly string[]): string[] {
  const [first = "", ...rest] = words;
  return (rest.length > 0 ? [words] : readCommands(first)).map(commandLine);
}
