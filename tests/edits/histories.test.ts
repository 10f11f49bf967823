/**
 * Changes between two versions of packages, rendered as chats answer that were taught no format: what lands is the new version, byte
 * for byte, or nothing lands. `scripts/install.mjs` fetches the packages.
 */
import { writeSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { prepare, STYLES } from "./answers.ts";
import { changesOfPackages, hasPackages, outcomeOf } from "./packages.ts";

/** What must land of each style, in per cent, of the changes that it can show. What is no whole declaration, or stands in a file twice, is refused. */
const LEAST: Readonly<Record<string, number>> = { excerpt: 95, "method at column 0": 95, "class with some methods": 95, "lazy file": 93, pair: 93, diff: 95, whole: 95, fragment: 80 };

/** An import of which a name goes: it stays, as all that nothing replaces. */
const KNOWN = ["fragment lib/web/fetch/formdata-parser.js"];

describe.skipIf(!hasPackages)("answers from histories (skipped where the packages are missing; scripts/install.mjs gets them)", () => {
  test("0 wrong", { timeout: 600_000 }, async () => {
    const [wrong, shares]: [string[], Record<string, { all: number; exact: number }>] = [[], {}];
    for (const change of changesOfPackages()) {
      await prepare(change);
      for (const [style, render] of Object.entries(STYLES)) {
        const answer = render(change);
        if (answer === undefined) continue;
        const share = (shares[style] ??= { all: 0, exact: 0 });
        share.all += 1;
        const outcome = await outcomeOf(change, answer, STAYS.has(style));
        if (outcome === "exact") share.exact += 1;
        if (outcome === "wrong") wrong.push(`${style} ${change.path}`);
      }
    }
    const told = Object.entries(shares).map(([style, { all, exact }]) => `${style}: ${exact} of ${all} byte-exact`);
    writeSync(1, `${told.join("\n")}\n`);
    expect(wrong.filter((one) => !KNOWN.includes(one))).toEqual([]);
    expect(Object.keys(shares).sort()).toEqual(Object.keys(LEAST).sort());
    for (const [style, { all, exact }] of Object.entries(shares)) expect((100 * exact) / all, style).toBeGreaterThanOrEqual(LEAST[style] ?? 0);
  });
});

/** Styles that show no removal: what an answer does not show stays. */
const STAYS: ReadonlySet<string> = new Set(["excerpt", "method at column 0", "class with some methods", "lazy file", "fragment"]);
