/**
 * The law of replays, over the answers of the case documents: what an answer did not do it does not do the second time,
 * after undo it does the same again, and nothing counts as applied before whose file is gone.
 */
import { existsSync, lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { ExecutionResult } from "../../src/core/outcome.ts";
import { Loaf } from "../../src/index.ts";
import type { Case } from "../support/case-file.ts";
import { documentPaths, readDocument } from "../support/documents.ts";
import { arrange } from "../support/run-case.ts";
import { createSandbox, type Sandbox, snapshot } from "../support/sandbox.ts";

const documents = documentPaths.filter((path) => /cases\/(?:syntax|damage)\/|replace-lines|file-write/.test(path));
const isPlain = ({ answer, blocks }: Case): boolean => answer !== "" && !blocks.some(({ role, flags }) => role === "allowed" || flags.some((flag) => flag.startsWith("mode=")));

test.each(documents)("%s", async (path) => {
  for (const one of readDocument(path).cases.filter(isPlain)) {
    const sandbox = createSandbox();
    vi.stubEnv("XDG_STATE_HOME", join(sandbox.directory, "state"));
    try {
      arrange(one.blocks, sandbox);
      expect(await untrue(sandbox.inward(one.answer), sandbox), one.name).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      sandbox.remove();
    }
  }
});

/** Returns what is not as the law has it. */
async function untrue(answer: string, { root }: Sandbox): Promise<string[]> {
  const loaf = await Loaf.create({ repoPath: root, gitCommit: false });
  const run = (): Promise<ExecutionResult> => loaf.execute(answer, { skipApplied: true });
  const before = snapshot(root);
  const first = await run();
  const after = snapshot(root);
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const wrong: string[] = [];
  const again = await run();
  for (const [at, { success, blockId, error }] of first.results.entries()) {
    const now = again.results[at];
    if (!success && now?.success === true && now.appliedIn === undefined) wrong.push(`${blockId}, which failed first (${error}), lands the second time`);
  }
  while (JSON.stringify(snapshot(root)) !== JSON.stringify(before)) await loaf.undo();
  const anew = await run();
  if (JSON.stringify(snapshot(root)) !== JSON.stringify(after)) wrong.push("after undo the answer does something else");
  if (JSON.stringify(told(anew)) !== JSON.stringify(told(first))) wrong.push(`after undo it says ${told(anew).join()}, not ${told(first).join()}`);
  const made = Object.keys(after).filter((path) => before[path] !== after[path] && lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true);
  for (const path of made) rmSync(join(root, path));
  const gone = await run();
  for (const { blockId, appliedIn, params } of gone.results) {
    const path = params["path"];
    const isGone = typeof path === "string" && made.some((name) => path.endsWith(name)) && !existsSync(join(root, path.startsWith(root) ? path.slice(root.length) : path));
    if (appliedIn !== undefined && isGone) wrong.push(`${blockId} counts as applied, and ${path} is gone`);
  }
  return wrong;
}

function told({ results }: ExecutionResult): string[] {
  return results.map(({ blockId, success, appliedIn, data }) => `${blockId} ${success} ${appliedIn} ${JSON.stringify((data as { unchanged?: true } | undefined)?.unchanged)}`);
}
