import { homedir } from "node:os";
import { join } from "node:path";
import { guardRules } from "../config/guard-rules.ts";
import { mergeConfigs } from "../config/merge.ts";
import { withoutTrust } from "../trust/without-trust.ts";
import type { Config } from "../config/schema.ts";
import { type Access, unlessFailed } from "../core/failure.ts";
import type { ConfigFiles } from "../state/config-files.ts";
import { guardedMachine } from "../state/places.ts";
import { Disk } from "../disk/disk.ts";
import { createGuard, type Guard } from "../guard/guard.ts";

/**
 * Returns the settings of a project's loaf.yml that may open more than the user's settings and the defaults, and so
 * need trust. Rules are named as `read ~/notes/**`, other settings by their key. May report a harmless rule, but never
 * misses one that widens access.
 */
export function widenings(root: string, files: ConfigFiles): string[] {
  const [user, project] = [files.user?.config ?? {}, files.project?.config ?? {}];
  return [
    ...wideningRules(root, user, project),
    ...withoutTrust(mergeConfigs(user, project), mergeConfigs(user)).loosened,
  ];
}

function wideningRules(root: string, user: Config, project: Config): string[] {
  const given = guardRules(project["fs-guard"]);
  if (given.read.allow === undefined && given.write.allow === undefined) return [];
  const userRules = guardRules(user["fs-guard"]);
  const without = createGuard({
    volume: new Disk(),
    root,
    ...guardedMachine(),
    rules: [userRules],
    sealed: [],
    readOnly: [],
  });
  return (["read", "write"] as const).flatMap((access) =>
    (given[access].allow ?? [])
      .filter((pattern) => mayWiden(pattern, access, without))
      .map((pattern) => `${access} ${pattern}`),
  );
}

function mayWiden(pattern: string, access: Access, without: Guard): boolean {
  const segments = pattern.split("/");
  // A single name matches at any depth: `keys` opens `.ssh/keys`.
  if (/^[^/*?]+\/?$/.test(pattern) && !/^[.~]\/?$/.test(pattern)) return true;
  const wild = segments.findIndex(isWild);
  const literals = wild === -1 ? segments : segments.slice(0, wild);
  // A literal segment after a wildcard outranks a refusal of the part before it: `*/keys/**` opens `.ssh/keys`.
  if (segments.slice(literals.length).some((segment) => !isWild(segment))) return true;
  return !admits(without, literalStart(literals), access);
}

function isWild(segment: string): boolean {
  return /[*?]/.test(segment);
}

/** Returns the path of a pattern's leading literal segments. */
function literalStart(segments: readonly string[]): string {
  if (segments.length === 0) return ".";
  if (segments[0] === "~") return join(homedir(), ...segments.slice(1));
  return segments.join("/") || "/";
}

/** Follows links, because a harmless name may lead anywhere. */
function admits(guard: Guard, path: string, access: Access): boolean {
  const request = { path, access: [access], of: "target", names: "directory", syscall: "open" } as const;
  return unlessFailed(() => guard.admit(request), undefined) !== undefined;
}
