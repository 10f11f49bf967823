/** Finds files below a folder that differ from a commit, and restores their committed content. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDifferences } from "./entries.ts";
import { asBytes, fromBytes, type Git, records } from "./git.ts";
import { commitAt } from "./record-commit.ts";

/** A commit to compare the work tree with. Paths are bytes relative to the top, as latin1 strings. */
export interface Base {
  readonly git: Git;
  /** Undefined before the first commit. */
  readonly commit: string | undefined;
  /** The folder to compare, relative to the top; empty for all. */
  readonly folder: string;
}

export async function baseAtHead(git: Git, folder: string): Promise<Base> {
  return { git, commit: await commitAt(git, "HEAD"), folder };
}

/**
 * Returns paths that differ or are untracked and not ignored, each with its object in the commit. Skips nested
 * repositories. Throws `GitFailed`.
 */
export async function differences({ git, commit, folder }: Base): Promise<ReadonlyMap<string, string | undefined>> {
  const within = folder === "" ? [] : ["--", folder];
  const diff = ["diff", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--ignore-submodules=all", "-z"];
  const [known, others] = await Promise.all([
    git(commit === undefined ? ["ls-files", "-z", ...within] : [...diff, commit, ...within]),
    git(["ls-files", "-z", "--others", "--exclude-standard", ...within]),
  ]);
  const listed = [...records(others), ...(commit === undefined ? records(known) : [])];
  const found = new Map<string, string | undefined>();
  for (const path of listed) if (!path.endsWith("/")) found.set(path, undefined);
  if (commit !== undefined) for (const { path, before } of readDifferences(known)) found.set(path, before?.id);
  return found;
}

/** Passes on a temporary folder with files of the commit. Skips those with an excluded filter. Throws `GitFailed`. */
export async function withCheckout<Value>(
  { git, commit }: Base, paths: readonly string[], act: (folder: string) => Value
): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), "loaf-checkout-"));
  try {
    if (commit !== undefined && paths.length > 0) {
      const index = join(folder, "index");
      const filtered = new Set(await filteredOf(git, toInput(paths)));
      const input = toInput(paths.filter((path) => !filtered.has(path)));
      await git(["read-tree", commit], { index });
      await git(["checkout-index", "-z", "--stdin", `--prefix=${folder}/files/`], { index, input });
    }
    return act(join(folder, "files"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function toInput(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}

/**
 * Returns the paths that need a filter that Loaf does not start.
 *
 * @param paths each ended by NUL
 */
async function filteredOf(git: Git, paths: Buffer): Promise<string[]> {
  const { filters } = git.execution.excluded;
  if (filters.size === 0) return [];
  const fields = records(await git(["check-attr", "-z", "--stdin", "filter"], { input: paths }));
  return fields.filter((_, index) => index % 3 === 0 && filters.has(fromBytes(fields[index + 2] ?? "")));
}

/** Converts a path below the top to git's form. */
export function fromTop(relative: string): string {
  return asBytes(relative.replaceAll("\\", process.platform === "win32" ? "/" : "\\"));
}

