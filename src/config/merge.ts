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
  const later = given(config);
  const before = earlier["fs-guard"];
  const after = guardRules(later["fs-guard"]);
  return {
    ...earlier,
    ...later,
    "fs-guard": {
      ...before,
      ...hardLinksOver(before, after),
      read: rulesOver(before.read, after.read),
      write: rulesOver(before.write, after.write),
    },
    edits: { ...earlier.edits, ...given(later.edits) },
    exec: { ...earlier.exec, ...given(later.exec) },
    git: { ...earlier.git, ...given(later.git) },
    ...(later.hooks && { hooks: { ...earlier.hooks, ...given(later.hooks) } }),
    ...(later.vars && { vars: Object.assign({}, earlier.vars, later.vars) }),
    history: { ...earlier.history, ...given(later.history) },
    limits: { ...earlier.limits, ...given(later.limits) },
    csl: { ...earlier.csl, ...given(later.csl) },
    report: { ...earlier.report, ...given(later.report) },
    mcp: { ...earlier.mcp, ...given(later.mcp) },
    watch: {
      ...earlier.watch,
      ...given(later.watch),
      clipboard: { ...earlier.watch.clipboard, ...given(later.watch?.clipboard) },
    },
  };
}

function rulesOver(earlier: AccessRules, later: AccessRules): AccessRules {
  const deny = [...(earlier.deny ?? []), ...(later.deny ?? [])];
  return { ...earlier, ...later, ...(deny.length > 0 && { deny }) };
}

function hardLinksOver(earlier: GuardRules, later: GuardRules): Pick<GuardRules, "hard_links"> {
  return earlier.hard_links === "deny" || later.hard_links === undefined ? {} : { hard_links: later.hard_links };
}

type Given<Part> = { [Key in keyof Part]?: Exclude<Part[Key], undefined> };

/** Drops keys without a value, since a program may pass `undefined`. */
function given<Part extends object>(part: Part | undefined): Given<Part> {
  return Object.fromEntries(Object.entries(part ?? {}).filter(([, value]) => value !== undefined)) as Given<Part>;
}
