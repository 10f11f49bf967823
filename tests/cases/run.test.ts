/**
 * Every case document, each case a test. With `-u`, what the documents that git tracks expect becomes what came out. A
 * new document fails until it is added, so that its author's expectations are not lost.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Case, rewriteCaseDocument, type Replacement } from "../support/case-file.ts";
import { documentPaths, projectRoot, readDocument, trackedPaths } from "../support/documents.ts";
import { hasProgram } from "../support/programs.ts";
import { runCase } from "../support/run-case.ts";

function canRun({ blocks }: Case): boolean {
  return blocks.filter(({ role }) => role === "needs").every(({ lines }) => lines.every(hasProgram));
}

const updated = process.env["LOAF_UPDATE_CASES"] === "yes" ? trackedPaths() : new Set<string>();

for (const path of documentPaths) {
  describe(path, () => {
    const replacements: Replacement[] = [];

    const [able, unable] = [readDocument(path).cases.filter(canRun), readDocument(path).cases.filter((one) => !canRun(one))];
    // A program that they need is not installed; in CI all count as installed.
    test.skip.each(unable)("$name", () => {});
    test.each(able)("$name", async (one) => {
      for (const { block, expected, actual, replacement } of await runCase(one)) {
        if (updated.has(path) && replacement !== undefined && JSON.stringify(actual) !== JSON.stringify(expected)) replacements.push({ block, content: replacement });
        else expect(actual, `${path}:${block.line}: ${block.role} ${block.path}`).toEqual(expected);
      }
    });

    afterAll(() => {
      const file = join(projectRoot, path);
      if (replacements.length > 0) writeFileSync(file, rewriteCaseDocument(readFileSync(file, "utf8"), replacements));
    });
  });
}
