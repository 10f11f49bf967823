import { join } from "node:path";
import type { Settings } from "../config/schema.ts";
import { hookAndIncludePaths, readConfiguration } from "./configuration.ts";
import { createGit, type Git } from "./git.ts";
import { openGit } from "./open-git.ts";
import { findRepository, type Repository } from "./repository.ts";
import { findProgram, trustedPath } from "../commands/find-program.ts";
import { guardedMachine, ownPlaces, projectStateFolder } from "../state/places.ts";
import { createPolicy } from "../guard/policy.ts";
import { isWithin } from "../paths/path-segments.ts";
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
 * Returns the absolute paths of hooks and included configuration, whether they exist or not. Skips the root and its
 * parents, because refusing those would refuse everything.
 */
export async function pathsObeyedByGit(root: string): Promise<string[]> {
  const found = installedGit(root);
  if (found === undefined) return [];
  const git = createGit(found.program, found.repository.top, environment());
  const paths = await readConfiguration(git).then((entries) => hookAndIncludePaths(entries, git.top)).catch(() => []);
  return paths.filter((path) => !isWithin(root, path));
}

function installedGit(root: string): { readonly repository: Repository; readonly program: string } | undefined {
  const repository = findRepository(root);
  const program = repository && findProgram("git");
  return repository && program !== undefined ? { repository, program } : undefined;
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: trustedPath() };
}
