/**
 * Finds the files that seem to contain a pattern, by ripgrep if it is installed and there are many files, else by
 * scanning.
 */
import { basename, dirname } from "node:path/posix";
import type { Tree } from "../files/reader.ts";
import { EXCLUDE_FILE, IGNORE_FILE, IgnoreRules } from "../paths/ignore-rules.ts";
import type { PathPattern } from "../paths/glob.ts";
import { isWithin, joinName } from "../paths/path-segments.ts";
import { LineFinder, type Sought } from "./line-finder.ts";
import { type Hit, hitsOfRipgrep } from "./ripgrep.ts";
import { walk, type WalkedFile } from "./walk.ts";

export interface HitsQuery {
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
export async function hitsIn(query: HitsQuery): Promise<readonly Hit[]> {
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
  { tree, root, base, sought, includes, inTime, timeout }: HitsQuery, program: string
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
