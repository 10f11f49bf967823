import type { Tree, FolderEntry } from "../files/reader.ts";
import { IGNORE_FILE, IgnoreRules } from "../paths/ignore-rules.ts";
import { joinName } from "../paths/path-segments.ts";

/** A file or link below the base. */
export interface WalkedFile {
  /** Relative to the base. */
  readonly relative: string;
  /** Canonical path of its directory. */
  readonly directory: string;
  readonly name: string;
  readonly kind: "file" | "link";
  /** Asks the guard when called. */
  mayRead(): boolean;
}

export interface WalkOptions {
  readonly tree: Tree;
  /** The project's root, canonical. */
  readonly root: string;
  /** Canonical path of the directory to walk, which must be readable. */
  readonly base: string;
  /** Returns whether to visit a canonical path at all. */
  readonly isWanted?: (path: string) => boolean;
  /** Returns false to end the walk. */
  visit(file: WalkedFile): boolean;
}

/**
 * Visits every file and link below a directory that is not ignored, sorted by path. Does not follow links. Skips `.git`
 * and directories that may not be read or listed. The visitor must check the guard for files.
 *
 * @returns false if the visitor ended the walk
 */
export function walk(options: WalkOptions): boolean {
  const { tree, root, base } = options;
  return walkIn({ directory: base, within: "" }, tree.entries(base), IgnoreRules.in(base, root, tree), options);
}

/**
 * Returns what `walk` would visit or enter in one directory, a canonical path, as far as it may be read. Sorted by
 * path.
 */
export function unignoredEntries(directory: string, { tree, root }: Pick<WalkOptions, "tree" | "root">): FolderEntry[] {
  const [rules, mayRead] = [IgnoreRules.in(directory, root, tree), tree.mayReadIn(directory)];
  return inOrder(tree.entries(directory)).filter(
    ({ name, kind }) => name !== ".git" && !rules.ignores(name, kind === "directory") && mayRead(name),
  );
}

/** @param within the directory's path relative to the base, with a trailing slash */
function walkIn(
  { directory, within }: { readonly directory: string; readonly within: string },
  entries: readonly FolderEntry[],
  rules: IgnoreRules,
  options: WalkOptions,
): boolean {
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
      if (
        !walkIn(
          { directory: path, within: `${relative}/` },
          inside,
          rules.enter(name, path, tree, hasIgnoreFile),
          options,
        )
      )
        return false;
    }
  }
  return true;
}

/**
 * Sorts by path: everything in `a/` comes after the file `a-b`. Sorting plain strings is several times as fast as
 * sorting entries.
 */
function inOrder(entries: readonly FolderEntry[]): FolderEntry[] {
  const byKey = new Map(entries.map((entry) => [entry.kind === "directory" ? `${entry.name}/` : entry.name, entry]));
  return [...byKey.keys()].sort().map((key) => byKey.get(key) as FolderEntry);
}

/** Returns files in a directory that are readable and not ignored, relative to it. Skips links. */
export function filesBelow(tree: Tree, root: string, directory: string): string[] {
  const files: string[] = [];
  const visit = ({ relative, kind, mayRead }: WalkedFile): true => {
    if (kind === "file" && mayRead()) files.push(relative);
    return true;
  };
  walk({ tree, root, base: tree.locateDirectory(directory), visit });
  return files;
}
