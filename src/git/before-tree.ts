import { appendFileSync, closeSync, copyFileSync, existsSync, mkdirSync, openSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CommitFile } from "./commit-file.ts";
import { GitFailed } from "./git.ts";

/**
 * Puts what files held before the run into a folder, at the same paths, so that git can read them from there as from a work tree. The
 * `.gitattributes` that say how are put there too.
 *
 * @param all the run's files: among them may be attributes
 */
export function writeBeforeTree(folder: string, top: string, files: readonly CommitFile[], all: readonly CommitFile[]): void {
  mkdirSync(folder, { recursive: true });
  const attributes = new Set(files.flatMap(({ path }) => foldersAbove(path)).map((above) => join(above, ".gitattributes")));
  const known = new Map(all.map((file) => [file.path, file]));
  for (const path of attributes) {
    const file = known.get(path);
    if (file !== undefined) place(folder, file);
    else if (existsSync(join(top, path))) copyFileSync(join(top, path), within(folder, path));
  }
  for (const file of files) if (!attributes.has(file.path)) place(folder, file);
}

function place(folder: string, { path, before }: CommitFile): void {
  if (before === undefined) return;
  const target = within(folder, path);
  if (before.kind === "link") return symlinkSync(before.target, target);
  const file = openSync(target, "wx", before.isExecutable ? 0o700 : 0o600);
  try {
    if (!before.read((piece) => appendFileSync(file, piece))) throw new GitFailed(`what ${path} held before is not known any more`);
  } finally {
    closeSync(file);
  }
}

function within(folder: string, path: string): string {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  return target;
}

/** Of `a/b/c.txt`: "", `a` and `a/b`. */
function foldersAbove(path: string): string[] {
  const segments = path.split("/");
  return segments.map((_, index) => segments.slice(0, index).join("/"));
}
