/** Paths as their names: split, joined, one within another, and values by path. */
import { dirname, parse, sep } from "node:path";

/** Splits a path into names, without empty ones and `.`. Keeps `..`, because only the file system can resolve it. */
export function segmentsOf(path: string): string[] {
  return path.split(SEPARATOR).filter((name) => name !== "" && name !== ".");
}

/** Splits a path into its root and the names below. A relative path has the root "". */
export function splitPath(path: string): { readonly root: string; readonly segments: string[] } {
  const root = sep !== "/" ? parse(path).root : path.startsWith("/") ? "/" : "";
  return { root, segments: segmentsOf(path.slice(root.length)) };
}

/** Appends a name to a directory. Unlike `node:path`, does not resolve `..`. */
export function joinPath(directory: string, name: string): string {
  return directory.endsWith(sep) ? directory + name : directory + sep + name;
}

/** Like `joinPath`, but with `/` on every system, and for `.` without it: as reports show paths. */
export function joinName(directory: string, name: string): string {
  if (directory === ".") return name;
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}

/** Returns whether a canonical path is a directory or lies inside it. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(joinPath(directory, ""));
}

/** Leaves out paths that lie inside another of them. */
export function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));
}

const SEPARATOR = sep === "\\" ? /[\\/]/ : "/";

/** Returns a path of Windows as this system writes it. */
export function withSlashes(path: string): string {
  return sep === "\\" ? path : path.replaceAll("\\", "/");
}

/** Values by path. */
export class PathMap<Value> extends Map<string, Value> {
  /** Returns the nearest path that has a value: the path itself or an ancestor. */
  nearest(path: string): string | undefined {
    if (this.size === 0) return undefined;
    for (let at = path; ; at = dirname(at)) {
      if (this.has(at)) return at;
      if (dirname(at) === at) return undefined;
    }
  }
}
