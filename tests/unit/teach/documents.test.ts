/** Checks what the generated documents say. scripts/docs.mjs checks that they are up to date. */
import { expect, test } from "vitest";
import { actions } from "../../../src/actions/index.ts";
import { configSchema } from "../../../src/config/schema.ts";
import { starterConfig } from "../../../src/config/starter.ts";
import { actionSections, actionsTable, failuresTable, refusalsList, settingsTable, table } from "../../../scripts/documents/tables.ts";
import { FAILURES } from "../../../scripts/documents/failure-samples.ts";
import { actionsSchema, settingsSchema } from "../../../scripts/documents/schemas.ts";
import { type JsonSchema, parametersOf } from "../../../src/teach/parameters.ts";
import { parseNesl } from "../../support/parse-nesl.ts";
import { soughtRegex } from "../../../src/search/regex.ts";

const settings = settingsSchema(configSchema);

test("actions.md shows each action's example as a block", () => {
  const { blocks, errors } = parseNesl(actionSections());
  expect(errors).toEqual([]);
  expect(blocks.map(({ properties }) => ({ ...properties }))).toEqual(actions.map(({ name, example }) => ({ action: name, ...example })));
});

test("every parameter is explained", () => {
  for (const action of actions) for (const { description } of parametersOf(action)) expect(description).not.toBe("");
});

test("a parameter's form is described", () => {
  const forms = (name: string) => parametersOf(actions.find((action) => action.name === name) as (typeof actions)[number]).map(({ form }) => form);
  expect(forms("file_replace_all_text")).toEqual(["address", "text", "text", "digits", "text"]);
  expect(forms("files_read")).toEqual(["addresses"]);
  expect(forms("file_write")).toEqual(["path", "text", "text"]);
});

test("every failure has a sentence in actions.md", () => {
  for (const { code } of FAILURES) expect(failuresTable()).toContain(`| \`${code}\` | `);
});

test("actions.md says which regular expressions grep accepts", () => {
  const [, accepted = "", refused = ""] = /Accepted: ([^]*?)Refused[^:]*:([^]*?)\n\n/.exec(actionSections()) ?? [];
  const patterns = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, pattern]) => `a${pattern}`);
  expect(patterns(accepted).length).toBeGreaterThan(25);
  for (const pattern of patterns(accepted)) expect(() => soughtRegex(pattern)).not.toThrow();
  expect(patterns(refused)).toHaveLength(6);
  for (const pattern of patterns(refused)) expect(() => soughtRegex(pattern)).toThrow();
});

test("README's table has a row for each action", () => {
  expect(actionsTable().split("\n")).toHaveLength(actions.length + 2);
  expect(actionsTable()).toContain("| `grep` | `pattern` `path` [`include`] [`regex`] | ");
});

test("a cell cannot break its table", () => {
  expect(table(["a"], [["x | y\nz"]])).toBe("| a |\n| --- |\n| x \\| y z |");
});

test("configuration.md names and explains every key of loaf.yml", () => {
  const document = settingsTable(settings);
  const keys = keysOf(settings);
  expect(keys).toEqual(expect.arrayContaining(["version", "fs-guard.read.deny", "report.max_tokens"]));
  for (const key of keys) expect(document).toMatch(new RegExp(`^\\| \`${key}\` \\|.*\\| \\S.* \\|$`, "m"));
});

test("configuration.md lists what is refused to read, and what to write", () => {
  const [read, write] = refusalsList({ read: ["**/.env*"], write: ["**/.npmrc", "**/.hg/**"] }, [".env.example"]).split("\n");
  expect(read).toBe("- Reading, anywhere: `**/.env*`; but not `.env.example`.");
  expect(write).toBe("- Writing, anywhere: `**/.npmrc`, `**/.hg/**`.");
});

test("editors find the schema by the starter file's first line", () => {
  expect(starterConfig.split("\n")[0]).toBe(`# yaml-language-server: $schema=${String(settings["$id"])}`);
});

test("the schema of blocks accepts every example, and nothing undeclared", () => {
  const schemas = new Map((actionsSchema()["oneOf"] as JsonSchema[]).map((schema) => [schema["title"], schema]));
  for (const { name, example } of actions) {
    const schema = schemas.get(name);
    const keys = ["action", ...Object.keys(example)];
    expect(Object.keys(schema?.properties ?? {})).toEqual(expect.arrayContaining(keys));
    expect(keys).toEqual(expect.arrayContaining([...(schema?.required ?? [])]));
    expect(schema).toMatchObject({ additionalProperties: false, properties: { action: { const: name } } });
  }
});

function keysOf({ properties = {} }: JsonSchema, prefix = ""): string[] {
  return Object.entries(properties).flatMap(([name, property]) => [prefix + name, ...keysOf(property, `${prefix}${name}.`)]);
}
