/** Any choice of hunks gives the tree that just these splices give, as the page and the terminal choose them. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AnswerView } from "../../src/faces/web/protocol.ts";
import { printBlock } from "../../src/syntaxes/nesl/print.ts";
import { openPage, reportOf } from "./open-page.ts";
import { tries } from "../support/tries.ts";

interface Case {
  /** Of each file, whether each of its lines is one that the edits change. */
  readonly files: readonly boolean[][];
  /** By edit, the words that it replaces: each edit has a word of its own. */
  readonly edits: ReadonlyArray<{ readonly file: number; readonly adds: number }>;
  /** Picks what is left out. */
  readonly seed: number;
}

const cases: fc.Arbitrary<Case> = fc.record({
  files: fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 14 }), { minLength: 1, maxLength: 2 }),
  edits: fc.array(fc.record({ file: fc.nat(1), adds: fc.nat(2) }), { minLength: 1, maxLength: 3 }),
  seed: fc.nat(),
});

test("any hunks that are left out of any edits, of one file and one after the other, leave just these lines as they were", async () => {
  const page = await openPage({});
  let count = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ files, edits, seed }) => {
      const folder = `case${(count += 1)}`;
      mkdirSync(join(page.root, folder));
      // A line that edits change has the word of each of them, apart from the others so that each is a hunk.
      const before = files.map((lines, file) => lines.flatMap((isChanged, at) => [`${file}.${at}`, isChanged ? "word0" : "-", "-", isChanged ? "word1" : "-", "-", isChanged ? "word2" : "-"]));
      before.forEach((lines, file) => writeFileSync(join(page.root, folder, `${file}.txt`), `${lines.join("\n")}\n`));
      const own = edits.map(({ file, adds }, index) => ({ path: `${folder}/${file % files.length}.txt`, file: file % files.length, word: `word${index}`, text: [`new${index}`, "a", "b"].slice(0, adds + 1).join("\n") }));
      const answer = await page.take(own.map(({ path, word, text }, index) => printBlock(`e${index}x`, { action: "file_replace_all_text", path, old_text: word, new_text: text })).join("\n") + `\n<!-- ${count} -->`);
      let state = seed + 1;
      const isLeftOut = (): boolean => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % 3 === 0;
      const hunks: Record<string, string[]> = {};
      const off: number[] = [];
      const expected = before.map((lines) => [...lines]);
      for (const [position, { file, word, text }] of own.entries()) {
        const ids = answer.items[position]?.files.flatMap((one) => one.hunks.flatMap(({ id }) => id ?? [])) ?? [];
        const places = before[file]?.flatMap((line, at) => (line === word ? [at] : [])) ?? [];
        expect(ids).toHaveLength(places.length);
        const left = ids.filter(isLeftOut);
        if (left.length > 0) hunks[position] = left;
        if (ids.length > 0 && left.length === ids.length) off.push(position);
        for (const [index, at] of places.entries()) if (!left.includes(ids[index] ?? "")) (expected[file] ?? [])[at] = text;
      }
      const choice = { off, hunks };
      const shown = await page.ask<AnswerView>("preview", { key: answer.key, choice });
      const events = await page.run(shown, { choice });
      reportOf(events);
      const after = files.map((_, file) => readFileSync(join(page.root, folder, `${file}.txt`), "utf8"));
      expect(after).toEqual(expected.map((lines) => `${lines.join("\n")}\n`));
    }),
    tries(6, 300),
  );
});
