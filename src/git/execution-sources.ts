/**
 * Finds what git would run, or read as configuration, from files that an action could write. Only files that the user
 * trusts byte by byte count: other entries are removed from the configuration, and untrusted hooks do not run.
 */
import {
  lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { isExecutable } from "../commands/find-program.ts";
import { tryOr } from "../core/errors.ts";
import {
  asBytes, createGit, type Execution, fromBytes, type Git, GitFailed, reasonOf, records, type Source
} from "./git.ts";
import type { Repository } from "./repository.ts";
import { type IsReachable, reachable, sourcesAt, sourcesNamedIn } from "./work-tree-code.ts";

export interface Trust {
  isTrusted(source: Source): boolean;
  /** Whether the rules let an action write a path outside the work tree. */
  mayWrite(path: string): boolean;
  /** Where a filtered configuration is written if needed. */
  readonly folder: string;
}

/** Opens a repository as far as it is trusted now. Throws `GitFailed` if git cannot read its configuration. */
export async function openTrusted(
  program: string, { top, gitFolder }: Repository, variables: NodeJS.ProcessEnv, trust: Trust
): Promise<Git> {
  const git = createGit(program, top, variables);
  const [entries, places] = await Promise.all([readConfiguration(git), foldersOf(git)]);
  // A linked work tree shares its configuration with the main one, which may be another project.
  const workTrees = [top, ...(basename(places.common) === ".git" ? [dirname(places.common)] : [])];
  const closed = [gitFolder, places.common, join(top, ".git")];
  const isReachable = reachable(workTrees, closed, (path) => trust.mayWrite(path));
  const withoutTrust = (sources: readonly Source[]): Source[] => sources.filter((source) => !trust.isTrusted(source));
  const configuration = sourcesByFile(entries, isReachable);
  const untrustedOf = ({ file = "" }: ConfigurationEntry): Source[] => withoutTrust(configuration.get(file) ?? []);
  const trustedEntries = entries.filter((entry) => untrustedOf(entry).length === 0);
  const isWhole = trustedEntries.length === entries.length;
  const found = {
    configuration: [...configuration.values()].flat(),
    hooks: hookSources(isWhole ? places.hooks : hooksFolder(trustedEntries, top, places.common), top, isReachable),
    filters: filterSources(entries, top, isReachable, untrustedOf),
    signing: trustedEntries.filter(isSigning).flatMap((entry) => sourcesOfCommand(entry, top, isReachable)),
    transport: [...trustedEntries, ...variableEntries(variables)]
      .filter(({ key }) => TRANSPORT.test(key))
      .flatMap((entry) => sourcesOfTransport(entry, top, isReachable)),
  };
  const filters = [...found.filters].map(([name, all]) => [name, withoutTrust(uniqueSources(all))] as const);
  const untrusted: Execution["untrusted"] = {
    configuration: withoutTrust(uniqueSources(found.configuration)),
    hooks: withoutTrust(uniqueSources(found.hooks.sources)),
    filters: new Map(filters.filter(([, sources]) => sources.length > 0)),
    signing: withoutTrust(uniqueSources(found.signing)),
    transport: withoutTrust(uniqueSources(found.transport)),
  };
  const isPartial = !isWhole || untrusted.filters.size + untrusted.signing.length > 0;
  const kept = trustedEntries.filter((entry) => !isExcluded(entry, untrusted));
  const inCheckout = [...found.configuration, ...[...found.filters.values()].flat()];
  return createGit(program, top, variables, {
    hasCommitHooks: untrusted.hooks.length === 0 && found.hooks.names.some((name) => COMMIT_HOOKS.has(name)),
    maySign: trustedEntries.some(({ key }) => key === "commit.gpgsign"),
    sources: uniqueSources([...inCheckout, ...found.hooks.sources, ...found.signing, ...found.transport]),
    inCheckout,
    untrusted,
    environment: isPartial ? environmentOf(kept, gitFolder, places.common, trust.folder) : {},
  });
}

function uniqueSources(sources: readonly Source[]): Source[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  return [...byPath.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Returns the absolute paths that decide what git runs, whether they exist or not, so that rules can protect them. */
export async function pathsThatGitObeys(git: Git): Promise<string[]> {
  return hookAndIncludePaths(await readConfiguration(git), git.top);
}

/** Allows hooks for this call, so that git answers with the user's own hooks folder. */
async function foldersOf(git: Git): Promise<{ readonly common: string; readonly hooks: string }> {
  const options = { runsHooks: true, fetches: false };
  const answer = await git.attempt(["rev-parse", "--git-common-dir", "--git-path", "hooks"], options);
  const [common = "", hooks = ""] = answer.stdout.toString().split("\n");
  if (answer.exitCode !== 0) throw new GitFailed(reasonOf(answer));
  return { common: resolve(git.top, common), hooks: resolve(git.top, hooks) };
}

/** Maps each configuration file to itself as a source, or to none if no action could write it. */
function sourcesByFile(entries: readonly ConfigurationEntry[], isReachable: IsReachable): Map<string, Source[]> {
  const files = new Set(entries.flatMap(({ file }) => file ?? []));
  return new Map([...files].map((file) => [file, isReachable(file) ? sourcesAt(file) : []]));
}

/** Environment of a git that reads only these entries. */
function environmentOf(
  entries: readonly ConfigurationEntry[], gitFolder: string, common: string, folder: string
): Record<string, string> {
  try {
    writeCommonFolder(folder, common, entries);
  } catch (thrown) {
    const { message } = thrown as Error;
    throw new GitFailed(`part of git's configuration is not trusted, and cannot be left out (${message})`);
  }
  return {
    GIT_DIR: gitFolder,
    GIT_COMMON_DIR: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: process.platform === "win32" ? "nul" : "/dev/null",
  };
}

const FILTER = /^filter\.(.*)\.(?:clean|smudge|process)$/s;
const SIGNING = /^gpg\.(?:.*\.)?program$|^gpg\.ssh\.defaultkeycommand$/s;
const TRANSPORT =
  /^credential\.(?:.*\.)?helper$|^core\.(?:sshcommand|askpass|gitproxy|alternaterefscommand)$|^remote\.(?:.*\.(?:url|pushurl|receivepack|uploadpack|vcs)|pushdefault)$|^branch\..*\.(?:remote|pushremote)$|^url\..*\.(?:pushinsteadof|insteadof)$|^variable\./s;

function isSigning({ key }: ConfigurationEntry): boolean {
  return SIGNING.test(key);
}

function isExcluded(entry: ConfigurationEntry, { filters, signing }: Execution["untrusted"]): boolean {
  const [, filter] = /^filter\.(.*)\.[^.]*$/s.exec(entry.key) ?? [];
  return (filter !== undefined && filters.has(fromBytes(filter))) || (signing.length > 0 && isSigning(entry));
}

function sourcesOfCommand({ value = "" }: ConfigurationEntry, top: string, isReachable: IsReachable): Source[] {
  const command = fromBytes(value);
  // git-lfs reads further servers from a file in the work tree. Its other words are its own.
  if (/^git[- ]lfs /.test(command)) return sourcesAt(join(top, ".lfsconfig"));
  return sourcesNamedIn(command, top, isReachable);
}

/**
 * A filter from an excluded file depends on that file. Otherwise git would not know the filter and would store files
 * unfiltered.
 */
function filterSources(
  entries: readonly ConfigurationEntry[],
  top: string,
  isReachable: IsReachable,
  untrustedSourcesOf: (entry: ConfigurationEntry) => Source[],
): Map<string, Source[]> {
  const filters = new Map<string, Source[]>();
  for (const entry of entries) {
    const name = FILTER.exec(entry.key)?.[1];
    if (name === undefined) continue;
    const known = filters.get(fromBytes(name)) ?? [];
    known.push(...untrustedSourcesOf(entry), ...sourcesOfCommand(entry, top, isReachable));
    filters.set(fromBytes(name), known);
  }
  return filters;
}

/**
 * A transport may be a program, or a repository in the work tree whose own hooks would run. Such a repository is never
 * trusted.
 */
function sourcesOfTransport(entry: ConfigurationEntry, top: string, isReachable: IsReachable): Source[] {
  const { key, value = "" } = entry;
  const address = fromBytes(key.startsWith("url.") ? key.slice("url.".length, key.lastIndexOf(".")) : value);
  const isAddress = /^(?:url|branch|remote)\./.test(key) && !/\.(?:receivepack|uploadpack)$/.test(key);
  if (!isAddress) return sourcesOfCommand(entry, top, isReachable);
  if (!/[\\/]|^\.+$/.test(address) || /^(?!file:)\w+:\/\//.test(address)) return [];
  const path = resolve(top, address.replace(/^file:\/\//, ""));
  const isFound = isReachable(path) && statSync(path, { throwIfNoEntry: false }) !== undefined;
  return isFound ? [{ path, digest: undefined }] : [];
}

function variableEntries(variables: NodeJS.ProcessEnv): ConfigurationEntry[] {
  return ["GIT_SSH", "GIT_SSH_COMMAND", "SSH_ASKPASS"].map((name) => {
    return { file: undefined, key: `variable.${name}`, value: asBytes(variables[name] ?? "") };
  });
}

const COMMIT_HOOKS: ReadonlySet<string> = new Set([
  "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "reference-transaction", "post-index-change"
]);

/** Files in the work tree where common hook programs read what else to run. */
const FRAMEWORK_FILES =
  /^(?:\.pre-commit-config\.ya?ml|prek\.toml|\.?lefthook(?:-local)?(?:\.(?:ya?ml|toml|jsonc?))?|\.(?:local-)?overcommit\.yml|\.git-hooks|\.husky|\.huskyrc(?:\..*)?|husky\.config\.[cm]?js|captainhook\.json|grumphp\.ya?ml(?:\.dist)?|hk\.pkl|\.rusty-hook\.toml|\.lfsconfig)$/;

/** Looks only at trusted entries. */
function hooksFolder(entries: readonly ConfigurationEntry[], top: string, common: string): string {
  const entry = entries.findLast(({ key }) => key === "core.hookspath");
  return entry === undefined ? join(common, "hooks") : pathOfEntry(entry, top);
}

/**
 * Finds the hooks of Loaf's commits and pushes, with everything they consist of: scripts, other files in a reachable
 * hooks folder, files that they call, and settings of common hook programs.
 */
function hookSources(
  folder: string, top: string, isReachable: IsReachable
): { readonly names: readonly string[]; readonly sources: readonly Source[] } {
  const names = [...COMMIT_HOOKS, "pre-push"].filter((name) => isExecutable(join(folder, name)));
  if (names.length === 0) return { names, sources: [] };
  const scripts = names.map((name) => join(folder, name));
  const isOfFramework = (name: string): boolean => FRAMEWORK_FILES.test(name);
  const inConfig = tryOr(() => readdirSync(join(top, ".config")), []).filter(isOfFramework);
  const frameworks = [...readdirSync(top).filter(isOfFramework), ...inConfig.map((name) => `.config/${name}`)];
  return {
    names,
    sources: [
      ...(isReachable(folder) ? sourcesAt(folder) : scripts.filter(isReachable).flatMap(sourcesAt)),
      ...scripts.flatMap((script) => sourcesNamedIn(textOf(script), top, isReachable, true)),
      ...frameworks.flatMap((name) => sourcesAt(join(top, name))),
    ],
  };
}

/** Returns an empty text for a binary. */
function textOf(script: string): string {
  const bytes = readFileSync(script);
  return bytes.length > MAX_SCRIPT_BYTES || bytes.includes(0) ? "" : bytes.toString();
}

const MAX_SCRIPT_BYTES = 2 ** 20;

/** An entry of git's configuration, with its source. */
export interface ConfigurationEntry {
  /** Absolute path of the file; undefined if the entry comes from elsewhere. */
  readonly file: string | undefined;
  /** Section and name in lower case: `filter.LFS.clean`. A string of bytes. */
  readonly key: string;
  /** A string of bytes; undefined for a key without a value. */
  readonly value: string | undefined;
}

/** Returns all entries in git's order: the last one of a key wins. Runs nothing that they name. */
async function readConfiguration(git: Git): Promise<ConfigurationEntry[]> {
  const fields = records(await git(["config", "--list", "--show-origin", "-z", "--includes"]));
  return fields.flatMap((field, index): ConfigurationEntry[] => {
    if (index % 2 === 0) return [];
    const origin = fields[index - 1] ?? "";
    const end = field.indexOf("\n");
    return [{
      file: origin.startsWith("file:") ? resolve(git.top, fromBytes(origin.slice("file:".length))) : undefined,
      key: end === -1 ? field : field.slice(0, end),
      value: end === -1 ? undefined : field.slice(end + 1),
    }];
  });
}

const INCLUDES = /^(include|includeif\..*)\.path$/s;

function isInclude({ key }: ConfigurationEntry): boolean {
  return INCLUDES.test(key);
}

/** Resolves a path value as git does: `~` is home, and an included file is relative to the including one. */
function pathOfEntry(entry: ConfigurationEntry, top: string): string {
  const path = fromBytes(entry.value ?? "");
  if (/^~[\\/]/.test(path)) return join(homedir(), path.slice(2));
  return resolve(isInclude(entry) && entry.file !== undefined ? dirname(entry.file) : top, path);
}

/**
 * Returns the absolute paths of hooks and included files that the configuration names. They may not exist. A program
 * that can write one of them decides what the user's next git command runs.
 */
function hookAndIncludePaths(entries: readonly ConfigurationEntry[], top: string): string[] {
  const named = entries.filter((entry) => entry.key === "core.hookspath" || isInclude(entry));
  const given = named.filter(({ value }) => value !== undefined && value !== "");
  return [...new Set(given.map((entry) => pathOfEntry(entry, top)))];
}

/** What linked work trees share with the repository. */
const SHARED_FOLDERS = ["objects", "refs", "logs", "info", "worktrees", "modules"];
const SHARED_FILES = ["packed-refs", "shallow"];

/**
 * Writes a common folder for git with a configuration of only these entries; everything else in it links to the real
 * one. Git has no other way to skip an included file. Throws a system error if links cannot be made.
 *
 * @param common the repository's own common folder, absolute
 */
function writeCommonFolder(folder: string, common: string, entries: readonly ConfigurationEntry[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of SHARED_FOLDERS) linkTo(join(common, name), join(folder, name), "junction");
  for (const name of SHARED_FILES) linkTo(join(common, name), join(folder, name), "file");
  // Entries without a file are Loaf's own. Entries of included files are copied themselves.
  const own = entries.filter((entry) => entry.file !== undefined && !isInclude(entry));
  const text = own.filter(({ key }) => key !== "extensions.worktreeconfig").map(printEntry).join("");
  const [file, ready] = [join(folder, "config"), join(folder, `config.${process.pid}`)];
  // Every later git call reads the file, so it is only replaced when its content changes.
  if (isFile(file) && readFileSync(file, "latin1") === text) return;
  writeFileSync(ready, text, { encoding: "latin1", mode: 0o600 });
  renameSync(ready, file);
}

function linkTo(target: string, link: string, kind: "junction" | "file"): void {
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() === true && readlinkSync(link) === target) return;
  rmSync(link, { recursive: true, force: true });
  symlinkSync(target, link, kind);
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function printEntry({ key, value }: ConfigurationEntry): string {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const subsection = first === last ? "" : ` "${key.slice(first + 1, last).replace(/[\\"]/g, "\\$&")}"`;
  const quoted = value?.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  const printed = quoted === undefined ? "" : ` = "${quoted.replaceAll("\b", "\\b")}"`;
  return `[${key.slice(0, first)}${subsection}]\n\t${key.slice(last + 1)}${printed}\n`;
}
