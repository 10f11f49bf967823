/** Single actions: after the set-up, the action's result and the file it names are what the data says. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { conformance, openLoaf } from "../support/conformance.ts";
import { reduceTo } from "../support/reduce-to.ts";

interface FsOpsCase {
  readonly name: string;
  /** Blocks that make the scene. */
  readonly setup?: string;
  readonly action: string;
  /** Of the last block of `action`. */
  readonly expected: { readonly success: boolean };
  /** Of the file that the last block names, exactly. */
  readonly contents?: string;
}

conformance<FsOpsCase>("fs-ops", async ({ setup = "", action, expected, contents }, sandbox) => {
  const loaf = await openLoaf(sandbox);
  await loaf.execute(sandbox.inward(setup));
  const { results, parseErrors } = await loaf.execute(sandbox.inward(action));
  expect(parseErrors).toEqual([]);
  const result = results.at(-1);
  expect(reduceTo(expected, sandbox.outward(result))).toEqual(expected);
  if (contents !== undefined && expected.success) expect(readFileSync(String(result?.params["path"]), "utf8")).toBe(contents);
});
