import { isAbsolute, relative } from "node:path";
import type { Access } from "../core/failure.ts";
import type { Workspace } from "./workspace.ts";

/** What an action's definition says that it needs, for one path and, where that is a directory, for all in it. */
export interface Grant {
  readonly path: string;
  readonly access: readonly Access[];
}

/**
 * The same workspace for one action: to touch anything that was not granted is a bug in the action's definition, and throws
 * as one. So what `needs` declares and what the handler does cannot drift apart.
 */
export function narrow(workspace: Workspace, grants: readonly Grant[]): Workspace {
  const check = (path: string, ...needed: readonly Access[]): void => {
    const missing = needed.find((one) => !grants.some((grant) => grant.access.includes(one) && isWithin(path, grant.path)));
    if (missing !== undefined) throw new Error(`the action did not declare that it needs to ${missing} '${path}'`);
  };
  return {
    read: (path) => (check(path, "read"), workspace.read(path)),
    peek: (path) => (check(path, "read"), workspace.peek(path)),
    list: (path) => (check(path, "read"), workspace.list(path)),
    edit: (path, change) => (check(path, "read", "write"), workspace.edit(path, change)),
    write: (path, content) => (check(path, "write"), workspace.write(path, content)),
    append: (path, content) => (check(path, "write"), workspace.append(path, content)),
    remove: (path) => (check(path, "write"), workspace.remove(path)),
    createDirectory: (path) => (check(path, "write"), workspace.createDirectory(path)),
    removeDirectory: (path) => (check(path, "write"), workspace.removeDirectory(path)),
    move: (from, to) => (check(from, "read", "write"), check(to, "write"), workspace.move(from, to)),
  };
}

/** By the text alone: the guard judges what it leads to. */
function isWithin(path: string, granted: string): boolean {
  if (path === granted) return true;
  const below = relative(granted, path);
  return !/^\.\.(?:[\\/]|$)/.test(below) && !isAbsolute(below);
}
