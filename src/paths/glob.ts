/**
 * Matches path patterns segment by segment, in time O(pattern × path). Patterns come from models and cloned
 * repositories, and the well-known matchers take seconds on a hostile one.
 *
 * `**` matches any number of segments, also none. `*` matches any characters of one segment, `?` one character. With
 * `extended`, `[a-z]` and `[!a-z]` match one of a set, and `\*` matches a plain `*`. All other characters match
 * themselves, including a leading dot.
 */
import { append } from "../core/lists.ts";

export type GlobSegment =
  | "**"
  | { readonly literal: string }
  | { readonly tokens: readonly Token[]; readonly ends?: Ends; readonly except?: ReadonlySet<string> };

/**
 * The text around the only wildcard of a segment, a single `*`. Most patterns are like this, and comparing two ends is
 * fast.
 */
interface Ends {
  readonly prefix: string;
  readonly suffix: string;
}

type Token =
  "*" | "?" | string | { readonly ranges: ReadonlyArray<readonly [string, string]>; readonly negated: boolean };

export function compileSegment(segment: string, options: { readonly extended?: boolean } = {}): GlobSegment {
  if (segment === "**") return "**";
  const special = options.extended === true ? /[*?[\\]/ : /[*?]/;
  if (!special.test(segment)) return { literal: segment };
  const tokens = options.extended === true ? tokenize(segment) : [...segment];
  const ends = endsOf(tokens);
  return { tokens, ...(ends !== undefined && { ends }) };
}

/** Returns whether all segments of a path match the whole pattern. */
export function matchSegments(pattern: readonly GlobSegment[], path: readonly string[]): boolean {
  return matchWithStar(pattern, path, (segment) => segment === "**", (segment, name) => matchSegment(segment, name));
}

/** Returns whether a name matches a segment. `**` matches any name. */
export function matchSegment(segment: GlobSegment, name: string): boolean {
  if (segment === "**") return true;
  if ("literal" in segment) return segment.literal === name;
  if (segment.except?.has(name) === true) return false;
  if (segment.ends !== undefined) {
    const { prefix, suffix } = segment.ends;
    return name.length >= prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix);
  }
  // Most names differ from a pattern in the first or last character. Check those before splitting the name.
  if (isFixed(segment.tokens[0]) && !name.startsWith(segment.tokens[0])) return false;
  const last = segment.tokens.at(-1);
  if (isFixed(last) && !name.endsWith(last)) return false;
  return matchWithStar(segment.tokens, [...name], (token) => token === "*", matchCharacter);
}

/**
 * Matches with one wildcard that stands for any run of items. On a mismatch, only the last such wildcard takes one more
 * item. An earlier one never has to, because the later one can reach whatever it could reach. So this takes at most
 * |pattern| × |items| steps.
 */
function matchWithStar<P, I>(
  pattern: readonly P[], items: readonly I[], isStar: (p: P) => boolean, fits: (p: P, item: I) => boolean
): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let index = 0;
  while (index < items.length) {
    const current = pattern[at];
    if (at < pattern.length && isStar(current as P)) {
      star = at++;
      resume = index;
    } else if (at < pattern.length && fits(current as P, items[index] as I)) {
      at++;
      index++;
    } else if (star !== -1) {
      at = star + 1;
      index = ++resume;
    } else return false;
  }
  while (at < pattern.length && isStar(pattern[at] as P)) at++;
  return at === pattern.length;
}

function isFixed(token: Token | undefined): token is string {
  return typeof token === "string" && token !== "*" && token !== "?";
}

function matchCharacter(token: Token, character: string): boolean {
  if (token === "?") return true;
  if (typeof token === "string") return token === character;
  return token.ranges.some(([low, high]) => low <= character && character <= high) !== token.negated;
}

function endsOf(tokens: readonly Token[]): Ends | undefined {
  const star = tokens.indexOf("*");
  const isPlain = star !== -1 && tokens.every((token, index) => index === star || isFixed(token));
  return isPlain ? { prefix: tokens.slice(0, star).join(""), suffix: tokens.slice(star + 1).join("") } : undefined;
}

/** An unclosed `[` matches itself. A `]` that comes first in a set is a member. */
function tokenize(segment: string): Token[] {
  const tokens: Token[] = [];
  // A backslash and the character it escapes form one atom.
  const atoms: string[] = segment.match(/\\?./gsu) ?? [];
  const lastClose = atoms.lastIndexOf("]");
  for (let index = 0; index < atoms.length; index++) {
    const atom = atoms[index] as string;
    const negated = /^[!^]$/.test(atoms[index + 1] ?? "");
    const first = index + (negated ? 2 : 1);
    if (atom !== "[" || first >= lastClose) {
      const character = characterOf(atom);
      tokens.push(character === atom ? atom : { negated: false, ranges: [[character, character]] });
      continue;
    }
    const close = atoms.indexOf("]", first + 1);
    tokens.push({ negated, ranges: rangesOf(atoms.slice(first, close)) });
    index = close;
  }
  return tokens;
}

function rangesOf(members: readonly string[]): Array<[string, string]> {
  const ranges: Array<[string, string]> = [];
  for (let index = 0; index < members.length; index++) {
    const isRange = members[index + 1] === "-" && index + 2 < members.length;
    ranges.push([characterOf(members[index] as string), characterOf(members[isRange ? index + 2 : index] as string)]);
    if (isRange) index += 2;
  }
  return ranges;
}

const characterOf = (atom: string): string => atom.replace(/^\\(?=.)/su, "");

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
    else append(open, membersBetween(cuts, next));
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
