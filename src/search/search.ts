import { Failed } from "../core/failure.ts";
import type { ReadIgnoreFile } from "./gitignore.ts";
import { compileInclude, compilePattern } from "./path-pattern.ts";
import { type Source, walk } from "./walk.ts";

/** Grep and glob over what one action may read. Both honour .gitignore and follow no links. */
export interface Search {
  /** Lines that hold `pattern` literally, in files below `path` or in the file `path`; by file, then line. Binaries are passed over. */
  grep(query: { readonly pattern: string; readonly path: string; readonly include?: string | undefined }): GrepResult;
  /** Paths of the files below `base` whose path from there matches, sorted. */
  glob(query: { readonly pattern: string; readonly base: string }): string[];
}

export interface GrepResult {
  readonly matches: GrepMatch[];
  /** How many more there are than the report can hold. */
  readonly omitted: number;
}

export interface GrepMatch {
  readonly file: string;
  /** 1-based. */
  readonly line_number: number;
  readonly line: string;
}

/** Matches that one grep returns; the rest is counted. */
const MOST_MATCHES = 1000;

/** @param root absolute; the ignore files from there down count */
export function createSearch(source: Source, root: string, readIgnoreFile: ReadIgnoreFile): Search {
  return {
    grep({ pattern, path, include }) {
      if (pattern === "") throw new Failed({ code: "text/empty", parameter: "pattern" });
      const included = include === undefined ? () => true : compileInclude(include);
      const matches: GrepMatch[] = [];
      let omitted = 0;
      for (const file of filesIn(source, path, root, readIgnoreFile)) {
        const text = included(file.relative) ? source.peek(file.path) : undefined;
        if (text === undefined) continue;
        for (const match of matchingLines(text, pattern)) {
          if (matches.length < MOST_MATCHES) matches.push({ file: file.path, ...match });
          else omitted += 1;
        }
      }
      return { matches, omitted };
    },
    glob({ pattern, base }) {
      const matches = compilePattern(pattern);
      const found = [...walk(source, base, root, readIgnoreFile)];
      return found.filter(({ relative }) => matches(relative)).map(({ path }) => path).sort();
    },
  };
}

/** The files of a grep in order of path; a file that is asked for by name is searched even where it is ignored. */
function filesIn(source: Source, path: string, root: string, readIgnoreFile: ReadIgnoreFile): Array<{ path: string; relative: string }> {
  try {
    const found = [...walk(source, path, root, readIgnoreFile)];
    return found.filter(({ type }) => type === "file").sort((a, b) => (a.path < b.path ? -1 : 1));
  } catch (thrown) {
    const isFile = thrown instanceof Failed && "errno" in thrown.failure && thrown.failure.errno === "ENOTDIR";
    if (!isFile) throw thrown;
    return [{ path, relative: path.slice(path.lastIndexOf("/") + 1) }];
  }
}

/** Jumps from match to match, so that lines without one cost only the search. */
function* matchingLines(text: string, pattern: string): Generator<{ line_number: number; line: string }> {
  let number = 1;
  let counted = 0;
  let at = pattern.includes("\n") ? -1 : text.indexOf(pattern);
  while (at !== -1) {
    const start = text.lastIndexOf("\n", at) + 1;
    for (let next = text.indexOf("\n", counted); next !== -1 && next < start; next = text.indexOf("\n", counted)) {
      number += 1;
      counted = next + 1;
    }
    const lineFeed = text.indexOf("\n", at);
    const end = lineFeed === -1 ? text.length : lineFeed;
    yield { line_number: number, line: text.slice(start, end).replace(/\r$/, "") };
    at = end === text.length ? -1 : text.indexOf(pattern, end + 1);
  }
}
