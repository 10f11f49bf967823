/** What a grep tells. Where to look for it is only a hint: each file is judged, and read again, at the moment its lines are told. */
import { Failed } from "../core/failure.ts";
import type { Tree } from "../files/tree.ts";
import { hitsIn, type HitsQuery } from "./hits.ts";
import { joinName } from "../paths/ignore-rules.ts";
import { type FoundLine, LineFinder } from "./line-finder.ts";
import type { PathPattern } from "../paths/path-pattern.ts";
import type { Hit } from "./ripgrep.ts";

export interface GrepResult {
  readonly matches: GrepMatch[];
  /** How many more there are than the report can hold. */
  readonly omitted: number;
}

export interface GrepMatch extends FoundLine {
  readonly file: string;
}

/** Matches that one grep returns; the rest is counted. */
const MOST_MATCHES = 1000;

/** Throws `Failed` where the file cannot or may not be read, or is binary. */
export function grepFile(tree: Tree, path: string, pattern: string, includes: PathPattern): GrepResult {
  if (!includes(path.slice(path.lastIndexOf("/") + 1))) return { matches: [], omitted: 0 };
  const finder = new LineFinder(Buffer.from(pattern), MOST_MATCHES);
  tree.scanJudged(path, (piece) => finder.take(piece));
  finder.end();
  if (finder.isBinary) throw new Failed({ code: "file/not-text", path, reason: "binary" });
  return { matches: finder.found.map((line) => ({ file: path, ...line })), omitted: finder.count - finder.found.length };
}

/** @param path the directory as the action named it */
export async function grepDirectory(path: string, query: HitsQuery): Promise<GrepResult> {
  const hits = await hitsIn(query);
  return query.inTime(() => linesOf(hits, path, query));
}

function linesOf(hits: readonly Hit[], path: string, { tree, pattern, base }: HitsQuery): GrepResult {
  const matches: GrepMatch[] = [];
  let omitted = 0;
  for (const { relative, count } of hits) {
    if (!tree.mayRead(joinName(base, relative))) continue;
    if (matches.length === MOST_MATCHES) {
      omitted += count;
      continue;
    }
    const file = joinName(path, relative);
    const finder = finderFor(tree, file, pattern, MOST_MATCHES - matches.length);
    for (const line of finder.found) matches.push({ file, ...line });
    omitted += finder.count - finder.found.length;
  }
  return { matches, omitted };
}

/** What can no longer be read holds nothing. */
function finderFor(tree: Tree, file: string, pattern: string, most: number): LineFinder {
  const finder = new LineFinder(Buffer.from(pattern), most);
  try {
    tree.scanJudged(file, (piece) => finder.take(piece));
    finder.end();
    return finder;
  } catch (thrown) {
    if (thrown instanceof Failed) return new LineFinder(Buffer.from(pattern), most);
    throw thrown;
  }
}
