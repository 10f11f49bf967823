/** Roo's blocks tell the line of the file before all blocks. Where the same lines stand several times, it must not mislead. */
import fc from "fast-check";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Loaf } from "../../../../src/index.ts";
import { createFolder } from "../../../support/folder.ts";

interface Edit {
  /** 0-based index of its first line. */
  readonly at: number;
  readonly removed: number;
  readonly added: readonly string[];
}

const line = fc.constantFrom("a", "b", "  a", "}", "c();");
const file = fc.array(line, { minLength: 1, maxLength: 14 });

/** Edits of ranges that share no line, in the order of the file or in another one. */
const edits = fc
  .array(fc.record({ gap: fc.nat(3), removed: fc.integer({ min: 1, max: 3 }), added: fc.array(fc.oneof(line, fc.constant("new")), { maxLength: 3 }) }), { minLength: 1, maxLength: 4 })
  .map((steps) => {
    let at = 0;
    return steps.map(({ gap, removed, added }): Edit => {
      const first = at + gap;
      at = first + removed;
      return { at: first, removed, added };
    });
  })
  .chain((inOrder) => fc.oneof(fc.constant(inOrder), fc.shuffledSubarray(inOrder, { minLength: inOrder.length })));

const textOf = (lines: readonly string[]): string => lines.map((one) => `${one}\n`).join("");

function after(lines: readonly string[], done: readonly Edit[]): string {
  const changed = [...lines];
  for (const { at, removed, added } of done.toSorted((one, other) => other.at - one.at)) changed.splice(at, removed, ...added);
  return textOf(changed);
}

test("a block with a line number changes the lines that it was written for, or none", async () => {
  let landed = 0;
  await fc.assert(
    fc.asyncProperty(file, edits, async (lines, all) => {
      const own = all.filter(({ at, removed }) => at + removed <= lines.length);
      fc.pre(own.length > 0);
      const root = createFolder({ "a.txt": textOf(lines) });
      try {
        const blocks = own.map(({ at, removed, added }) =>
          ["<<<<<<< SEARCH", `:start_line:${at + 1}`, "-------", ...lines.slice(at, at + removed), "=======", ...added, ">>>>>>> REPLACE", ""].join("\n"),
        );
        const loaf = await Loaf.create({ repoPath: root });
        const { results, parseErrors } = await loaf.execute(`a.txt\n${blocks.join("\n")}`);
        expect(parseErrors).toEqual([]);
        const done = own.filter((_, index) => results[index]?.success === true);
        expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(after(lines, done));
        landed += done.length;
      } finally {
        rmSync(root, { recursive: true });
      }
    }),
    { numRuns: process.env["LOAF_LONG"] === undefined ? 150 : 3_000 },
  );
  expect(landed).toBeGreaterThan(100);
});
