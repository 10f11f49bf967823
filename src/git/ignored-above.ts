import { readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { compileSegment, matchSegment } from "../core/glob.ts";
import { findRepository } from "./repository.ts";

/**
 * What a user's repository says of ignored files in places that git does not look at when the root is all it is told of: the repository's own list
 * and, where it begins above the root, every `.gitignore` on the way down. As lines of an ignore file in the root. A repository that ignores the root
 * itself, as one of a home folder may, says nothing of what is in it: there are no lines then.
 */
export function ignoredAbove(root: string): string {
  const repository = findRepository(root);
  if (repository === undefined) return "";
  const { top, gitFolder } = repository;
  const names = relative(top, root).split(/[\\/]/).filter((name) => name !== "");
  const files = names.map((_, depth) => ({ text: readText(join(top, ...names.slice(0, depth), ".gitignore")), names: names.slice(depth), depth }));
  const lines = [{ text: readText(excludeFile(gitFolder)), names, depth: 0 }, ...files].flatMap(seenFromBelow);
  const isIgnored = new Map<number, boolean>();
  for (const { reached, isTakenBack } of lines) for (const depth of reached) isIgnored.set(depth, !isTakenBack);
  return [...isIgnored.values()].includes(true) ? "" : lines.flatMap(({ patterns }) => patterns).join("\n");
}

interface Line {
  readonly isTakenBack: boolean;
  /** How many names below the top the folders lie that it speaks of, among those that lead to the root. */
  readonly reached: readonly number[];
  /** The same for what is in the root. */
  readonly patterns: readonly string[];
}

/** @param names of the folders that lead from the file's own down to the root */
function seenFromBelow({ text, names, depth }: { readonly text: string; readonly names: readonly string[]; readonly depth: number }): Line[] {
  return text.replace(/^\ufeff/, "").split("\n").flatMap((raw): Line[] => {
    // A space after a backslash stays.
    const line = raw.replace(/\r$/, "").replace(/(?<!\\) +$/, "");
    if (line === "" || line.startsWith("#")) return [];
    const [, not = "", path = "", slash = ""] = /^(!?)(.*?)(\/?)$/s.exec(line) ?? [];
    const isAnywhere = !path.includes("/");
    const { reached, rests } = follow(isAnywhere ? ["**", path] : path.replace(/^\//, "").split("/"), names);
    const patterns = isAnywhere ? [line] : rests.map((rest) => `${not}/${rest.join("/")}${slash}`);
    return [{ isTakenBack: not !== "", reached: reached.map((steps) => depth + steps), patterns }];
  });
}

/** Follows the folders as far as a pattern goes: after how many it ends, and what is left of it after all of them. */
function follow(pattern: readonly string[], names: readonly string[]): { readonly reached: readonly number[]; readonly rests: readonly string[][] } {
  // `a/**` is all in `a`, not `a` itself.
  const all = pattern.at(-1) === "**" ? [...pattern, "*"] : pattern;
  const segments = all.map((segment) => compileSegment(segment, { extended: true }));
  const rests: string[][] = [];
  const reached: number[] = [];
  let at = new Set([0]);
  for (let step = 0; ; step++) {
    // A set is gone through with what is added on the way.
    for (const place of at) if (segments[place] === "**") at.add(place + 1);
    if (at.has(all.length)) reached.push(step);
    const name = names[step];
    if (name === undefined) break;
    const isMatch = (place: number): boolean => {
      const segment = segments[place];
      return segment !== undefined && segment !== "**" && matchSegment(segment, name);
    };
    at = new Set([...at].flatMap((place) => (segments[place] === "**" ? [place] : isMatch(place) ? [place + 1] : [])));
  }
  // What comes after `**` is told by that.
  for (const place of at) if (place < all.length && !(segments[place - 1] === "**" && at.has(place - 1))) rests.push(all.slice(place));
  return { reached, rests };
}

/** A linked work tree has it in the main repository. */
function excludeFile(gitFolder: string): string {
  const common = readText(join(gitFolder, "commondir")).trim();
  return join(common === "" ? gitFolder : resolve(gitFolder, common), "info", "exclude");
}

/** Nothing where there is no such file. */
function readText(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}
