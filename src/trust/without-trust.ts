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
 * @param own the settings without it
 */
export function withoutTrust(asked: Settings, own: Settings): Untrusted {
  const limits = smallest("limits", asked.limits, own.limits);
  const report = smallest("report", { max_tokens: asked.report.max_tokens }, { max_tokens: own.report.max_tokens });
  const actions = common(asked["allowed-actions"], own["allowed-actions"]);
  // Loaf overwrites watched files and runs their content. A file that the project chose could be lost, or run.
  const watch = [
    ...changed("watch", flat(asked.watch), flat(own.watch)),
    ...changed("watch.clipboard", asked.watch.clipboard, own.watch.clipboard),
  ];
  const exec = execOf(asked.exec, own.exec);
  // Hooks run outside the sandbox, and `vars` are their values: only the user may set them.
  const commands = [...changedLists("hooks", asked.hooks, own.hooks), ...changedLists("vars", asked.vars, own.vars)];
  // Checks start programs without being asked for by anybody. What they print goes into the report.
  const checks = JSON.stringify(asked.checks ?? []) === JSON.stringify(own.checks ?? []) ? [] : ["checks"];
  // A shorter history limits undo, a longer one fills the user's disk. Other delimiters turn harmless text into blocks.
  const userOnly = [...changed("history", asked.history, own.history), ...changed("csl", asked.csl, own.csl), ...watch];
  const unwanted = asked.syntaxes.filter((name) => !own.syntaxes.includes(name));
  const git = gitWithoutTrust(asked.git, own.git);
  const loosened = [
    ...actions.loosened,
    ...transactionLoosened(asked, own),
    ...userOnly,
    ...(unwanted.length > 0 ? ["syntaxes"] : []),
    ...commands,
    ...checks,
    ...exec.loosened,
    ...git.loosened,
    ...limits.loosened,
    ...report.loosened,
  ];
  const { hooks: _hooks, vars: _vars, checks: _checks, ...harmless } = asked;
  return {
    settings: {
      ...harmless,
      ...(own.hooks && { hooks: own.hooks }),
      ...(own.vars && { vars: own.vars }),
      ...(own.checks && { checks: own.checks }),
      ...actions.settings,
      transaction: asked.transaction === own.transaction ? own.transaction : "all-or-nothing",
      exec: exec.settings,
      git: git.settings,
      history: own.history,
      limits: limits.numbers,
      report: { ...asked.report, ...report.numbers },
      syntaxes: asked.syntaxes.filter((name) => !unwanted.includes(name)),
      csl: own.csl,
      watch: own.watch,
    },
    loosened,
  };
}

/** Lets the project restrict commands only: fewer variables and languages, a shorter time, a stricter sandbox. */
function execOf(
  asked: Settings["exec"], own: Settings["exec"]
): { readonly settings: Settings["exec"]; readonly loosened: readonly string[] } {
  const isLooser = {
    sandbox: SANDBOXES.indexOf(asked.sandbox) > SANDBOXES.indexOf(own.sandbox),
    network: asked.network && !own.network,
    timeout: asked.timeout > own.timeout,
    copy_limit: asked.copy_limit > own.copy_limit,
    env: asked.env.some((name) => !own.env.includes(name)),
    languages: asked.languages.some((name) => !own.languages.includes(name)),
  };
  return {
    settings: {
      sandbox: isLooser.sandbox ? own.sandbox : asked.sandbox,
      view: asked.view,
      copy_limit: Math.min(asked.copy_limit, own.copy_limit),
      network: asked.network && own.network,
      timeout: Math.min(asked.timeout, own.timeout),
      env: asked.env.filter((name) => own.env.includes(name)),
      languages: asked.languages.filter((name) => own.languages.includes(name)),
    },
    loosened: Object.entries(isLooser).flatMap(([key, is]) => (is ? [`exec.${key}`] : [])),
  };
}

/** Strictest first. */
const SANDBOXES = ["required", "auto", "off"];

/** Lets the project turn off commits, their hooks and pushes, and choose the commit message, which does no harm. */
function gitWithoutTrust(
  asked: Settings["git"], own: Settings["git"]
): { settings: Settings["git"]; loosened: string[] } {
  const loosened = (["commit", "push", "hooks"] as const).filter((key) => asked[key] && !own[key]);
  const granted = Object.fromEntries(loosened.map((key) => [key, false]));
  return {
    settings: { ...asked, ...granted },
    loosened: loosened.map((key) => `git.${key}`),
  };
}

function transactionLoosened(asked: Settings, own: Settings): string[] {
  return own.transaction === "all-or-nothing" && asked.transaction === "keep" ? ["transaction"] : [];
}

function common(
  asked: string[] | undefined, own: string[] | undefined
): { settings: Pick<Settings, "allowed-actions">; loosened: string[] } {
  // If the project has no list, the user's applies. If the user has none, all actions are allowed, so a list only
  // restricts them.
  if (asked === undefined || own === undefined) return { settings: {}, loosened: [] };
  const allowed = asked.filter((name) => own.includes(name));
  return {
    settings: { "allowed-actions": allowed },
    loosened: allowed.length < asked.length ? ["allowed-actions"] : [],
  };
}

function flat({ input, output, debounce }: Settings["watch"]): Omit<Settings["watch"], "clipboard"> {
  return { input, output, debounce };
}

function changedLists(name: string, asked: object = {}, own: object = {}): string[] {
  const before = new Map<string, unknown>(Object.entries(own));
  // An empty list is no request if the user has none.
  const isSame = (key: string, value: unknown) =>
    JSON.stringify(value) === JSON.stringify(before.get(key) ?? (Array.isArray(value) ? [] : undefined));
  return Object.entries(asked).flatMap(([key, value]) => (isSame(key, value) ? [] : [`${name}.${key}`]));
}

function changed<Section extends Readonly<Record<string, string | number | boolean>>>(
  name: string, asked: Section, own: Section
): string[] {
  return Object.keys(own).filter((key) => asked[key] !== own[key]).map((key) => `${name}.${key}`);
}

function smallest<Section extends Readonly<Record<string, number>>>(
  name: string, asked: Section, own: Section
): { numbers: Section; loosened: string[] } {
  const loosened = Object.keys(own).filter((key) => (asked[key] ?? 0) > (own[key] ?? 0));
  return {
    numbers: { ...asked, ...Object.fromEntries(loosened.map((key) => [key, own[key]])) },
    loosened: loosened.map((key) => `${name}.${key}`),
  };
}
