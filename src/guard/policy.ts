import type { GuardRules } from "../config/guard-rules.ts";
import type { Access } from "../core/failure.ts";
import { follow } from "../disk/follow.ts";
import { compileSegment, type GlobSegment, matchSegment, matchSegments } from "../paths/glob.ts";
import { foldName } from "../paths/names.ts";
import { segmentsOf } from "../paths/path-segments.ts";
import { namedBy, type PatternReading, readingsOf } from "../paths/pattern.ts";
import { type BuiltIn, createBuiltIn, type Looking, type OwnFiles } from "./built-in.ts";
import { DEFAULT_ALLOW, DEFAULT_DENY, ENV_FILES, TEMPLATES } from "./default-rules.ts";

/**
 * Returns why a canonical path may not be accessed, as a message shows it (`deny docs/**`, `no allow rule`), or
 * undefined.
 *
 * @param of `itself` if the entry is to be removed, moved or replaced, not only its content
 */
export interface Policy {
  (path: string, access: Access, of?: "target" | "itself"): string | undefined;
  /** The same for a path in segments, so that names of one directory need no joining. */
  ofNames(names: readonly string[], access: Access, of?: "target" | "itself"): string | undefined;
  /** Returns whether only a default rule refuses an access, which somebody may open. */
  isOpenable(path: string, access?: Access): boolean;
  /** Canonical paths that may be written although a default rule refuses it. */
  readonly opened: Set<string>;
  /** Returns the write refusal of a place below a path. A link at the path would lead around it. */
  below(path: string): string | undefined;
}

export interface PolicyOptions extends OwnFiles {
  /** Absolute. */
  readonly root: string;
  /** The meaning of `~`. Absolute. */
  readonly home: string;
  /**
   * Files in the project that git or its hooks would run or read as configuration. Absolute. Only an exact permission
   * allows writes.
   */
  readonly executed?: readonly string[];
  /** All of these must grant an access. */
  readonly rules: readonly GuardRules[];
  readonly platform: NodeJS.Platform;
}

/** Resolves the links in the rules once: later changes of links do not change the policy. */
export function createPolicy(volume: Looking, options: PolicyOptions): Policy {
  const { root, rules, platform } = options;
  const builtIn: BuiltIn = createBuiltIn(volume, root, options);
  const compiled = rules.map((rule) => ({
    read: compileAll(volume, rule, "read", options),
    write: [...compileAll(volume, rule, "write", options), ...linksToRefused(volume, rule, options)],
  }));
  const sets = { read: compiled.map(({ read }) => read), write: compiled.map(({ write }) => write) };
  const opened = new Set<string>();
  const judge = (names: readonly string[], access: Access, of: "target" | "itself", isOpened: boolean) =>
    builtIn(names, access, of) ??
    firstRefusal(isOpened ? withoutDefaults[access] : sets[access], onPlatform(names, platform), names.map(foldName));
  const written = (some: readonly Rule[]): Rule[] => some.filter(({ isDefault }) => isDefault !== true);
  const withoutDefaults = { read: sets.read.map(written), write: sets.write.map(written) };
  /** The folders of an opened file are too, as they may have to be made. */
  const isOpened = (names: readonly string[], of: "target" | "itself"): boolean =>
    [...opened].map(segmentsOf).some(
      (path) =>
        names.every((name, index) => name === path[index]) && (of === "target" || names.length === path.length),
    );
  const ofNames: Policy["ofNames"] = (names, access, of = "target") =>
    judge(names, access, of, access === "write" && isOpened(names, of));
  const isOpenable: Policy["isOpenable"] = (path, access = "write") => {
    const names = segmentsOf(path);
    return ofNames(names, access) !== undefined && judge(names, access, "target", true) === undefined;
  };
  const below = (path: string): string | undefined => {
    const folded = segmentsOf(path).map(foldName);
    const rule = sets.write.flat().find((candidate) => candidate.verdict === "deny" && leadsTo(candidate, folded));
    return rule && `above deny ${rule.pattern}`;
  };
  return Object.assign(
    (path: string, access: Access, of?: "target" | "itself") => ofNames(segmentsOf(path), access, of),
    { ofNames, below, isOpenable, opened },
  );
}

export const NO_ALLOW_RULE = "no allow rule";

function firstRefusal(
  sets: ReadonlyArray<readonly Rule[]>, names: readonly string[], folded: readonly string[]
): string | undefined {
  for (const rules of sets) {
    const rule = decidingRule(rules, names, folded);
    if (rule === undefined) return NO_ALLOW_RULE;
    if (rule.verdict === "deny") return `deny ${rule.pattern}`;
  }
  return undefined;
}

