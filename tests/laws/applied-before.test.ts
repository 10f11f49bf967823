/**
 * The law of a run: afterwards the tree is what its successful actions, made in order on the tree before it, give. It
 * holds whatever answers, hand edits, undo, redo and replays came before, in all syntaxes; so no edit counts as applied
 * before whose effect is gone.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { tries } from "../support/tries.ts";
import { type Answer, answer, checkLaw, path, print, text, treeOf } from "./random-answers.ts";

type Step =
  | { readonly kind: "run"; readonly answer: number; readonly isAgain: boolean }
  | { readonly kind: "undo" | "redo" }
  | { readonly kind: "user"; readonly path: string; readonly text: string | undefined };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("run"), answer: fc.nat(3), isAgain: fc.nat(8).map((one) => one === 0) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("undo", "redo") }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("user"), path, text: fc.option(text, { nil: undefined, freq: 4 }) }) },
);

async function play(root: string, loaf: Loaf, one: Exclude<Step, { kind: "run" }>): Promise<void> {
  if (one.kind !== "user") return void (await loaf[one.kind]().catch(() => undefined));
  mkdirSync(dirname(join(root, one.path)), { recursive: true });
  if (one.text === undefined) rmSync(join(root, one.path), { force: true });
  else writeFileSync(join(root, one.path), one.text);
}

test("after a run the tree is what its successful actions give", { timeout: 3_600_000 }, async () => {
  const seen = { applied: 0, unchanged: 0, made: 0, refused: 0 };
  const law = fc.asyncProperty(fc.array(answer, { minLength: 4, maxLength: 4 }), fc.array(step, { minLength: 6, maxLength: 14, size: "max" }), async (answers, steps) => {
    const root = createFolder({ "a.txt": "one\ntwo\n", "b.txt": "three\n" });
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, gitCommit: false });
    for (const one of steps) {
      if (one.kind !== "run") await play(root, loaf, one);
      else {
        const tree = treeOf(root);
        const { results, parseErrors, fatalError } = await loaf.execute(print(answers[one.answer] as Answer), { skipApplied: !one.isAgain });
        expect([parseErrors, fatalError]).toEqual([[], undefined]);
        for (const { appliedIn, success } of results) seen[appliedIn !== undefined ? "applied" : success ? "made" : "refused"] += 1;
        checkLaw(tree, results, loaf.root);
      }
    }
    rmSync(root, { recursive: true });
  });
  await fc.assert(law, tries(60, 20_000));
  expect(Math.min(seen.applied, seen.made, seen.refused)).toBeGreaterThan(20);
});

test.each([
  ["the edited line is gone", "a\nb\nv=2\nc\n", false],
  ["the other one is gone", "a\nv=2\nb\nc\n", false],
  ["both are there, with a line between them that is new", "a\nv=2\nb\nnew\nv=2\nc\n", false],
  ["the file is as the run left it", "a\nv=2\nb\nv=2\nc\n", true],
])("an edit whose new text stood there before, too: %s", async (_, now, isApplied) => {
  const root = createFolder({ "a.txt": "a\nv=1\nb\nv=2\nc\n" });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, gitCommit: false });
  const edit = "a.txt\n<<<<<<< SEARCH\nv=1\n=======\nv=2\n>>>>>>> REPLACE\n";
  expect((await loaf.execute(edit)).results.map(({ success }) => success)).toEqual([true]);
  writeFileSync(join(root, "a.txt"), now);
  const { results } = await loaf.execute(edit, { skipApplied: true });
  // Where nobody can tell, it is tried again, and refused.
  expect(results.map(({ success, appliedIn }) => [success, appliedIn])).toEqual([isApplied ? [true, 1] : [false, undefined]]);
  rmSync(root, { recursive: true });
});
