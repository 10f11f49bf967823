/**
 * Opens a repository so that git starts nothing that an action could have written: no hooks unless the user wants them,
 * and filters, signing and transport only by single programs outside the project (P7 of docs/security.md).
 */
import { statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isExecutable } from "../process/find-program.ts";
import { type ConfigurationEntry, environmentWith, pathOfEntry, readConfiguration } from "./configuration.ts";
import { asBytes, createGit, fromBytes, type Git, GitFailed, reasonOf } from "./git.ts";
import { isOutside, isProgramOutside, surroundings, type Surroundings } from "./outside-programs.ts";
import type { Repository } from "./repository.ts";

export interface Permissions {
  /** Whether commits and pushes run hooks. */
  readonly runsHooks: boolean;
  /** Whether the rules let an action write a path outside the work tree. */
  mayWrite(path: string): boolean;
  /** Where a filtered configuration is written if needed. */
  readonly folder: string;
}

/** Throws `GitFailed` if git cannot read its configuration. */
export async function openGit(
  program: string, { top, gitFolder }: Repository, variables: NodeJS.ProcessEnv, permissions: Permissions
): Promise<Git> {
  const git = createGit(program, top, variables);
  const [entries, places] = await Promise.all([readConfiguration(git), foldersOf(git)]);
  // A linked work tree shares its configuration with the main one, which may be another project.
  const workTrees = [top, ...(basename(places.common) === ".git" ? [dirname(places.common)] : [])] as const;
  const closed = [gitFolder, places.common, join(top, ".git")];
  const around = surroundings(workTrees, closed, (path) => permissions.mayWrite(path));
  const isIncluded = ({ file }: ConfigurationEntry): boolean => file !== undefined && around.isReachable(file);
  const outside = entries.filter((entry) => !isIncluded(entry));
  const filters = filtersInside(entries, isIncluded, around);
  const signing = outside.find((entry) => isSigning(entry) && !isSigningOutside(entry, around));
  const transport = [...outside, ...variableEntries(variables)].filter((entry) => !isTransportOutside(entry, around));
  const isSigningOff = signing !== undefined;
  const kept = outside.filter((entry) => !filters.has(filterOf(entry.key)) && !(isSigningOff && isSigning(entry)));
  const isPartial = kept.length < entries.length;
  const hooks = isPartial ? hooksFolder(kept, top, places.common) : places.hooks;
  const { runsHooks } = permissions;
  return createGit(program, top, variables, {
    ...(runsHooks && { hooks }),
    hasCommitHooks: runsHooks && COMMIT_HOOKS.some((name) => isExecutable(join(hooks, name))),
    maySign: outside.some(({ key }) => key === "commit.gpgsign"),
    excluded: {
      configuration: [...new Set(entries.filter(isIncluded).map(({ file = "" }) => relative(top, file)))],
      filters,
      ...(signing && { signing: fromBytes(signing.value ?? "") }),
      transport: transport.map(({ value = "" }) => fromBytes(value)),
    },
    environment: isPartial ? environmentWith(kept, gitFolder, places.common, permissions.folder) : {},
  });
}

const COMMIT_HOOKS = [
  "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "reference-transaction", "post-index-change"
];

/** Allows hooks for this call, so that git answers with the user's own hooks folder. */
async function foldersOf(git: Git): Promise<{ readonly common: string; readonly hooks: string }> {
  const args = ["rev-parse", "--git-common-dir", "--git-path", "hooks"];
  const answer = await git.attempt(args, { obeysHooksPath: true });
  const [common = "", hooks = ""] = answer.stdout.toString().split("\n");
  if (answer.exitCode !== 0) throw new GitFailed(reasonOf(answer));
  return { common: resolve(git.top, common), hooks: resolve(git.top, hooks) };
}

function hooksFolder(entries: readonly ConfigurationEntry[], top: string, common: string): string {
  const entry = entries.findLast(({ key }) => key === "core.hookspath");
  return entry === undefined ? join(common, "hooks") : pathOfEntry(entry, top);
}

/** Returns the filter's name in a key such as `filter.lfs.clean`; an empty string for other keys. */
function filterOf(key: string): string {
  return fromBytes(/^filter\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? "");
}

/** Maps each filter that does not run to its command. */
function filtersInside(
  entries: readonly ConfigurationEntry[], isIncluded: (entry: ConfigurationEntry) => boolean, around: Surroundings
): Map<string, string> {
  const inside = entries.filter((entry) => {
    if (!/^filter\..*\.(?:clean|smudge|process)$/s.test(entry.key) || !entry.value?.trim()) return false;
    return isIncluded(entry) || !isOutside(fromBytes(entry.value), around);
  });
  return new Map(inside.map(({ key, value = "" }) => [filterOf(key), fromBytes(value)]));
}

function isSigning({ key }: Pick<ConfigurationEntry, "key">): boolean {
  return /^gpg\.(?:.*\.)?program$|^gpg\.ssh\.defaultkeycommand$/s.test(key);
}

function isSigningOutside({ key, value = "" }: ConfigurationEntry, around: Surroundings): boolean {
  const command = fromBytes(value);
  return key.endsWith("program") ? isProgramOutside(command, around) : isOutside(command, around);
}

const COMMAND =
  /^core\.(?:sshcommand|askpass|gitproxy|alternaterefscommand)$|^remote\..*\.(?:receivepack|uploadpack|vcs)$|^variable\./s;
const ADDRESS = /^remote\.(?:.*\.(?:url|pushurl)|pushdefault)$|^branch\..*\.(?:remote|pushremote)$/s;
const REPLACED_ADDRESS = /^url\.(.*)\.(?:pushinsteadof|insteadof)$/s;

/** Returns false for a program that a run could have written, and for a server within the project, with its hooks. */
function isTransportOutside({ key, value = "" }: ConfigurationEntry, around: Surroundings): boolean {
  const text = fromBytes(value).trim();
  if (text === "") return true;
  if (/^credential\.(?:.*\.)?helper$/s.test(key)) {
    if (text.startsWith("!")) return isOutside(text.slice(1), around);
    return isOutside(text.startsWith("/") ? text : `git-credential-${text}`, around);
  }
  if (COMMAND.test(key)) return isOutside(key.endsWith(".vcs") ? `git-remote-${text}` : text, around);
  const [, replacement] = REPLACED_ADDRESS.exec(key) ?? [];
  if (replacement === undefined && !ADDRESS.test(key)) return true;
  const address = replacement === undefined ? text : fromBytes(replacement);
  if (!/[\\/]|^\.+$/.test(address) || /^(?!file:)\w+:\/\//.test(address)) return true;
  const path = resolve(around.top, address.replace(/^file:\/\//, ""));
  return !around.isReachable(path) || statSync(path, { throwIfNoEntry: false }) === undefined;
}

function variableEntries(variables: NodeJS.ProcessEnv): ConfigurationEntry[] {
  return ["GIT_SSH", "GIT_SSH_COMMAND", "SSH_ASKPASS"].map((name) => {
    return { file: undefined, key: `variable.${name}`, value: asBytes(variables[name] ?? "") };
  });
}
