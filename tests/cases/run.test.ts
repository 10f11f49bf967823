/** Every case document, each case a test. With `-u`, what the documents expect becomes what came out. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { rewriteCaseDocument, type Replacement } from "../support/case-file.ts";
import { documentPaths, projectRoot, readDocument } from "../support/documents.ts";
import { runCase } from "../support/run-case.ts";

const update = process.env["LOAF_UPDATE_CASES"] === "yes";

for (const path of documentPaths) {
  describe(path, () => {
    const replacements: Replacement[] = [];

    test.each(readDocument(path).cases)("$name", async (one) => {
      for (const { block, expected, actual, replacement } of await runCase(one)) {
        if (update && replacement !== undefined && JSON.stringify(actual) !== JSON.stringify(expected)) replacements.push({ block, content: replacement });
        else expect(actual, `${path}:${block.line}: ${block.role} ${block.path}`).toEqual(expected);
      }
    });

    afterAll(() => {
      const file = join(projectRoot, path);
      if (replacements.length > 0) writeFileSync(file, rewriteCaseDocument(readFileSync(file, "utf8"), replacements));
    });
  });
}
