import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { fullReport, Loaf, summaryReport } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";
import { type Hostile, hostileKinds } from "../../support/hostile.ts";
import { isLong } from "../../support/tries.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Else the limit would make whatever takes too long look as if it did not grow. */
const LIMITS = { action_time: 600_000 };

async function run({ answer, files }: Hostile): Promise<string> {
  const loaf = await Loaf.create({ repoPath: createFolder(files), config: { relative_paths: true, edits: { match: "tolerant" }, git: { commit: false }, limits: LIMITS } });
  const result = await loaf.execute(answer);
  return summaryReport(result) + fullReport(result, loaf);
}

/** Milliseconds of the processor: whoever else uses the machine does not count. */
async function workOf(hostile: Hostile): Promise<number> {
  collectGarbage();
  const before = process.cpuUsage();
  await run(hostile);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** What a run costs that has next to nothing to do, and what garbage and compiling add to any. */
const NOISE = 60;
/** Four times the size takes at most so many times as long: 4 is linear, 16 quadratic. */
const MOST_GROWTH = 7;

/** All of them take half a minute. In the test command those that once took more than linear time. */
const ONCE_SLOW: ReadonlySet<string> = new Set([
  "operators", "levels of directories", "a near miss in one line", "a new text that is almost in the old one", "nested namespaces in .cpp", "pairs of nested namespaces in .cpp",
  "parts with a name like the one meant in .ts", "a flow sequence in .yml", "anchors in .yml", "tags in .yml", "quotes in .yml", "brackets in .yml",
]);
const measured = isLong ? hostileKinds : hostileKinds.filter(({ name }) => ONCE_SLOW.has(name));

describe("P8, 102: what is made to be slow takes time that grows with its length, and gets a report", () => {
  test.each(measured.map((kind) => [kind.name, kind] as const))("%s", { timeout: 60_000 }, async (_, { size, make }) => {
    const [small, large] = [make(size), make(4 * size)];
    expect(await run(small)).toContain("=== LOAF RESULTS ===");
    let ratio = Infinity;
    for (let round = 0; round < 3 && ratio > MOST_GROWTH; round++) {
      const [less, more] = [await workOf(small), await workOf(large)];
      ratio = Math.min(ratio, more / (less + NOISE));
    }
    expect(ratio).toBeLessThan(MOST_GROWTH);
  });
});

test("of a block with thousands of errors the first are told one by one, the others by their number, and how it ends", async () => {
  const loaf = await Loaf.create({ repoPath: createFolder() });
  const { parseErrors } = await loaf.execute(`#!nesl [@three-char-SHA-256: abc]\n${"=\n".repeat(12_000)}`);
  expect(parseErrors).toHaveLength(10_002);
  expect(parseErrors.slice(-2).map(({ message }) => message)).toEqual(["Block 'abc' not closed before EOF", "2000 more errors in block 'abc'"]);
});

test("of a text with thousands of errors outside blocks the last are told by their number", async () => {
  const loaf = await Loaf.create({ repoPath: createFolder() });
  const { parseErrors } = await loaf.execute("#!nesl x\n".repeat(21_000));
  expect(parseErrors).toHaveLength(20_001);
  expect(parseErrors.at(-1)?.message).toBe("1000 more errors in the text");
});
