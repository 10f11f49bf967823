/** What stands in a work tree, an index and a commit, all told alike. Git is hardly asked, as that would take longer than all else in a test of thousands of steps. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import type { TestRepository } from "./repository.ts";

/** By path: git's mode and name of it. */
export type Tree = ReadonlyMap<string, string>;

export const DIRECTORY = "directory";

/** All but the repository itself: directories, and files with their permissions before git's mode and name. */
export function filesIn(root: string, folder = ""): Tree {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder + entry.name;
    if (entry.isDirectory() && path !== ".git") {
      found.set(path, DIRECTORY);
      for (const [inner, what] of filesIn(root, `${path}/`)) found.set(inner, what);
    } else if (!entry.isDirectory()) found.set(path, describe(join(root, path)));
  }
  return found;
}

/** The mode and name that git would give to what stands at a path in `filesIn`; undefined for a directory, and for nothing. */
export function fileIn(files: Tree, path: string): string | undefined {
  const entry = files.get(path);
  return entry === DIRECTORY ? undefined : entry?.slice(5);
}

function describe(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `link 120000 ${blob(Buffer.from(readlinkSync(path)))}`;
  const permissions = (stats.mode & 0o777).toString(8).padStart(4, "0");
  return `${permissions} ${(stats.mode & 0o100) === 0 ? "100644" : "100755"} ${blob(readFileSync(path))}`;
}

function blob(bytes: Buffer): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

export function treeOfIndex({ git }: TestRepository): Tree {
  return new Map(git("ls-files", "-s", "-z").split("\0").slice(0, -1).map((line) => [line.slice(line.indexOf("\t") + 1), line.slice(0, 47)]));
}

export function treeOfCommit(root: string, commit: string): Tree {
  return new Map(entriesOf(root, objectOf(root, commit).toString("latin1", 5, 45), ""));
}

export function parentsOf(root: string, commit: string): string[] {
  return [...objectOf(root, commit).toString().matchAll(/^parent (.*)$/gm)].map(([, parent = ""]) => parent);
}

function entriesOf(root: string, tree: string, folder: string): Array<[path: string, entry: string]> {
  const found: Array<[string, string]> = [];
  const bytes = objectOf(root, tree);
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at);
    const [mode = "", name = ""] = bytes.toString("utf8", at, end).split(" ");
    const id = bytes.toString("hex", end + 1, end + 21);
    found.push(...(mode === "40000" ? entriesOf(root, id, `${folder}${name}/`) : [[folder + name, `${mode} ${id}`] as [string, string]]));
    at = end + 21;
  }
  return found;
}

/** One that is not packed. */
function objectOf(root: string, id: string): Buffer {
  const object = inflateSync(readFileSync(join(root, ".git/objects", id.slice(0, 2), id.slice(2))));
  return object.subarray(object.indexOf(0) + 1);
}
