import { describe, expect, test, vi } from "vitest";
import { type Overview, overviewLines } from "../../../../src/faces/cli/overview.ts";

vi.stubGlobal("LOAF_VERSION", "1.2.3");

const NOW = Date.parse("2026-11-24T12:00:00Z");
const here: Overview = { root: "/p", config: "valid", input: "loaf-input.md" };
const last = { run: 7, started: "2026-11-24T11:55:00Z", summary: "edit a.ts", state: "done" } as const;
const facts = (overview: Partial<Overview>) => overviewLines({ ...here, ...overview }, NOW).filter((line) => !line.startsWith("  "));

describe("the lines of loaf alone", () => {
  test("are ten at most, and the commands give way", () => {
    const all = overviewLines({ ...here, config: "none", watching: 1, last: { ...last, state: "unfinished" }, idle: { at: "2026-11-24T11:59:00Z", failed: 3 }, copied: 3 }, NOW);
    expect(all).toHaveLength(10);
    expect(overviewLines(here, NOW)).toHaveLength(6);
  });

  test.each<[string, Partial<Overview>, string]>([
    ["no loaf.yml", { config: "none" }, "No loaf.yml here: loaf init writes one; until then its settings apply"],
    ["an invalid loaf.yml", { config: { problem: "loaf.yml:1:1: Unknown key 'a'", others: 0 } }, "loaf.yml:1:1: Unknown key 'a': nothing runs until that is fixed"],
    ["how many errors an invalid loaf.yml has", { config: { problem: "loaf.yml:1:1: Unknown key 'a'", others: 2 } }, "loaf.yml:1:1: Unknown key 'a', and 2 more errors: nothing runs until they are fixed; loaf doctor shows them"],
    ["an untrusted loaf.yml", { config: "untrusted" }, "loaf.yml is not trusted as it is now, so it allows no more than the defaults. Read it, then: loaf trust"],
    ["a running watch", { watching: 12, input: "in.md" }, "loaf watch is running (process 12): save answers into in.md"],
    ["an interrupted run", { last: { ...last, state: "unfinished" } }, "Run 7 was interrupted: loaf recover finishes it, and so does the next run"],
    ["a run in progress", { last: { ...last, state: "running" }, running: 9 }, "A run is in progress (process 9)"],
    ["a run in progress within a change", { last: { ...last, state: "unfinished" }, running: 9 }, "A run is in progress (process 9)"],
    ["a run killed between its changes", { last: { ...last, state: "interrupted" } }, "Run 7, 5 minutes ago, was interrupted. Its changes stay, and are not committed: loaf diff shows them, loaf undo takes them back"],
    ["the last run", { last }, "Run 7, 5 minutes ago: edit a.ts · loaf diff shows it, loaf undo takes it back"],
    ["a run undone", { last: { ...last, state: "undone" } }, "Run 7, 5 minutes ago: edit a.ts (undone) · loaf redo brings it back"],
    ["failures of the last run", { last: { ...last, failed: 2 } }, "Run 7, 5 minutes ago: edit a.ts; 2 of its blocks failed · loaf diff shows it, loaf undo takes it back"],
    ["a later run that changed nothing", { last, idle: { at: "2026-11-24T11:57:00Z", failed: 1 } }, "The last run, 3 minutes ago, changed nothing; 1 of its blocks failed"],
    ["an answer on the clipboard", { copied: 1 }, "The clipboard holds an answer with 1 block: loaf paste runs it"],
  ])("name %s", (_, overview, line) => {
    expect(facts(overview).slice(1)).toEqual([line]);
  });

  test("do not blame a run for failures of an earlier one", () => {
    expect(facts({ last, idle: { at: "2026-11-24T11:50:00Z", failed: 1 } }).join()).not.toContain("failed");
  });
});
