/** The case documents of the project. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readCaseDocument, type CaseDocument } from "./case-file.ts";

export const projectRoot = join(import.meta.dirname, "../..");

/** Paths relative to the project's root, `tests/cases/…/*.cases.md` and the pages that are run as tests. */
export const documentPaths: readonly string[] = [
  ...readdirSync(join(projectRoot, "tests/cases"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".cases.md"))
    .map((path) => `tests/cases/${path}`)
    .toSorted(),
  "docs/addresses.md",
  "docs/matching.md",
  "docs/syntax.md",
];

export function readDocument(path: string): CaseDocument {
  return readCaseDocument(join(projectRoot, path));
}
