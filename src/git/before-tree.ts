import { appendFileSync, closeSync, copyFileSync, existsSync, lstatSync, mkdirSync, openSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CommitFile } from "./commit-file.ts";
import { foldersAbove, pathsBeyondLinks } from "./folders-above.ts";
import { GitFailed } from "./git.ts";

/**
 * Writes the pre-images of the run's files into a folder, at the same paths, so that git can use it as a work tree.
 * Includes the `.gitattributes` that apply.
 *
 * @param all the run's files, which may include attributes
 */
export function writeBeforeTree(folder: string, top: string, files: readonly CommitFile[], all: readonly CommitFile[]): void {
  const attributes = writeRules(folder, top, ".gitattributes", files, all);
  for (const file of files) if (!attributes.has(file.path)) place(folder, file);
}

/**
 * Writes only rule files of one name from the folders above the given files, as they were before the run.
 *
 * @param all the run's files, which may include rule files
 * @returns the paths where rule files may be
 */
export function writeRules(folder: string, top: string, name: string, files: readonly CommitFile[], all: readonly CommitFile[]): ReadonlySet<string> {
  mkdirSync(folder, { recursive: true });
  const rules = new Set(files.flatMap(({ path }) => foldersAbove(path)).map((above) => join(above, name)));
  const known = new Map(all.map((file) => [file.path, file]));
  const isBeyondLink = pathsBeyondLinks(top);
  for (const path of rules) {
    const file = known.get(path);
    if (file !== undefined) place(folder, file);
    else if (!isBeyondLink(path) && isFile(join(top, path))) copyFileSync(join(top, path), within(folder, path));
  }
  return rules;
}

/** Git does not follow a link to a rule file. */
function isFile(path: string): boolean {
  return existsSync(path) && lstatSync(path).isFile();
}

function place(folder: string, { path, before }: CommitFile): void {
  if (before === undefined) return;
  const target = within(folder, path);
  if (before.kind === "link") return symlinkSync(before.target, target);
  const file = openSync(target, "wx", before.isExecutable ? 0o700 : 0o600);
  try {
    if (!before.read((piece) => appendFileSync(file, piece))) throw new GitFailed(`the earlier content of ${path} is no longer known`);
  } finally {
    closeSync(file);
  }
}

function within(folder: string, path: string): string {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  return target;
}
