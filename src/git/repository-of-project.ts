import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync } from "node:fs";
import { basename, delimiter, dirname, join, relative, resolve } from "node:path";
import { homedir } from "node:os";
import type { Settings } from "../config/schema.ts";
import { tryOr } from "../core/errors.ts";
import { Disk } from "../disk/disk.ts";
import { createPolicy } from "../guard/policy.ts";
import { isWithin } from "../paths/path-segments.ts";
import { findProgram, isExecutable, trustedPath } from "../process/find-program.ts";
import { guardedMachine, ownPlaces, projectStateFolder } from "../state/places.ts";
import { resolveLinks } from "../state/root.ts";
import { createGit, type Git, GitFailed, reasonOf, records } from "./git.ts";
import { asBytes, fromBytes } from "../paths/names.ts";
import { isOutside, isProgramOutside, surroundings, type Surroundings } from "./outside-programs.ts";
import { findRepository, type Repository } from "./repository.ts";
import { entryIfThere } from "../disk/look.ts";
import { replaceFile } from "../state/state-file.ts";

export interface OpenedRepository {
  readonly repository: Repository;
  readonly git: Git;
}

interface Project {
  /** Absolute, with links resolved. */
  readonly root: string;
  readonly settings: Settings;
}

/**
 * Opens the repository of a project with the installed git. Undefined if there is no
 * repository or no git. Throws `GitFailed` if git cannot read its configuration.
 */
export async function openRepository({ root, settings }: Project): Promise<OpenedRepository | undefined> {
  const installed = installedGit(root);
  if (installed === undefined) return undefined;
  const { repository, program } = installed;
  const policy = createPolicy(new Disk(), {
    root,
    ...guardedMachine(),
    rules: [settings["fs-guard"]],
    ...ownPlaces(root, settings),
  });
  const git = await openGit(program, repository, environment(), {
    runsHooks: settings.git.hooks,
    mayWrite: (path) => policy(path, "write") === undefined,
    folder: join(projectStateFolder(root), "git"),
  });
  return { repository, git };
}

/**
 * Returns the absolute paths in a project whose content runs by itself, whether they exist or not: hooks and included
 * configuration of git, what links in the hooks' folder lead to, and folders on PATH. Skips the root and its parents,
 * because refusing those would refuse everything.
 */
export async function pathsThatRun(root: string): Promise<string[]> {
  const installed = installedGit(root);
  const paths = [...foldersOnPath(root), ...(installed === undefined ? [] : await pathsObeyedByGit(installed))];
  return [...new Set(paths)].filter((path) => !isWithin(root, path));
}

async function pathsObeyedByGit({ program, repository }: InstalledGit): Promise<string[]> {
  const { top, gitFolder } = repository;
  const git = createGit(program, top, environment());
  const named = await readConfiguration(git).then((entries) => hookAndIncludePaths(entries, top)).catch(() => []);
  const folders = [join(gitFolder, "hooks"), ...named];
  const inFolders = folders.flatMap((folder) => tryOr(() => readdirSync(folder), []).map((name) => join(folder, name)));
  return [...named, ...[...folders, ...inFolders].map(resolveLinks).filter((path) => !isWithin(path, gitFolder))];
}

/** A relative folder counts from the root. */
function foldersOnPath(root: string): string[] {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => resolveLinks(resolve(root, folder))).filter((folder) => isWithin(folder, root));
}

interface InstalledGit {
  readonly repository: Repository;
  readonly program: string;
}

function installedGit(root: string): InstalledGit | undefined {
  const repository = findRepository(root);
  const program = repository && findProgram("git");
  return repository && program !== undefined ? { repository, program } : undefined;
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: trustedPath() };
}

export interface Permissions {
  /** Whether commits and pushes run hooks. */
  readonly runsHooks: boolean;
  /** Whether the rules let an action write a path outside the work tree. */
  mayWrite(path: string): boolean;
  /** Where a filtered configuration is written if needed. */
  readonly folder: string;
}

