import { dirname, resolve } from "node:path";
import type { Access } from "../core/failure.ts";
import { NEEDED_ACCESS, type Workspace } from "./workspace.ts";

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
  const checked = ([method, needed]: [string, ReadonlyArray<readonly Access[]>]) => [
    method,
    (...args: readonly unknown[]) => {
      for (const [index, access] of needed.entries()) check(args[index] as string, ...access);
      return Reflect.apply(workspace[method as keyof Workspace], workspace, args) as unknown;
    },
  ] as const;
  return Object.fromEntries(Object.entries(NEEDED_ACCESS).map(checked)) as unknown as Workspace;
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
