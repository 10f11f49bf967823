import { dirname, resolve } from "node:path";
import type { Access } from "../core/failure.ts";
import type { Workspace } from "../files/workspace.ts";

/** Access that an action's definition declares for one path and, if that is a directory, for everything in it. */
export interface Grant {
  readonly path: string;
  readonly access: readonly Access[];
}

/**
 * Restricts a workspace to the grants of one action. Any other access throws, since it is a bug in the action's
 * definition. So the declared `needs` and the handler cannot drift apart.
 */
export function narrow(workspace: Workspace, grants: readonly Grant[]): Workspace {
  const check = checkOf(grants);
  return {
    read: (path) => (check(path, "read"), workspace.read(path)),
    peek: (path) => (check(path, "read"), workspace.peek(path)),
    list: (path) => (check(path, "read"), workspace.list(path)),
    firstLine: (path) => (check(path, "read"), workspace.firstLine(path)),
    edit: (path, change) => (check(path, "read", "write"), workspace.edit(path, change)),
    write: (path, content, revise) => (check(path, "write"), workspace.write(path, content, revise)),
    append: (path, content) => (check(path, "write"), workspace.append(path, content)),
    remove: (path) => (check(path, "write"), workspace.remove(path)),
    createDirectory: (path) => (check(path, "write"), workspace.createDirectory(path)),
    removeDirectory: (path) => (check(path, "write"), workspace.removeDirectory(path)),
    move: (from, to) => (check(from, "read", "write"), check(to, "write"), workspace.move(from, to)),
  };
}

/** Returns a function that throws if an access to a path was not granted. */
export function checkOf(grants: readonly Grant[]): (path: string, ...needed: readonly Access[]) => void {
  const isGranted = { read: coverOf(grants, "read"), write: coverOf(grants, "write") };
  return (path, ...needed) => {
    const missing = needed.find((one) => !isGranted[one](path));
    if (missing !== undefined) throw new Error(`the action did not declare that it needs to ${missing} '${path}'`);
  };
}

/** Returns a test whether a path is a granted one or lies in one. Compares text only: the guard judges the target. */
function coverOf(grants: readonly Grant[], access: Access): (path: string) => boolean {
  const granted = new Set(grants.filter((grant) => grant.access.includes(access)).map(({ path }) => path));
  let resolved: ReadonlySet<string> | undefined;
  return (path) => {
    if (granted.has(path)) return true;
    resolved ??= new Set([...granted].map((one) => resolve(one)));
    return liesIn(resolved, resolve(path));
  };
}

function liesIn(places: ReadonlySet<string>, path: string): boolean {
  return places.has(path) || (dirname(path) !== path && liesIn(places, dirname(path)));
}
