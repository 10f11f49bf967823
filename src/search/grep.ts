/**
 * Collects the matches of a grep. Hits are only hints: each file is checked against the guard and read again when its
 * lines are collected.
 */
import { Failed } from "../core/failure.ts";
import type { Tree } from "../files/tree.ts";
import { hitsIn, type HitsQuery } from "./hits.ts";
import { joinName } from "../paths/path-segments.ts";
import { type FoundLine, LineFinder, type Needle } from "./line-finder.ts";
import type { PathPattern } from "../paths/path-pattern.ts";
import type { Sought } from "./needle.ts";
import type { Hit } from "./ripgrep.ts";

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
export function grepFile(tree: Tree, path: string, sought: Sought, includes: PathPattern): GrepResult {
  if (!includes(path.slice(path.lastIndexOf("/") + 1))) return { matches: [], omitted: 0, unsearched: [] };
  const finder = new LineFinder(sought.needle(), MAX_MATCHES);
  tree.scanJudged(path, (piece) => finder.take(piece));
  finder.end();
  if (finder.isBinary) throw new Failed({ code: "file/not-text", path, reason: "binary" });
  return {
    matches: finder.found.map((line) => ({ file: path, ...line })),
    omitted: finder.count - finder.found.length,
    unsearched: finder.hasUnsearched ? [path] : [],
  };
}

/** @param path the directory as the action wrote it */
export async function grepDirectory(path: string, query: HitsQuery): Promise<GrepResult> {
  const hits = await hitsIn(query);
  return query.inTime(() => linesOf(hits, path, query));
}

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
    const finder = finderFor(tree, file, needle, MAX_MATCHES - matches.length);
    for (const line of finder.found) matches.push({ file, ...line });
    omitted += finder.count - finder.found.length;
    if (finder.hasUnsearched) unsearched.push(file);
  }
  return { matches, omitted, unsearched };
}

/** Returns an empty finder if the file is no longer readable. */
function finderFor(tree: Tree, file: string, needle: Needle, most: number): LineFinder {
  const finder = new LineFinder(needle, most);
  try {
    tree.scanJudged(file, (piece) => finder.take(piece));
    finder.end();
    return finder;
  } catch (thrown) {
    if (thrown instanceof Failed) return new LineFinder(needle, most);
    throw thrown;
  }
}
