import { appendFileSync, existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Appends files in the root to its .gitignore. Throws a system error if that is not writable.
 *
 * Returns `added`, `there` if all lines exist, `foreign` if .gitignore is no ordinary file and was left alone, or
 * `none` if the root is in no repository.
 *
 * @param names of files in the root, without pattern characters
 */
export function ignoreInGit(root: string, names: readonly string[], reason: string): "added" | "there" | "foreign" | "none" {
  if (!isInRepository(root)) return "none";
  const file = join(root, ".gitignore");
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() === false) return "foreign";
  // Latin-1 decodes any bytes, and the searched lines are ASCII.
  const text = stats === undefined ? "" : readFileSync(file, "latin1");
  const lines = new Set(text.split("\n").map((line) => line.trim()));
  const missing = names.filter((name) => !lines.has(name) && !lines.has(`/${name}`));
  if (missing.length === 0) return "there";
  const ending = text.includes("\r\n") ? "\r\n" : "\n";
  const added = [`# ${reason}`, ...missing.map((name) => `/${name}`)].map((line) => line + ending).join("");
  appendFileSync(file, (text === "" || text.endsWith("\n") ? "" : ending) + added);
  return "added";
}

function isInRepository(folder: string): boolean {
  return existsSync(join(folder, ".git")) || (dirname(folder) !== folder && isInRepository(dirname(folder)));
}