/** Uses the default permissions if there is no list. Refusals always add to the default ones. */
function compileAll(volume: Looking, rules: GuardRules, access: Access, options: PolicyOptions): Rule[] {
  const { allow = DEFAULT_ALLOW, deny = [] } = rules[access];
  // A refusal of a folder above the root includes the root, unless the user's own permission is more specific.
  const isOpenByDefault = rules[access].allow === undefined;
  const allowed = allow.flatMap((pattern) => compilePattern(volume, "allow", pattern, options));
  const refusals = (patterns: readonly string[], isExact: boolean): Rule[] =>
    patterns.flatMap((pattern) =>
      compilePattern(volume, "deny", pattern, options, { coversRoot: isOpenByDefault, isExact }),
    );
  // Paths without any permission need no refusal.
  const beginnings = allowed.map((rule) => literalBeginning(rule).map(foldName));
  const mayMatter = (rule: Rule): boolean => beginnings.some((start) => overlaps(start, literalBeginning(rule)));
  // They never count as exact, so that an exact permission opens one.
  const defaults = [...DEFAULT_DENY[access], ...(access === "write" ? (options.executed ?? []) : [])];
  const needed = refusals(defaults, false).filter(mayMatter).map((rule) => ({ ...rule, isDefault: true }));
  return [
    ...allowed,
    ...needed.map((rule) => (rule.pattern === ENV_FILES ? except(rule, TEMPLATES) : rule)),
    ...refusals(deny, true),
  ];
}

function literalBeginning({ segments }: Rule): string[] {
  const wild = segments.findIndex((segment) => segment === "**" || !("literal" in segment));
  return segments.slice(0, wild).map((segment) => (segment as { readonly literal: string }).literal);
}

/** Returns whether the places are equal, or one lies in the other. */
function overlaps(a: readonly string[], b: readonly string[]): boolean {
  return a.slice(0, b.length).every((name, index) => name === b[index]);
}

/** Refuses changes of links in the literal prefix of a refusal. Another link there would redirect the refusal. */
function linksToRefused(volume: Looking, { read, write }: GuardRules, options: PolicyOptions): Rule[] {
  return [...(read.deny ?? []), ...(write.deny ?? [])].flatMap((pattern) => {
    const links = readingsOf(pattern).flatMap(
      ({ text, hasSets }) => follow(volume, namedBy("deny", text, options, hasSets).start, "follow").links,
    );
    return links.map((link) => compileRule("deny", pattern, segmentsOf(link).map(foldName), []));
  });
}

/**
 * A refusal for any depth also holds outside the root. A permission leaves the root only by an explicit path.
 *
 * Compiles the literal prefix both as written and with links resolved, since an action may name either.
 *
 * @param how.coversRoot whether refusing a folder above the root refuses the root
 */
function compilePattern(
  volume: Looking,
  verdict: Rule["verdict"],
  pattern: string,
  options: PolicyOptions,
  how: { readonly coversRoot?: boolean; readonly isExact?: boolean } = {},
): Rule[] {
  const readings = verdict === "deny" ? readingsOf(pattern) : [{ text: pattern, hasSets: false }];
  return readings.flatMap((reading) => compileReading(volume, verdict, { ...reading, pattern }, options, how));
}

function compileReading(
  volume: Looking,
  verdict: Rule["verdict"],
  { text, hasSets, pattern }: PatternReading & { readonly pattern: string },
  options: PolicyOptions,
  { coversRoot = false, isExact = true },
): Rule[] {
  const how = { isExact, hasSets };
  const names = (list: readonly string[]): readonly string[] =>
    verdict === "deny" ? list.map(foldName) : onPlatform(list, options.platform);
  const { start, rest, anywhere } = namedBy(verdict, text, options, hasSets);
  const compile = (anchor: readonly string[], segments: readonly string[]): Rule =>
    compileRule(verdict, pattern, names(anchor), names(segments), how);
  const top = verdict === "deny" ? [] : segmentsOf(options.root);
  const everywhere = anywhere === undefined ? [] : [compile(top, anywhere)];
  // A rule without wildcard must be exact at the root, and one without literal character has a rank only there.
  // For any other the rule for any depth suffices.
  if (anywhere !== undefined && rest.length > 0 && anywhere.some((segment) => /[^*?]/.test(segment))) return everywhere;
  const led = follow(volume, start, "follow");
  const anchors = new Set(led.links.length === 0 ? [led.path] : [follow(volume, start, "keep").path, led.path]);
  const below = rest.length > 0 ? (anywhere ?? rest) : rest;
  const placed = [...anchors].map((anchor) => compile(segmentsOf(anchor), below));
  const root = names(segmentsOf(options.root));
  const isRootIn = coversRoot && placed.some((rule) => covers(rule, root));
  return [...placed, ...everywhere, ...(isRootIn ? [compileRule(verdict, pattern, root, [], { isExact: false })] : [])];
}

