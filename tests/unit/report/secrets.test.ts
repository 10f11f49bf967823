import { expect, test } from "vitest";
import { contextReport } from "../../../src/report/context.ts";
import { dryRunReport, summaryReport } from "../../../src/report/chat.ts";
import { execution, missed, ran, report } from "./execution.ts";

/** Concatenated, so that scanners do not report this file as a leak. */
const secret = `ghp_${"aB3dE5gH7j".repeat(4).slice(0, 36)}`;
const MASK = "[masked: GitHub token]";

test("masks secrets in the diff of a dry run", () => {
  const text = dryRunReport(execution([ran("a1b", 1, "file_write")]), `+TOKEN=${secret}\n`);
  expect(text).toContain(`+TOKEN=${MASK}\n`);
  expect(text).not.toContain(secret);
});

test("masks secrets in the context", async () => {
  const { text } = await contextReport({ title: "CONTEXT", files: [{ path: "a.ts", text: `const token = "${secret}";\n` }], maxTokens: 1_000 });
  expect(text).toContain(`const token = "${MASK}";`);
  expect(text).not.toContain(secret);
});

test("masks secrets in error lines", () => {
  const failed = ran("ex1", 1, "exec", { params: { lang: "bash", code: "" }, failure: { code: "exec/exit", exitCode: 1 }, data: { stdout: "", stderr: `bad token ${secret}\n`, exit_code: 1 } });
  expect(summaryReport(execution([failed]))).toContain(`ex1 ❌ exec bash - bad token ${MASK}\n`);
  expect(report(execution([failed]))).not.toContain(secret);
  const refused = ran("rd1", 2, "file_read", { error: `cannot open ${secret}` });
  expect(summaryReport(execution([refused]))).toContain(`- cannot open ${MASK}\n`);
});

test("masks secrets in hints and warnings", () => {
  const text = report(execution([missed("fs1", 1, "/p/a", { hint: `line 3 is: TOKEN=${secret}`, warnings: [`there was ${secret}`] })]));
  expect(text).toContain(`hint: [fs1] line 3 is: TOKEN=${MASK}\n`);
  expect(text).toContain(`warning: [fs1] there was ${MASK}\n`);
  expect(text).not.toContain(secret);
});
