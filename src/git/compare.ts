/** Tells which files below a folder differ from a commit, and gives back what they held in it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asBytes, fromBytes, type Git, records } from "./git.ts";
import { parseRawDiff, splitAtNul } from "./raw-diff.ts";

/** A commit that the work tree is compared with. Paths are bytes from the top of the work tree on, in latin1. */
export interface Base {
  readonly git: Git;
  /** Undefined where nothing is committed yet. */
  readonly commit: string | undefined;
  /** The folder that is looked at, from the top on; empty for all. */
  readonly folder: string;
}

export async function headAsBase(git: Git, folder: string): Promise<Base> {
  const { exitCode, stdout } = await git.attempt(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return { git, commit: exitCode === 0 ? stdout.toString().trim() : undefined, folder };
}

/**
 * What differs, and what is neither in the commit nor ignored; each with the object that the commit has for it. Repositories in the work tree are left out.
 * Throws `GitFailed`.
 */
export async function differences({ git, commit, folder }: Base): Promise<ReadonlyMap<string, string | undefined>> {
  const within = folder === "" ? [] : ["--", folder];
  const [known, others] = await Promise.all([
    commit === undefined ? git(["ls-files", "-z", ...within]) : git(["diff", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--ignore-submodules=all", "-z", commit, ...within]),
    git(["ls-files", "-z", "--others", "--exclude-standard", ...within]),
  ]);
  const found = new Map<string, string | undefined>();
  for (const path of [...splitAtNul(others), ...(commit === undefined ? splitAtNul(known) : [])]) if (path.at(-1) !== SLASH) found.set(path.toString("latin1"), undefined);
  if (commit !== undefined) for (const { path, id } of parseRawDiff(known)) found.set(path.toString("latin1"), /^0+$/.test(id) ? undefined : id);
  return found;
}

const SLASH = 47;

/**
 * Puts files as they were in the commit into a temporary folder, as a checkout would write them, and hands that on. Those that a filter makes which is not trusted are
 * left out. Throws `GitFailed`.
 */
export async function withCheckedOut<Value>({ git, commit }: Base, paths: readonly string[], act: (folder: string) => Value): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), "loaf-checkout-"));
  try {
    if (commit !== undefined && paths.length > 0) {
      const index = join(folder, "index");
      const input = (some: readonly string[]): Buffer => Buffer.from(some.map((path) => `${path}\0`).join(""), "latin1");
      const filtered = new Set(await filteredOf(git, input(paths)));
      await git(["read-tree", commit], { index });
      await git(["checkout-index", "-z", "--stdin", `--prefix=${folder}/files/`], { index, input: input(paths.filter((path) => !filtered.has(path))) });
    }
    return act(join(folder, "files"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of paths, each ended by NUL, those that a filter makes which nobody has trusted. */
async function filteredOf(git: Git, paths: Buffer): Promise<string[]> {
  const { filters } = git.execution.untrusted;
  if (filters.size === 0) return [];
  const fields = records(await git(["check-attr", "-z", "--stdin", "filter"], { input: paths }));
  return fields.filter((_, index) => index % 3 === 0 && filters.has(fromBytes(fields[index + 2] ?? "")));
}

/** A path below the top as git names it. */
export function fromTop(relative: string): string {
  return asBytes(relative.replaceAll("\\", process.platform === "win32" ? "/" : "\\"));
}
