import type { GuardRules } from "../../config/guard-rules.ts";
import type { Access } from "../../core/failure.ts";
import { type BuiltIn, createBuiltIn, type OwnFiles } from "./built-in.ts";
import { DEFAULT_ALLOW, DEFAULT_DENY, TEMPLATES } from "./default-rules.ts";
import { follow } from "./follow.ts";
import { joinPath, segmentsOf, splitPath } from "../volume/path-segments.ts";
import { compileRule, decidingRule, type Rule } from "./rules.ts";
import { type Looking, Seen } from "./seen.ts";

/**
 * Why a canonical path may not be accessed, as a message shows it (`deny docs/**`, `no allow rule`), or undefined.
 *
 * @param of `itself` where the entry is taken away, moved or replaced, and not only what it holds
 */
export interface Policy {
  (path: string, access: Access, of?: "target" | "itself"): string | undefined;
  /** The same for a path in pieces, as for one after the other in a directory. */
  ofNames(names: readonly string[], access: Access, of?: "target" | "itself"): string | undefined;
}

export interface PolicyOptions extends OwnFiles {
  /** Absolute. */
  readonly root: string;
  /** What `~` stands for. Absolute. */
  readonly home: string;
  /** Access is granted only where every one of these grants it. */
  readonly rules: readonly GuardRules[];
  readonly platform: NodeJS.Platform;
}

/** Reads the rules once: what links lead to now is what they are about from now on. */
export function createPolicy(volume: Looking, options: PolicyOptions): Policy {
  const { root, rules, platform } = options;
  const builtIn: BuiltIn = createBuiltIn(volume, root, options);
  const compiled = rules.map((one) => ({
    read: compileAll(volume, one, "read", options),
    write: [...compileAll(volume, one, "write", options), ...linksToRefused(volume, one, options)],
  }));
  const sets = { read: compiled.map(({ read }) => read), write: compiled.map(({ write }) => write) };
  const ofNames: Policy["ofNames"] = (names, access, of = "target") => builtIn(names, access, of) ?? firstRefusal(sets[access], onPlatform(names, platform));
  return Object.assign((path: string, access: Access, of?: "target" | "itself") => ofNames(segmentsOf(path), access, of), { ofNames });
}

/**
 * Makes policies as `createPolicy` does, for one run after another; of the same rules the last one serves again where all that it was made
 * from is seen again.
 */
export function rememberPolicy(): typeof createPolicy {
  let last: { readonly key: string; readonly rules: PolicyOptions["rules"]; readonly seen: Seen; readonly policy: Policy } | undefined;
  return (volume, options) => {
    const { rules, ...rest } = options;
    const key = JSON.stringify([rest.root, rest.home, rest.platform, rest.sealed, rest.readOnly]);
    if (last?.key === key && last.rules === rules && last.seen.isSeenIn(volume)) return last.policy;
    const seen = new Seen(volume);
    last = { key, rules, seen, policy: createPolicy(seen, options) };
    return last.policy;
  };
}

function firstRefusal(sets: ReadonlyArray<readonly Rule[]>, names: readonly string[]): string | undefined {
  for (const rules of sets) {
    const rule = decidingRule(rules, names);
    if (rule === undefined) return "no allow rule";
    if (rule.verdict === "deny") return `deny ${rule.pattern}`;
  }
  return undefined;
}

/** An absent list means the defaults; refusals always come on top of the default ones. */
function compileAll(volume: Looking, rules: GuardRules, access: Access, options: PolicyOptions): Rule[] {
  const { allow = DEFAULT_ALLOW, deny = [] } = rules[access];
  const compile = (verdict: Rule["verdict"], patterns: readonly string[]): Rule[] =>
    patterns.flatMap((pattern) => compilePattern(volume, verdict, pattern, options));
  const defaults = compile("deny", DEFAULT_DENY[access]).map((rule) => (rule.pattern === "**/.env*" ? { ...rule, except: TEMPLATES } : rule));
  return [...compile("allow", allow), ...defaults, ...compile("deny", deny)];
}

/** Links that a refusal's beginning leads through are not changed: another one in its place, and the refusal would be about something else. */
function linksToRefused(volume: Looking, { read, write }: GuardRules, options: PolicyOptions): Rule[] {
  return [...(read.deny ?? []), ...(write.deny ?? [])].flatMap((pattern) => {
    const { links } = follow(volume, beginningOf(pattern, options).start, "follow");
    return links.map((link) => compileRule("deny", pattern, onPlatform(segmentsOf(link), options.platform), []));
  });
}

/**
 * `./x` and `x/y` are relative to the root, `~/x` to the home folder; `x/` means all in it. A refusal that begins with `**` holds
 * at any depth of the whole path, outside the root as well; a permission never reaches out of the root unless it says so.
 * The literal beginning is taken both as it stands and with its links resolved, since either may be what an action names.
 */
function compilePattern(volume: Looking, verdict: Rule["verdict"], pattern: string, options: PolicyOptions): Rule[] {
  const { platform } = options;
  const { start, rest } = beginningOf(pattern, options);
  const segments = onPlatform(rest, platform);
  if (verdict === "deny" && ANYWHERE.test(pattern)) return [compileRule(verdict, pattern, [], segments)];
  const anchors = new Set((["keep", "follow"] as const).map((last) => follow(volume, start, last).path));
  return [...anchors].map((anchor) => compileRule(verdict, pattern, onPlatform(segmentsOf(anchor), platform), segments));
}

const ANYWHERE = /^\*\*(\/|$)/;

/** The literal beginning of a pattern as an absolute path, and the segments from the first wildcard on. */
export function beginningOf(pattern: string, { root, home }: Pick<PolicyOptions, "root" | "home">): { readonly start: string; readonly rest: string[] } {
  const { base, segments } = anchorOf(pattern.endsWith("/") ? `${pattern}**` : pattern, root, home);
  const wild = segments.findIndex((segment) => /[*?]/.test(segment));
  const literals = wild === -1 ? segments : segments.slice(0, wild);
  return { start: literals.reduce(joinPath, base), rest: segments.slice(literals.length) };
}

function anchorOf(pattern: string, root: string, home: string): { base: string; segments: string[] } {
  if (/^~(\/|$)/.test(pattern)) return { base: home, segments: segmentsOf(pattern.slice(1)) };
  const { root: top, segments } = splitPath(pattern);
  return { base: top === "" ? root : top, segments };
}

/** Names as the system's usual file system compares them: macOS and Windows are blind to case, macOS also to how a letter is composed. */
function onPlatform(names: readonly string[], platform: NodeJS.Platform): readonly string[] {
  if (platform === "darwin") return names.map((name) => name.normalize("NFC").toLowerCase());
  return platform === "win32" ? names.map((name) => name.toLowerCase()) : names;
}
