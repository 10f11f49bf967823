/** The reports on a text: what is put above it in the input file, and what stands in the output file. */
import { expect } from "vitest";
import { fullReport } from "../../src/report/chat.ts";
import { summaryReport } from "../../src/report/chat.ts";
import { conformance, openLoaf } from "../support/conformance.ts";

interface WorkflowCase {
  readonly name: string;
  readonly changed: string;
  /** Some cases go on with the text below it. */
  readonly prepended: string;
  readonly output?: string;
}

conformance<WorkflowCase>("listener/workflow", async ({ changed, prepended, output }, sandbox) => {
  const loaf = await openLoaf(sandbox);
  const result = await loaf.execute(sandbox.inward(changed));
  const summary = sandbox.outward(summaryReport(result));
  expect([summary, `${summary}\n${changed}`]).toContain(prepended);
  const full = sandbox.outward(fullReport(result, loaf));
  expect(comparable(full)).toBe(output);
});

/** Advice is Loaf's own addition: the data does not know it. */
function comparable(report: string): string {
  return report.split("\n").filter((line) => !/^(hint|warning|note): /.test(line)).join("\n").trim();
}
