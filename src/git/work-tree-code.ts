/** Finds the files that a command line or a folder consists of, and whether an action could write them. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { hash } from "node:crypto";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Source } from "./git.ts";
import { tryOr } from "../core/errors.ts";
import { isWithin } from "../paths/path-segments.ts";
import { isWritable, resolveLinks } from "../state/root.ts";

/** Returns whether an action could write a path, or the target of a link there. */
export type IsReachable = (path: string) => boolean;

/**
 * @param workTrees that actions can write, except for `closed` folders
 * @param mayWrite what the rules say of other paths; the system's permissions count there too
 */
export function reachable(
  workTrees: readonly string[], closed: readonly string[], mayWrite: (path: string) => boolean
): IsReachable {
  const bothForms = (folder: string): string[] => [folder, resolveLinks(folder)];
  const [tops, folders] = [workTrees.flatMap(bothForms), closed.flatMap(bothForms)];
  return (path) =>
    [path, resolveLinks(path)].some((one) => {
      if (folders.some((folder) => isWithin(one, folder))) return false;
      return tops.some((folder) => isWithin(one, folder)) || (mayWrite(one) && [one, dirname(one)].some(isWritable));
    });
}

/** Limits for a folder. Larger ones are not read and so never trusted. */
const MAX_FILES = 500;
const MAX_DEPTH = 8;
const MAX_FILE_BYTES = 16 * 2 ** 20;

/** Returns a file, or all files in a folder; nothing if the path is missing. Follows links, as git and shells do. */
export function sourcesAt(path: string): Source[] {
  const files = filesAt(path, MAX_DEPTH, { left: MAX_FILES });
  if (files === undefined) return [{ path, digest: undefined }];
  return files.map((file) => ({ path: file, digest: digestOf(file) }));
}

function filesAt(path: string, depth: number, budget: { left: number }): string[] | undefined {
  try {
    return filesBelow(path, depth, budget);
  } catch (thrown) {
    // Not a possible file name. An unreadable file is different: its bytes are unknown.
    const { code = "" } = thrown as NodeJS.ErrnoException;
    return ["ENAMETOOLONG", "ERR_INVALID_ARG_VALUE", "ENOTDIR"].includes(code) ? [] : undefined;
  }
}

function filesBelow(path: string, depth: number, budget: { left: number }): string[] | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return budget.left-- > 0 ? [path] : undefined;
  if (depth === 0) return undefined;
  const found: string[] = [];
  for (const name of readdirSync(path).toSorted()) {
    if (name === ".git") continue;
    const inner = filesAt(join(path, name), depth - 1, budget);
    if (inner === undefined) return undefined;
    found.push(...inner);
  }
  return found;
}

function digestOf(file: string): string | undefined {
  return tryOr(() => {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= MAX_FILE_BYTES ? hash("sha256", readFileSync(file), "hex") : undefined;
  }, undefined);
}

/**
 * Returns the files that a shell line may name and an action could write. Treats every word as a possible file name. In
 * a script, only words with a slash count, because other words may be part of its language. What a shell makes of a
 * line is undecidable: a word too many costs a `loaf trust`, a word too few runs a program.
 */
export function sourcesNamedIn(line: string, top: string, isReachable: IsReachable, isScript = false): Source[] {
  const all = new Set(line.split(/[\s;&|<>()'"`=,:!${}[\]]+/));
  const words = [...all].filter((word) => word !== "" && (!isScript || word.includes("/")));
  return words.flatMap((word) => {
    // A Python module may lie in the folder where git is started.
    const names = isScript || word.includes("/") ? [word] : [word, `${word}.py`];
    const paths = names.map((name) => place(name, top)).filter(isReachable);
    const atTop = isScript ? [] : [{ path: top, digest: undefined }];
    return paths.flatMap((path) => (path === top ? atTop : sourcesAt(path)));
  });
}

function place(name: string, top: string): string {
  return name.startsWith("~/") ? join(homedir(), name.slice(2)) : resolve(top, name);
}
