import { compileSegment, type GlobSegment, matchSegment, matchSegments } from "./glob.ts";

/** Whether a path, relative to where the search began, matches. */
export type PathPattern = (relative: string) => boolean;

/**
 * A glob with `**`, `*`, `?`, `[a-z]`, `{a,b}` and a backslash, which takes the meaning from the character after it. A dot is a character
 * like any other. One that begins with the base's own path is taken from there. Undefined where no path can ever match.
 */
export function compilePattern(pattern: string, base: string): PathPattern | undefined {
  const alternatives = expandBraces(relativeTo(base, pattern)).map((one) => one.split("/")).filter(isPossible);
  if (alternatives.length === 0) return undefined;
  const compiled = alternatives.map((segments) => segments.map((segment) => compileSegment(segment, { extended: true })));
  return (relative) => {
    const name = relative.slice(relative.lastIndexOf("/") + 1);
    // The name alone settles most: only then the path is taken to pieces.
    const likely = compiled.filter((segments) => matchSegment(segments.at(-1) ?? "**", name));
    if (likely.length === 0) return false;
    if (likely.some(isAboutNames)) return true;
    const path = relative.split("/");
    return likely.some((segments) => matchSegments(segments, path));
  };
}

/** As `compilePattern`; one without a slash is looked for at any depth, as in .gitignore. */
export function compileInclude(pattern: string, base: string): PathPattern | undefined {
  return compilePattern(pattern.includes("/") ? pattern : `**/${pattern}`, base);
}

// `**` and `**/x`: whatever directory the name is in.
function isAboutNames(segments: readonly GlobSegment[]): boolean {
  return segments[0] === "**" && segments.length <= 2;
}

/** Models also write a pattern as a whole path. */
function relativeTo(base: string, pattern: string): string {
  const directory = base.endsWith("/") ? base : `${base}/`;
  const isWithin = base.startsWith("/") && pattern.startsWith(directory);
  return (isWithin ? pattern.slice(directory.length) : pattern).replace(/^\.\//, "");
}

/** No path that a search meets has such a name in it. */
function isPossible(segments: readonly string[]): boolean {
  return !segments.some((segment) => segment === "" || segment === "." || segment === "..");
}

/** Patterns come from models: one that is longer, or that stands for more alternatives, is taken as it is. */
const LONGEST_EXPANDED = 10_000;
const MOST_ALTERNATIVES = 256;

/** `a.{ts,js}` as `a.ts` and `a.js`. A brace that is unclosed or without a comma stands for itself. */
function expandBraces(pattern: string): string[] {
  if (pattern.length > LONGEST_EXPANDED) return [pattern];
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    const next = open.pop() as string;
    const cuts = firstBraces(next);
    if (cuts === undefined || done.length + open.length + cuts.length - 1 > MOST_ALTERNATIVES) done.push(next);
    else open.push(...membersBetween(cuts, next));
  }
  return done;
}

function membersBetween(cuts: readonly number[], pattern: string): string[] {
  const before = pattern.slice(0, cuts[0]);
  const after = pattern.slice((cuts.at(-1) as number) + 1);
  return cuts.slice(1).map((cut, at) => before + pattern.slice((cuts[at] as number) + 1, cut) + after);
}

/** Where the first braces that are closed and hold a comma of their own stand, with that: `{`, each `,`, `}`. */
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
      // Of nested ones the inner are closed first.
      const isFirst = cuts !== undefined && cuts.length > 1 && (first === undefined || (cuts[0] as number) < (first[0] as number));
      if (isFirst) first = [...cuts, index];
    }
  }
  return first;
}
