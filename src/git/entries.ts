/** What git tells of paths and what stands there in a tree or an index; and telling an index what is to stand there. */
import { createHash } from "node:crypto";
import { pathsBeyondLinks } from "./folders-above.ts";
import { asBytes, type Git, records } from "./git.ts";

/** Of a file, a link or another repository in a tree. */
export interface TreeEntry {
  /** `100644`, `100755`, `120000`, `160000` */
  readonly mode: string;
  /** The object's name. */
  readonly id: string;
}

/** A path at which two trees, or a tree and an index, differ; undefined where one of them has nothing. */
export interface Difference {
  /** As a string of bytes. */
  readonly path: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
  /** It is not merged. */
  readonly isUnmerged: boolean;
}

/** Bytes of arguments that fit a command line everywhere. */
const MOST_ARGUMENTS = 30_000;

export function fitCommandLine(paths: readonly string[]): boolean {
  return paths.reduce((sum, path) => sum + path.length * 3, 0) <= MOST_ARGUMENTS;
}

/** What stands at paths in a commit, by their bytes. Those at which nothing does are left out. */
export async function treeEntries(git: Git, commit: string, paths: readonly string[]): Promise<Map<string, TreeEntry>> {
  // Else it is cheaper to read all of a tree.
  const given = fitCommandLine(paths) ? paths : [];
  const output = await git(["ls-tree", "-r", "-z", "--full-tree", commit, "--", ...given]);
  const wanted = new Set(paths.map(asBytes));
  const entries = records(output).map((line) => {
    const [, mode = "", id = "", path = ""] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
    return [path, { mode, id }] as const;
  });
  return new Map(entries.filter(([path]) => wanted.has(path)));
}

/** The output of `diff-index` and `diff-tree` with `-z`. */
export function readDifferences(output: Buffer): Difference[] {
  const fields = records(output);
  const differences: Difference[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = "", newMode = "", oldId = "", newId = "", status = ""] = (fields[at] ?? "").slice(1).split(" ");
    const entry = (mode: string, id: string) => (/^0+$/.test(mode) ? undefined : { mode, id });
    differences.push({ path: fields[at + 1] ?? "", before: entry(oldMode, oldId), after: entry(newMode, newId), isUnmerged: status === "U" });
  }
  return differences;
}

/** Makes an index say of paths what one side of differences says of them. */
export async function setEntries(git: Git, index: string, differences: readonly Difference[], side: "before" | "after"): Promise<void> {
  if (differences.length === 0) return;
  const lines = goneFirst(differences, (one) => one[side] === undefined).map((one) => {
    const other = one.before ?? one.after;
    const { mode, id } = one[side] ?? { mode: "0", id: "0".repeat(other?.id.length ?? 40) };
    return `${mode} ${id}\t${one.path}\0`;
  });
  await git(["update-index", "-z", "--replace", "--index-info"], { index, input: Buffer.from(lines.join(""), "latin1") });
}

/**
 * Makes an index hold what stands at paths in the work tree, as the user's `git add` would: through filters and with its line endings. What
 * the user keeps git from looking at stays as it is.
 *
 * @param files in a work tree of their own, where one is given
 */
export async function addFiles(git: Git, files: ReadonlyArray<{ readonly path: string; readonly exists: boolean }>, { index, workTree }: { readonly index: string; readonly workTree?: string }): Promise<void> {
  if (files.length === 0) return;
  const isBeyondLink = pathsBeyondLinks(workTree ?? git.top);
  const cutOff = new Set(files.filter(({ path, exists }) => !exists && isBeyondLink(path)));
  const listed = (some: ReadonlyArray<{ readonly path: string }>): string => some.map(({ path }) => `${path}\0`).join("");
  if (cutOff.size > 0) await git(["update-index", "-z", "--force-remove", "--stdin"], { index, input: listed([...cutOff]) });
  const input = listed(goneFirst(files.filter((file) => !cutOff.has(file)), ({ exists }) => !exists));
  // Whether the user leaves a file out of a sparse work tree is told by the index, not by what another work tree holds.
  const isElsewhere = workTree === undefined ? [] : ["-c", "sparse.expectFilesOutsideOfPatterns=true"];
  await git([...isElsewhere, "update-index", "-z", "--add", "--remove", "--replace", "--ignore-skip-worktree-entries", "--stdin"], { index, input, ...(workTree !== undefined && { workTree }) });
}

/** Where a file takes the place of a folder, or a folder that of a file, what was there has to go first. */
function goneFirst<Item>(items: readonly Item[], isGone: (item: Item) => boolean): Item[] {
  return [...items.filter(isGone), ...items.filter((item) => !isGone(item))];
}

/** Bytes that come piece by piece: `read` hands them on, and yields false where they are not known. */
export interface BlobContent {
  readonly size: number;
  read(take: (piece: Buffer) => void): boolean;
}

export function inOnePiece(bytes: Buffer): BlobContent {
  return { size: bytes.length, read: (take) => (take(bytes), true) };
}

/** The name that git gives to bytes, where nothing filters them; undefined where they are not known. @param like another name in the repository: it tells which digest is used */
export function blobId({ size, read }: BlobContent, like: string): string | undefined {
  const digest = createHash(like.length === 40 ? "sha1" : "sha256").update(`blob ${size}\0`);
  return read((piece) => void digest.update(piece)) ? digest.digest("hex") : undefined;
}
