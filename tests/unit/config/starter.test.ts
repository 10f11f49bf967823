import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { expect, test } from "vitest";
import { parseConfig } from "../../../src/config/parse.ts";
import { mergeConfigs } from "../../../src/config/merge.ts";
import { configSchema } from "../../../src/config/schema.ts";
import { starterConfig } from "../../../src/config/starter.ts";

/** With the `#` taken off every setting that is only shown. */
const uncommented = starterConfig.replaceAll(/^#(?! \S)/gm, "");

test("it can be read, and says what a new project wants", async () => {
  const settings = mergeConfigs(await parseConfig(starterConfig, "loaf.yml"));
  expect(settings).toEqual({ ...mergeConfigs(), relative_paths: true, edits: { match: "tolerant", final_newline: "ensure" } });
});

test("its first line leads editors to the schema of this major version", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const [major] = version.split(".");
  expect(starterConfig.split("\n")[0]).toBe(`# yaml-language-server: $schema=https://unpkg.com/loaf-cli@${major}/docs/loaf.schema.json`);
});

test("taking the # away from what it shows is enough", async () => {
  await expect(parseConfig(uncommented, "loaf.yml")).resolves.toBeDefined();
});

test("it shows every key there is", () => {
  const shown = [...uncommented.matchAll(/([\w-]+):(?= |$)/gm)].map(([, key]) => key);
  expect(shown).toEqual(expect.arrayContaining(keysOf(z.toJSONSchema(configSchema, { io: "input" }))));
});

function keysOf(schema: z.core.JSONSchema.BaseSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => [key, ...keysOf(value as z.core.JSONSchema.BaseSchema)]);
}
