import { expect, test } from "vitest";
import { listSettings } from "../../../src/config/listing.ts";

const setting = (key: string, ...configs: Parameters<typeof listSettings>[0]) => listSettings(configs).find((one) => one.key === key);
const user = { source: "user", config: { relative_paths: true, "fs-guard": { denied: ["a"] } } };
const project = { source: "project", config: { relative_paths: false, "fs-guard": { read: { deny: ["b"] } } } };

test("a default has no origin", () => {
  expect(setting("limits.max_blocks", user)).toEqual({ key: "limits.max_blocks", value: 10_000, from: [] });
});

test("the later of two files counts", () => {
  expect(setting("relative_paths", user, project)).toEqual({ key: "relative_paths", value: false, from: ["project"] });
});

test("refusals name all files that have some", () => {
  expect(setting("fs-guard.read.deny", user, project)).toEqual({ key: "fs-guard.read.deny", value: ["a", "b"], from: ["user", "project"] });
});

test("unset optional settings are listed too", () => {
  expect(listSettings([]).map(({ key }) => key)).toEqual([
    "version",
    "allowed-actions",
    "relative_paths",
    "fs-guard.read.allow",
    "fs-guard.read.deny",
    "fs-guard.write.allow",
    "fs-guard.write.deny",
    "edits.match",
    "edits.final_newline",
    "exec.sandbox",
    "exec.view",
    "exec.copy_limit",
    "exec.network",
    "exec.timeout",
    "exec.env",
    "exec.languages",
    "transaction",
    "git.commit",
    "git.push",
    "git.hooks",
    "git.message",
    "hooks.before",
    "hooks.after",
    "vars",
    "checks",
    "history.max_age",
    "history.max_size",
    "limits.max_file_size",
    "limits.max_input",
    "limits.max_blocks",
    "limits.action_time",
    "limits.action_memory",
    "syntaxes",
    "csl.start",
    "csl.end",
    "report.max_tokens",
    "report.on_miss",
    "mcp.commit",
    "watch.input",
    "watch.output",
    "watch.debounce",
    "watch.clipboard.read",
    "watch.clipboard.write",
  ]);
});
