/** From blocks to validated actions and errors, in the data's own words for both. A dry run tells them without acting. */
import { expect } from "vitest";
import type { Block } from "../../src/core/block.ts";
import type { ExecutionResult } from "../../src/core/outcome.ts";
import { Loaf, parse } from "../../src/index.ts";
import { conformance } from "../support/conformance.ts";
import { reduceTo } from "../support/reduce-to.ts";

interface ActionParserCase {
  readonly name: string;
  readonly input: string;
  readonly expected: object;
}

conformance<ActionParserCase>("action-parser", async ({ input, expected }, sandbox) => {
  const loaf = await Loaf.create({ repoPath: sandbox.root, dryRun: true });
  const parsed = describeParsed(await loaf.execute(input), parse(input).blocks);
  expect(reduceTo(expected, parsed)).toEqual(expected);
});

function describeParsed({ results, parseErrors, totalBlocks }: ExecutionResult, blocks: readonly Block[]): object {
  return {
    actions: results.map(({ action, params, blockId }) => {
      const block = blocks.find(({ id }) => id === blockId);
      return { action, parameters: params, metadata: { blockId, startLine: block?.startLine, endLine: block?.endLine } };
    }),
    errors: parseErrors,
    summary: { totalBlocks, successCount: results.length, errorCount: totalBlocks - results.length },
  };
}
