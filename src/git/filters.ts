import { join } from "node:path";
import { writeRules } from "./before-tree.ts";
import type { CommitFile } from "./commit-file.ts";
import { asBytes, fromBytes, type Git, GitFailed, records, type Source } from "./git.ts";
import { isSigning } from "./record-commit.ts";

/**
 * Returns files that need an untrusted filter, by the attributes now or before the run. Without the filter, git would
 * store the wrong bytes.
 *
 * @param folder to write the attributes from before the run to
 */
export async function findUntrustedFilters(git: Git, files: readonly CommitFile[], folder: string): Promise<ReadonlyMap<string, string>> {
  const { filters } = git.execution.untrusted;
  if (filters.size === 0 || files.length === 0) return new Map();
  writeRules(folder, git.top, ".gitattributes", files, files);
  const [now, before] = await Promise.all([filtersOf(git, files), filtersOf(git, files, folder)]);
  return new Map([...before, ...now].filter(([, filter]) => filters.has(filter)));
}

async function filtersOf(git: Git, files: readonly CommitFile[], workTree?: string): Promise<Array<readonly [path: string, filter: string]>> {
  const input = Buffer.from(files.map(({ path }) => `${asBytes(path)}\0`).join(""), "latin1");
  const fields = records(await git(["check-attr", "-z", "--stdin", "filter"], { input, ...(workTree !== undefined && { workTree }) })).map(fromBytes);
  return fields.flatMap((path, index) => (index % 3 === 0 ? [[path, fields[index + 2] ?? ""] as const] : []));
}

/** Throws if commits must be signed by an untrusted program. An unsigned commit is not what the user wants. */
export async function refuseUntrustedSigning(git: Git): Promise<void> {
  const { signing } = git.execution.untrusted;
  if (signing.length > 0 && (await isSigning(git))) throw new GitFailed(`the program that signs commits is in the project and is not trusted (${named(signing)}); loaf trust shows it and lets it run`);
}

/**
 * Throws if a checkout could run, or make git read, something untrusted. Without a filter, the files would be wrong.
 * And the commit may hold other bytes of a trusted file.
 */
export async function refuseUntrustedCheckout(git: Git, commit: string): Promise<void> {
  const { untrusted: { filters, configuration }, inCheckout: sources } = git.execution;
  const out = [...filters.values()].flat().concat(configuration);
  if (out.length > 0) throw new GitFailed(`git would run, or read as configuration, ${named(out)}, which nobody has trusted; loaf trust shows it and lets it run`);
  if (sources.length === 0) return;
  const differing = new Set(records(await git(["diff-tree", "-r", "-z", "--name-only", "--no-renames", "HEAD", commit])).map((path) => join(git.top, fromBytes(path))));
  const changed = sources.filter(({ path }) => differing.has(path));
  if (changed.length > 0) throw new GitFailed(`${commit.slice(0, 10)} has a different ${named(changed)}, which git runs or reads as configuration: check it out yourself`);
}

function named(sources: readonly Source[]): string {
  return [...new Set(sources.map(({ path }) => path))].join(", ");
}
