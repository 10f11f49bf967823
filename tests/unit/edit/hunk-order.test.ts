/** Hunks of a diff without line numbers stand in the order of the file: that alone may choose between equal places. */
import fc from "fast-check";
import { structuredPatch } from "diff";
import { expect, test } from "vitest";
import { HunksOfFile, type HunkText } from "../../../src/core/block.ts";
import { Failed } from "../../../src/core/failure.ts";
import { replaceHunk } from "../../../src/edit/hunk.ts";
import { tries } from "../../support/tries.ts";

/** Replaces hunks one after the other, as a run does. Returns undefined if one is refused. */
function replaced(before: string, hunks: readonly HunkText[]): string | undefined {
  let now = before;
  try {
    for (const [index, hunk] of hunks.entries()) {
      const bytes = Buffer.from(now);
      let at = 0;
      now = "";
      for (const splice of replaceHunk(bytes, { ...hunk, among: new HunksOfFile(hunks, index) }, "exact").splices) {
        now += bytes.toString("utf8", at, splice.start) + splice.text;
        at = splice.end;
      }
      now += bytes.toString("utf8", at);
    }
  } catch (thrown) {
    if (thrown instanceof Failed) return undefined;
    throw thrown;
  }
  return now;
}

function hunksBetween(before: string, after: string, context: number): HunkText[] {
  const side = (lines: readonly string[], sign: string): string => lines.filter((line) => line.startsWith(sign) || line.startsWith(" ")).map((line) => `${line.slice(1)}\n`).join("");
  return structuredPatch("a", "a", before, after, "", "", { context }).hunks.map(({ lines }) => ({ oldLines: side(lines, "-"), newLines: side(lines, "+") }));
}

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** Files of which many lines are equal, and a new version. */
const versions = fc.array(fc.tuple(fc.constantFrom("a", "b", "}", "one", "two", "three"), fc.constantFrom("same", "same", "same", "same", "new", "gone", "more")), { minLength: 1, maxLength: 40 });

test("hunks land as they are meant, or not at all", () => {
  let landed = 0;
  fc.assert(
    fc.property(versions, fc.integer({ min: 1, max: 3 }), (lines, context) => {
      const before = text(lines.map(([line]) => line));
      const after = text(lines.flatMap(([line, what]) => (what === "gone" ? [] : what === "new" ? [`${line} new`] : what === "more" ? [line, `${line} more`] : [line])));
      const now = replaced(before, hunksBetween(before, after, context));
      if (now !== undefined) expect(now).toBe(after);
      landed += now === undefined ? 0 : 1;
    }),
    tries(2_000, 200_000),
  );
  expect(landed).toBeGreaterThan(0);
});

const FILE = text(["one", "x", "two", "x", "three", "x", "four"]);
const change = (oldLine: string, newLine: string): HunkText => ({ oldLines: `${oldLine}\n`, newLines: `${newLine}\n` });

test.each([
  ["between two others", [change("two", "TWO"), change("x", "y"), change("three", "THREE")], text(["one", "x", "TWO", "y", "THREE", "x", "four"])],
  ["below two others", [change("one", "ONE"), change("three", "THREE"), change("x", "y")], text(["ONE", "x", "two", "x", "THREE", "y", "four"])],
  ["above two others", [change("x", "y"), change("two", "TWO"), change("four", "FOUR")], text(["one", "y", "TWO", "x", "three", "x", "FOUR"])],
  ["as often as the file has it", [change("x", "y"), change("x", "y"), change("x", "y")], text(["one", "y", "two", "y", "three", "y", "four"])],
  ["shown again", [change("two", "TWO"), change("two", "TWO")], text(["one", "x", "TWO", "x", "three", "x", "four"])],
  ["shown again, of lines that it keeps", [change("two", "two\ntwo and a half"), change("two", "two\ntwo and a half")], text(["one", "x", "two", "two and a half", "x", "three", "x", "four"])],
  ["beside one other, which shows no order", [change("two", "TWO"), change("x", "y")], undefined],
  ["below one other, which shows no order either", [change("three", "THREE"), change("x", "y")], undefined],
  ["with two places between the others", [change("one", "ONE"), change("x", "y"), change("three", "THREE")], undefined],
  ["beside others that stand in another order", [change("three", "THREE"), change("x", "y"), change("two", "TWO")], undefined],
  ["fewer times than the file has it", [change("x", "y"), change("x", "y")], undefined],
])("equal lines %s", (_, hunks, expected) => {
  expect(replaced(FILE, hunks)).toBe(expected);
});
