import { Failed, unlessFailed } from "../core/failure.ts";
import { hitsIn, type HitsQuery } from "./hits.ts";
import { type FoundLine, LineFinder, type Needle, type Sought, soughtText } from "./line-finder.ts";
import { joinName } from "../paths/path-segments.ts";
import { compileInclude, compilePattern, type PathPattern } from "../paths/glob.ts";
import { walk, type WalkedFile } from "./walk.ts";
import type { Tree } from "../files/reader.ts";
import type { Hit } from "./ripgrep.ts";

/** Grep and glob over the files that an action may read. Both honour .gitignore and follow no links. */
export interface Search {
  /**
   * Returns the lines that contain `pattern` literally, or match it, by file, then line. `path` is a directory or a
   * file. In a directory, skips files that are binary or denied. A file given by name must be readable text, and is
   * searched even if ignored.
   */
  grep(query: {
    readonly pattern: string;
    readonly regex?: boolean | undefined;
    readonly path: string;
    readonly include?: string | undefined;
  }): Promise<GrepResult>;
  /** Returns the files and links below `base` whose relative path matches, sorted. */
  glob(query: { readonly pattern: string; readonly base: string }): GlobResult;
}

export interface GlobResult {
  readonly paths: string[];
  /** Number of paths beyond the limit. */
  readonly omitted: number;
}

export interface SearchOptions extends Pick<HitsQuery, "tree" | "root" | "ripgrep" | "inTime" | "timeout"> {
  /** Number of files to scan before using ripgrep. For fewer files, starting a program takes longer. */
  readonly fewFiles?: number;
  /** Throws if the action did not declare that it reads there. */
  checkGranted(path: string): void;
}

/** Maximum number of paths to return. The rest is only counted. */
const MAX_PATHS = 10_000;

export function createSearch({
  tree,
  root,
  checkGranted,
  inTime,
  timeout,
  ripgrep,
  fewFiles = 500,
}: SearchOptions): Search {
  return {
    async grep({ pattern, regex, path, include }) {
      if (pattern === "") throw new Failed({ code: "text/empty", parameter: "pattern" });
      if (pattern.includes("\n")) throw new Failed({ code: "pattern/lines" });
      // Loads the engine only where it is needed.
      const sought = regex === true ? (await import("./regex.ts")).soughtRegex(pattern) : soughtText(pattern);
      const includes =
        include === undefined
          ? () => true
          : possible(compileInclude(include, path), { parameter: "include", base: "path" });
      checkGranted(path);
      const base = tree.locate(path);
      if (!base.isDirectory) return grepFile(tree, path, sought, includes);
      return grepDirectory(path, { tree, root, inTime, timeout, ripgrep, fewFiles, sought, base: base.path, includes });
    },
    glob({ pattern, base }) {
      const matches = possible(compilePattern(pattern, base), { parameter: "pattern", base: "base_path" });
      checkGranted(base);
      const paths: string[] = [];
      let omitted = 0;
      const visit = ({ relative, mayRead }: WalkedFile): true => {
        if (!matches(relative) || !mayRead()) return true;
        if (paths.length < MAX_PATHS) paths.push(joinName(base, relative));
        else omitted += 1;
        return true;
      };
      walk({ tree, root, base: tree.locateDirectory(base), visit });
      return { paths, omitted };
    },
  };
}

/** Throws for an impossible pattern: finding nothing would suggest to the model that there is no such file. */
function possible(
  pattern: PathPattern | undefined,
  names: { readonly parameter: string; readonly base: string },
): PathPattern {
  if (pattern === undefined) throw new Failed({ code: "pattern/impossible", ...names });
  return pattern;
}

export interface GrepResult {
  readonly matches: GrepMatch[];
  /** Number of matches beyond the limit. */
  readonly omitted: number;
  /** Files with a line that is too long to be searched to its end. */
  readonly unsearched: readonly string[];
}

export interface GrepMatch extends FoundLine {
  readonly file: string;
}

/** Maximum number of matches to return. The rest is only counted. */
const MAX_MATCHES = 1000;

/** Throws `Failed` if the file is unreadable, denied or binary. */
function grepFile(tree: Tree, path: string, sought: Sought, includes: PathPattern): GrepResult {
  if (!includes(path.slice(path.lastIndexOf("/") + 1))) return { matches: [], omitted: 0, unsearched: [] };
  const { found, count, isBinary, hasUnsearched } = searched(tree, path, sought.needle(), MAX_MATCHES);
  if (isBinary) throw new Failed({ code: "file/not-text", path, reason: "binary" });
  const matches = found.map((line) => ({ file: path, ...line }));
  return { matches, omitted: count - found.length, unsearched: hasUnsearched ? [path] : [] };
}

/** @param path the directory as the action wrote it */
async function grepDirectory(path: string, query: HitsQuery): Promise<GrepResult> {
  const hits = await hitsIn(query);
  return query.inTime(() => linesOf(hits, path, query));
}

/** Hits are only hints: checks each file against the guard and reads it again. */
function linesOf(hits: readonly Hit[], path: string, { tree, sought, base }: HitsQuery): GrepResult {
  const [matches, unsearched]: [GrepMatch[], string[]] = [[], []];
  let omitted = 0;
  const needle = sought.needle();
  for (const { relative, count } of hits) {
    if (!tree.mayRead(joinName(base, relative))) continue;
    if (matches.length === MAX_MATCHES && count !== undefined) {
      omitted += count;
      continue;
    }
    const file = joinName(path, relative);
    // It may no longer be readable.
    const finder = unlessFailed(() => searched(tree, file, needle, MAX_MATCHES - matches.length), undefined);
    for (const line of finder?.found ?? []) matches.push({ file, ...line });
    omitted += finder === undefined ? 0 : finder.count - finder.found.length;
    if (finder?.hasUnsearched) unsearched.push(file);
  }
  return { matches, omitted, unsearched };
}

/** Throws `Failed`. */
function searched(tree: Tree, file: string, needle: Needle, most: number): LineFinder {
  const finder = new LineFinder(needle, most);
  tree.scanJudged(file, (piece) => finder.take(piece));
  finder.end();
  return finder;
}
