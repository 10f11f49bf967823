/** Finds a line of a file that would never run: right below a new return, as deep. */
import { endOfStatement, RETURNS } from "./block.ts";
import { indentOf } from "./text.ts";

interface Change {
  readonly before: string;
  readonly content: string;
  readonly text: string;
}

/** Returns such a line, which an answer does not show there itself. */
export function neverRuns({ before, content, text }: Change): string | undefined {
  const now = belowReturns(text);
  // An early return alone is what is asked for.
  if (now.size === 0 || (RETURNS.test(content) && !content.trim().includes("\n"))) return undefined;
  const [old, shown] = [belowReturns(before), belowReturns(content)];
  const there = new Set(before.split("\n").map((line) => line.trim()));
  const isHarm = ([pair, line]: readonly [string, string]): boolean =>
    !old.has(pair) && !shown.has(pair) && there.has(line);
  return [...now].find(isHarm)?.[1];
}

/** Returns statements that stand below a return of their block, by that and themselves. */
function belowReturns(text: string): ReadonlyMap<string, string> {
  const lines = text.split("\n");
  const statements = new Map<string, string>();
  for (const [row, line] of lines.entries()) {
    if (!RETURNS.test(line) || SOMETIMES.test(line)) continue;
    let next = endOfStatement(lines, row) + 1;
    while (next < lines.length && lines[next]?.trim() === "") next += 1;
    const below = lines[next] ?? "";
    if (indentOf(below) === indentOf(line) && RUNS.test(below))
      statements.set(`${line.trim()}\n${below.trim()}`, below.trim());
  }
  return statements;
}

/** `return if done` in Ruby and Perl. */
const SOMETIMES = /\b(?:if|unless|while|until)\b[^;{]*;?\s*$/;
/** Begins a statement, and no other branch, label or declaration. */
const RUNS =
  /^\s*(?!(?:async|break|case|catch|class|const fn|continue|def|default|elif|else|elseif|elsif|end|ensure|esac|except|export|fi|finally|fn|fun|func|function|pub|rescue|until|when|while)\b|[\w.]+:(?!:)|done\b)[\w$]/;
