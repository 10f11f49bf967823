/** Reads the patterns of the guard. A pattern also covers everything below what it names. */
import { sep } from "node:path";
import { joinPath, segmentsOf, splitPath } from "./path-segments.ts";

export interface PatternBase {
  /** Canonical. */
  readonly root: string;
  /** What `~` refers to. */
  readonly home: string;
}

/** What a pattern refers to. */
export interface Named {
  /** The literal prefix, as an absolute path with its links unresolved. */
  readonly start: string;
  /** The segments from the first wildcard onwards. */
  readonly rest: readonly string[];
  /** Its segments if the pattern applies at any depth. */
  readonly anywhere?: readonly string[];
}

/** One interpretation of a deny pattern. */
export interface PatternReading {
  readonly text: string;
  /** Whether `[a-z]` matches one of a set. */
  readonly hasSets: boolean;
}

/**
 * Returns all interpretations of a deny pattern; each of them denies. `/x` is the folder at the top of the file system
 * and, as in an ignore file, the one in the root. `[ab]` is a name with brackets and also a set.
 */
export function readingsOf(pattern: string): PatternReading[] {
  // A pattern of stars only, or one that begins with `/**/`, applies to the root unchanged.
  const isFromTop = /^\/+(?!\/|\*\*\/|[*/]*$)/.test(pattern);
  return [pattern, ...(isFromTop ? [`.${pattern}`] : [])].flatMap((text) => [
    { text, hasSets: false }, ...(/\[[^/]+\]/.test(text) ? [{ text, hasSets: true }] : [])
  ]);
}

/**
 * Resolves a pattern. `./x` and `x/y` start at the root, `~/x` at the home folder. A pattern without an inner slash, or
 * with a leading `**`, applies at any depth. `x`, `x/` and `x/**` deny the same. `x/**` in an allow rule starts at the
 * root.
 */
export function namedBy(
  verdict: "allow" | "deny", pattern: string, { root, home }: PatternBase, hasSets = false
): Named {
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

/** Removes an ending repeatedly. The root of a file system keeps its slash. */
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
