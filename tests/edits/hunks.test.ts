/**
 * Each change between two versions of packages, shown alone with the unchanged lines above and below it: what lands is that change
 * at its place, or nothing lands. `scripts/install.mjs` fetches the packages.
 */
import { writeSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Change, hunksOf } from "./answers.ts";
import { changesOfPackages, hasPackages, outcomeOf } from "./packages.ts";

/** Changes of each file that are tried. */
const HUNKS = 2;
/** What must land with so many lines above and below, in per cent. A line like `}` alone is no place. */
const LEAST: Readonly<Record<string, number>> = { 1: 60, 2: 80 };

/** An import of which a name goes: it stays, as all that nothing replaces. */
const KNOWN = ["lib/web/fetch/formdata-parser.js 0"];

describe.skipIf(!hasPackages)("changes shown alone (skipped where the packages are missing; scripts/install.mjs gets them)", () => {
  test.each([1, 2])("with %i lines above and below: 0 wrong", { timeout: 600_000 }, async (context) => {
    const wrong: string[] = [];
    let [all, exact] = [0, 0];
    for (const change of changesOfPackages())
      for (const [index, { answer, after }] of aloneIn(change, context).entries()) {
        all += 1;
        const outcome = await outcomeOf({ path: change.path, before: change.before, after }, answer, true);
        if (outcome === "exact") exact += 1;
        if (outcome === "wrong") wrong.push(`${change.path} ${index}`);
      }
    writeSync(1, `${context} lines: ${exact} of ${all}\n`);
    expect(wrong.filter((one) => !KNOWN.includes(one))).toEqual([]);
    expect((100 * exact) / all).toBeGreaterThanOrEqual(LEAST[context] ?? 0);
  });
});

interface Alone {
  readonly answer: string;
  /** The old version with this change only. */
  readonly after: string;
}

/** What only goes cannot be shown, and a line that the file has elsewhere may have been moved. */
function aloneIn({ path, before, after }: Change, context: number): readonly Alone[] {
  const lines = before.split("\n");
  const known = new Set(lines.map((line) => line.trim()).filter((line) => /\w/.test(line)));
  return hunksOf({ path, before, after }, context)
    .filter(({ lines: shown }) => shown.every((line) => !line.startsWith("\\")) && shown[0]?.startsWith(" ") && shown.at(-1)?.startsWith(" "))
    .flatMap(({ oldStart, oldLines, lines: shown }) => {
      const now = shown.filter((line) => !line.startsWith("-")).map((line) => line.slice(1));
      const isFit = (now[0] ?? "").trim() !== "" && (now.at(-1) ?? "").trim() !== "";
      const added = shown.filter((line) => line.startsWith("+")).map((line) => line.slice(1).trim());
      if (!isFit || added.length === 0 || added.some((line) => known.has(line))) return [];
      const text = [...lines.slice(0, oldStart - 1), ...now, ...lines.slice(oldStart - 1 + oldLines)].join("\n");
      return [{ answer: `In \`${path}\`:\n\n\`\`\`${path.slice(path.lastIndexOf(".") + 1)}\n${now.join("\n")}\n\`\`\`\n`, after: text }];
    })
    .slice(0, HUNKS);
}
