/** Lists the value and the origin of each setting. */
import * as z from "zod/mini";
import { guardRules } from "./guard-rules.ts";
import { mergeConfigs } from "./merge.ts";
import { configSchema, type Config } from "./schema.ts";

export interface Setting {
  /** `limits.max_input` */
  readonly key: string;
  /** Undefined if the setting is optional and not set. */
  readonly value: unknown;
  /** The configurations that set it. Empty for a default. */
  readonly from: readonly string[];
}

/** Returns all settings as given by these configurations. Later ones take precedence. */
export function listSettings(configs: ReadonlyArray<{ readonly source: string; readonly config: Config }>): Setting[] {
  const settings = mergeConfigs(...configs.map(({ config }) => config));
  const written = configs.map(({ source, config }) => ({
    source,
    config: { ...config, "fs-guard": guardRules(config["fs-guard"]) },
  }));
  return settingKeys().map((path) => {
    const from = written
      .filter(({ config }) => valueAt(config, path.join(".")) !== undefined)
      .map(({ source }) => source);
    // Refusals and vars accumulate. Otherwise the last one counts.
    return {
      key: path.join("."),
      value: valueAt(settings, path.join(".")),
      from: path.at(-1) === "deny" || path[0] === "vars" ? from : from.slice(-1),
    };
  });
}

/** Returns the key paths of the schema, without the guard's short forms. */
function settingKeys(): string[][] {
  return pathsBelow(z.toJSONSchema(configSchema, { io: "input" })).filter(
    (path) => path[0] !== "fs-guard" || path.length === 3,
  );
}

function pathsBelow(schema: z.core.JSONSchema.BaseSchema): string[][] {
  return Object.entries((schema.properties ?? {}) as Record<string, z.core.JSONSchema.BaseSchema>).flatMap(
    ([key, value]) => (value.properties ? pathsBelow(value).map((path) => [key, ...path]) : [[key]]),
  );
}

/** Returns the value at a key path such as `limits.max_input`. */
export function valueAt(settings: unknown, key: string): unknown {
  return key
    .split(".")
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], settings);
}
