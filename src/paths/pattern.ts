/** What a pattern of the guard names. Whatever that is, everything below it is meant as well. */
import { sep } from "node:path";
import { joinPath, segmentsOf, splitPath } from "./path-segments.ts";

export interface PatternBase {
  /** Canonical. */
  readonly root: string;
  /** What `~` stands for. */
  readonly home: string;
}

export interface Named {
  /** The literal beginning, as an absolute path. Its links are not resolved. */
  readonly start: string;
  /** The segments from the first wildcard on. */
  readonly rest: readonly string[];
  /** Set if the pattern holds at any depth: its segments, for a path at any depth. */
  readonly anywhere?: readonly string[];
}

/** One way to read a refusal. */
export interface Reading {
  readonly text: string;
  /** Whether `[a-z]` stands for one of a set. */
  readonly hasSets: boolean;
}

/**
 * Returns all that a refusal may mean, as it refuses each: `/x` the folder at the top of the file system, and as in an ignore file the one in the root; `[ab]`
 * a name with brackets, and one of a set.
 */
export function readingsOf(pattern: string): Reading[] {
  // What is nothing but stars, or at any depth from the top, holds in the root as it is.
  const isFromTop = /^\/+(?!\/|\*\*\/|[*/]*$)/.test(pattern);
  return [pattern, ...(isFromTop ? [`.${pattern}`] : [])].flatMap((text) => [{ text, hasSets: false }, ...(/\[[^/]+\]/.test(text) ? [{ text, hasSets: true }] : [])]);
}

/**
 * `./x` and `x/y` begin at the root, `~/x` at the home folder; a pattern without an inner slash, or with `**` first, holds at any depth.
 * `x`, `x/` and `x/**` are the same refusal. A permission for `x/**` begins at the root.
 */
export function namedBy(verdict: "allow" | "deny", pattern: string, { root, home }: PatternBase, hasSets = false): Named {
  const isRefusal = verdict === "deny";
  const text = withoutEnd(sep === "\\" ? pattern.replaceAll("\\", "/") : pattern, isRefusal ? /\/(?:\*\*)?$/ : /\/$/);
  const isName = segmentsOf(text).length === 1 && segmentsOf(text)[0] === text && text !== ".." && text !== "~";
  const { base, segments } = anchorOf(text, root, home);
  const all = !isRefusal && text !== pattern ? [...segments, "**"] : segments;
  const wild = all.findIndex((segment) => (hasSets ? /[*?[]/ : /[*?]/).test(segment));
  const count = wild === -1 ? all.length : wild;
  const anywhere = isName ? ["**", ...all] : text.split("/")[0] === "**" ? all : undefined;
  return { start: all.slice(0, count).reduce(joinPath, base), rest: all.slice(count), ...(anywhere && { anywhere }) };
}

/** Takes an ending off as often as it is there. What is the root of a file system keeps its slash. */
function withoutEnd(pattern: string, ending: RegExp): string {
  const shorter = pattern.replace(ending, "");
  if (shorter === pattern || splitPath(pattern).segments.length === 0) return pattern;
  return shorter === "" ? pattern.slice(0, 1) : withoutEnd(shorter, ending);
}

function anchorOf(pattern: string, root: string, home: string): { base: string; segments: string[] } {
  if (/^~(\/|$)/.test(pattern)) return { base: home, segments: segmentsOf(pattern.slice(1)) };
  const { root: top, segments } = splitPath(pattern);
  return { base: top === "" ? root : top, segments };
}
