import { describe, expect, test } from "vitest";
import { summaryReport } from "../../../src/report/chat.ts";
import { execution, ran, report, unread } from "./execution.ts";

const write = (blockId: string, line: number, more: Parameters<typeof ran>[3] = {}) => ran(blockId, line, "file_write", { operation: "WRITE", ...more });

test("a line for each operation, above the report, in the order of the text", () => {
  const results = [
    write("task-1", 1),
    ran("task-2.1", 5, "file_replace_all_text", { operation: "SEARCH", data: { replacements: 3 } }),
    write("task-3", 20, { failure: { code: "file/permission", errno: "EACCES", text: "permission denied", syscall: "open", path: "/p/a.txt" } }),
    write("task-4", 30, { error: "Not run: …", code: "skip/command" }),
  ];
  const errors = [{ ...unread("task-2.2", 9, "Missing required attribute 'file'", "file_write"), operation: "WRITE", errorType: "validation" as const }];
  const lines = [
    "[task-1] SUCCESS: WRITE - /p/a.txt",
    "[task-2.1] SUCCESS: SEARCH - /p/a.txt (3 replacements)",
    "[task-2.2] ERROR: WRITE - Missing required attribute 'file'",
    "[task-3] ERROR: WRITE - /p/a.txt: Permission denied",
    "[task-4] SKIP: WRITE - /p/a.txt: Not run: …",
    "=== LOAF RESULTS ===",
  ];
  expect(summaryReport(execution(results, errors)).split("\n").slice(0, 6)).toEqual(lines);
  expect(report(execution(results, errors)).split("\n").slice(0, 6)).toEqual(lines);
});

test("an error fatal for the whole text", () => {
  const error = { ...unread("task-2", 4, "Unknown operation: a\u001bb\nc"), operation: "a\u001bb\nc" };
  const result = { ...execution([], [error]), fatalError: "Line 4: Unknown operation: nothing was run" };
  expect(summaryReport(result).split("\n")).toEqual([
    String.raw`[task-2] FATAL: a\u001bb\u000ac - Unknown operation: a\u001bb\u000ac`,
    "=== LOAF RESULTS ===",
    "❌ Line 4: Unknown operation: nothing was run",
    String.raw`task-2 ❌ -          ERROR: Unknown operation: a\u001bb\u000ac (line 4)`,
    "=== END ===",
  ]);
});

describe("other blocks", () => {
  test("have none", () => {
    expect(report(execution([ran("abc", 1, "file_write")], [unread("bad", 5, "Unclosed quoted string")]))).toMatch(/^=== LOAF RESULTS ===/);
  });
});

test("the lines count towards the length of the report", () => {
  const many = Array.from({ length: 2_000 }, (_, index) => write(`task-${index}`, index));
  const text = report(execution(many), {}, 2_000);
  expect(Buffer.byteLength(text)).toBeLessThan(6_000);
  expect(text).toMatch(/^\[task-0\] SUCCESS/);
  expect(text).toMatch(/note: \d+ more blocks are not listed, 0 failed/);
});
