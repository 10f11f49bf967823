/** Guard rules: patterns over canonical paths, and their order of precedence. */
import { compileSegment, type GlobSegment, matchSegment, matchSegments } from "../paths/glob.ts";

/** Covers the paths that its segments match and, since the last segment is `**`, everything below them. */
export interface Rule {
  readonly verdict: "allow" | "deny";
  /** As written, for messages. */
  readonly pattern: string;
  readonly segments: readonly GlobSegment[];
  /** A name in every matching path, if there is one. Rejects most paths quickly. */
  readonly literal?: string;
  /** The one path that the rule names. Set if all segments but the last are literal. */
  readonly place?: readonly string[];
  /** Whether the rule takes precedence over patterns at its `place`. */
  readonly isExact: boolean;
}

/**
 * Returns the rule that decides about a path. Undefined if none matches, which means refused.
 *
 * An exact path beats any pattern. Otherwise the rule anchored deeper in the path wins, since it is more specific. In a
 * refusal, any segment with a literal character is an anchor, and the deepest alignment counts. In a permission, only a
 * literal segment is an anchor, and the shallowest alignment counts. On a tie the refusal wins.
 *
 * So the order of rules does not matter, and another refusal never permits more.
 */
export function decidingRule(rules: readonly Rule[], path: readonly string[]): Rule | undefined {
  let best: Rule | undefined;
  let bestRank: Rank | undefined;
  for (const rule of rules) {
    if (!covers(rule, path)) continue;
    if (best === undefined) {
      best = rule;
      continue;
    }
    bestRank ??= rankOf(best, path);
    const rank = rankOf(rule, path);
    if (outranks(rank, bestRank)) [best, bestRank] = [rule, rank];
  }
  return best;
}

/**
 * @param anchor the canonical directory that the pattern is relative to, taken literally
 * @param options.isExact false if an exact path of the other verdict overrides the rule
 * @param options.hasSets whether `[a-z]` is a character set
 */
export function compileRule(verdict: Rule["verdict"], pattern: string, anchor: readonly string[], segments: readonly string[], { isExact = true, hasSets = false } = {}): Rule {
  const end = segments.findLastIndex((segment) => segment !== "**") + 1;
  const named = [...anchor.map((literal) => ({ literal })), ...segments.slice(0, end).map((segment) => compileSegment(segment, { extended: hasSets }))];
  const literals = named.flatMap((segment) => (isLiteral(segment) ? [segment.literal] : []));
  const literal = literals.at(-1);
  const isPlace = literals.length === named.length;
  // A permission of `x/**` is not exact for x itself. A refusal of `x/**` equals one of `x`.
  const isWritten = verdict === "deny" || end === segments.length;
  return {
    verdict,
    pattern,
    segments: [...named, "**"],
    ...(literal !== undefined && { literal }),
    ...(isPlace && { place: literals }),
    isExact: isExact && isPlace && isWritten,
  };
}

/** Excludes names from the wildcards of a rule. */
export function except(rule: Rule, names: ReadonlySet<string>): Rule {
  return { ...rule, segments: rule.segments.map((segment) => (segment === "**" || "literal" in segment ? segment : { ...segment, except: names })) };
}

export function covers({ segments, literal, place }: Rule, path: readonly string[]): boolean {
  if (place !== undefined) return place.length <= path.length && place.every((name, index) => name === path[index]);
  if (literal !== undefined && !path.includes(literal)) return false;
  const named = segments.at(-2);
  // Most rules name something at any depth. This rejects them before the search for an alignment.
  if (named !== undefined && !path.some((name) => matchSegment(named, name))) return false;
  return (segments.length === 3 && segments[0] === "**") || matchSegments(segments, path);
}

interface Rank {
  readonly isExact: boolean;
  /** Number of path segments down to the deepest anchor, inclusive. */
  readonly depth: number;
  readonly isDeny: boolean;
}

function outranks(a: Rank, b: Rank): boolean {
  if (a.isExact !== b.isExact) return a.isExact;
  return a.depth === b.depth ? a.isDeny && !b.isDeny : a.depth > b.depth;
}

function rankOf({ verdict, segments, place, isExact }: Rule, path: readonly string[]): Rank {
  const isDeny = verdict === "deny";
  const anchors = segments.map(isDeny ? isPartlyLiteral : isLiteral);
  return { isExact: isExact && place?.length === path.length, depth: anchorDepth(segments, anchors, path, isDeny ? Math.max : Math.min), isDeny };
}

const isLiteral = (segment: GlobSegment): segment is { readonly literal: string } => segment !== "**" && "literal" in segment;

const isPartlyLiteral = (segment: GlobSegment): boolean =>
  segment !== "**" && ("literal" in segment || segment.tokens.some((token) => token !== "*" && token !== "?"));

/**
 * Returns the depth of the deepest anchor in the `best` alignment of pattern and path.
 *
 * Works backwards: `reach[j]` is that depth for the pattern from segment i against the path from name j. Undefined if
 * they do not match.
 */
function anchorDepth(segments: readonly GlobSegment[], anchors: readonly boolean[], path: readonly string[], best: (a: number, b: number) => number): number {
  let reach: Array<number | undefined> = [...path.map(() => undefined), 0];
  for (let i = segments.length - 1; i >= 0; i--) {
    const segment = segments[i] as GlobSegment;
    const next = reach;
    reach = [];
    for (let j = path.length; j >= 0; j--) {
      if (segment === "**") reach[j] = bestOf(next[j], reach[j + 1], best);
      else {
        const rest = j < path.length && matchSegment(segment, path[j] as string) ? next[j + 1] : undefined;
        reach[j] = rest === undefined || !anchors[i] ? rest : Math.max(rest, j + 1);
      }
    }
  }
  return reach[0] ?? 0;
}

function bestOf(a: number | undefined, b: number | undefined, best: (a: number, b: number) => number): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return best(a, b);
}
