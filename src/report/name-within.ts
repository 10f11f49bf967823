import { isAbsolute, relative, sep } from "node:path";

/** A path as a report shows it: relative to the root where it lies below it, else as it is. */
export function nameWithin(root: string, path: string): string {
  const name = relative(root, path);
  const outside = name === "" || name === ".." || name.startsWith(`..${sep}`) || isAbsolute(name);
  return (outside ? path : name).replaceAll(sep, "/");
}
