/** Checks a value against the schema of loaf.yml and words the problems. `parse.ts` finds their places in the text. */
import * as z from "zod/mini";
import { didYouMean } from "./closest.ts";
import { ConfigError } from "./problem.ts";
import { configSchema, type Config } from "./schema.ts";

/** A problem at a key path: `["limits", "max_input"]`. */
export interface Finding {
  readonly path: readonly PropertyKey[];
  /** True if the key itself is wrong, not its value. */
  readonly atKey: boolean;
  readonly message: string;
}

/** Returns the problems of a value. If there are none, it is a `Config`. */
export function check(value: unknown): Finding[] {
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
  const findings = check(value);
  if (findings.length > 0) throw new ConfigError(findings.map(({ message }) => ({ source: "config", message })));
  return value as Config;
}

function unknownKeys(keys: readonly string[], parent: readonly PropertyKey[]): Finding[] {
  const known = keysAt(parent);
  const where = parent.length === 0 ? "" : ` in '${shown(parent)}'`;
  return keys.map((key) => ({
    path: [...parent, key],
    atKey: true,
    message: `Unknown key '${key}'${where}${renamed([...parent, key]) ?? didYouMean(key, known)}`,
  }));
}

/** Keys of older versions, and how to replace them. */
const OLD_KEYS: Readonly<Record<string, string>> = {
  "fs-guard.fs": "write its lists directly under fs-guard: allowed and denied, or allow and deny under read and write",
  "fs-guard.mode": "there is only one mode: what no rule allows is refused",
  "fs-guard.rules": "write them under read and write, each with allow and deny",
  "edits.mode": "it is now called 'match': exact or tolerant",
  "exec.mode": "it is now called 'sandbox': required, auto or off",
  mode: "use 'transaction' for rollback, 'edits.match' for matching, 'exec.sandbox' for commands",
  allowed: "it belongs under fs-guard: 'fs-guard.allowed'",
  denied: "it belongs under fs-guard: 'fs-guard.denied'",
  sandbox: "it belongs under exec: 'exec.sandbox'",
};

function renamed(path: readonly PropertyKey[]): string | undefined {
  const key = shown(path);
  const advice = Object.hasOwn(OLD_KEYS, key) ? OLD_KEYS[key] : undefined;
  return advice === undefined ? undefined : ` (${advice})`;
}

/** Returns the keys of the schema at a path. */
function keysAt(path: readonly PropertyKey[]): string[] {
  const root = z.toJSONSchema(configSchema, { io: "input" });
  const found = path.reduce<z.core.JSONSchema.BaseSchema | undefined>(
    (schema, key) =>
      (typeof key === "number" ? schema?.items : schema?.properties?.[String(key)]) as z.core.JSONSchema.BaseSchema,
    root,
  );
  return Object.keys(found?.properties ?? {});
}

/** `fs-guard.read.deny[0]` */
function shown(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("");
}