/**
 * Folds names for permissions, as the platform's usual file system does: case on macOS and Windows, and Unicode
 * composition on macOS. Refusals fold names on each platform.
 */
function onPlatform(names: readonly string[], platform: NodeJS.Platform): readonly string[] {
  if (platform === "darwin") return names.map((name) => name.normalize("NFC").toLowerCase());
  return platform === "win32" ? names.map((name) => name.toLowerCase()) : names;
}

/**
 * A pattern over canonical paths. It covers the paths that its segments match and, since the last segment is `**`,
 * everything below them.
 */
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
  /** Set if it is one of Loaf's own, which somebody may open for a path. */
  readonly isDefault?: boolean;
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
export function decidingRule(
  rules: readonly Rule[], path: readonly string[], folded: readonly string[] = path.map(foldName)
): Rule | undefined {
  const pathFor = ({ verdict }: Rule): readonly string[] => (verdict === "deny" ? folded : path);
  let best: Rule | undefined;
  let bestRank: Rank | undefined;
  for (const rule of rules) {
    if (!covers(rule, pathFor(rule))) continue;
    if (best === undefined) {
      best = rule;
      continue;
    }
    bestRank ??= rankOf(best, pathFor(best));
    const rank = rankOf(rule, pathFor(rule));
    if (outranks(rank, bestRank)) [best, bestRank] = [rule, rank];
  }
  return best;
}

/**
 * @param anchor the canonical directory that the pattern is relative to, taken literally
 * @param options.isExact false if an exact path of the other verdict overrides the rule
 * @param options.hasSets whether `[a-z]` is a character set
 */
export function compileRule(
  verdict: Rule["verdict"],
  pattern: string,
  anchor: readonly string[],
  segments: readonly string[],
  { isExact = true, hasSets = false } = {},
): Rule {
  const end = segments.findLastIndex((segment) => segment !== "**") + 1;
  const named = [
    ...anchor.map((literal) => ({ literal })),
    ...segments.slice(0, end).map((segment) => compileSegment(segment, { extended: hasSets })),
  ];
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
  const segments = rule.segments.map((segment) =>
    segment === "**" || "literal" in segment ? segment : { ...segment, except: names },
  );
  return { ...rule, segments };
}

function covers({ segments, literal, place }: Rule, path: readonly string[]): boolean {
  if (place !== undefined) return place.length <= path.length && place.every((name, index) => name === path[index]);
  if (literal !== undefined && !path.includes(literal)) return false;
  const named = segments.at(-2);
  // Most rules name something at any depth. This rejects them before the search for an alignment.
  if (named !== undefined && !path.some((name) => matchSegment(named, name))) return false;
  return (segments.length === 3 && segments[0] === "**") || matchSegments(segments, path);
}

/** Returns whether a rule names something below a path, and something of the rule names the path itself. */
function leadsTo({ segments }: Rule, path: readonly string[]): boolean {
  const named = segments.slice(0, -1);
  return named.some((_, index) => {
    const last = named[index - 1];
    return last !== undefined && isPartlyLiteral(last) && matchSegments(named.slice(0, index), path);
  });
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
  const depth = anchorDepth(segments, anchors, path, isDeny ? Math.max : Math.min);
  return { isExact: isExact && place?.length === path.length, depth, isDeny };
}

const isLiteral = (segment: GlobSegment): segment is { readonly literal: string } =>
  segment !== "**" && "literal" in segment;

const isPartlyLiteral = (segment: GlobSegment): boolean =>
  segment !== "**" && ("literal" in segment || segment.tokens.some((token) => token !== "*" && token !== "?"));

/**
 * Returns the depth of the deepest anchor in the `best` alignment of pattern and path.
 *
 * Works backwards: `reach[j]` is that depth for the pattern from segment i against the path from name j. Undefined if
 * they do not match.
 */
function anchorDepth(
  segments: readonly GlobSegment[], anchors: readonly boolean[], path: readonly string[], best: typeof Math.max
): number {
  let reach: Array<number | undefined> = [...path.map(() => undefined), 0];
  for (let i = segments.length - 1; i >= 0; i--) {
    const segment = segments[i] as GlobSegment;
    const next = reach;
    reach = [];
    for (let j = path.length; j >= 0; j--) {
      if (segment === "**") reach[j] = bestOf(next[j], reach[j + 1], best);
      else {
        const taken = j < path.length && matchSegment(segment, path[j] as string) ? next[j + 1] : undefined;
        reach[j] = taken === undefined || !anchors[i] ? taken : Math.max(taken, j + 1);
      }
    }
  }
  return reach[0] ?? 0;
}

function bestOf(a: number | undefined, b: number | undefined, best: typeof Math.max): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return best(a, b);
}
