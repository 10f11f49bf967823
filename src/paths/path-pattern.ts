import { compileSegment, type GlobSegment, matchSegment, matchSegments } from "./glob.ts";

/** Returns whether a path matches. The path is relative to the search's base. */
export type PathPattern = (relative: string) => boolean;

/**
 * Compiles a glob with `**`, `*`, `?`, `[a-z]`, `{a,b}` and backslash escapes. Dots are not special. A pattern that
 * starts with the path of the base is taken relative to it. Returns undefined if no path can match.
 */
export function compilePattern(pattern: string, base: string): PathPattern | undefined {
  const alternatives = expandBraces(relativeTo(base, pattern))
    .map((alternative) => alternative.split("/"))
    .filter(isPossible);
  if (alternatives.length === 0) return undefined;
  const compiled = alternatives.map((segments) =>
    segments.map((segment) => compileSegment(segment, { extended: true })),
  );
  return (relative) => {
    const name = relative.slice(relative.lastIndexOf("/") + 1);
    // The name alone settles most paths. Split only the others.
    const likely = compiled.filter((segments) => matchSegment(segments.at(-1) ?? "**", name));
    if (likely.length === 0) return false;
    if (likely.some(isAboutNames)) return true;
    const path = relative.split("/");
    return likely.some((segments) => matchSegments(segments, path));
  };
}

/** Like `compilePattern`, but a pattern without a slash matches at any depth, as in .gitignore. */
export function compileInclude(pattern: string, base: string): PathPattern | undefined {
  return compilePattern(pattern.includes("/") ? pattern : `**/${pattern}`, base);
}

// `**` and `**/x` match in any directory.
function isAboutNames(segments: readonly GlobSegment[]): boolean {
  return segments[0] === "**" && segments.length <= 2;
}

/** Models also write a pattern as an absolute path. */
function relativeTo(base: string, pattern: string): string {
  const directory = base.endsWith("/") ? base : `${base}/`;
  const isWithin = base.startsWith("/") && pattern.startsWith(directory);
  return (isWithin ? pattern.slice(directory.length) : pattern).replace(/^\.\//, "");
}

/** A search never meets a path with such a name. */
function isPossible(segments: readonly string[]): boolean {
  return !segments.some((segment) => segment === "" || segment === "." || segment === "..");
}

/** Patterns come from models: a longer one, or one with more alternatives, is not expanded. */
const MAX_EXPANDED_LENGTH = 10_000;
const MAX_ALTERNATIVES = 256;

/** Expands `a.{ts,js}` to `a.ts` and `a.js`. A brace that is unclosed or has no comma matches itself. */
function expandBraces(pattern: string): string[] {
  if (pattern.length > MAX_EXPANDED_LENGTH) return [pattern];
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    const next = open.pop() as string;
    const cuts = firstBraces(next);
    if (cuts === undefined || done.length + open.length + cuts.length - 1 > MAX_ALTERNATIVES) done.push(next);
    else open.push(...membersBetween(cuts, next));
  }
  return done;
}

function membersBetween(cuts: readonly number[], pattern: string): string[] {
  const before = pattern.slice(0, cuts[0]);
  const after = pattern.slice((cuts.at(-1) as number) + 1);
  return cuts.slice(1).map((cut, at) => before + pattern.slice((cuts[at] as number) + 1, cut) + after);
}

/** Returns the offsets of `{`, each `,` and `}` of the first closed braces with a comma of their own. */
function firstBraces(pattern: string): readonly number[] | undefined {
  const open: number[][] = [];
  let first: readonly number[] | undefined;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === "\\") index += 1;
    else if (character === "{") open.push([index]);
    else if (character === ",") open.at(-1)?.push(index);
    else if (character === "}") {
      const cuts = open.pop();
      // Inner braces close before the outer ones.
      const isFirst =
        cuts !== undefined && cuts.length > 1 && (first === undefined || (cuts[0] as number) < (first[0] as number));
      if (isFirst) first = [...cuts, index];
    }
  }
  return first;
}
