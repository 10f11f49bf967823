import { actionByName } from "../actions/index.ts";
import { didYouMean } from "../config/closest.ts";
import { initSettings } from "../config/defaults.ts";
import type { GuardRules } from "../config/guard-rules.ts";
import { variablesIn } from "../programs/hooks/shell-line.ts";
import { mergeConfigs } from "../config/merge.ts";
import type { Config, Hook, Settings } from "../config/schema.ts";
import { readConfigFiles } from "../state/config-files.ts";
import { FORMATS } from "../syntaxes/index.ts";
import { withoutTrust } from "../trust/without-trust.ts";
import type { LoafOptions } from "./options.ts";

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
