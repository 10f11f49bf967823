import {
  appendFileSync, copyFileSync, mkdirSync, openSync, symlinkSync
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { entryIfThere } from "../disk/look.ts";
import { withFile } from "../disk/choose-pins.ts";
import type { CommitFile } from "./commit-files.ts";
import { foldersAbove, pathsBeyondLinks } from "./entries.ts";
import { type Git, GitFailed, records } from "./git.ts";
import { asBytes, fromBytes } from "../paths/names.ts";
import { isSigning } from "./record-commit.ts";

/**
 * Returns files that need a filter that Loaf does not start, by the attributes now or before the run. Without the
 * filter, git would store the wrong bytes.
 *
 * @param folder to write the attributes from before the run to
 */
export async function findExcludedFilters(
  git: Git, files: readonly CommitFile[], folder: string
): Promise<ReadonlyMap<string, string>> {
  const { filters } = git.execution.excluded;
  if (filters.size === 0 || files.length === 0) return new Map();
  writeRules(folder, git.top, ".gitattributes", files, files);
  const [now, before] = await Promise.all([filtersOf(git, files), filtersOf(git, files, folder)]);
  return new Map([...before, ...now].filter(([, filter]) => filters.has(filter)));
}

async function filtersOf(
  git: Git, files: ReadonlyArray<Pick<CommitFile, "path">>, workTree?: string
): Promise<Array<readonly [path: string, filter: string]>> {
  const input = Buffer.from(files.map(({ path }) => `${asBytes(path)}\0`).join(""), "latin1");
  const fields = records(await git(["check-attr", "-z", "--stdin", "filter"], { input, workTree })).map(fromBytes);
  return fields.flatMap((path, index) => (index % 3 === 0 ? [[path, fields[index + 2] ?? ""] as const] : []));
}

/** Throws if commits must be signed by a program that Loaf does not start. An unsigned commit is not a substitute. */
export async function refuseExcludedSigning(git: Git): Promise<void> {
  const { signing } = git.execution.excluded;
  if (signing === undefined || !(await isSigning(git))) return;
  throw new GitFailed(`commits are signed by '${signing}', and Loaf starts only single programs outside the project`);
}

/** Throws if a checkout would need configuration of the work tree, or a filter that Loaf does not start. */
export async function refuseExcludedCheckout(git: Git, commit: string): Promise<void> {
  const { filters, configuration } = git.execution.excluded;
  if (configuration.length > 0)
    throw new GitFailed(`git would read ${configuration.join(", ")} of the project as configuration`);
  if (filters.size === 0) return;
  const output = await Promise.all([
    git(["diff-tree", "-r", "-z", "--name-only", "--no-renames", "HEAD", commit]), git(["ls-files", "-z"])
  ]);
  const [differing = [], tracked = []] = output.map((paths) => records(paths).map(fromBytes));
  const needed = await filtersOf(git, [...differing, ...tracked].map((path) => ({ path })));
  const [first] = filters.keys();
  // The attributes of the other commit are unknown.
  const isUncertain = differing.some((path) => basename(path) === ".gitattributes");
  const name = isUncertain ? first : needed.find(([, filter]) => filters.has(filter))?.[1];
  if (name !== undefined) throw new GitFailed(`git would run ${describeFilter(git, name)}: check it out yourself`);
}

/** Returns a clause about a filter that Loaf does not start. */
export function describeFilter(git: Git, name: string): string {
  const command = git.execution.excluded.filters.get(name) ?? "";
  return `the filter '${name}' (${command}), and Loaf starts only single programs outside the project, without a shell`;
}

/**
 * Writes the pre-images of the run's files into a folder, at the same paths, so that git can use it as a work tree.
 * Includes the `.gitattributes` that apply.
 *
 * @param all the run's files, which may include attributes
 */
export function writeBeforeTree(
  folder: string, top: string, files: readonly CommitFile[], all: readonly CommitFile[]
): void {
  const attributes = writeRules(folder, top, ".gitattributes", files, all);
  for (const file of files) if (!attributes.has(file.path)) place(folder, file);
}

/**
 * Writes only rule files of one name from the folders above the given files, as they were before the run.
 *
 * @param all the run's files, which may include rule files
 * @returns the paths where rule files may be
 */
export function writeRules(
  folder: string, top: string, name: string, files: readonly CommitFile[], all: readonly CommitFile[]
): ReadonlySet<string> {
  mkdirSync(folder, { recursive: true });
  const rules = new Set(files.flatMap(({ path }) => foldersAbove(path)).map((above) => join(above, name)));
  const known = new Map(all.map((file) => [file.path, file]));
  const isBeyondLink = pathsBeyondLinks(top);
  for (const path of rules) {
    const file = known.get(path);
    if (file !== undefined) place(folder, file);
    // Git does not follow a link to a rule file.
    else if (!isBeyondLink(path) && entryIfThere(join(top, path))?.kind === "file")
      copyFileSync(join(top, path), within(folder, path));
  }
  return rules;
}

function place(folder: string, { path, before }: CommitFile): void {
  if (before === undefined) return;
  const target = within(folder, path);
  if (before.kind === "link") return symlinkSync(before.target, target);
  withFile(openSync(target, "wx", before.isExecutable ? 0o700 : 0o600), (file) => {
    const isKnown = before.read((piece) => appendFileSync(file, piece));
    if (!isKnown) throw new GitFailed(`the earlier content of ${path} is no longer known`);
  });
}

function within(folder: string, path: string): string {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  return target;
}
