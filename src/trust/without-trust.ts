import type { Settings } from "../config/schema.ts";

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
  // Less history takes away what can be undone, more of it fills the user's disk; other delimiters let harmless text act.
  // What is watched is written to, and runs: a file of the project's own choosing would be lost, or act.
  const watch = [...changed("watch", flat(asked.watch), flat(own.watch)), ...changed("watch.clipboard", asked.watch.clipboard, own.watch.clipboard)];
  const exec = execOf(asked.exec, own.exec);
  // What runs outside the sandbox is the user's to say; so are the values that it is given.
  const commands = [...changedLists("hooks", asked.hooks, own.hooks), ...changedLists("vars", asked.vars, own.vars)];
  const notIts = [...changed("history", asked.history, own.history), ...changed("csl", asked.csl, own.csl), ...watch];
  const git = gitWithoutTrust(asked.git, own.git);
  const loosened = [...actions.loosened, ...transactionLoosened(asked, own), ...notIts, ...commands, ...exec.loosened, ...git.loosened, ...limits.loosened, ...report.loosened];
  const { hooks: _hooks, vars: _vars, ...harmless } = asked;
  return {
    settings: {
      ...harmless,
      ...(own.hooks && { hooks: own.hooks }),
      ...(own.vars && { vars: own.vars }),
      ...actions.settings,
      transaction: asked.transaction === own.transaction ? own.transaction : "all-or-nothing",
      exec: exec.settings,
      git: git.settings,
      history: own.history,
      limits: limits.numbers,
      report: report.numbers,
      csl: own.csl,
      watch: own.watch,
    },
    loosened,
  };
}

/** What it says of commands: fewer things, for a shorter time, in a sandbox. */
function execOf(asked: Settings["exec"], own: Settings["exec"]): { readonly settings: Settings["exec"]; readonly loosened: readonly string[] } {
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

/** From strict to loose. */
const SANDBOXES = ["required", "auto", "off"];

/** It may keep a run from committing or pushing; what it would have the commits say does no harm. */
function gitWithoutTrust(asked: Settings["git"], own: Settings["git"]): { settings: Settings["git"]; loosened: string[] } {
  const loosened = (["commit", "push"] as const).filter((key) => asked[key] && !own[key]);
  return { settings: { ...asked, commit: asked.commit && own.commit, push: asked.push && own.push }, loosened: loosened.map((key) => `git.${key}`) };
}

function transactionLoosened(asked: Settings, own: Settings): string[] {
  return own.transaction === "all-or-nothing" && asked.transaction === "keep" ? ["transaction"] : [];
}

function common(asked: string[] | undefined, own: string[] | undefined): { settings: Pick<Settings, "allowed-actions">; loosened: string[] } {
  // Without a list of its own, the user's holds; where the user has none, every action is allowed, and a list can only take some away.
  if (asked === undefined || own === undefined) return { settings: {}, loosened: [] };
  const allowed = asked.filter((name) => own.includes(name));
  return { settings: { "allowed-actions": allowed }, loosened: allowed.length < asked.length ? ["allowed-actions"] : [] };
}

function flat({ input, output, debounce }: Settings["watch"]): Omit<Settings["watch"], "clipboard"> {
  return { input, output, debounce };
}

function changedLists(name: string, asked: object = {}, own: object = {}): string[] {
  const before = new Map<string, unknown>(Object.entries(own));
  // An empty list asks for nothing where there is none without it.
  const isSame = (key: string, value: unknown) => JSON.stringify(value) === JSON.stringify(before.get(key) ?? (Array.isArray(value) ? [] : undefined));
  return Object.entries(asked).flatMap(([key, value]) => (isSame(key, value) ? [] : [`${name}.${key}`]));
}

function changed<Section extends Readonly<Record<string, string | number | boolean>>>(name: string, asked: Section, own: Section): string[] {
  return Object.keys(own).filter((key) => asked[key] !== own[key]).map((key) => `${name}.${key}`);
}

function smallest<Section extends Readonly<Record<string, number>>>(name: string, asked: Section, own: Section): { numbers: Section; loosened: string[] } {
  const loosened = Object.keys(own).filter((key) => (asked[key] ?? 0) > (own[key] ?? 0));
  return { numbers: { ...asked, ...Object.fromEntries(loosened.map((key) => [key, own[key]])) }, loosened: loosened.map((key) => `${name}.${key}`) };
}