/** Throws `GitFailed` if git cannot read its configuration. */
async function openGit(
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

interface ConfigurationEntry {
  /** Absolute path of the file; undefined for an environment variable. */
  readonly file: string | undefined;
  /** Section and name in lower case: `filter.LFS.clean`. A string of bytes. */
  readonly key: string;
  /** A string of bytes; undefined for a key without a value. */
  readonly value: string | undefined;
}

/** Returns the entries of files in git's order: the last one of a key wins. Runs nothing that they name. */
async function readConfiguration(git: Git): Promise<ConfigurationEntry[]> {
  const fields = records(await git(["config", "--list", "--show-origin", "-z", "--includes"]));
  return fields.flatMap((field, index): ConfigurationEntry[] => {
    const origin = fields[index - 1] ?? "";
    // Other entries are those that Loaf gives on the command line.
    if (index % 2 === 0 || !origin.startsWith("file:")) return [];
    const end = field.indexOf("\n");
    return [{
      file: resolve(git.top, fromBytes(origin.slice("file:".length))),
      key: end === -1 ? field : field.slice(0, end),
      value: end === -1 ? undefined : field.slice(end + 1),
    }];
  });
}

/** Returns the absolute paths of hook folders and included files, whether they exist or not. */
function hookAndIncludePaths(entries: readonly ConfigurationEntry[], top: string): string[] {
  const named = entries.filter((entry) => entry.key === "core.hookspath" || isInclude(entry));
  const given = named.filter(({ value }) => value !== undefined && value !== "");
  return [...new Set(given.map((entry) => pathOfEntry(entry, top)))];
}

/** Resolves a path value as git does: `~` is home, and an included file is relative to the including one. */
function pathOfEntry(entry: ConfigurationEntry, top: string): string {
  const path = fromBytes(entry.value ?? "");
  if (/^~[\\/]/.test(path)) return join(homedir(), path.slice(2));
  return resolve(isInclude(entry) && entry.file !== undefined ? dirname(entry.file) : top, path);
}

function isInclude({ key }: ConfigurationEntry): boolean {
  return /^(?:include|includeif\..*)\.path$/s.test(key);
}

/**
 * Returns the environment of a git that reads only these entries. Git has no other way to skip an included file than
 * a common folder with another configuration.
 *
 * @param common the repository's common folder, absolute
 * @param folder where the configuration is written
 */
function environmentWith(
  entries: readonly ConfigurationEntry[], gitFolder: string, common: string, folder: string
): Record<string, string> {
  try {
    writeCommonFolder(folder, common, entries);
  } catch (thrown) {
    const { message } = thrown as Error;
    throw new GitFailed(`part of git's configuration lies in the project and cannot be left out (${message})`);
  }
  return {
    GIT_DIR: gitFolder,
    GIT_COMMON_DIR: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: process.platform === "win32" ? "nul" : "/dev/null",
  };
}

/** What linked work trees share with the repository. */
const SHARED_FOLDERS = ["objects", "refs", "logs", "info", "worktrees", "modules"];
const SHARED_FILES = ["packed-refs", "shallow"];

/** Everything but the configuration links to the real folder. Throws a system error if links cannot be made. */
function writeCommonFolder(folder: string, common: string, entries: readonly ConfigurationEntry[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of SHARED_FOLDERS) linkTo(join(common, name), join(folder, name), "junction");
  for (const name of SHARED_FILES) linkTo(join(common, name), join(folder, name), "file");
  // Entries of included files are copied themselves.
  const copied = entries.filter((entry) => !isInclude(entry));
  const text = copied.filter(({ key }) => key !== "extensions.worktreeconfig").map(printEntry).join("");
  const file = join(folder, "config");
  // Every later git call reads the file, so it is only replaced when its content changes.
  if (entryIfThere(file)?.kind === "file" && readFileSync(file, "latin1") === text) return;
  replaceFile(file, Buffer.from(text, "latin1"));
}

function linkTo(target: string, link: string, kind: "junction" | "file"): void {
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() === true && readlinkSync(link) === target) return;
  rmSync(link, { recursive: true, force: true });
  symlinkSync(target, link, kind);
}

function printEntry({ key, value }: ConfigurationEntry): string {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const subsection = first === last ? "" : ` "${key.slice(first + 1, last).replace(/[\\"]/g, "\\$&")}"`;
  const quoted = value?.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  const printed = quoted === undefined ? "" : ` = "${quoted.replaceAll("\b", "\\b")}"`;
  return `[${key.slice(0, first)}${subsection}]\n\t${key.slice(last + 1)}${printed}\n`;
}
