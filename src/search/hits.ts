/** Where a pattern seems to be: found by ripgrep, where it is installed and there is much to look through, or by a scan of our own. */
import { basename, dirname } from "node:path/posix";
import type { Tree } from "../files/tree.ts";
import { EXCLUDE_FILE, IGNORE_FILE, IgnoreRules, joinName } from "../paths/ignore-rules.ts";
import { LineFinder } from "./line-finder.ts";
import type { PathPattern } from "../paths/path-pattern.ts";
import { type Hit, hitsOfRipgrep } from "./ripgrep.ts";
import { touchedBelow } from "./touched.ts";
import { type Found, walk } from "./walk.ts";

export interface HitsQuery {
  /** Does synchronous work within the time of the action, which throws where that is over. */
  readonly inTime: <Value>(act: () => Value | Promise<Value>) => Promise<Value>;
  readonly tree: Tree;
  /** Of the project, canonical. */
  readonly root: string;
  /** Where to look: canonical, a directory that may be read. */
  readonly base: string;
  /** Without a newline, not empty. */
  readonly pattern: string;
  readonly includes: PathPattern;
  /** Milliseconds that ripgrep may take. */
  readonly timeout: number;
  /** The path of ripgrep, where it is installed. */
  ripgrep(): string | undefined;
  /** How many files are scanned before it is asked. */
  readonly fewFiles: number;
}

/** The files that hold the pattern and match `include`, in the order of their paths. Whether they may be read is not judged yet. */
export async function hitsIn(query: HitsQuery): Promise<readonly Hit[]> {
  const few = scan(query, { most: query.fewFiles });
  if (few !== undefined) return few;
  const program = query.ripgrep();
  // What a run has changed but not yet written is not on the disk, where alone ripgrep looks.
  const touched = touchedBelow(query.base, query.root, query.tree);
  const hits = program === undefined || touched === "all" ? undefined : await hitsOnDisk(query, program);
  if (hits === undefined || touched === "all") return query.inTime(() => scan(query, { most: Infinity }) ?? []);
  if (touched === "nothing") return hits;
  const onDisk = hits.filter(({ relative }) => !touched.covers(joinName(query.base, relative)));
  const changed = await query.inTime(() => scan(query, { most: Infinity, isWanted: touched.concerns }) ?? []);
  return [...onDisk, ...changed].sort(byPath);
}

/** By reading every file. Undefined where there are more than `most`. */
function scan({ tree, root, base, pattern, includes }: HitsQuery, { most, isWanted }: { readonly most: number; readonly isWanted?: (path: string) => boolean }): Hit[] | undefined {
  const bytes = Buffer.from(pattern);
  const hits: Hit[] = [];
  let [left, together] = [most, [] as Found[]];
  const scanTogether = (): void => {
    const [first] = together;
    if (first !== undefined) {
      tree.scanIn(first.directory, (scanFile) => {
        for (const { name, relative } of together) {
          const finder = new LineFinder(bytes, 0);
          if (scanFile(name, (piece) => finder.take(piece))) finder.end();
          if (finder.count > 0) hits.push({ relative, count: finder.count });
        }
      });
    }
    together = [];
  };
  const visit = (found: Found): boolean => {
    if (found.kind === "link" || !includes(found.relative) || !found.mayRead()) return true;
    left -= 1;
    if (left < 0) return false;
    // Files of one directory come one after the other: those are read through one pin.
    if (together[0]?.directory !== found.directory) scanTogether();
    together.push(found);
    return true;
  };
  if (!walk({ tree, root, base, visit, ...(isWanted && { isWanted }) })) return undefined;
  scanTogether();
  return hits;
}

/** By ripgrep, without what ignore files hide, and directories that may not be read. */
async function hitsOnDisk({ tree, root, base, pattern, includes, inTime, timeout }: HitsQuery, program: string): Promise<Hit[] | undefined> {
  const rules = IgnoreRules.in(base, root, tree);
  // In those below the base ripgrep itself looks for them.
  if (rules.files.some((file) => tree.readIgnoreFile(file)?.includes("{") === true)) return undefined;
  const above = rules.files.filter((file) => file !== joinName(base, IGNORE_FILE));
  // It takes them all as relative to one directory; where they are not, it is given none, and finds too much.
  const ofRoot = [joinName(root, EXCLUDE_FILE), joinName(root, IGNORE_FILE)];
  const areOfRoot = above.length > 0 && above.every((file) => ofRoot.includes(file));
  const hits = await hitsOfRipgrep({ program, pattern, directory: base, ignoreFiles: areOfRoot ? above : [], from: areOfRoot ? root : base, timeout });
  const shown = (found: Hit[]): Hit[] => {
    const isHidden = hiddenBelow(base, rules, tree);
    return found.filter(({ relative }) => includes(relative) && !isHidden(relative)).sort(byPath);
  };
  return hits && inTime(() => shown(hits));
}

/** Whether a path below a directory is ignored, or lies where nothing may be read. What holds in a directory is found out once. */
function hiddenBelow(base: string, rules: IgnoreRules, tree: Tree): (relative: string) => boolean {
  const known = new Map<string, IgnoreRules | undefined>([[".", rules]]);
  const rulesIn = (directory: string): IgnoreRules | undefined => {
    if (known.has(directory)) return known.get(directory);
    const [name, path] = [basename(directory), joinName(base, directory)];
    const above = rulesIn(dirname(directory));
    const isOpen = above !== undefined && !above.ignores(name, true) && tree.mayRead(path);
    const found = isOpen ? above.enter(name, path, tree, true) : undefined;
    known.set(directory, found);
    return found;
  };
  return (relative) => rulesIn(dirname(relative))?.ignores(basename(relative), false) ?? true;
}

function byPath(a: Hit, b: Hit): number {
  return a.relative < b.relative ? -1 : 1;
}
