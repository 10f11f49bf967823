import { expect, test } from "vitest";
import { mergeConfigs } from "../../../src/config/merge.ts";
import type { Config } from "../../../src/config/schema.ts";
import { withoutTrust } from "../../../src/trust/without-trust.ts";

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

test("42: it has no say in what is kept to undo runs", () => {
  const own = { history: { max_age: 90 } };
  expect(untrusted({ history: { max_age: 1, max_size: 1 } }, own)).toMatchObject({
    settings: { history: { max_age: 90, max_size: 2 ** 30 } },
    loosened: ["history.max_age", "history.max_size"],
  });
  expect(untrusted({ history: { max_age: 36_500 } })).toMatchObject({ settings: { history: { max_age: 30 } }, loosened: ["history.max_age"] });
  expect(untrusted({}, own)).toMatchObject({ settings: { history: { max_age: 90 } }, loosened: [] });
});

test("it can ask for all or nothing, and not take it back", () => {
  expect(untrusted({ transaction: "all-or-nothing" })).toMatchObject({ settings: { transaction: "all-or-nothing" }, loosened: [] });
  expect(untrusted({ transaction: "keep" }, { transaction: "all-or-nothing" })).toMatchObject({ settings: { transaction: "all-or-nothing" }, loosened: ["transaction"] });
  expect(untrusted({ transaction: "keep" })).toMatchObject({ settings: { transaction: "keep" }, loosened: [] });
});

test("what harms nobody is the project's to say", () => {
  expect(untrusted({ relative_paths: true, edits: { final_newline: "ensure" } })).toMatchObject({ settings: { relative_paths: true, edits: { final_newline: "ensure" } }, loosened: [] });
});

test("it cannot choose other delimiters, in which harmless text would act", () => {
  const other = { csl: { start: "[[", end: "]]" } };
  expect(untrusted(other)).toMatchObject({ settings: { csl: { start: "<---", end: "--->" } }, loosened: ["csl.start", "csl.end"] });
  expect(untrusted(other, other)).toMatchObject({ settings: other, loosened: [] });
});

test("it cannot choose what is watched, written to or read from the clipboard", () => {
  const other = { watch: { input: "src/main.ts", output: "README.md", debounce: 0, clipboard: { read: true, write: true } } };
  expect(untrusted(other)).toMatchObject({
    settings: { watch: { input: "loaf-input.md", output: ".loaf/output.md", debounce: 100, clipboard: { read: false, write: false } } },
    loosened: ["watch.input", "watch.output", "watch.debounce", "watch.clipboard.read", "watch.clipboard.write"],
  });
  expect(untrusted(other, other)).toMatchObject({ settings: other, loosened: [] });
});

test("commands may be given less, never more", () => {
  const asked: Config = { exec: { network: true, timeout: 60_000, env: ["PATH", "AWS_SECRET"], languages: ["bash"] } };
  expect(untrusted(asked)).toMatchObject({ settings: { exec: { network: false, timeout: 30_000, env: ["PATH"], languages: ["bash"] } }, loosened: ["exec.network", "exec.timeout", "exec.env"] });
  expect(untrusted({ exec: { timeout: 5, env: [] } })).toMatchObject({ settings: { exec: { timeout: 5, env: [] } }, loosened: [] });
  expect(untrusted({ exec: { sandbox: "required" } }, { exec: { sandbox: "off", network: true } })).toMatchObject({ settings: { exec: { sandbox: "required", network: true } }, loosened: [] });
  expect(untrusted({ exec: { sandbox: "off" } })).toMatchObject({ settings: { exec: { sandbox: "required" } }, loosened: ["exec.sandbox"] });
});

test("a project may keep a run from committing and pushing, and say what commits say, but not push by itself", () => {
  expect(untrusted({ git: { commit: false, push: true, message: "x" } })).toMatchObject({ settings: { git: { commit: false, push: false, message: "x" } }, loosened: ["git.push"] });
  expect(untrusted({ git: { commit: true, push: false } }, { git: { commit: false, push: true } })).toMatchObject({ settings: { git: { commit: false, push: false } }, loosened: ["git.commit"] });
});

test("its hooks do not run, and its names stand for nothing in the user's", () => {
  const own = { hooks: { after: [{ run: "mine" }] }, vars: { A: "mine" } };
  const asked = { hooks: { before: [{ run: "theirs" }] }, vars: { A: "theirs", B: "theirs" } };
  expect(untrusted(asked, own)).toMatchObject({ settings: own, loosened: ["hooks.before", "vars.A", "vars.B"] });
  expect(untrusted(asked).settings).not.toHaveProperty("hooks");
  expect(untrusted(asked).settings).not.toHaveProperty("vars");
  expect(untrusted({}, own)).toMatchObject({ settings: own, loosened: [] });
});

test("empty lists of hooks ask for nothing, unless the user has hooks that they would take away", () => {
  expect(untrusted({ hooks: { before: [], after: [] }, vars: {} }).loosened).toEqual([]);
  expect(untrusted({ hooks: {} }).loosened).toEqual([]);
  const own: Config = { hooks: { before: [{ run: "npm test" }] } };
  expect(untrusted({ hooks: { before: [] } }, own)).toMatchObject({ settings: own, loosened: ["hooks.before"] });
});
