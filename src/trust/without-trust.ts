import type { Settings } from "../config/schema.ts";

/**
 * Settings of a project whose loaf.yml is not trusted, and the keys at which it asked for more. Excludes the guard's
 * rules.
 */
export interface Untrusted {
  readonly settings: Settings;
  /** Key paths: `limits.max_input`. */
  readonly loosened: readonly string[];
}

/**
 * Merges the settings so that an untrusted loaf.yml may tighten them, but never loosen them.
 *
 * @param asked the settings with that loaf.yml
 * @param userSettings the settings without it
 */
export function withoutTrust(asked: Settings, userSettings: Settings): Untrusted {
  const loosened: string[] = [];
  const loosens = (key: string): unknown => loosened.push(key);
  const section = <Section extends object>(name: string, of: Section, users: Section, rules: Rules<Section>): Section =>
    restricted(of, users, rules, (key) => loosens(`${name}.${key}`));
  // If the project has no list, the user's applies. If the user has none, all actions are allowed, so a list only
  // restricts them.
  const actions = "allowed-actions" in asked && "allowed-actions" in userSettings && { "allowed-actions": common };
  const transaction: Rule<Settings["transaction"]> = (of, users) => (of === users ? users : "all-or-nothing");
  const settings = restricted(asked, userSettings, { ...actions, transaction }, loosens);
  // A shorter history limits undo, a longer one fills the user's disk. Other delimiters turn harmless text into blocks.
  section("history", asked.history, userSettings.history, all(userSettings.history, usersOwn));
  section("csl", asked.csl, userSettings.csl, all(userSettings.csl, usersOwn));
  // Loaf overwrites watched files and runs their content. A file that the project chose could be lost, or run.
  section("watch", asked.watch, userSettings.watch, { input: usersOwn, output: usersOwn, debounce: usersOwn });
  section(
    "watch.clipboard",
    asked.watch.clipboard,
    userSettings.watch.clipboard,
    all(userSettings.watch.clipboard, usersOwn),
  );
  const { syntaxes } = restricted(asked, userSettings, { syntaxes: common }, loosens);
  // Hooks run outside the sandbox, and `vars` are their values: only the user may set them.
  for (const name of ["hooks", "vars"] as const) {
    const lists: Readonly<Record<string, unknown>> = asked[name] ?? {};
    section(name, lists, { ...userSettings[name] }, all(lists, usersList));
  }
  // Checks start programs without being asked for by anybody. What they print goes into the report.
  restricted({ checks: asked.checks ?? [] }, { checks: userSettings.checks ?? [] }, { checks: usersOwn }, loosens);
  const { hooks: _hooks, vars: _vars, checks: _checks, ...harmless } = settings;
  return {
    settings: {
      ...harmless,
      ...(userSettings.hooks && { hooks: userSettings.hooks }),
      ...(userSettings.vars && { vars: userSettings.vars }),
      ...(userSettings.checks && { checks: userSettings.checks }),
      // The project may restrict commands only: fewer variables and languages, a shorter time, a stricter sandbox.
      exec: section("exec", asked.exec, userSettings.exec, {
        sandbox: (of, users) => (SANDBOXES.indexOf(of) > SANDBOXES.indexOf(users) ? users : of),
        network: both,
        timeout: Math.min,
        copy_limit: Math.min,
        env: common,
        languages: common,
      }),
      // It may turn off commits, their hooks and pushes, and choose the commit message, which does no harm.
      git: section("git", asked.git, userSettings.git, { commit: both, push: both, hooks: both }),
      history: userSettings.history,
      limits: section("limits", asked.limits, userSettings.limits, all(userSettings.limits, Math.min)),
      report: section("report", asked.report, userSettings.report, { max_tokens: Math.min }),
      syntaxes,
      csl: userSettings.csl,
      watch: userSettings.watch,
    },
    loosened,
  };
}

/** Returns what an untrusted project may have, of what it asked for and what the user has. */
type Rule<Value> = (asked: Value, users: Value) => Value;
type Rules<Section> = { readonly [Key in keyof Section]?: Rule<Section[Key]> };

const usersOwn = <Value>(_: Value, users: Value): Value => users;
/** An empty list is no request if the user has none. */
const usersList: Rule<unknown> = (asked, users) => users ?? (Array.isArray(asked) ? [] : undefined);
const both: Rule<boolean> = (asked, users) => asked && users;
const common = <Value>(asked: readonly Value[] = [], users: readonly Value[] = []): Value[] =>
  asked.filter((value) => users.includes(value));

/** Strictest first. */
const SANDBOXES = ["required", "auto", "off"];

function all<Section extends object>(section: Section, rule: Rule<Section[keyof Section]>): Rules<Section> {
  return Object.fromEntries(Object.keys(section).map((key) => [key, rule])) as unknown as Rules<Section>;
}

/** Applies the rules. Calls `loosens` for each key at which the result is not what was asked for. */
function restricted<Section extends object>(
  asked: Section,
  users: Section,
  rules: Rules<Section>,
  loosens: (key: string) => unknown,
): Section {
  const section = { ...asked };
  for (const key of Object.keys(rules) as Array<keyof Section & string>) {
    section[key] = (rules[key] as Rule<Section[typeof key]>)(asked[key], users[key]);
    if (JSON.stringify(section[key]) !== JSON.stringify(asked[key])) loosens(key);
  }
  return section;
}
