import type { GuardRules } from "../config/guard-rules.ts";
import type { Access } from "../core/failure.ts";
import { type BuiltIn, createBuiltIn, type OwnFiles } from "./built-in.ts";
import { DEFAULT_ALLOW, DEFAULT_DENY, TEMPLATES } from "./default-rules.ts";
import { follow } from "./follow.ts";
import { joinPath, segmentsOf, splitPath } from "./path-segments.ts";
import { compileRule, decidingRule, type Rule } from "./rules.ts";
import type { Volume } from "./volume.ts";

/** Why a canonical path may not be accessed, as a message shows it (`deny docs/**`, `no allow rule`), or undefined. */
export type Policy = (path: string, access: Access) => string | undefined;

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
export function createPolicy(volume: Volume, options: PolicyOptions): Policy {
  const { root, rules, platform } = options;
  const builtIn: BuiltIn = createBuiltIn(volume, root, options);
  const compiled = rules.map((one) => ({ read: compileAll(volume, one, "read", options), write: compileAll(volume, one, "write", options) }));
  return (path, access) => {
    const names = segmentsOf(onPlatform(path, platform));
    return builtIn(names, access) ?? firstRefusal(compiled.map((one) => one[access]), names);
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
function compileAll(volume: Volume, rules: GuardRules, access: Access, options: PolicyOptions): Rule[] {
  const { allow = DEFAULT_ALLOW, deny = [] } = rules[access];
  const compile = (verdict: Rule["verdict"], patterns: readonly string[]): Rule[] =>
    patterns.flatMap((pattern) => compilePattern(volume, verdict, pattern, options));
  const defaults = compile("deny", DEFAULT_DENY[access]).map((rule) => (rule.pattern === "**/.env*" ? { ...rule, except: TEMPLATES } : rule));
  return [...compile("allow", allow), ...defaults, ...compile("deny", deny)];
}

/**
 * `./x` and `x/y` are relative to the root, `~/x` to the home folder; `x/` means all in it. A refusal that begins with `**` holds
 * at any depth of the whole path, outside the root as well; a permission never reaches out of the root unless it says so.
 * The literal beginning is taken both as it stands and with its links resolved, since either may be what an action names.
 */
function compilePattern(volume: Volume, verdict: Rule["verdict"], pattern: string, { root, home, platform }: PolicyOptions): Rule[] {
  const written = onPlatform(pattern.endsWith("/") ? `${pattern}**` : pattern, platform);
  if (verdict === "deny" && /^\*\*(\/|$)/.test(written)) return [compileRule(verdict, pattern, [], segmentsOf(written))];
  const { base, rest } = anchorOf(written, root, home);
  const wild = rest.findIndex((segment) => /[*?]/.test(segment));
  const literals = rest.slice(0, wild === -1 ? rest.length : wild);
  const start = literals.reduce(joinPath, base);
  const anchors = new Set((["keep", "follow"] as const).map((last) => follow(volume, start, last).path));
  return [...anchors].map((anchor) => compileRule(verdict, pattern, segmentsOf(onPlatform(anchor, platform)), rest.slice(literals.length)));
}

function anchorOf(pattern: string, root: string, home: string): { base: string; rest: string[] } {
  if (/^~(\/|$)/.test(pattern)) return { base: home, rest: segmentsOf(pattern.slice(1)) };
  const { root: top, segments } = splitPath(pattern);
  return { base: top === "" ? root : top, rest: segments };
}

/** macOS takes composed and decomposed letters for the same name. */
function onPlatform(path: string, platform: NodeJS.Platform): string {
  return platform === "darwin" ? path.normalize("NFC") : path;
}
