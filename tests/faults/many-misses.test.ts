import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { block } from "../support/hostile.ts";
import { workOf } from "../support/work.ts";

const line = (index: number): string => `export function name${index}(value${index % 17}) { return value${index % 17} + ${index}; }\n`;
const megabyte = Array.from({ length: 16_000 }, (_, index) => line(index)).join("");

/** Returns each edit's hint, and how many times as much work the run was as to read the file, decode it and search it once for each edit. */
async function missing(count: number, oldText: (index: number) => string) {
  const repoPath = createFolder({ "big.ts": megabyte });
  const loaf = await Loaf.create({ repoPath, config: { relative_paths: true, edits: { match: "tolerant" }, git: { commit: false } } });
  const edits = Array.from({ length: count }, (_, index) => block({ action: "file_replace_text", path: "big.ts", old_text: oldText(index), new_text: "x" }));
  const before = process.cpuUsage();
  const { results } = await loaf.execute(edits.join("\n"));
  const { user, system } = process.cpuUsage(before);
  expect(results.map(({ success }) => success)).toEqual(Array.from({ length: count }, () => false));
  const least = workOf(() => {
    for (let index = 0; index < count / 10; index++) readFileSync(join(repoPath, "big.ts"), "utf8").includes(oldText(index));
  });
  return { hints: results.map(({ hint = "" }) => hint), ratio: (user + system) / 1_000 / (least * 10) };
}

test.each([
  ["with rare words", (index: number) => `export function nome${index}(value) {\n  return other(value) + ${index};\n}\n`],
  ["almost a line of the file", (index: number) => line(index * 3).replace("return", "yield")],
  ["that almost fit in many places", () => `${"export  function  name1\n".repeat(3)}return value + 1x\n`],
  ["of common words", (index: number) => `function {\n  return value${index % 17} +\n}\n`],
])("122: 3,000 edits that miss in a megabyte cost little more than to read it as often: %s", { timeout: 120_000 }, async (_, oldText) => {
  const { hints, ratio } = await missing(3_000, oldText);
  expect(hints[0]).toMatch(/^closest is line|^nothing in the file is similar/);
  expect(hints.at(-1)).toBe("many edits of this answer miss, so no similar place was looked for: read the file again");
  expect(ratio).toBeLessThan(3);
});

test("122: which edits get a hint does not depend on the machine", { timeout: 60_000 }, async () => {
  const { hints } = await missing(200, (index) => `export function nome${index}(value) {\n`);
  expect(hints.findIndex((hint) => hint.startsWith("many edits"))).toBe(122);
});
