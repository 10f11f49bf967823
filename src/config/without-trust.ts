import type { Settings } from "./schema.ts";

/** What holds in a project whose loaf.yml is not trusted, and the keys at which it asked for more. The guard's rules are not looked at here. */
export interface Untrusted {
  readonly settings: Settings;
  /** `limits.max_input` */
  readonly loosened: readonly string[];
}

/**
 * Such a loaf.yml may tighten what holds without it, and never loosen it.
 *
 * @param asked the settings with it
 * @param own the settings without it
 */
export function withoutTrust(asked: Settings, own: Settings): Untrusted {
  const limits = smallest("limits", asked.limits, own.limits);
  const report = smallest("report", asked.report, own.report);
  const actions = common(asked["allowed-actions"], own["allowed-actions"]);
  return {
    // Other delimiters would let harmless text act.
    settings: { ...asked, ...actions.settings, limits: limits.numbers, report: report.numbers, csl: own.csl },
    loosened: [...actions.loosened, ...limits.loosened, ...report.loosened, ...changed("csl", asked.csl, own.csl)],
  };
}

function common(asked: string[] | undefined, own: string[] | undefined): { settings: Pick<Settings, "allowed-actions">; loosened: string[] } {
  // Without a list of its own, the user's holds; where the user has none, every action is allowed, and a list can only take some away.
  if (asked === undefined || own === undefined) return { settings: {}, loosened: [] };
  const allowed = asked.filter((name) => own.includes(name));
  return { settings: { "allowed-actions": allowed }, loosened: allowed.length < asked.length ? ["allowed-actions"] : [] };
}

function changed<Section extends Readonly<Record<string, string>>>(name: string, asked: Section, own: Section): string[] {
  return Object.keys(own).filter((key) => asked[key] !== own[key]).map((key) => `${name}.${key}`);
}

function smallest<Section extends Readonly<Record<string, number>>>(name: string, asked: Section, own: Section): { numbers: Section; loosened: string[] } {
  const loosened = Object.keys(own).filter((key) => (asked[key] ?? 0) > (own[key] ?? 0));
  return { numbers: { ...asked, ...Object.fromEntries(loosened.map((key) => [key, own[key]])) }, loosened: loosened.map((key) => `${name}.${key}`) };
}
