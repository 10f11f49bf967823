import { expect, test } from "vitest";
import { operationSummary } from "../../../src/git/operation-summary.ts";
import { ran } from "../report/execution.ts";

test("of files to be searched only those count that were changed", () => {
  const results = ["a", "b", "c", "d"].map((name, index) => ({ path: `/p/${name}`, replacements: index < 2 ? 1 : 0 }));
  const inFiles = ran("fr1", 1, "files_replace_all_text", { params: { paths: "a\nb\nc\nd" }, data: { results } });
  expect(operationSummary([inFiles], "/p", [])).toBe("edit 2 files");
  const none = ran("ra1", 2, "file_replace_all_text", { params: { path: "/p/x" }, data: { path: "/p/x", replacements: 0 } });
  const one = ran("ra2", 3, "file_replace_all_text", { params: { path: "/p/y" }, data: { path: "/p/y", replacements: 3 } });
  expect(operationSummary([none, one], "/p", [])).toBe("edit y");
  const part = ran("fr2", 4, "files_replace_all_text", { params: { paths: "a\nb" }, data: { results: [{ path: "/p/src/a.ts@@f", replacements: 2 }, { path: "/p/b", replacements: 0 }] } });
  expect(operationSummary([part], "/p", [])).toBe("edit src/a.ts");
});

test("what an earlier run applied is no part of this one", () => {
  const again = { ...ran("fw1", 1, "file_write", { params: { path: "/p/a", content: "" } }), appliedIn: 1 };
  expect(operationSummary([again, ran("fw2", 2, "file_write", { params: { path: "/p/b", content: "" } })], "/p", [])).toBe("write b");
});
