/** Finds files below a folder that differ from a commit, and restores their committed content. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asBytes, fromBytes, type Git, records } from "./git.ts";

/** A commit to compare the work tree with. Paths are bytes relative to the top, as latin1 strings. */
export interface Base {
  readonly git: Git;
  /** Undefined before the first commit. */
  readonly commit: string | undefined;
  /** The folder to compare, relative to the top; empty for all. */
  readonly folder: string;
}

export async function baseAtHead(git: Git, folder: string): Promise<Base> {
  const { exitCode, stdout } = await git.attempt(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return { git, commit: exitCode === 0 ? stdout.toString().trim() : undefined, folder };
}

/** Returns paths that differ or are untracked and not ignored, each with its object in the commit. Skips nested repositories. Throws `GitFailed`. */
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

/** Checks files of the commit out into a temporary folder and passes it on. Skips files that need an untrusted filter. Throws `GitFailed`. */
export async function withCheckout<Value>({ git, commit }: Base, paths: readonly string[], act: (folder: string) => Value): Promise<Value> {
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

/**
 * Returns the paths that need an untrusted filter.
 *
 * @param paths each ended by NUL
 */
async function filteredOf(git: Git, paths: Buffer): Promise<string[]> {
  const { filters } = git.execution.untrusted;
  if (filters.size === 0) return [];
  const fields = records(await git(["check-attr", "-z", "--stdin", "filter"], { input: paths }));
  return fields.filter((_, index) => index % 3 === 0 && filters.has(fromBytes(fields[index + 2] ?? "")));
}

/** Converts a path below the top to git's form. */
export function fromTop(relative: string): string {
  return asBytes(relative.replaceAll("\\", process.platform === "win32" ? "/" : "\\"));
}

/** Parses git's output about changed paths, with names as bytes. */

/** A path whose file differs from the index. */
export interface Modified {
  /** Relative to the root. */
  readonly path: Buffer;
  /** The mode in the index: file, executable file or link. */
  readonly mode: "100644" | "100755" | "120000";
  /** Object name of its bytes. */
  readonly id: string;
  /** The path is missing now, or a directory. */
  readonly isGone: boolean;
}

/** Parses `git diff -z --raw`: `:100644 100644 <id> <id> M`, a NUL, the path, a NUL. */
function parseRawDiff(output: Buffer): Modified[] {
  const fields = splitAtNul(output);
  const found: Modified[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [mode = "", newMode, id = "", , status] = (fields[at] as Buffer).toString("latin1").slice(1).split(" ");
    // A path that is a nested repository now no longer belongs to this one.
    found.push({ path: fields[at + 1] as Buffer, mode: mode as Modified["mode"], id, isGone: status === "D" || newMode === "160000" });
  }
  return found;
}

function splitAtNul(output: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0, end = output.indexOf(0); end !== -1; start = end + 1, end = output.indexOf(0, start)) parts.push(output.subarray(start, end));
  return parts;
}
