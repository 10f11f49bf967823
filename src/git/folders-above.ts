import { lstatSync } from "node:fs";
import { join } from "node:path";

/** Returns "", `a` and `a/b` for `a/b/c.txt`. */
export function foldersAbove(path: string): string[] {
  const segments = path.split("/");
  return segments.map((_, index) => segments.slice(0, index).join("/"));
}

/**
 * Returns a test whether a parent folder of a path is now a link. Git sees nothing at such a path and refuses questions about it. Use it at
 * once, because it caches what it has seen.
 */
export function pathsBeyondLinks(top: string): (path: string) => boolean {
  const known = new Map<string, "folder" | "link" | "neither">([["", "folder"]]);
  return (path) => {
    let above: ReturnType<typeof known.get> = "folder";
    for (const folder of foldersAbove(path)) {
      if (above !== "folder") break;
      above = known.get(folder) ?? kindOf(join(top, folder));
      known.set(folder, above);
    }
    return above === "link";
  };
}

function kindOf(path: string): "folder" | "link" | "neither" {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() === true) return "link";
  return stats?.isDirectory() === true ? "folder" : "neither";
}
