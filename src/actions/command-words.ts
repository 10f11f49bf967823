/**
 * Reads commands that run without a shell: one per line, split into words like a shell does.
 *
 * Quotes keep a word together. In double quotes, `\` escapes `"`, `\`, `$` and a backtick; outside quotes, any
 * character. Anything that needs a shell is refused, because without one the program would get it as a word: operators,
 * redirections, substitutions and line continuations. Blank lines and lines that start with `#` are skipped.
 */
import { Failed } from "../core/failure.ts";

/** Returns the words of each command. Throws `Failed` for the first unreadable command, or if there is none. */
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
    } else
      word =
        (word ?? "") +
        (single ??
          double?.replace(/\\(["\\$`])/g, "$1") ??
          escaped ??
          plain ??
          refuse(command, match.groups?.["shell"]));
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Text in double quotes, without `$NAME`, `${`, `$(` or a backtick, which only a shell would replace. */
const QUOTED = String.raw`(?:[^"\\$\u0060]|\\[^]|\$(?![\w{(@*#?!$-]))*`;
const TOKEN = new RegExp(
  String.raw`'(?<single>[^']*)'|"(?<double>${QUOTED})"|\\(?<escaped>[^])|(?<space>\s+)|(?<plain>[^\s'"\\|&;<>()$\u0060]+|\$(?![\w{(@*#?!$'"-]))|(?<shell>\|\||&&|>>|<<|\$[({]|\$\w*|[^])`,
  "gu",
);

function refuse(command: string, token = ""): never {
  const isQuote = token === "'" || token === '"';
  if (token === "\\") throw unreadable(command, "A command cannot continue on the next line");
  throw unreadable(
    command,
    isQuote ? `A quote is not closed, or contains something that needs a shell` : `'${token}' would need a shell`,
  );
}

function unreadable(command: string, problem: string): Failed {
  return new Failed({ code: "command/unreadable", command, problem });
}
