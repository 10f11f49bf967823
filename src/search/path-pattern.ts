import { compileSegment, matchSegments } from "../core/glob.ts";

/** Whether a path, relative to where the search began, matches. */
export type PathPattern = (relative: string) => boolean;

/** A glob with `**`, `*`, `?`, `[a-z]` and `{a,b}`. A dot is a character like any other. */
export function compilePattern(pattern: string): PathPattern {
  const alternatives = expandBraces(pattern.replace(/^\.\//, "")).map((one) => one.split("/").map((segment) => compileSegment(segment, { sets: true })));
  return (relative) => {
    const path = relative.split("/");
    return alternatives.some((segments) => matchSegments(segments, path));
  };
}

/** As `compilePattern`; one without a slash is looked for at any depth, as in .gitignore. */
export function compileInclude(pattern: string): PathPattern {
  return compilePattern(pattern.includes("/") ? pattern : `**/${pattern}`);
}

/** Patterns come from models: past this many, further braces are plain characters. */
const MOST_ALTERNATIVES = 256;

/** `a.{ts,js}` as `a.ts` and `a.js`. An unclosed brace, and one without a comma, stands for itself. */
function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    const next = open.pop() as string;
    const found = done.length + open.length < MOST_ALTERNATIVES ? firstBraces(next) : undefined;
    if (found === undefined) done.push(next);
    else open.push(...found.members.map((member) => next.slice(0, found.start) + member + next.slice(found.end)));
  }
  return done;
}

/** The first braces that hold a comma and are balanced, split at the commas of their own level. */
function firstBraces(pattern: string): { start: number; end: number; members: string[] } | undefined {
  let depth = 0;
  let start = 0;
  let commas: number[] = [];
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === "{" && depth++ === 0) [start, commas] = [index, []];
    else if (character === "," && depth === 1) commas.push(index);
    else if (character === "}" && depth > 0 && --depth === 0 && commas.length > 0) {
      const cuts = [start, ...commas, index];
      return { start, end: index + 1, members: cuts.slice(1).map((cut, at) => pattern.slice((cuts[at] as number) + 1, cut)) };
    }
  }
  return undefined;
}
