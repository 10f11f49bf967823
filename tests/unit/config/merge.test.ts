import { describe, expect, test } from "vitest";
import { mergeConfigs } from "../../../src/config/merge.ts";
import type { Config } from "../../../src/config/schema.ts";
import { FORMATS } from "../../../src/syntaxes/index.ts";

test("without configuration the defaults apply", () => {
  expect(mergeConfigs()).toEqual({
    version: 1,
    relative_paths: false,
    "fs-guard": { read: {}, write: {} },
    edits: { match: "exact", final_newline: "as-is" },
    exec: { sandbox: "required", view: "auto", copy_limit: 524_288_000, network: false, timeout: 30_000, env: ["PATH"], languages: ["bash", "python", "javascript", "ruby"] },
    transaction: "keep",
    git: { commit: true, push: false, hooks: false, message: "AI: {operation_summary}" },
    history: { max_age: 30, max_size: 1_073_741_824 },
    limits: { max_file_size: 10_485_760, max_input: 67_108_864, max_blocks: 10_000, action_time: 5_000, action_memory: 1_073_741_824 },
    syntaxes: FORMATS.filter((name) => name !== "whole-file" && name !== "lazy" && name !== "plain"),
    csl: { start: "<---", end: "--->" },
    report: { max_tokens: 20_000, on_miss: "excerpt" },
    mcp: { commit: "session" },
    watch: { input: "loaf-input.md", output: ".loaf/output.md", debounce: 100, clipboard: { read: "off", write: false } },
  });
});

test("nested sections are merged key by key too", () => {
  const settings = mergeConfigs({ watch: { debounce: 5, clipboard: { read: "ask" } } }, { watch: { input: "chat.md", clipboard: { write: true } } });
  expect(settings.watch).toEqual({ input: "chat.md", output: ".loaf/output.md", debounce: 5, clipboard: { read: "ask", write: true } });
});

test("a later configuration takes precedence, key by key", () => {
  const earlier = { relative_paths: true, limits: { max_input: 5, max_blocks: 6 }, history: { max_age: 3 } };
  const settings = mergeConfigs(earlier, { limits: { max_blocks: 7 }, history: { max_size: 8 } });
  expect(settings.relative_paths).toBe(true);
  expect(settings.limits).toEqual({ max_file_size: 10_485_760, max_input: 5, max_blocks: 7, action_time: 5_000, action_memory: 1_073_741_824 });
  expect(settings.history).toEqual({ max_age: 3, max_size: 8 });
});

test("a list replaces a list", () => {
  expect(mergeConfigs({ "allowed-actions": ["ls", "grep"] }, { "allowed-actions": ["ls"] })["allowed-actions"]).toEqual(["ls"]);
});

describe("guard rules", () => {
  const rulesOf = (...configs: Config[]) => mergeConfigs(...configs)["fs-guard"];

  test("the short form applies to both kinds of access", () => {
    expect(rulesOf({ "fs-guard": { allowed: ["a"], denied: ["b"] } })).toEqual({ read: { allow: ["a"], deny: ["b"] }, write: { allow: ["a"], deny: ["b"] } });
  });

  test("a specific allow list replaces the short form, specific refusals add to it", () => {
    expect(rulesOf({ "fs-guard": { allowed: ["a"], denied: ["b"], write: { allow: ["c"], deny: ["d"] } } })).toEqual({
      read: { allow: ["a"], deny: ["b"] },
      write: { allow: ["c"], deny: ["b", "d"] },
    });
  });

  test("a project's refusals add to the user's, its permissions replace the user's", () => {
    const user = { "fs-guard": { read: { allow: ["a", "~/notes/**"], deny: ["b"] } } };
    expect(rulesOf(user, { "fs-guard": { read: { allow: ["a"], deny: ["c"] } } }).read).toEqual({ allow: ["a"], deny: ["b", "c"] });
  });

  test("no file revokes another's refusal", () => {
    expect(rulesOf({ "fs-guard": { denied: ["b"] } }, { "fs-guard": { read: { deny: [] } } }).read.deny).toEqual(["b"]);
  });

  test("no file revokes another's refusal of files with several names", () => {
    const rules = (...values: Array<"report" | "deny">) => rulesOf(...values.map((hard_links) => ({ "fs-guard": { hard_links } }))).hard_links;
    expect([rules(), rules("report"), rules("report", "deny"), rules("deny", "report")]).toEqual([undefined, "report", "deny", "deny"]);
    expect(rulesOf({ "fs-guard": { hard_links: "deny" } }, { "fs-guard": { denied: ["b"] } })).toEqual({ read: { deny: ["b"] }, write: { deny: ["b"] }, hard_links: "deny" });
  });

  test("an empty allow list stays empty, an absent one absent", () => {
    expect(rulesOf({ "fs-guard": { read: { allow: [] } } })).toEqual({ read: { allow: [] }, write: {} });
  });
});
