/** Guard rules: patterns over canonical paths, and which of several that match decides. */
import { compileSegment, type GlobSegment, matchSegment, matchSegments } from "../../core/glob.ts";

export interface Rule {
  readonly verdict: "allow" | "deny";
  /** As it was written, for messages. */
  readonly pattern: string;
  readonly segments: readonly GlobSegment[];
  /** A name that each path has which it matches, where there is one: most paths are told by that. */
  readonly literal?: string;
  /** Where it stands for all in one directory: the names down to that. */
  readonly directory?: readonly string[];
  /** Names in the last segment that it does not match all the same. */
  readonly except?: ReadonlySet<string>;
}

/**
 * The rule that decides about a path, or undefined where none matches, which is a refusal.
 *
 * An exact path beats any pattern. Then the rule counts that is anchored deeper in the path, since it says more about it: for a
 * refusal any segment with a literal character is an anchor, and its deepest alignment counts; for a permission only a wholly
 * literal one, and its shallowest. On a tie the refusal wins. So the order of rules never matters, and one more refusal never
 * permits more.
 */
export function decidingRule(rules: readonly Rule[], path: readonly string[]): Rule | undefined {
  let best: Rule | undefined;
  let bestRank: Rank | undefined;
  for (const rule of rules) {
    if (!matches(rule, path)) continue;
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

/** @param anchor the canonical directory that a pattern is relative to; its characters are literal */
export function compileRule(verdict: Rule["verdict"], pattern: string, anchor: readonly string[], segments: readonly string[]): Rule {
  const compiled = [...anchor.map((literal) => ({ literal })), ...segments.map((segment) => compileSegment(segment))];
  const isAllIn = segments.length === 1 && segments[0] === "**";
  const literal = compiled.flatMap((segment) => (segment !== "**" && "literal" in segment ? [segment.literal] : [])).at(-1);
  return { verdict, pattern, segments: compiled, ...(literal !== undefined && { literal }), ...(isAllIn && { directory: anchor }) };
}

function matches({ segments, literal, directory, except }: Rule, path: readonly string[]): boolean {
  if (literal !== undefined && !path.includes(literal)) return false;
  if (directory !== undefined) return directory.length <= path.length && directory.every((name, index) => name === path[index]);
  const last = segments.at(-1);
  const name = path.at(-1);
  // Most rules are about a name at any depth: this settles them before the search for an alignment begins.
  if (last !== undefined && last !== "**" && (name === undefined || !matchSegment(last, name))) return false;
  return matchSegments(segments, path) && !(except !== undefined && name !== undefined && except.has(name));
}

interface Rank {
  readonly isExact: boolean;
  /** Segments of the path down to and with the deepest anchor. */
  readonly depth: number;
  readonly isDeny: boolean;
}

function outranks(a: Rank, b: Rank): boolean {
  if (a.isExact !== b.isExact) return a.isExact;
  return a.depth === b.depth ? a.isDeny && !b.isDeny : a.depth > b.depth;
}

function rankOf({ verdict, segments }: Rule, path: readonly string[]): Rank {
  const isDeny = verdict === "deny";
  const anchors = segments.map(isDeny ? isPartlyLiteral : isLiteral);
  return { isExact: segments.every(isLiteral), depth: anchorDepth(segments, anchors, path, isDeny ? Math.max : Math.min), isDeny };
}

const isLiteral = (segment: GlobSegment): boolean => segment !== "**" && "literal" in segment;

const isPartlyLiteral = (segment: GlobSegment): boolean =>
  segment !== "**" && ("literal" in segment || segment.tokens.some((token) => token !== "*" && token !== "?"));

/**
 * The depth of the deepest anchor, in the alignment of pattern and path that is `best`. Works from the ends backwards:
 * `reach[j]` is that depth for the pattern from segment i on against the path from name j on, or undefined where they do not match.
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
