import { expect, test } from "vitest";
import { jsonReport } from "../../../src/report/chat.ts";
import { execution, missed } from "./execution.ts";

test("the result survives a round trip", () => {
  const result = execution([missed("fs1", 1, "/p/\u001b[2J\ud800")]);
  expect(JSON.parse(jsonReport(result))).toEqual({ ...result, results: result.results.map((one) => ({ ...one, failure: undefined })) });
  expect(jsonReport(result)).not.toContain('"failure"');
});
