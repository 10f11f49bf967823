/** `npm test` says how many cases it had no data for: the numbers of `counts.json`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shared } from "../support/shared.ts";
import counts from "./counts.json" with { type: "json" };

test.skipIf(shared === undefined)("counts.json has the number of cases in each folder of the shared data", () => {
  const { edits, plain, ...folders } = counts;
  const found = Object.keys(folders).map((folder) => [folder, casesIn(join(shared ?? "", "conformance", folder))]);
  expect(Object.fromEntries(found)).toEqual(folders);
  expect(readFileSync(join(shared ?? "", "edits", "cases.jsonl"), "utf8").trimEnd().split("\n")).toHaveLength(edits);
  expect(readFileSync(join(shared ?? "", "conformance/plain/answers.jsonl"), "utf8").trimEnd().split("\n")).toHaveLength(plain);
});

function casesIn(folder: string): number {
  const suites = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return suites.map((name) => (JSON.parse(readFileSync(join(folder, name), "utf8")) as { cases: unknown[] }).cases.length).reduce((sum, one) => sum + one, 0);
}
