/** The imports of a source, as lines. */

/** Returns whether a line imports something. */
export function isImport(line: string): boolean {
  return IMPORT.test(line.trim());
}

const IMPORT =
  /^(?:import\b(?!\()|from\s+\S+\s+import\b|#\s*include\b|use\s+[\w\\:{][^;]*;?$|using\s+[\w.= ]+;|require(?:_relative)?\s+["']|@import\b|(?:const|let|var)\s[^=\n]*=\s*require\()/;

/** A line that begins a file and is no declaration: it stays as it is. */
export const isHead = (line: string): boolean =>
  /^(?:package\s[\w.]+;?|namespace\s[\w.\\]+;|<\?php|"use \w+";?|'use \w+';?|#!.*)$/.test(line.trim());

/**
 * Returns a text with further imports, each once: beside its neighbour among those that are shown, below the last one
 * that is written alike, or at the head of the file.
 *
 * @param isApart whether a blank line is below the last one
 */
export function withImports(text: string, shown: readonly string[], isApart = true): string {
  let all = text.split("\n");
  for (const [index, line] of shown.entries()) {
    if (placeOf(all, line) !== -1 || all.some((one) => isGrown(line, one) && !isGrown(one, line))) continue;
    const grown = all.findIndex((one) => isGrown(one, line));
    if (grown !== -1) {
      all = all.with(grown, line);
      continue;
    }
    const above = shown
      .slice(0, index)
      .map((one) => placeOf(all, one))
      .findLast((at) => at !== -1);
    const below = shown
      .slice(index + 1)
      .map((one) => placeOf(all, one))
      .find((at) => at !== -1);
    const at = above !== undefined ? above + 1 : (below ?? freePlace(all, line));
    const isAlone = above === undefined && below === undefined && !all.some(isImport);
    all = all.toSpliced(at, 0, line, ...(isAlone && isApart && all[at]?.trim() !== "" ? [""] : []));
  }
  return all.join("\n");
}

/** Returns whether an import gives names to all that another one does, and so takes its place. */
function isGrown(one: string, other: string): boolean {
  const [old, now] = [boundBy(one), boundBy(other)];
  return old.length > 0 && old.every((name) => now.includes(name));
}

/** Returns the names that an import on one line gives to something. */
function boundBy(line: string): readonly string[] {
  const [, whole = "", named = "", from = ""] = BOUND.exec(line.trim()) ?? [];
  const last = (name: string): string =>
    name
      .trim()
      .replace(/^type\s+/, "")
      .replace(/^.*(?:\s+as\s+|:\s*)/, "");
  return [last(whole.replace(/^\*\s+as\s+/, "")), ...`${named},${from}`.split(",").map(last)].filter((name) =>
    /^[\w$]+$/.test(name),
  );
}

/** `import a, { b as c } from "x"`, `import * as a from "x"`, `const { a } = require("x")`, `from x import a, b` */
const BOUND =
  /^(?:(?:import\s+(?:type\s+)?|(?:const|let|var)\s+)(?:(\*\s+as\s+\w+|[\w$]+)\s*,?\s*)?(?:\{([^}]*)\})?\s*(?:from\b|=\s*require\()|from\s+\S+\s+import\s+([^(#]+))/;

function placeOf(lines: readonly string[], wanted: string): number {
  const plain = (line: string): string => line.trim().replace(/;$/, "").replace(/^#\s+/, "#");
  return lines.findIndex((line) => plain(line) === plain(wanted));
}

function freePlace(lines: readonly string[], wanted: string): number {
  const word = /^\w+/.exec(wanted)?.[0] ?? "";
  const isOwn = (line: string): boolean => isImport(line) && !/^\s/.test(line);
  const alike = lines.findLastIndex((line) => isOwn(line) && line.startsWith(`${word} `));
  const last = alike === -1 ? lines.findLastIndex(isOwn) : alike;
  if (last !== -1) return last + 1;
  return Math.max(
    0,
    lines.findIndex((line) => !(isHead(line) || /^\s*(?:#|\/\/|\/\*|\*|""")/.test(line))),
  );
}
