/** Checks of the configuration: when they run, and what they may do. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Loaf, type ExecutionResult } from "../../../src/index.ts";
import type { ExecuteOptions, LoafOptions } from "../../../src/run/options.ts";
import { fullReport } from "../../../src/report/chat.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { hasSandbox } from "../../support/programs.ts";
import { createFolder } from "../../support/folder.ts";

const edit = printBlock("e1d", { action: "file_replace_text", path: "a.txt", old_text: "one", new_text: "two" });
const config = { relative_paths: true, checks: [{ run: "cat a.txt" }] };

async function runIn(root: string, options: LoafOptions = {}, how: ExecuteOptions = {}): Promise<ExecutionResult> {
  return (await Loaf.create({ repoPath: root, config, ...options })).execute(edit, how);
}

describe.runIf(hasSandbox)("with a sandbox", () => {
  test("a check sees what the run has changed, and what it changes itself is discarded", async () => {
    const root = createFolder({ "a.txt": "one" });
    const { success, checks, modifiedFiles } = await runIn(root, { config: { ...config, checks: [{ run: "cat a.txt; echo three > a.txt; touch b.txt" }, { run: "cat a.txt" }] } });
    expect({ success, checks, modifiedFiles }).toEqual({
      success: true,
      checks: [
        { command: "cat a.txt; echo three > a.txt; touch b.txt", success: true, stdout: "two", stderr: "" },
        { command: "cat a.txt", success: true, stdout: "two", stderr: "" },
      ],
      modifiedFiles: ["a.txt"],
    });
    expect(existsSync(join(root, "b.txt"))).toBe(false);
  });

  test("who watches a run is told of each check before and after it, and of its output in between", async () => {
    const told: string[] = [];
    const { checks = [] } = await runIn(createFolder({ "a.txt": "one" }), {}, {
      onProgress: (step) => {
        if (step.kind === "checking") told.push(`starts ${step.command}`);
        if (step.kind === "output") told.push(`output ${Buffer.from(step.piece).toString()}`);
        if (step.kind === "checked") told.push(`ended ${step.check.success}`);
      },
    });
    expect(told).toEqual(["starts cat a.txt", "output two", "ended true"]);
    expect(checks).toHaveLength(1);
  });

  test("in a dry run a check sees the changes that would be made", async () => {
    const root = createFolder({ "a.txt": "one" });
    const loaf = await Loaf.create({ repoPath: root, config: { ...config, checks: [{ run: "cat a.txt; rm a.txt", on: "a.*" }, { run: "echo never", on: "b.*" }] }, dryRun: true });
    expect((await loaf.execute(edit)).checks).toMatchObject([{ success: true, stdout: "two" }]);
    expect(loaf.changes()).toHaveLength(1);
  });

  test("a check that fails leaves the run a success, and one that takes too long is ended", async () => {
    const root = createFolder({ "a.txt": "one" });
    const { success, checks } = await runIn(root, { config: { ...config, checks: [{ run: "exit 3" }, { run: "sleep 20", timeout: 200 }] } });
    expect(success).toBe(true);
    expect(checks).toMatchObject([{ success: false, error: "Process exited with code 3" }, { success: false, error: "Process timeout after 0.2s (TIMEOUT)", hint: "the user can give this check a longer timeout in loaf.yml" }]);
  });

  test("languages that answers may not use do not matter to a check", async () => {
    const { checks } = await runIn(createFolder({ "a.txt": "one" }), { config: { ...config, exec: { languages: [] } } });
    expect(checks).toMatchObject([{ success: true }]);
  });

  test("a text that arrives in pieces is checked once, at its end", async () => {
    const loaf = await Loaf.create({ repoPath: createFolder({ "a.txt": "one" }), config });
    async function* pieces(): AsyncGenerator<string> {
      yield `${edit}\n`;
      yield `${printBlock("w2e", { action: "file_write", path: "b.txt", content: "b" })}\n`;
    }
    expect((await loaf.execute(pieces())).checks).toHaveLength(1);
  });
});

test("the checks of a loaf.yml that is not trusted do not run", async () => {
  const root = createFolder({ "a.txt": "one" });
  writeFileSync(join(root, "loaf.yml"), 'checks: [{run: "cat a.txt"}]\n');
  const { checks, success } = await runIn(root, { config: { relative_paths: true }, trustProject: false });
  expect({ checks, success }).toEqual({ checks: undefined, success: true });
});

test.each([
  ["without hooks", { enableHooks: false }, {}],
  ["without commands", { enableCommands: false }, {}],
  ["once the run is stopped", {}, { stop: AbortSignal.abort() }],
])("%s no check runs", async (_, options, how) => {
  expect((await runIn(createFolder({ "a.txt": "one" }), options, how)).checks).toBeUndefined();
});

test("without a sandbox a check does not run, and the report says so", async () => {
  const root = createFolder({ "a.txt": "one" });
  const loaf = await Loaf.create({ repoPath: root, config: { ...config, exec: { sandbox: "off" }, checks: [{ run: "touch b.txt" }] } });
  const result = await loaf.execute(edit);
  expect(result.checks).toMatchObject([{ success: false, notRun: true }]);
  expect(fullReport(result, loaf)).toContain("check ⚠️ touch b.txt - not run: there is no sandbox");
  expect(existsSync(join(root, "b.txt"))).toBe(false);
});
