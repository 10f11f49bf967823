/**
 * What git would run, or read as configuration, from files that an action could write. Only what the user has trusted, byte by byte, stays in: the rest is
 * taken out of the configuration that git is given, and hooks do not run.
 */
import { accessSync, constants, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type ConfigurationEntry, obeyedPaths, pathOfEntry, readConfiguration, writeCommonFolder } from "./configuration.ts";
import { createGit, type Execution, fromBytes, type Git, GitFailed, reasonOf, type Source } from "./git.ts";
import type { Repository } from "./repository.ts";
import { type IsReachable, reachable, sourcesAt, sourcesNamedIn } from "./work-tree-code.ts";

export interface Trust {
  isTrusted(source: Source): boolean;
  /** Whether the rules let an action write a path outside of the work tree. */
  mayWrite(path: string): boolean;
  /** For a configuration of Loaf's own, where one is needed. */
  readonly folder: string;
}

/** Opens a repository, as far as it is trusted now. Throws `GitFailed` where git cannot read its configuration. */
export async function openTrusted(program: string, { top, gitFolder }: Repository, variables: NodeJS.ProcessEnv, trust: Trust): Promise<Git> {
  const git = createGit(program, top, variables);
  const [entries, places] = await Promise.all([readConfiguration(git), foldersOf(git)]);
  // A linked work tree shares its configuration with the main one, which may be another project.
  const workTrees = [top, ...(basename(places.common) === ".git" ? [dirname(places.common)] : [])];
  const isReachable = reachable(workTrees, [gitFolder, places.common, join(top, ".git")], (path) => trust.mayWrite(path));
  const configuration = sourcesByFile(entries, isReachable);
  const counted = entries.filter(({ file }) => (configuration.get(file ?? "") ?? []).every((source) => trust.isTrusted(source)));
  const isWhole = counted.length === entries.length;
  const found = {
    configuration: [...configuration.values()].flat(),
    hooks: hookSources(isWhole ? places.hooks : hooksFolder(counted, top, places.common), top, isReachable),
    filters: filterSources(entries, top, isReachable, ({ file = "" }) => (configuration.get(file) ?? []).filter((source) => !trust.isTrusted(source))),
    signing: counted.filter(({ key }) => SIGNING.test(key)).flatMap((entry) => ofCommand(entry, top, isReachable)),
    transport: [...counted, ...variableEntries(variables)].filter(({ key }) => TRANSPORT.test(key)).flatMap((entry) => ofTransport(entry, top, isReachable)),
  };
  const withoutTrust = (sources: readonly Source[]): Source[] => eachOnce(sources).filter((source) => !trust.isTrusted(source));
  const untrusted: Execution["untrusted"] = {
    configuration: withoutTrust(found.configuration),
    hooks: withoutTrust(found.hooks.sources),
    filters: new Map([...found.filters].map(([name, sources]) => [name, withoutTrust(sources)] as const).filter(([, sources]) => sources.length > 0)),
    signing: withoutTrust(found.signing),
    transport: withoutTrust(found.transport),
  };
  const isPartial = !isWhole || untrusted.filters.size + untrusted.signing.length > 0;
  const inCheckout = [...found.configuration, ...[...found.filters.values()].flat()];
  return createGit(program, top, variables, {
    hasCommitHooks: untrusted.hooks.length === 0 && found.hooks.names.some((name) => COMMIT_HOOKS.has(name)),
    sources: eachOnce([...inCheckout, ...found.hooks.sources, ...found.signing, ...found.transport]),
    inCheckout,
    untrusted,
    environment: isPartial ? environmentOf(counted.filter((entry) => !isLeftOut(entry, untrusted)), { gitFolder, common: places.common, folder: trust.folder }) : {},
  });
}

