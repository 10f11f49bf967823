/** Paths in pieces. */
import { parse, sep } from "node:path";

/** The names in a path, without empty ones and `.`. `..` stays: what it means is for the file system to say. */
export function segmentsOf(path: string): string[] {
  return path.split(SEPARATOR).filter((name) => name !== "" && name !== ".");
}

/** What an absolute path begins at, and the names below it. A relative path begins at "". */
export function splitPath(path: string): { readonly root: string; readonly segments: string[] } {
  const root = sep !== "/" ? parse(path).root : path.startsWith("/") ? "/" : "";
  return { root, segments: segmentsOf(path.slice(root.length)) };
}

/** The path of an entry in a directory; unlike `node:path`'s it leaves `..` alone. */
export function joinPath(directory: string, name: string): string {
  return directory.endsWith(sep) ? directory + name : directory + sep + name;
}

/** Whether a canonical path is a directory's or lies in it. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(joinPath(directory, ""));
}

const SEPARATOR = sep === "\\" ? /[\\/]/ : "/";
