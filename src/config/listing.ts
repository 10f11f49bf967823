/** What each setting is and where it comes from, for people. */
import * as z from "zod/mini";
import { guardRules } from "./guard-rules.ts";
import { mergeConfigs } from "./merge.ts";
import { configSchema, type Config } from "./schema.ts";

export interface Setting {
  /** `limits.max_input` */
  readonly key: string;
  /** Undefined where the setting has no value unless it is given one: all actions are allowed, say. */
  readonly value: unknown;
  /** The configurations that gave it; none where it is the default. */
  readonly from: readonly string[];
}

/** Every setting there is, as these configurations give it, a later one before an earlier. */
export function listSettings(configs: ReadonlyArray<{ readonly source: string; readonly config: Config }>): Setting[] {
  const settings = mergeConfigs(...configs.map(({ config }) => config));
  const written = configs.map(({ source, config }) => ({ source, config: { ...config, "fs-guard": guardRules(config["fs-guard"]) } }));
  return settingKeys().map((path) => {
    const from = written.filter(({ config }) => valueAt(config, path.join(".")) !== undefined).map(({ source }) => source);
    // Refusals and names add up; of anything else the last one counts.
    return { key: path.join("."), value: valueAt(settings, path.join(".")), from: path.at(-1) === "deny" || path[0] === "vars" ? from : from.slice(-1) };
  });
}

/** The key paths of the schema, but for the guard's short forms. */
function settingKeys(): string[][] {
  return pathsBelow(z.toJSONSchema(configSchema, { io: "input" })).filter((path) => path[0] !== "fs-guard" || path.length === 3);
}

function pathsBelow(schema: z.core.JSONSchema.BaseSchema): string[][] {
  return Object.entries((schema.properties ?? {}) as Record<string, z.core.JSONSchema.BaseSchema>).flatMap(([key, value]) =>
    value.properties ? pathsBelow(value).map((path) => [key, ...path]) : [[key]],
  );
}

/** What settings have at a key: `limits.max_input`. */
export function valueAt(settings: unknown, key: string): unknown {
  return key.split(".").reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], settings);
}
