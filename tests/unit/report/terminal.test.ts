import { expect, test } from "vitest";
import { terminalReport } from "../../../src/report/terminal.ts";
import { execution, missed, ran, unread } from "./execution.ts";

const result = execution(
  [ran("a1b", 1, "file_write"), missed("fs1", 5, "/p/\u001b[2J", { hint: "look\nhere" })],
  [unread("pe4", 9, "A", "ls"), unread("pe4", 9, "B", "ls")],
);

test("the result of each block, and the counts", () => {
  expect(terminalReport(result, { color: false, durationMs: 12.4 })).toBe(`✅ a1b file_write /p/a.txt
❌ fs1 file_replace_text /p/\\u001b[2J
   old_text not found in file
   hint: look
   hint: here
❌ pe4 ls (line 9)
   2 syntax errors
   - A
   - B

3 blocks, 2 failed, 12 ms`);
});

test("a block that could not run, with advice", () => {
  const refused = { ...unread("pe1", 2, "Unknown action: x", "x"), hint: "did you mean 'y'?" };
  expect(terminalReport(execution([], [refused]), { color: false, durationMs: 1 })).toBe(`❌ pe1 x (line 2)
   Unknown action: x
   hint: did you mean 'y'?

1 block, 1 failed, 1 ms`);
});

test("colours only on request", () => {
  expect(terminalReport(result, { color: true, durationMs: 1_234 })).toMatch(/\u001b\[1mfile_write\u001b\[22m[^]*\u001b\[31m2 failed\u001b\[39m, 1\.2 s$/);
  expect(terminalReport(result, { color: false, durationMs: 1 })).not.toContain("\u001b");
});

test("no blocks, and a refused run", () => {
  expect(terminalReport(execution([]), { color: false, durationMs: 1 })).toBe("No NESL blocks found");
  expect(terminalReport({ ...execution([]), fatalError: "too much" }, { color: false, durationMs: 1 })).toBe("❌ too much");
});
