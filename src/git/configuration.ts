/** Git's configuration with the source file of each entry, and a copy of it with selected entries. */
import { lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fromBytes, type Git, records } from "./git.ts";

export interface ConfigurationEntry {
  /** Absolute path of the file; undefined if the entry comes from elsewhere. */
  readonly file: string | undefined;
  /** Section and name in lower case: `filter.LFS.clean`. A string of bytes. */
  readonly key: string;
  /** A string of bytes; undefined for a key without a value. */
  readonly value: string | undefined;
}

/** Returns all entries in git's order: the last one of a key wins. Runs nothing that they name. */
export async function readConfiguration(git: Git): Promise<ConfigurationEntry[]> {
  const fields = records(await git(["config", "--list", "--show-origin", "-z", "--includes"]));
  return fields.flatMap((field, index): ConfigurationEntry[] => {
    if (index % 2 === 0) return [];
    const origin = fields[index - 1] ?? "";
    const end = field.indexOf("\n");
    return [{
      file: origin.startsWith("file:") ? resolve(git.top, fromBytes(origin.slice("file:".length))) : undefined,
      key: end === -1 ? field : field.slice(0, end),
      value: end === -1 ? undefined : field.slice(end + 1),
    }];
  });
}

const INCLUDES = /^(include|includeif\..*)\.path$/s;

function isInclude({ key }: ConfigurationEntry): boolean {
  return INCLUDES.test(key);
}

/** Resolves a path value as git does: `~` is home, and an included file is relative to the including one. */
export function pathOfEntry(entry: ConfigurationEntry, top: string): string {
  const path = fromBytes(entry.value ?? "");
  if (/^~[\\/]/.test(path)) return join(homedir(), path.slice(2));
  return resolve(isInclude(entry) && entry.file !== undefined ? dirname(entry.file) : top, path);
}

/**
 * Returns the absolute paths of hooks and included files that the configuration names. They may not exist. A program
 * that can write one of them decides what the user's next git command runs.
 */
export function hookAndIncludePaths(entries: readonly ConfigurationEntry[], top: string): string[] {
  const named = entries.filter((entry) => (entry.key === "core.hookspath" || isInclude(entry)) && entry.value !== undefined && entry.value !== "");
  return [...new Set(named.map((entry) => pathOfEntry(entry, top)))];
}

/** What linked work trees share with the repository. */
const SHARED_FOLDERS = ["objects", "refs", "logs", "info", "worktrees", "modules"];
const SHARED_FILES = ["packed-refs", "shallow"];

/**
 * Writes a common folder for git with a configuration of only these entries; everything else in it links to the real
 * one. Git has no other way to skip an included file. Throws a system error if links cannot be made.
 *
 * @param common the repository's own common folder, absolute
 */
export function writeCommonFolder(folder: string, common: string, entries: readonly ConfigurationEntry[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of SHARED_FOLDERS) linkTo(join(common, name), join(folder, name), "junction");
  for (const name of SHARED_FILES) linkTo(join(common, name), join(folder, name), "file");
  // Entries without a file are Loaf's own. Entries of included files are copied themselves.
  const text = entries.filter((entry) => entry.file !== undefined && !isInclude(entry) && entry.key !== "extensions.worktreeconfig").map(printEntry).join("");
  const [file, ready] = [join(folder, "config"), join(folder, `config.${process.pid}`)];
  // Every later git call reads the file, so it is only replaced when its content changes.
  if (isFile(file) && readFileSync(file, "latin1") === text) return;
  writeFileSync(ready, text, { encoding: "latin1", mode: 0o600 });
  renameSync(ready, file);
}

function linkTo(target: string, link: string, kind: "junction" | "file"): void {
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() === true && readlinkSync(link) === target) return;
  rmSync(link, { recursive: true, force: true });
  symlinkSync(target, link, kind);
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function printEntry({ key, value }: ConfigurationEntry): string {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const subsection = first === last ? "" : ` "${key.slice(first + 1, last).replace(/[\\"]/g, "\\$&")}"`;
  const printed = value?.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\b", "\\b");
  return `[${key.slice(0, first)}${subsection}]\n\t${key.slice(last + 1)}${printed === undefined ? "" : ` = "${printed}"`}\n`;
}
