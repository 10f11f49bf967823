import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { expect, test } from "vitest";
import { initSettings } from "../../../src/config/defaults.ts";
import { parseConfig } from "../../../src/config/parse.ts";
import { mergeConfigs } from "../../../src/config/merge.ts";
import { configSchema } from "../../../src/config/schema.ts";
import { starterConfig, starterText } from "../../../src/config/starter.ts";

/** The starter configuration with all disabled settings enabled. */
const uncommented = starterConfig.replaceAll(/^#(?! \S)/gm, "");

test("is valid, and has the settings of a new project", async () => {
  const settings = mergeConfigs(await parseConfig(starterConfig, "loaf.yml"));
  expect(settings).toEqual({ ...mergeConfigs(), relative_paths: true, edits: { match: "tolerant", final_newline: "ensure" } });
  expect(settings).toEqual(mergeConfigs(initSettings));
});

test("has the answers of the user", async () => {
  const settings = mergeConfigs(await parseConfig(starterText({ commit: false, tolerant: false, clipboard: true }), "loaf.yml"));
  const { git, edits, watch } = mergeConfigs(initSettings);
  expect(settings).toMatchObject({ git: { ...git, commit: false }, edits: { ...edits, match: "exact" }, watch: { ...watch, clipboard: { read: "ask", write: true } } });
});

test("its first line names the schema of this major version for editors", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const [major] = version.split(".");
  expect(starterConfig.split("\n")[0]).toBe(`# yaml-language-server: $schema=https://unpkg.com/loaf-cli@${major}/docs/loaf.schema.json`);
});

test("removing the # enables a setting, whatever was answered", async () => {
  for (const choice of [true, false]) await expect(parseConfig(starterText({ commit: choice, tolerant: choice, clipboard: choice }).replaceAll(/^#(?! \S)/gm, ""), "loaf.yml")).resolves.toBeDefined();
});

test("shows every key", () => {
  const shown = [...uncommented.matchAll(/([\w-]+):(?= |$)/gm)].map(([, key]) => key);
  expect(shown).toEqual(expect.arrayContaining(keysOf(z.toJSONSchema(configSchema, { io: "input" }))));
});

function keysOf(schema: z.core.JSONSchema.BaseSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => [key, ...keysOf(value as z.core.JSONSchema.BaseSchema)]);
}
