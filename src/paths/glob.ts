/**
 * Matches path patterns segment by segment, in time O(pattern × path). Patterns come from models and cloned
 * repositories, and the well-known matchers take seconds on a hostile one.
 *
 * `**` matches any number of segments, also none. `*` matches any characters of one segment, `?` one character. With
 * `extended`, `[a-z]` and `[!a-z]` match one of a set, and `\*` matches a plain `*`. All other characters match
 * themselves, including a leading dot.
 */
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
