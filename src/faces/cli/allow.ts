import { relative, resolve } from "node:path";
import { readCommands } from "../../actions/command-words.ts";
import { commandLine } from "../../programs/programs.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { allowedCommands, allowedPaths } from "../../trust/approvals.ts";
import { complain, print } from "./output.ts";
import { ownRootOf } from "./project.ts";
import { UsageError } from "./usage-error.ts";

/** `loaf allow` */
export function allow(words: readonly string[], options: { readonly root?: string; readonly remove?: boolean }): void {
  const root = ownRootOf(options.root);
  if (words.length === 0) return list(root);
  for (const command of readLines(words)) {
    if (options.remove !== true) allowedCommands.add(root, command);
    else if (!allowedCommands.remove(root, command) && !allowedPaths.remove(root, resolve(root, command)))
      throw new UsageError(`'${visibleOnOneLine(command)}' was not among the allowed commands and files`);
    print(`${options.remove === true ? "asked for from now on" : "allowed"}: ${visibleOnOneLine(command)}`);
  }
}

function list(root: string): void {
  const files = allowedPaths.of(root).map((path) => `write ${relative(root, path)}`);
  const commands = [...allowedCommands.of(root), ...files];
  if (commands.length === 0)
    return complain("Nothing is allowed yet: Loaf asks about each command of a RUN block, or skips it where nobody can be asked");
  print(commands.map((command) => visibleOnOneLine(command)).join("\n"));
}

function readLines(words: readonly string[]): string[] {
  try {
    return commandLinesOf(words);
  } catch {
    throw new UsageError(`'${visibleOnOneLine(words.join(" "))}' cannot be started without a shell`);
  }
}

/**
 * Returns commands in the form of a run's question. One word is the text of a RUN block, several are the words of one
 * command. Throws `Failed` if a command needs a shell.
 */
function commandLinesOf(words: readonly string[]): string[] {
  const [first = "", ...others] = words;
  return (others.length > 0 ? [words] : readCommands(first)).map(commandLine);
}
