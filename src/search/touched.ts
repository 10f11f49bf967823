import { basename, dirname } from "node:path/posix";
import type { Tree } from "../files/tree.ts";
import { IGNORE_FILE } from "../paths/ignore-rules.ts";
import { isWithin } from "../paths/path-segments.ts";

/** The part of a directory that the run has changed, so that the disk is stale there. */
interface Touched {
  /** Returns whether a path is in that part. */
  covers(path: string): boolean;
  /** Returns whether a path is in that part or is an ancestor of it. */
  concerns(path: string): boolean;
}

/** Returns "all" also if an ignore file has changed, because that affects unchanged files. */
export function touchedBelow(base: string, root: string, tree: Tree): Touched | "nothing" | "all" {
  const paths = tree.touched();
  const changesRules = (path: string): boolean => basename(path) === IGNORE_FILE && isWithin(dirname(path), root);
  if (paths.some((path) => isWithin(base, path) || changesRules(path))) return "all";
  const below = paths.filter((path) => isWithin(path, base));
  if (below.length === 0) return "nothing";
  const touched = new Set(below);
  const above = new Set(below.flatMap((path) => ancestors(dirname(path), base)));
  const covers = (path: string): boolean => ancestors(path, base).some((one) => touched.has(one));
  return { covers, concerns: (path) => above.has(path) || covers(path) };
}

/** Returns a path and its ancestors up to the base. */
function ancestors(path: string, base: string): string[] {
  return path === base ? [path] : [path, ...ancestors(dirname(path), base)];
}
