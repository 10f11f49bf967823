/** A project's files as a tree of limited size: counts deep files instead of naming them if there are too many. */
import { counted } from "../core/counted.ts";
import { visibleOnOneLine } from "../core/visible.ts";
import { estimateTokens } from "../edit/tokens.ts";
import { inert } from "./inert.ts";

/**
 * Draws the tree as deep as about `maxTokens` tokens allow. If even the top level is too large, lists its first names
 * and counts the rest.
 *
 * @param paths relative, with `/` between names
 */
export function fileTree(paths: readonly string[], maxTokens: number): string {
  const names = paths.map((path) => visibleOnOneLine(path));
  for (let depth = MAX_DEPTH; depth > 0; depth--) {
    const tree = inert(drawTree(folded(names, depth)).join("\n"));
    if (estimateTokens(tree) <= maxTokens) return tree;
  }
  return firstOf(folded(names, 1), maxTokens);
}

const MAX_DEPTH = 12;

/** Truncates paths to a number of names, and counts deeper files in their directory. */
function folded(paths: readonly string[], depth: number): string[] {
  const counts = new Map<string, number>();
  const shown = paths.map((path) => {
    const names = path.split("/");
    if (names.length <= depth) return path;
    const directory = names.slice(0, depth).join("/");
    counts.set(directory, (counts.get(directory) ?? 0) + 1);
    return directory;
  });
  return [...new Set(shown)].map((path) => {
    const count = counts.get(path);
    return count === undefined ? path : `${path}/(${counted(count, "file")})`;
  });
}

function firstOf(paths: readonly string[], maxTokens: number): string {
  let left = maxTokens - estimateTokens(restOf(paths.length));
  const lines: string[] = [];
  for (const path of paths) {
    const line = inert(path);
    left -= estimateTokens(line) + 1;
    if (left < 0) break;
    lines.push(line);
  }
  return [...lines, restOf(paths.length - lines.length)].join("\n");
}

function restOf(count: number): string {
  return `… and ${count} more`;
}

interface Branch extends Map<string, Branch> {}

/**
 * Draws paths as a tree, one line for each name, in the order of the paths. A directory with one entry shares its line.
 */
export function drawTree(paths: readonly string[]): string[] {
  const root: Branch = new Map();
  for (const path of paths) {
    let at = root;
    for (const name of namesIn(path)) {
      const next: Branch = at.get(name) ?? new Map();
      at.set(name, next);
      at = next;
    }
  }
  return linesOf(root, "");
}

/** Keeps an address as part of one name, even if it contains `/`. */
function namesIn(path: string): string[] {
  const [file = "", ...steps] = path.split("@@");
  const names = file.split("/");
  const last = [names.pop(), ...steps].join("@@");
  return [...names.map((name) => `${name}/`), last];
}

function linesOf(branch: Branch, indent: string): string[] {
  return [...branch].flatMap(([name, below]) => {
    const [whole, inside] = joined(name, below);
    return [`${indent}${whole}`, ...linesOf(inside, `${indent}  `)];
  });
}

function joined(name: string, below: Branch): [string, Branch] {
  const [only, ...others] = below;
  return only === undefined || others.length > 0 ? [name, below] : joined(name + only[0], only[1]);
}
