import type { Tree, TreeEntry } from "../files/tree.ts";
import { IGNORE_FILE, IgnoreRules, joinName } from "../paths/ignore-rules.ts";

/** A file or link below the base. */
export interface Found {
  /** From the base on. */
  readonly relative: string;
  /** Canonical, of the directory that it is in. */
  readonly directory: string;
  readonly name: string;
  readonly kind: "file" | "link";
  /** The guard's word, which has not been asked yet. */
  mayRead(): boolean;
}

export interface WalkOptions {
  readonly tree: Tree;
  /** Of the project, canonical. */
  readonly root: string;
  /** Where to begin: canonical, a directory that may be read. */
  readonly base: string;
  /** Whether to look at an entry at all, by its canonical path. */
  readonly isWanted?: (path: string) => boolean;
  /** False ends the walk. */
  visit(found: Found): boolean;
}

/**
 * Visits every file and link below a directory that no ignore file hides, in the order of their paths. Links are not followed, `.git`
 * is left out, and so is every directory that may not be read or listed. The files themselves are for the caller to judge.
 * Says whether it came to its end.
 */
export function walk(options: WalkOptions): boolean {
  const { tree, root, base } = options;
  return walkIn({ directory: base, within: "" }, tree.entries(base), IgnoreRules.in(base, root, tree), options);
}

/** @param place the directory's canonical path, and its path from the base on with a slash behind it */
function walkIn({ directory, within }: { readonly directory: string; readonly within: string }, entries: readonly TreeEntry[], rules: IgnoreRules, options: WalkOptions): boolean {
  const { tree, isWanted, visit } = options;
  const mayRead = tree.mayReadIn(directory);
  for (const { name, kind } of inOrder(entries)) {
    if (name === ".git" || rules.ignores(name, kind === "directory")) continue;
    const relative = within + name;
    if (isWanted !== undefined && !isWanted(joinName(directory, name))) continue;
    if (kind !== "directory") {
      if (!visit({ relative, directory, name, kind, mayRead: () => mayRead(name) })) return false;
    } else if (mayRead(name)) {
      const path = joinName(directory, name);
      const inside = tree.entries(path);
      const hasIgnoreFile = inside.some((entry) => entry.name === IGNORE_FILE);
      if (!walkIn({ directory: path, within: `${relative}/` }, inside, rules.enter(name, path, tree, hasIgnoreFile), options)) return false;
    }
  }
  return true;
}

/** So that the paths come in order: all in `a/` stands behind the file `a-b`. Strings alone are sorted several times as fast as what holds them. */
function inOrder(entries: readonly TreeEntry[]): TreeEntry[] {
  const byKey = new Map(entries.map((entry) => [entry.kind === "directory" ? `${entry.name}/` : entry.name, entry]));
  return [...byKey.keys()].sort().map((key) => byKey.get(key) as TreeEntry);
}
