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

test("it may use a limit that the user raised", () => {
  expect(untrusted({ limits: { max_blocks: 40_000 } }, { limits: { max_blocks: 50_000 } })).toMatchObject({ settings: { limits: { max_blocks: 40_000 } }, loosened: [] });
});

test("it can disallow actions, but not allow one that the user disallowed", () => {
  const actionsOf = ({ settings, loosened }: ReturnType<typeof untrusted>) => [settings["allowed-actions"], loosened];
  expect(actionsOf(untrusted({ "allowed-actions": ["ls"] }))).toEqual([["ls"], []]);
  expect(actionsOf(untrusted({}, { "allowed-actions": ["ls"] }))).toEqual([["ls"], []]);
  expect(actionsOf(untrusted({ "allowed-actions": ["ls", "file_write"] }, { "allowed-actions": ["ls", "grep"] }))).toEqual([["ls"], ["allowed-actions"]]);
});

test("42: it cannot set what is kept to undo runs", () => {
  const own = { history: { max_age: 90 } };
  expect(untrusted({ history: { max_age: 1, max_size: 1 } }, own)).toMatchObject({
    settings: { history: { max_age: 90, max_size: 2 ** 30 } },
    loosened: ["history.max_age", "history.max_size"],
  });
  expect(untrusted({ history: { max_age: 36_500 } })).toMatchObject({ settings: { history: { max_age: 30 } }, loosened: ["history.max_age"] });
  expect(untrusted({}, own)).toMatchObject({ settings: { history: { max_age: 90 } }, loosened: [] });
});

test("it can request all-or-nothing, but not turn it off", () => {
  expect(untrusted({ transaction: "all-or-nothing" })).toMatchObject({ settings: { transaction: "all-or-nothing" }, loosened: [] });
  expect(untrusted({ transaction: "keep" }, { transaction: "all-or-nothing" })).toMatchObject({ settings: { transaction: "all-or-nothing" }, loosened: ["transaction"] });
  expect(untrusted({ transaction: "keep" })).toMatchObject({ settings: { transaction: "keep" }, loosened: [] });
});

test("the project decides on harmless settings", () => {
  expect(untrusted({ relative_paths: true, edits: { final_newline: "ensure" } })).toMatchObject({ settings: { relative_paths: true, edits: { final_newline: "ensure" } }, loosened: [] });
});

test("it cannot choose other delimiters, which would turn harmless text into blocks", () => {
  const other = { csl: { start: "[[", end: "]]" } };
  expect(untrusted(other)).toMatchObject({ settings: { csl: { start: "<---", end: "--->" } }, loosened: ["csl.start", "csl.end"] });
  expect(untrusted(other, other)).toMatchObject({ settings: other, loosened: [] });
});

test.each(["ask", "twice"] as const)("it cannot choose the watched files, or have the clipboard read (%s) or written", (read) => {
  const other = { watch: { input: "src/main.ts", output: "README.md", debounce: 0, clipboard: { read, write: true } } };
  expect(untrusted(other)).toMatchObject({
    settings: { watch: { input: "loaf-input.md", output: ".loaf/output.md", debounce: 100, clipboard: { read: "off", write: false } } },
    loosened: ["watch.input", "watch.output", "watch.debounce", "watch.clipboard.read", "watch.clipboard.write"],
  });
  expect(untrusted(other, other)).toMatchObject({ settings: other, loosened: [] });
});

test("it may restrict commands, but never give them more", () => {
  const asked: Config = { exec: { network: true, timeout: 60_000, env: ["PATH", "AWS_SECRET"], languages: ["bash"] } };
  expect(untrusted(asked)).toMatchObject({ settings: { exec: { network: false, timeout: 30_000, env: ["PATH"], languages: ["bash"] } }, loosened: ["exec.network", "exec.timeout", "exec.env"] });
  expect(untrusted({ exec: { timeout: 5, env: [] } })).toMatchObject({ settings: { exec: { timeout: 5, env: [] } }, loosened: [] });
  expect(untrusted({ exec: { sandbox: "required" } }, { exec: { sandbox: "off", network: true } })).toMatchObject({ settings: { exec: { sandbox: "required", network: true } }, loosened: [] });
  expect(untrusted({ exec: { sandbox: "off" } })).toMatchObject({ settings: { exec: { sandbox: "required" } }, loosened: ["exec.sandbox"] });
});

test("it may turn off commits and pushes and set the message, but not turn on pushes", () => {
  expect(untrusted({ git: { commit: false, push: true, message: "x" } })).toMatchObject({ settings: { git: { commit: false, push: false, message: "x" } }, loosened: ["git.push"] });
  expect(untrusted({ git: { commit: true, push: false } }, { git: { commit: false, push: true } })).toMatchObject({ settings: { git: { commit: false, push: false } }, loosened: ["git.commit"] });
});

test("its hooks do not run, and its vars have no effect in the user's hooks", () => {
  const own = { hooks: { after: [{ run: "mine" }] }, vars: { A: "mine" } };
  const asked = { hooks: { before: [{ run: "theirs" }] }, vars: { A: "theirs", B: "theirs" } };
  expect(untrusted(asked, own)).toMatchObject({ settings: own, loosened: ["hooks.before", "vars.A", "vars.B"] });
  expect(untrusted(asked).settings).not.toHaveProperty("hooks");
  expect(untrusted(asked).settings).not.toHaveProperty("vars");
  expect(untrusted({}, own)).toMatchObject({ settings: own, loosened: [] });
});

test("its checks do not run, and do not replace the user's", () => {
  const own: Config = { checks: [{ run: "mine" }] };
  expect(untrusted({ checks: [{ run: "theirs" }] }, own)).toMatchObject({ settings: own, loosened: ["checks"] });
  expect(untrusted({ checks: [{ run: "theirs" }] }).settings).not.toHaveProperty("checks");
  expect(untrusted({ checks: [] }).loosened).toEqual([]);
});

test("empty lists of hooks request nothing, unless they would remove the user's hooks", () => {
  expect(untrusted({ hooks: { before: [], after: [] }, vars: {} }).loosened).toEqual([]);
  expect(untrusted({ hooks: {} }).loosened).toEqual([]);
  const own: Config = { hooks: { before: [{ run: "npm test" }] } };
  expect(untrusted({ hooks: { before: [] } }, own)).toMatchObject({ settings: own, loosened: ["hooks.before"] });
});
