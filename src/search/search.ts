import { basename, dirname } from "node:path/posix";
import { Failed, unlessFailed } from "../core/failure.ts";
import { type FoundLine, LineFinder, type Needle, type Sought, soughtText } from "./line-finder.ts";
import { isWithin, joinName } from "../paths/path-segments.ts";
import { compileInclude, compilePattern, type PathPattern } from "../paths/glob.ts";
import { walk, type WalkedFile } from "./walk.ts";
import type { Tree } from "../files/reader.ts";
import { type Hit, hitsOfRipgrep } from "./ripgrep.ts";
import { EXCLUDE_FILE, IGNORE_FILE, IgnoreRules } from "../paths/ignore-rules.ts";

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

interface HitsQuery {
  /** Runs synchronous work within the action's time limit. Throws if the time is over. */
  readonly inTime: <Value>(act: () => Value | Promise<Value>) => Promise<Value>;
  readonly tree: Tree;
  /** The project's root, canonical. Ignore files from there down apply. */
  readonly root: string;
  /** Canonical path of the directory to search, which must be readable. */
  readonly base: string;
  readonly sought: Sought;
  readonly includes: PathPattern;
  /** Time limit for ripgrep in milliseconds. */
  readonly timeout: number;
  /** Returns the path of ripgrep, if installed. */
  ripgrep(): string | undefined;
  /** Number of files to scan before using ripgrep. */
  readonly fewFiles: number;
}

/**
 * Returns the files that contain the pattern and match `include`, sorted by path. The caller must check whether they
 * may be read.
 */
async function hitsIn(query: HitsQuery): Promise<readonly Hit[]> {
  const few = scan(query, { most: query.fewFiles });
  if (few !== undefined) return few;
  const program = query.ripgrep();
  // ripgrep does not see changes of the run that are not on the disk yet.
  const touched = touchedBelow(query.base, query.root, query.tree);
  const hits = program === undefined || touched === "all" ? undefined : await hitsOnDisk(query, program);
  if (hits === undefined || touched === "all") return query.inTime(() => scan(query, { most: Infinity }) ?? []);
  if (touched === "nothing") return hits;
  const onDisk = hits.filter(({ relative }) => !touched.covers(joinName(query.base, relative)));
  const changed = await query.inTime(() => scan(query, { most: Infinity, isWanted: touched.concerns }) ?? []);
  return [...onDisk, ...changed].sort(byPath);
}

/** Reads every file. Returns undefined if there are more than `most`. */
function scan(
  { tree, root, base, sought, includes }: HitsQuery,
  { most, isWanted }: { readonly most: number; readonly isWanted?: (path: string) => boolean },
): Hit[] | undefined {
  const needle = sought.needle();
  const hits: Hit[] = [];
  let [left, together] = [most, [] as WalkedFile[]];
  const scanTogether = (): void => {
    const [first] = together;
    if (first !== undefined) {
      tree.scanIn(first.directory, (scanFile) => {
        for (const { name, relative } of together) {
          const finder = new LineFinder(needle, 0);
          if (scanFile(name, (piece) => finder.take(piece))) finder.end();
          // A file with a line that was not searched is read again, and named.
          if (finder.hasUnsearched) hits.push({ relative });
          else if (finder.count > 0) hits.push({ relative, count: finder.count });
        }
      });
    }
    together = [];
  };
  const visit = (file: WalkedFile): boolean => {
    if (file.kind === "link" || !includes(file.relative) || !file.mayRead()) return true;
    left -= 1;
    if (left < 0) return false;
    // The files of one directory come in sequence. Read them through one pin.
    if (together[0]?.directory !== file.directory) scanTogether();
    together.push(file);
    return true;
  };
  if (!walk({ tree, root, base, visit, ...(isWanted && { isWanted }) })) return undefined;
  scanTogether();
  return hits;
}

/** Uses ripgrep. Leaves out ignored files and directories that may not be read. */
async function hitsOnDisk(
  { tree, root, base, sought, includes, inTime, timeout }: HitsQuery,
  program: string,
): Promise<Hit[] | undefined> {
  const rules = IgnoreRules.in(base, root, tree);
  // Checks only ignore files above the base. ripgrep searches those below for braces itself.
  if (rules.files.some((file) => tree.readIgnoreFile(file)?.includes("{") === true)) return undefined;
  const above = rules.files.filter((file) => file !== joinName(base, IGNORE_FILE));
  // ripgrep applies all of them relative to one directory. If they are not, pass it none and filter the surplus hits.
  const ofRoot = [joinName(root, EXCLUDE_FILE), joinName(root, IGNORE_FILE)];
  const areOfRoot = above.length > 0 && above.every((file) => ofRoot.includes(file));
  const hits = await hitsOfRipgrep({
    program,
    sought,
    directory: base,
    ignoreFiles: areOfRoot ? above : [],
    from: areOfRoot ? root : base,
    timeout,
  });
  const shown = (hits: Hit[]): Hit[] => {
    const isHidden = hiddenBelow(base, rules, tree);
    return hits.filter(({ relative }) => includes(relative) && !isHidden(relative)).sort(byPath);
  };
  return hits && inTime(() => shown(hits));
}

/**
 * Returns a predicate for paths that are ignored, or lie in unreadable directories. Caches the rules of each directory.
 */
function hiddenBelow(base: string, rules: IgnoreRules, tree: Tree): (relative: string) => boolean {
  const known = new Map<string, IgnoreRules | undefined>([[".", rules]]);
  const rulesIn = (directory: string): IgnoreRules | undefined => {
    if (known.has(directory)) return known.get(directory);
    const [name, path] = [basename(directory), joinName(base, directory)];
    const above = rulesIn(dirname(directory));
    const isOpen = above !== undefined && !above.ignores(name, true) && tree.mayRead(path);
    const inner = isOpen ? above.enter(name, path, tree, true) : undefined;
    known.set(directory, inner);
    return inner;
  };
  return (relative) => rulesIn(dirname(relative))?.ignores(basename(relative), false) ?? true;
}

function byPath(a: Hit, b: Hit): number {
  return a.relative < b.relative ? -1 : 1;
}

/** The part of a directory that the run has changed, so that the disk is stale there. */
interface Touched {
  /** Returns whether a path is in that part. */
  covers(path: string): boolean;
  /** Returns whether a path is in that part or is an ancestor of it. */
  concerns(path: string): boolean;
}

/** Returns "all" also if an ignore file has changed, because that affects unchanged files. */
function touchedBelow(base: string, root: string, tree: Tree): Touched | "nothing" | "all" {
  const paths = tree.touched();
  const changesRules = (path: string): boolean => basename(path) === IGNORE_FILE && isWithin(dirname(path), root);
  if (paths.some((path) => isWithin(base, path) || changesRules(path))) return "all";
  const below = paths.filter((path) => isWithin(path, base));
  if (below.length === 0) return "nothing";
  const touched = new Set(below);
  const above = new Set(below.flatMap((path) => ancestors(dirname(path), base)));
  const covers = (path: string): boolean => ancestors(path, base).some((ancestor) => touched.has(ancestor));
  return { covers, concerns: (path) => above.has(path) || covers(path) };
}

/** Returns a path and its ancestors up to the base. */
function ancestors(path: string, base: string): string[] {
  return path === base ? [path] : [path, ...ancestors(dirname(path), base)];
}
