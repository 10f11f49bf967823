import { defaults } from "./defaults.ts";
import { guardRules, type AccessRules, type GuardRules } from "./guard-rules.ts";
import type { Config, Settings } from "./schema.ts";

/**
 * Merges configurations key by key. Later ones take precedence. Lists are replaced as a whole, except that the guard's
 * refusals accumulate, so that no file can revoke another file's refusal.
 */
export function mergeConfigs(...configs: readonly Config[]): Settings {
  return configs.reduce<Settings>(over, {
    ...defaults,
    syntaxes: [...defaults.syntaxes],
    "fs-guard": guardRules(),
    exec: { ...defaults.exec, env: [...defaults.exec.env], languages: [...defaults.exec.languages] },
  });
}

function over(earlier: Settings, config: Config): Settings {
  const [before, after] = [earlier["fs-guard"], guardRules(config["fs-guard"])];
  return {
    ...(merged(earlier, config) as Settings),
    "fs-guard": {
      ...before,
      ...hardLinksOver(before, after),
      read: rulesOver(before.read, after.read),
      write: rulesOver(before.write, after.write),
    },
  };
}

/** Merges mappings key by key, and replaces other values. A program may pass `undefined`, which changes nothing. */
function merged(earlier: unknown, later: unknown): unknown {
  if (later === undefined || !isMapping(later)) return later ?? earlier;
  const before = isMapping(earlier) ? earlier : {};
  const keys = new Set([...Object.keys(before), ...Object.keys(later)]);
  const values = [...keys].map((key) => [key, merged(ownValue(before, key), ownValue(later, key))] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

type Mapping = Readonly<Record<string, unknown>>;

function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A name of the user's may be `toString`. */
function ownValue(mapping: Mapping, key: string): unknown {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

function rulesOver(earlier: AccessRules, later: AccessRules): AccessRules {
  const deny = [...(earlier.deny ?? []), ...(later.deny ?? [])];
  return { ...earlier, ...later, ...(deny.length > 0 && { deny }) };
}

function hardLinksOver(earlier: GuardRules, later: GuardRules): Pick<GuardRules, "hard_links"> {
  return earlier.hard_links === "deny" || later.hard_links === undefined ? {} : { hard_links: later.hard_links };
}
