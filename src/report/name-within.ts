import { isAbsolute, relative, sep } from "node:path";

/** Returns a path for display: relative to the root if it is below, otherwise unchanged. */
export function nameWithin(root: string, path: string): string {
  const name = relative(root, path);
  const outside = name === "" || name === ".." || name.startsWith(`..${sep}`) || isAbsolute(name);
  return (outside ? path : name).replaceAll(sep, "/");
}
