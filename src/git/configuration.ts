/** Reads git's configuration with the file of each entry, and makes git read only some of the entries. */
import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { entryIfThere } from "../disk/look.ts";
import { replaceFile } from "../state/state-file.ts";
import { fromBytes, type Git, GitFailed, records } from "./git.ts";

export interface ConfigurationEntry {
  /** Absolute path of the file; undefined for an environment variable. */
  readonly file: string | undefined;
  /** Section and name in lower case: `filter.LFS.clean`. A string of bytes. */
  readonly key: string;
  /** A string of bytes; undefined for a key without a value. */
  readonly value: string | undefined;
}

/** Returns the entries of files in git's order: the last one of a key wins. Runs nothing that they name. */
export async function readConfiguration(git: Git): Promise<ConfigurationEntry[]> {
  const fields = records(await git(["config", "--list", "--show-origin", "-z", "--includes"]));
  return fields.flatMap((field, index): ConfigurationEntry[] => {
    const origin = fields[index - 1] ?? "";
    // Other entries are those that Loaf gives on the command line.
    if (index % 2 === 0 || !origin.startsWith("file:")) return [];
    const end = field.indexOf("\n");
    return [{
      file: resolve(git.top, fromBytes(origin.slice("file:".length))),
      key: end === -1 ? field : field.slice(0, end),
      value: end === -1 ? undefined : field.slice(end + 1),
    }];
  });
}

/** Returns the absolute paths of hook folders and included files, whether they exist or not. */
export function hookAndIncludePaths(entries: readonly ConfigurationEntry[], top: string): string[] {
  const named = entries.filter((entry) => entry.key === "core.hookspath" || isInclude(entry));
  const given = named.filter(({ value }) => value !== undefined && value !== "");
  return [...new Set(given.map((entry) => pathOfEntry(entry, top)))];
}

/** Resolves a path value as git does: `~` is home, and an included file is relative to the including one. */
export function pathOfEntry(entry: ConfigurationEntry, top: string): string {
  const path = fromBytes(entry.value ?? "");
  if (/^~[\\/]/.test(path)) return join(homedir(), path.slice(2));
  return resolve(isInclude(entry) && entry.file !== undefined ? dirname(entry.file) : top, path);
}

function isInclude({ key }: ConfigurationEntry): boolean {
  return /^(?:include|includeif\..*)\.path$/s.test(key);
}

/**
 * Returns the environment of a git that reads only these entries. Git has no other way to skip an included file than
 * a common folder with another configuration.
 *
 * @param common the repository's common folder, absolute
 * @param folder where the configuration is written
 */
export function environmentWith(
  entries: readonly ConfigurationEntry[], gitFolder: string, common: string, folder: string
): Record<string, string> {
  try {
    writeCommonFolder(folder, common, entries);
  } catch (thrown) {
    const { message } = thrown as Error;
    throw new GitFailed(`part of git's configuration lies in the project and cannot be left out (${message})`);
  }
  return {
    GIT_DIR: gitFolder,
    GIT_COMMON_DIR: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: process.platform === "win32" ? "nul" : "/dev/null",
  };
}

/** What linked work trees share with the repository. */
const SHARED_FOLDERS = ["objects", "refs", "logs", "info", "worktrees", "modules"];
const SHARED_FILES = ["packed-refs", "shallow"];

/** Everything but the configuration links to the real folder. Throws a system error if links cannot be made. */
function writeCommonFolder(folder: string, common: string, entries: readonly ConfigurationEntry[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of SHARED_FOLDERS) linkTo(join(common, name), join(folder, name), "junction");
  for (const name of SHARED_FILES) linkTo(join(common, name), join(folder, name), "file");
  // Entries of included files are copied themselves.
  const copied = entries.filter((entry) => !isInclude(entry));
  const text = copied.filter(({ key }) => key !== "extensions.worktreeconfig").map(printEntry).join("");
  const file = join(folder, "config");
  // Every later git call reads the file, so it is only replaced when its content changes.
  if (entryIfThere(file)?.kind === "file" && readFileSync(file, "latin1") === text) return;
  replaceFile(file, Buffer.from(text, "latin1"));
}

function linkTo(target: string, link: string, kind: "junction" | "file"): void {
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() === true && readlinkSync(link) === target) return;
  rmSync(link, { recursive: true, force: true });
  symlinkSync(target, link, kind);
}

function printEntry({ key, value }: ConfigurationEntry): string {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const subsection = first === last ? "" : ` "${key.slice(first + 1, last).replace(/[\\"]/g, "\\$&")}"`;
  const quoted = value?.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  const printed = quoted === undefined ? "" : ` = "${quoted.replaceAll("\b", "\\b")}"`;
  return `[${key.slice(0, first)}${subsection}]\n\t${key.slice(last + 1)}${printed}\n`;
}
