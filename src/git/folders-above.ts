import { lstatSync } from "node:fs";
import { join } from "node:path";

/** Of `a/b/c.txt`: "", `a` and `a/b`. */
export function foldersAbove(path: string): string[] {
  const segments = path.split("/");
  return segments.map((_, index) => segments.slice(0, index).join("/"));
}

/**
 * Tells whether a folder that a path lies in is a link by now: to git nothing is at that path then, wherever the link leads, and it refuses to be asked about it.
 * To be used at once, since it remembers what it has seen.
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
