import { basename, dirname } from "node:path";
import { isWithin } from "../volume/path-segments.ts";

/** A file that was moved without being touched itself: a directory that it is in was. */
export interface Carried {
  readonly path: string;
  readonly movedFrom?: string;
}

/**
 * The directories that have come to where they stand with files in them. The one that holds such a file certainly has, by itself or with one above it; the
 * one above that as well, as long as they are named as they were, and where the file came from there is none of that name any more.
 *
 * @param root of the project
 */
export function comeAlong(files: readonly Carried[], root: string, isDirectory: (path: string) => boolean): ReadonlySet<string> {
  const come = new Set<string>();
  for (const { path, movedFrom } of files) {
    if (movedFrom === undefined) continue;
    let [to, from] = [dirname(path), dirname(movedFrom)];
    while (to !== from && to !== root && isWithin(to, root)) {
      come.add(to);
      const isNamedAlike = basename(to) === basename(from);
      [to, from] = [dirname(to), dirname(from)];
      if (!isNamedAlike || isDirectory(from)) break;
    }
  }
  return come;
}
