import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { trackedPaths } from "../../support/documents.ts";
import { createFolder } from "../../support/folder.ts";

test("the documents that -u may rewrite are those that git tracks", () => {
  const root = createFolder({ "a/old.cases.md": "", "a/new.cases.md": "" });
  for (const args of [["init", "-q"], ["add", "a/old.cases.md"]]) execFileSync("git", args, { cwd: root });
  const tracked = trackedPaths(root);
  expect(tracked.has("a/old.cases.md")).toBe(true);
  expect(tracked.has("a/new.cases.md")).toBe(false);
});
