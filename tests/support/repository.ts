/** Real git repositories for tests. None of them sees the settings of whoever runs the tests. */
import { execFileSync } from "node:child_process";
import { devNull } from "node:os";
import { createFolder } from "./folder.ts";

/** What git and Loaf are to be given of an environment. */
export const gitEnvironment = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1" };

export interface TestRepository {
  readonly root: string;
  /** What git prints, without the newline at its end. */
  git(...args: readonly string[]): string;
}

/** @param files path to content; they are committed */
export function createRepository(files: Readonly<Record<string, string | Uint8Array>> = {}, ...options: readonly string[]): TestRepository {
  const root = createFolder(files);
  const repository = repositoryAt(root);
  repository.git("init", "-q", "-b", "main", ...options);
  repository.git("config", "user.name", "A User");
  repository.git("config", "user.email", "user@example.org");
  if (Object.keys(files).length > 0) {
    repository.git("add", "-A");
    repository.git("commit", "-q", "-m", "begin");
  }
  return repository;
}

export function repositoryAt(root: string): TestRepository {
  return {
    root,
    git: (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8", env: { ...withoutGit(), ...gitEnvironment }, stdio: ["ignore", "pipe", "pipe"] }).replace(/\n$/, ""),
  };
}

function withoutGit(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
}
