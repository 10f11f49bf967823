/**
 * Commands that are started without a shell: one a line, their words divided by white space as a shell divides them.
 *
 * Quotes hold a word together; in double quotes `\` is written before `"`, `\`, `$` and a backtick, outside quotes before anything. What would need a
 * shell is refused, because without one it would go to the program as a word: operators, redirections, substitutions, and a command that
 * goes on in the next line. Blank lines and those that begin with `#` are no commands.
 */
import { Failed } from "../core/failure.ts";

/** The words of each command. Throws `Failed` for the first that cannot be read, or where there is none. */
export function readCommands(text: string): string[][] {
  const lines = text.split("\n").map((line) => line.trim());
  const commands = lines.filter((line) => line !== "" && !line.startsWith("#")).map(wordsOf);
  if (commands.length === 0) throw unreadable(text, "There is no command");
  return commands;
}

function wordsOf(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(command); match !== null; match = TOKEN.exec(command)) {
    const { single, double, escaped, plain, space } = match.groups ?? {};
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + (single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain ?? refuse(command, match.groups?.["shell"]));
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** What stands in double quotes: no `$NAME`, `${`, `$(` nor backtick, which only a shell would replace. */
const QUOTED = String.raw`(?:[^"\\$\u0060]|\\[^]|\$(?![\w{(@*#?!$-]))*`;
const TOKEN = new RegExp(
  String.raw`'(?<single>[^']*)'|"(?<double>${QUOTED})"|\\(?<escaped>[^])|(?<space>\s+)|(?<plain>[^\s'"\\|&;<>()$\u0060]+|\$(?![\w{(@*#?!$'"-]))|(?<shell>\|\||&&|>>|<<|\$[({]|\$\w*|[^])`,
  "gu",
);

function refuse(command: string, token = ""): never {
  const isQuote = token === "'" || token === '"';
  if (token === "\\") throw unreadable(command, "A command cannot go on in the next line");
  throw unreadable(command, isQuote ? `A quote is not closed, or holds what would need a shell` : `'${token}' would need a shell`);
}

function unreadable(command: string, problem: string): Failed {
  return new Failed({ code: "command/unreadable", command, problem });
}
