/** Checks a value against the schema of loaf.yml and words the problems. `parse.ts` finds their places in the text. */
import * as z from "zod/mini";
import { didYouMean } from "./closest.ts";
import { ConfigError } from "./problem.ts";
import { configSchema, type Config } from "./schema.ts";

/** A problem at a key path: `["limits", "max_input"]`. */
export interface ConfigFinding {
  readonly path: readonly PropertyKey[];
  /** True if the key itself is wrong, not its value. */
  readonly atKey: boolean;
  readonly message: string;
}

/** Returns the problems of a value. If there are none, it is a `Config`. */
export function checkConfig(value: unknown): ConfigFinding[] {
  const issues = z.safeParse(configSchema, value).error?.issues ?? [];
  return issues.flatMap((issue) => {
    const { path } = issue;
    if (issue.code === "unrecognized_keys") return unknownKeys(issue.keys, path);
    if (issue.code === "invalid_key")
      return issue.issues.map(({ message }) => ({ path, atKey: true, message: `'${shown(path)}' ${message}` }));
    return [
      {
        path,
        atKey: false,
        message: `${path.length === 0 ? "The configuration" : `'${shown(path)}'`} ${issue.message}`,
      },
    ];
  });
}

/**
 * Checks a configuration that a program passes as an object. Throws `ConfigError` with the key path of each problem.
 */
export function configFromObject(value: unknown): Config {
  const findings = checkConfig(value);
  if (findings.length > 0) throw new ConfigError(findings.map(({ message }) => ({ source: "config", message })));
  return value as Config;
}

function unknownKeys(keys: readonly string[], parent: readonly PropertyKey[]): ConfigFinding[] {
  const known = Object.keys(schemaAt(parent)?.properties ?? {});
  const where = parent.length === 0 ? "" : ` in '${shown(parent)}'`;
  return keys.map((key) => ({
    path: [...parent, key],
    atKey: true,
    message: `Unknown key '${key}'${where}${renamed([...parent, key], known) ?? didYouMean(key, known)}`,
  }));
}

const FOLLOWS = "leave it out: a link is judged by what it leads to, always";

/** Keys of older versions and of other tools, and how to replace them. */
const OLD_KEYS: Readonly<Record<string, string>> = {
  "fs-guard.fs": "write its lists directly under fs-guard: allowed and denied, or allow and deny under read and write",
  "fs-guard.mode": "there is only one mode: what no rule allows is refused",
  "fs-guard.rules": "write them under read and write, each with allow and deny",
  "fs-guard.followSymlinks": FOLLOWS,
  "edits.mode": "it is now called 'match': exact or tolerant",
  "exec.mode": "it is now called 'sandbox': required, auto or off",
  mode: "use 'transaction' for rollback, 'edits.match' for matching, 'exec.sandbox' for commands",
  allowed: "it belongs under fs-guard: 'fs-guard.allowed'",
  denied: "it belongs under fs-guard: 'fs-guard.denied'",
  sandbox: "it belongs under exec: 'exec.sandbox'",
  "read-allow": "write 'fs-guard: {read: {allow: [...]}}'",
  "read-deny": "write 'fs-guard: {read: {deny: [...]}}'",
  "write-allow": "write 'fs-guard: {write: {allow: [...]}}'",
  "write-deny": "write 'fs-guard: {write: {deny: [...]}}'",
  "exec-guard": "write 'exec: {languages: [...]}' for the languages, 'allowed-actions' to allow no commands",
  run_commands: "write 'exec' for how commands run, 'allowed-actions' for whether they may",
  security: "write 'fs-guard' for paths, 'exec' for commands",
  followSymlinks: FOLLOWS,
  git_auto_push: "write 'git: {push: true}'",
  git_auto_commit: "write 'git: {commit: true}'",
  commit_message_format: "write 'git: {message: \"AI: {operation_summary}\"}'",
};

/** Returns a key in the form in which keys are compared: `maxFileSize` and `max-file-size` are `max_file_size`. */
function bare(key: string): string {
  return key.replace(/[-_]/g, "").toLowerCase();
}

/** Returns the advice for a key that stands where another key of its name belongs: `max_file_size` at the top. */
function misplaced(key: string): string | undefined {
  const [place, other] = Object.entries(schemaAt([])?.properties ?? {}).flatMap(([section, schema]) =>
    Object.keys((schema as JsonSchema).properties ?? {})
      .filter((known) => bare(known) === bare(key))
      .map((known) => ({ section, known })),
  );
  if (place === undefined || other !== undefined) return undefined;
  return `it belongs under ${place.section}: '${place.section}.${place.known}'`;
}

/** @param known the keys that may stand beside it */
function renamed(path: readonly PropertyKey[], known: readonly string[]): string | undefined {
  const key = String(path.at(-1));
  const names = [shown(path), ...(/[-_]|[a-z][A-Z]/.test(key) ? [key] : [])].map(bare);
  const [, old] = Object.entries(OLD_KEYS).find(([name]) => names.includes(bare(name))) ?? [];
  const command = COMMANDS.includes(key) && known.includes("run") ? "run" : undefined;
  // `auto_push`, `commitMessage`: their last word.
  const last = key.split(/[-_]|(?<=[a-z])(?=[A-Z])/).at(-1);
  const meant = command ?? known.find((name) => name === last?.toLowerCase());
  const advice = old ?? (meant && `it is called '${meant}'`) ?? (path.length === 1 ? misplaced(key) : undefined);
  return advice === undefined ? undefined : ` (${advice})`;
}

/** What other tools call the command of a hook. */
const COMMANDS = ["cmd", "command", "script"];

type JsonSchema = z.core.JSONSchema.BaseSchema;

function schemaAt(path: readonly PropertyKey[]): JsonSchema | undefined {
  const root = z.toJSONSchema(configSchema, { io: "input" });
  return path.reduce<JsonSchema | undefined>(
    (schema, key) =>
      (typeof key === "number" ? schema?.items : schema?.properties?.[String(key)]) as JsonSchema | undefined,
    root,
  );
}

/** `fs-guard.read.deny[0]` */
function shown(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("");
}
