import { homedir } from "node:os";
import { join } from "node:path";
import { actionByName } from "../actions/index.ts";
import { didYouMean } from "../config/closest.ts";
import { initSettings } from "../config/defaults.ts";
import { type GuardRules, guardRules } from "../config/guard-rules.ts";
import { variablesIn } from "../programs/hooks/shell-line.ts";
import { mergeConfigs } from "../config/merge.ts";
import type { Config, Hook, Settings } from "../config/schema.ts";
import { type ConfigFiles, readConfigFiles } from "../state/config-files.ts";
import { FORMATS } from "../syntaxes/index.ts";
import { withoutTrust } from "../trust/without-trust.ts";
import type { LoafOptions } from "./options.ts";
import { type Access, unlessFailed } from "../core/failure.ts";
import { guardedMachine } from "../state/places.ts";
import { Disk } from "../disk/disk.ts";
import { createGuard, type Guard } from "../guard/guard.ts";

/** The settings of a project. */
export interface ProjectSettings {
  readonly settings: Settings;
  /** A path must be open by each of them. */
  readonly rules: readonly GuardRules[];
}

/**
 * Merges the settings of files and options, with the project's own as far as they are trusted. Throws `ConfigError` if
 * they are invalid.
 */
export async function readSettings(root: string, options: LoafOptions): Promise<ProjectSettings> {
  const files = await readConfigFiles(root);
  const [user, project] = [files.user?.config ?? {}, files.project?.config ?? {}];
  const first = options.assumeInit === true ? initSettings : {};
  const given = await givenConfig(options);
  const [asked, withoutProject] = [mergeConfigs(first, user, project, given), mergeConfigs(first, user, given)];
  const { trustProject = true } = options;
  const isTrusted = typeof trustProject === "function" ? await trustProject(root, files) : trustProject;
  if (isTrusted) return { settings: asked, rules: [asked["fs-guard"]] };
  // Without trust, a path must be open by the user's own rules too.
  return {
    settings: withoutTrust(asked, withoutProject).settings,
    rules: [asked["fs-guard"], withoutProject["fs-guard"]],
  };
}

/** Settings from the caller count as the user's own. */
async function givenConfig({ config, hooks, gitCommit }: LoafOptions): Promise<Config> {
  if (config === undefined && hooks === undefined && gitCommit === undefined) return {};
  const git = gitCommit === undefined ? {} : { git: { ...config?.git, commit: gitCommit } };
  return (await import("../config/check.ts")).configFromObject({ ...config, ...(hooks && { hooks }), ...git });
}

/**
 * Returns a sentence for each setting that does not do what it says: an unknown name in allowed-actions and syntaxes,
 * and a hook's variable that the shell does not replace.
 */
export function settingsWarnings({ "allowed-actions": actions = [], syntaxes, hooks = {} }: Settings): string[] {
  return [
    ...unknownIn("allowed-actions", actions, [...actionByName.keys()], "action"),
    ...unknownIn("syntaxes", syntaxes, FORMATS, "syntax"),
    ...Object.entries(hooks).flatMap(([when, list]) => list.flatMap((hook, index) => literalIn(hook, when, index))),
  ];
}

function literalIn({ run }: Hook, when: string, index: number): string[] {
  if (process.platform === "win32") return [];
  const names = variablesIn(run).literal;
  return names.map(
    (name) =>
      `hooks.${when}[${index}] has ${name} in single quotes, where the shell keeps it as it is: use double quotes`,
  );
}

function unknownIn(setting: string, names: readonly string[], known: readonly string[], kind: string): string[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => `${setting} names '${name}', which is not a known ${kind}${didYouMean(name, known)}`);
}

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
