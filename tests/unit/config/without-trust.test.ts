import { expect, test } from "vitest";
import { mergeConfigs } from "../../../src/config/merge.ts";
import type { Config } from "../../../src/config/schema.ts";
import { withoutTrust } from "../../../src/config/without-trust.ts";

const untrusted = (project: Config, user: Config = {}) => withoutTrust(mergeConfigs(user, project), mergeConfigs(user));

test("a project may lower a limit", () => {
  expect(untrusted({ limits: { max_blocks: 5 }, report: { max_tokens: 100 } })).toMatchObject({
    settings: { limits: { max_blocks: 5, max_input: 67_108_864 }, report: { max_tokens: 100 } },
    loosened: [],
  });
});

test("it cannot raise one above the defaults, nor above the user's own", () => {
  const project = { limits: { max_file_size: 2 ** 28, max_blocks: 9 }, report: { max_tokens: 10 ** 6 } };
  expect(untrusted(project)).toMatchObject({
    settings: { limits: { max_file_size: 10_485_760, max_blocks: 9 }, report: { max_tokens: 20_000 } },
    loosened: ["limits.max_file_size", "report.max_tokens"],
  });
  expect(untrusted(project, { limits: { max_blocks: 3 } })).toMatchObject({
    settings: { limits: { max_blocks: 3 } },
    loosened: ["limits.max_file_size", "limits.max_blocks", "report.max_tokens"],
  });
});

test("what the user has raised, it may use", () => {
  expect(untrusted({ limits: { max_blocks: 40_000 } }, { limits: { max_blocks: 50_000 } })).toMatchObject({ settings: { limits: { max_blocks: 40_000 } }, loosened: [] });
});

test("it can take actions away, and never give back one that the user took away", () => {
  const actionsOf = ({ settings, loosened }: ReturnType<typeof untrusted>) => [settings["allowed-actions"], loosened];
  expect(actionsOf(untrusted({ "allowed-actions": ["ls"] }))).toEqual([["ls"], []]);
  expect(actionsOf(untrusted({}, { "allowed-actions": ["ls"] }))).toEqual([["ls"], []]);
  expect(actionsOf(untrusted({ "allowed-actions": ["ls", "file_write"] }, { "allowed-actions": ["ls", "grep"] }))).toEqual([["ls"], ["allowed-actions"]]);
});

test("what harms nobody is the project's to say", () => {
  expect(untrusted({ relative_paths: true, edits: { final_newline: "ensure" } })).toMatchObject({ settings: { relative_paths: true, edits: { final_newline: "ensure" } }, loosened: [] });
});

test("it cannot choose other delimiters, in which harmless text would act", () => {
  const other = { csl: { start: "[[", end: "]]" } };
  expect(untrusted(other)).toMatchObject({ settings: { csl: { start: "<---", end: "--->" } }, loosened: ["csl.start", "csl.end"] });
  expect(untrusted(other, other)).toMatchObject({ settings: other, loosened: [] });
});
