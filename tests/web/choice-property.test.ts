/** Any choice of hunks on the page gives the tree that just these splices give. At the terminal: tests/faces/cli/hunks.test.ts. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AnswerView } from "../../src/faces/web/protocol.ts";
import { hunkChoices, writeChoices } from "../support/hunk-choices.ts";
import { tries } from "../support/tries.ts";
import { openPage, reportOf, without } from "./open-page.ts";

test("any hunks that are left out of any edits, of one file and one after the other, leave just these lines as they were", async () => {
  const page = await openPage({});
  let count = 0;
  await fc.assert(
    fc.asyncProperty(hunkChoices, async (choices) => {
      const { answer: text, taken, after, expected } = writeChoices(page.root, `case${(count += 1)}`, choices);
      const answer = await page.take(`${text}<!-- ${count} -->`);
      const hunks: Record<string, string[]> = {};
      const off: number[] = [];
      for (const [position, areTaken] of taken.entries()) {
        const ids = answer.items[position]?.files.flatMap((file) => file.hunks.flatMap(({ id }) => id ?? [])) ?? [];
        expect(ids).toHaveLength(areTaken.length);
        const left = ids.filter((_, index) => areTaken[index] === false);
        if (left.length > 0) hunks[position] = left;
        if (ids.length > 0 && left.length === ids.length) off.push(position);
      }
      const choice = without(answer, off, hunks);
      const shown = await page.ask<AnswerView>("preview", { key: answer.key, choice });
      reportOf(await page.run(shown, { choice }));
      expect(after()).toEqual(expected);
    }),
    tries(6, 300),
  );
});
