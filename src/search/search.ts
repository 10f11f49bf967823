import { Failed } from "../core/failure.ts";
import { compileInclude, compilePattern, type PathPattern } from "./path-pattern.ts";
import { type Project, type Source, walk } from "./walk.ts";

/** Grep and glob over what one action may read. Both honour .gitignore and follow no links. */
export interface Search {
  /**
   * Lines that hold `pattern` literally, in files below `path` or in the file `path`; by file, then line. Below a directory, what
   * is no text, too large or may not be read is passed over; a file asked for by name has to be readable.
   */
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

export function createSearch(source: Source, project: Project): Search {
  return {
    grep({ pattern, path, include }) {
      if (pattern === "") throw new Failed({ code: "text/empty", parameter: "pattern" });
      if (pattern.includes("\n")) throw new Failed({ code: "pattern/lines" });
      const includes = include === undefined ? () => true : possible(compileInclude(include, path), { parameter: "include", base: "path" });
      const matches: GrepMatch[] = [];
      let omitted = 0;
      for (const { file, text } of textsIn(source, path, project, includes)) {
        for (const match of matchingLines(text, pattern)) {
          if (matches.length < MOST_MATCHES) matches.push({ file, ...match });
          else omitted += 1;
        }
      }
      return { matches, omitted };
    },
    glob({ pattern, base }) {
      const matches = possible(compilePattern(pattern, base), { parameter: "pattern", base: "base_path" });
      const found = [...walk(source, base, project)];
      return found.filter(({ relative }) => matches(relative)).map(({ path }) => path).sort();
    },
  };
}

/** To find nothing would tell the model that there is no such file. */
function possible(pattern: PathPattern | undefined, names: { readonly parameter: string; readonly base: string }): PathPattern {
  if (pattern === undefined) throw new Failed({ code: "pattern/impossible", ...names });
  return pattern;
}

/** What a grep looks into, in order of path; a file that is asked for by name is searched even where it is ignored. */
function* textsIn(source: Source, path: string, project: Project, includes: PathPattern): Generator<{ file: string; text: string }> {
  const found = filesBelow(source, path, project);
  if (found === undefined) {
    const text = source.read(path);
    if (includes(path.slice(path.lastIndexOf("/") + 1))) yield { file: path, text };
    return;
  }
  for (const file of found) {
    const text = includes(file.relative) ? source.peek(file.path) : undefined;
    if (text !== undefined) yield { file: file.path, text };
  }
}

/** Undefined where the path is no directory. */
function filesBelow(source: Source, path: string, project: Project): Array<{ path: string; relative: string }> | undefined {
  try {
    const found = [...walk(source, path, project)];
    return found.filter(({ type }) => type === "file").sort((a, b) => (a.path < b.path ? -1 : 1));
  } catch (thrown) {
    const isNoDirectory = thrown instanceof Failed && "errno" in thrown.failure && thrown.failure.errno === "ENOTDIR";
    if (!isNoDirectory) throw thrown;
    return undefined;
  }
}

/** Jumps from match to match, so that lines without one cost only the search. */
function* matchingLines(text: string, pattern: string): Generator<{ line_number: number; line: string }> {
  let number = 1;
  let counted = 0;
  let at = text.indexOf(pattern);
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
