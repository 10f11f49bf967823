/** Judges commands of git's configuration by where they lie: Loaf starts single programs outside the project only. */
import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { findProgram } from "../process/find-program.ts";
import { tryOr } from "../core/errors.ts";
import { isWithin } from "../paths/path-segments.ts";
import { isWritable, resolveLinks } from "../state/root.ts";

export interface Surroundings {
  /** The top of the work tree, where git starts programs. */
  readonly top: string;
  /** Returns whether an action could write a path, or the target of a link there. */
  isReachable(path: string): boolean;
}

/**
 * @param workTrees that actions can write, except for `closed` folders
 * @param mayWrite what the rules say of other paths; the system's permissions count there too
 */
export function surroundings(
  workTrees: readonly [string, ...string[]], closed: readonly string[], mayWrite: (path: string) => boolean
): Surroundings {
  const bothForms = (folder: string): string[] => [folder, resolveLinks(folder)];
  const [tops, closedFolders] = [workTrees.flatMap(bothForms), closed.flatMap(bothForms)];
  const isReachable = (path: string): boolean =>
    [path, resolveLinks(path)].some((form) => {
      if (closedFolders.some((folder) => isWithin(form, folder))) return false;
      if (tops.some((folder) => isWithin(form, folder))) return true;
      return mayWrite(form) && [form, dirname(form)].some(isWritable);
    });
  return { top: workTrees[0], isReachable };
}

/**
 * Returns whether a command is one program outside the project that needs no shell, and no word of it names something
 * in the project. Anything else cannot be judged by where it lies. An interpreter with an absolute script is judged by
 * the script.
 */
export function isOutside(command: string, around: Surroundings): boolean {
  const { top, isReachable } = around;
  const [name, ...words] = plainWords(command) ?? [];
  if (name === undefined || !words.every(isHarmless)) return false;
  const path = /[\\/]/.test(name) ? resolve(top, name) : findProgram(name);
  if (path !== undefined && INTERPRETERS.test(plainName(path)) && !isReachable(path))
    return words[0] !== undefined && isAbsolute(words[0]) && isProgramOutside(words[0], around);
  return isProgramOutside(name, around);

  function isHarmless(word: string): boolean {
    const values = [word, word.replace(/^-+[^=]*=/, ""), word.replace(/^-\w/, "")];
    if (values.some((value) => isAbsolute(value) && isReachable(value))) return false;
    if (word.includes("/")) return values.some((value) => isAbsolute(value) && !value.includes("/../"));
    // A word such as `clean` is a subcommand of git-lfs. An interpreter might take it for a file, with any ending.
    return basename(name ?? "").startsWith("git-") || !values.some((value) => isNamedIn(top, value));
  }
}

/** Returns whether a program, given by name or path, lies outside the project and runs no other program's text. */
export function isProgramOutside(name: string, { top, isReachable }: Surroundings): boolean {
  const isPath = /[\\/]/.test(name);
  const path = isPath ? resolve(top, name) : findProgram(name);
  // Git has further programs in a folder that is not on PATH.
  if (path === undefined) return /^git-[\w-]+$/.test(name);
  return !isReachable(path) && ![path, resolveLinks(path)].some(startsOthers);
}

/**
 * Shells, interpreters and task runners start what lies in the current folder, and shims of version managers what a
 * file there names. So they count as more than one program.
 */
function startsOthers(path: string): boolean {
  const name = plainName(path);
  return basename(dirname(path)) === "shims" || INTERPRETERS.test(name) || STARTERS.test(name);
}

function plainName(path: string): string {
  return basename(path).replace(/\.(?:exe|cmd|bat)$/i, "").replace(/[-\d.]+$/, "");
}

const INTERPRETERS = /^(?:\w*sh|pythonw?|pypy|node|nodejs|ruby|perl|php|lua|luajit|tclsh|Rscript|osascript)$/;
const STARTERS =
  /^(?:git|busybox|toybox|env|xargs|nohup|setsid|nice|ionice|timeout|stdbuf|sudo|doas|su|chroot|unshare|find|parallel|script|ipython|deno|bun|bunx|tsx|ts-node|expect|R|julia|java|g?make|ninja|just|task|rake|invoke|npm|npx|pnpm|pnpx|yarn|corepack|cargo|go|dotnet|gradle|mvn|ant|bazel|docker|podman|nix|direnv|mise|asdf|uv|uvx|poetry|pipenv|pipx|bundle|composer|powershell|cmd|emacs|vim|nvim)$/;

function isNamedIn(folder: string, word: string): boolean {
  if (word === "" || /^[-%]/.test(word)) return false;
  const names = tryOr(() => readdirSync(folder), []).map((name) => name.toLowerCase());
  return names.some((name) => name === word.toLowerCase() || name.startsWith(`${word.toLowerCase()}.`));
}

/** Splits a command as a shell does. Returns undefined if a shell would do more than split it. */
function plainWords(command: string): string[] | undefined {
  const words = command.trim().match(/(?:'[^']*'|"[^"]*"|[^\s'"]+)+/g) ?? [];
  const isPlain = words.every((word) => /^(?:~\/)?(?:'[^'\n]*'|"[^"$`\\\n]*"|[\w@%+,.:/=^-])+$/.test(word));
  if (!isPlain || /^\w*=/.test(words[0] ?? "")) return undefined;
  return words.map((word) => word.replace(/^~\//, () => join(homedir(), "/")).replace(/['"]/g, ""));
}
