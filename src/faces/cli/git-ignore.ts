import { appendFileSync, existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Lets git pass over files in the root, by lines at the end of its .gitignore; what stands there stays. Says what it did: `added`; `there`
 * where every line was; `foreign` where .gitignore is no ordinary file, and so was left alone; `none` where the root lies in no repository.
 * Throws a system error where it cannot be written.
 *
 * @param names of files in the root, without characters that mean something in a pattern
 */
export function ignoreInGit(root: string, names: readonly string[], reason: string): "added" | "there" | "foreign" | "none" {
  if (!isInRepository(root)) return "none";
  const file = join(root, ".gitignore");
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() === false) return "foreign";
  // Latin-1 shows all bytes: only whole lines of ASCII are looked for.
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
