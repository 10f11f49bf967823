import { readdirSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { Settings } from "../config/schema.ts";
import { hookAndIncludePaths, readConfiguration } from "./configuration.ts";
import { createGit, type Git } from "./git.ts";
import { openGit } from "./open-git.ts";
import { findRepository, type Repository } from "./repository.ts";
import { findProgram, trustedPath } from "../process/find-program.ts";
import { guardedMachine, ownPlaces, projectStateFolder } from "../state/places.ts";
import { createPolicy } from "../guard/policy.ts";
import { isWithin } from "../paths/path-segments.ts";
import { tryOr } from "../core/errors.ts";
import { resolveLinks } from "../state/root.ts";
import { Disk } from "../disk/disk.ts";

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
  const found = installedGit(root);
  if (found === undefined) return undefined;
  const { repository, program } = found;
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
  const found = installedGit(root);
  const paths = [...foldersOnPath(root), ...(found === undefined ? [] : await pathsObeyedByGit(found))];
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