function eachOnce(sources: readonly Source[]): Source[] {
  return [...new Map(sources.map((source) => [source.path, source])).values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Absolute paths that decide what git runs: what the configuration names, there or not. A rule may keep actions from writing them. */
export async function pathsThatGitObeys(git: Git): Promise<string[]> {
  return obeyedPaths(await readConfiguration(git), git.top);
}

/** Where hooks are is asked as the user has set it. */
async function foldersOf(git: Git): Promise<{ readonly common: string; readonly hooks: string }> {
  const answer = await git.attempt(["rev-parse", "--git-common-dir", "--git-path", "hooks"], { runsHooks: true, fetches: false });
  const [common = "", hooks = ""] = answer.stdout.toString().split("\n");
  if (answer.exitCode !== 0) throw new GitFailed(reasonOf(answer));
  return { common: resolve(git.top, common), hooks: resolve(git.top, hooks) };
}

/** By the file of an entry: the file itself, where an action could write it. */
function sourcesByFile(entries: readonly ConfigurationEntry[], isReachable: IsReachable): Map<string, Source[]> {
  const files = new Set(entries.flatMap(({ file }) => file ?? []));
  return new Map([...files].map((file) => [file, isReachable(file) ? sourcesAt(file) : []]));
}

/** An empty environment's configuration: git reads nothing else than these entries. */
function environmentOf(entries: readonly ConfigurationEntry[], { gitFolder, common, folder }: { readonly gitFolder: string; readonly common: string; readonly folder: string }): Record<string, string> {
  try {
    writeCommonFolder(folder, common, entries);
  } catch (thrown) {
    throw new GitFailed(`part of git's configuration is not trusted, and cannot be left out (${(thrown as Error).message})`);
  }
  return { GIT_DIR: gitFolder, GIT_COMMON_DIR: folder, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: process.platform === "win32" ? "nul" : "/dev/null" };
}

const FILTER = /^filter\.(.*)\.(?:clean|smudge|process)$/s;
const SIGNING = /^gpg\.(?:.*\.)?program$|^gpg\.ssh\.defaultkeycommand$/s;
const TRANSPORT =
  /^credential\.(?:.*\.)?helper$|^core\.(?:sshcommand|askpass|gitproxy|alternaterefscommand)$|^remote\.(?:.*\.(?:url|pushurl|receivepack|uploadpack|vcs)|pushdefault)$|^branch\..*\.(?:remote|pushremote)$|^url\..*\.(?:pushinsteadof|insteadof)$|^variable\./s;

function isLeftOut({ key }: ConfigurationEntry, { filters, signing }: Execution["untrusted"]): boolean {
  const [, filter] = /^filter\.(.*)\.[^.]*$/s.exec(key) ?? [];
  return (filter !== undefined && filters.has(fromBytes(filter))) || (signing.length > 0 && SIGNING.test(key));
}

function ofCommand({ value = "" }: ConfigurationEntry, top: string, isReachable: IsReachable): Source[] {
  const command = fromBytes(value);
  // It takes other servers from a file in the work tree, and the words after it are its own.
  if (/^git[- ]lfs /.test(command)) return sourcesAt(join(top, ".lfsconfig"));
  return sourcesNamedIn(command, top, isReachable);
}

/** A filter that stands in a file which stays out is left to that file: without it git would not know the filter, and store files as they are. */
function filterSources(entries: readonly ConfigurationEntry[], top: string, isReachable: IsReachable, leftOutWith: (entry: ConfigurationEntry) => Source[]): Map<string, Source[]> {
  const filters = new Map<string, Source[]>();
  for (const entry of entries) {
    const name = FILTER.exec(entry.key)?.[1];
    if (name !== undefined) filters.set(fromBytes(name), [...(filters.get(fromBytes(name)) ?? []), ...leftOutWith(entry), ...ofCommand(entry, top, isReachable)]);
  }
  return filters;
}

/** What reaches a server may be a program, or name a repository in the work tree, whose own hooks run then: that one is never trusted. */
function ofTransport(entry: ConfigurationEntry, top: string, isReachable: IsReachable): Source[] {
  const { key, value = "" } = entry;
  const address = fromBytes(key.startsWith("url.") ? key.slice("url.".length, key.lastIndexOf(".")) : value);
  if (!/^(?:url|branch|remote)\./.test(key) || /\.(?:receivepack|uploadpack)$/.test(key)) return ofCommand(entry, top, isReachable);
  const path = resolve(top, address.replace(/^file:\/\//, ""));
  return /[\\/]|^\.+$/.test(address) && !/^(?!file:)\w+:\/\//.test(address) && isReachable(path) && statSync(path, { throwIfNoEntry: false }) !== undefined ? [{ path, digest: undefined }] : [];
}

function variableEntries(variables: NodeJS.ProcessEnv): ConfigurationEntry[] {
  return ["GIT_SSH", "GIT_SSH_COMMAND", "SSH_ASKPASS"].map((name) => ({ file: undefined, key: `variable.${name}`, value: Buffer.from(variables[name] ?? "").toString("latin1") }));
}

const COMMIT_HOOKS: ReadonlySet<string> = new Set(["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "reference-transaction", "post-index-change"]);

/** Files in the work tree in which the programs that hooks commonly start read what else to run. */
const FRAMEWORK_FILES =
  /^(?:\.pre-commit-config\.ya?ml|prek\.toml|\.?lefthook(?:-local)?(?:\.(?:ya?ml|toml|jsonc?))?|\.(?:local-)?overcommit\.yml|\.git-hooks|\.husky|\.huskyrc(?:\..*)?|husky\.config\.[cm]?js|captainhook\.json|grumphp\.ya?ml(?:\.dist)?|hk\.pkl|\.rusty-hook\.toml|\.lfsconfig)$/;

/** By the entries that count. */
function hooksFolder(entries: readonly ConfigurationEntry[], top: string, common: string): string {
  const entry = entries.findLast(({ key }) => key === "core.hookspath");
  return entry === undefined ? join(common, "hooks") : pathOfEntry(entry, top);
}

/** Hooks that Loaf's commits and pushes would run, and what they consist of: the scripts, all else in a folder that is reachable, what they call there, and the settings of common hook programs. */
function hookSources(folder: string, top: string, isReachable: IsReachable): { readonly names: readonly string[]; readonly sources: readonly Source[] } {
  const names = [...COMMIT_HOOKS, "pre-push"].filter((name) => isExecutable(join(folder, name)));
  if (names.length === 0) return { names, sources: [] };
  const scripts = names.map((name) => join(folder, name));
  const frameworks = [...readdirSync(top), ...namesIn(join(top, ".config")).map((name) => `.config/${name}`)].filter((name) => FRAMEWORK_FILES.test(name.replace(/^\.config\//, "")));
  return {
    names,
    sources: [
      ...(isReachable(folder) ? sourcesAt(folder) : scripts.filter(isReachable).flatMap(sourcesAt)),
      ...scripts.flatMap((script) => sourcesNamedIn(textOf(script), top, isReachable, true)),
      ...frameworks.flatMap((name) => sourcesAt(join(top, name))),
    ],
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Of a program that is no script there is nothing to read. */
function textOf(script: string): string {
  const bytes = readFileSync(script);
  return bytes.length > LONGEST_SCRIPT || bytes.includes(0) ? "" : bytes.toString();
}

const LONGEST_SCRIPT = 2 ** 20;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
