/**
 * What a command has made by names that nobody may write, such as `.envrc` or a repository of its own. Where nothing stood, there was nothing that a sandbox
 * could keep as it is; so it is taken out of the project when the command has ended.
 */
import { relative } from "node:path";
import type { Failure } from "../../core/failure.ts";
import { explain } from "../../core/explain.ts";
import { takenOutFolder } from "../../host/taken-out.ts";
import { refusedBelow } from "../../workspace/guard/refused-below.ts";
import { childrenOf, isThere, takeOut } from "../../workspace/take-out.ts";
import { isWithin } from "../../workspace/volume/path-segments.ts";
import type { CommandSite } from "./confinement.ts";

export interface TakenOut {
  /** Why the command has failed, however it ended. */
  readonly refused?: Failure;
  readonly warnings: readonly string[];
}

/**
 * Takes it out of the project, into a folder in the state folder: it may hold bytes that nobody else has. Nothing of the command runs any more. Does not throw.
 *
 * @param before what stood there by such names when the command began
 */
export function takeOutRefused({ root, home, policy, rules, readOnly, executed }: CommandSite, before: ReadonlySet<string>): TakenOut {
  const { unwritable, writable } = refusedBelow(root, policy, rules, home, executed);
  const named = readOnly.filter((path) => isWithin(path, root) && !unwritable.includes(path) && isThere(path));
  const made = [...unwritable, ...named].filter((path) => !before.has(path)).flatMap((path) => withoutAllowed(path, writable));
  if (made.length === 0) return { warnings: [] };
  const { folder, taken, stays } = takeOutAll(made, root);
  const failureOf = (paths: readonly string[], isTakenOut: boolean): Failure[] => {
    const names = paths.map((path) => relative(root, path));
    return paths.length === 0 ? [] : [{ code: "exec/refused-name", names, rule: policy(paths[0] ?? "", "write") ?? "", isTakenOut }];
  };
  // Packages bring such files along, and nobody opens a package as a project: what was installed works without them.
  const ofPackages = taken.filter(isOfPackage);
  const [refused, ...more] = [...failureOf(stays, false), ...failureOf(taken.filter((path) => !isOfPackage(path)), true)];
  const warnings = [...more, ...failureOf(ofPackages, true)].map((failure) => explain(failure));
  return { ...(refused !== undefined && { refused }), warnings: [...warnings, ...(taken.length === 0 ? [] : [`What was taken out is kept in ${folder}`])] };
}

function takeOutAll(paths: readonly string[], root: string): { readonly folder: string; readonly taken: readonly string[]; readonly stays: readonly string[] } {
  try {
    const folder = takenOutFolder(root);
    const taken = paths.filter((path) => takeOut(path, folder, root));
    return { folder, taken, stays: paths.filter((path) => !taken.includes(path)) };
  } catch {
    return { folder: "", taken: [], stays: paths };
  }
}

/** The place itself or, where something in it may be written after all, what else is in it. */
function withoutAllowed(path: string, writable: readonly string[]): string[] {
  if (writable.includes(path)) return [];
  return writable.some((one) => isWithin(one, path)) ? childrenOf(path).flatMap((child) => withoutAllowed(child, writable)) : [path];
}

function isOfPackage(path: string): boolean {
  return path.includes("/node_modules/");
}
