/** Whole runs: the execution result of a text. */
import { expect } from "vitest";
import { conformance, openLoaf } from "../support/conformance.ts";
import { reduceTo } from "../support/reduce-to.ts";

interface OrchCase {
  readonly name: string;
  readonly input: string;
  readonly expected: object;
}

conformance<OrchCase>("orch", async ({ input, expected }, sandbox) => {
  const loaf = await openLoaf(sandbox);
  const result = await loaf.execute(sandbox.inward(input));
  expect(reduceTo(expected, sandbox.outward(result))).toEqual(expected);
});
