/** The case documents of the project. */
import { execFileSync } from "node:child_process";
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

/**
 * Returns the paths that git tracks. Throws where it cannot tell. Expectations are rewritten in these documents only,
 * since a diff shows what was expected before.
 */
export function trackedPaths(root: string = projectRoot): ReadonlySet<string> {
  return new Set(execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0"));
}

export function readDocument(path: string): CaseDocument {
  return readCaseDocument(join(projectRoot, path));
}
