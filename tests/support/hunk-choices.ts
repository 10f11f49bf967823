/** Random edits of random files, and a random choice of their hunks, with the tree that taking just these gives. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";

interface HunkChoices {
  /** Of each file, whether each of its lines is one that the edits change. */
  readonly files: readonly boolean[][];
  /** Each edit replaces a word of its own. */
  readonly edits: ReadonlyArray<{ readonly file: number; readonly adds: number }>;
  /** Picks what is left out. */
  readonly seed: number;
}

export const hunkChoices: fc.Arbitrary<HunkChoices> = fc.record({
  files: fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 14 }), { minLength: 1, maxLength: 2 }),
  edits: fc.array(fc.record({ file: fc.nat(1), adds: fc.nat(2) }), { minLength: 1, maxLength: 3 }),
  seed: fc.nat(),
});

export interface ChosenEdits {
  readonly answer: string;
  /** Of each edit, whether each of its hunks is taken. */
  readonly taken: readonly boolean[][];
  /** What the files hold now, and what they should hold after the run. */
  readonly after: () => string[];
  readonly expected: readonly string[];
}

/** Writes the files of a case below a folder of the project. */
export function writeChoices(root: string, folder: string, { files, edits, seed }: HunkChoices): ChosenEdits {
  mkdirSync(join(root, folder), { recursive: true });
  // A line that edits change has the word of each of them, apart from the others so that each is a hunk.
  const before = files.map((lines, file) => lines.flatMap((isChanged, at) => [`${file}.${at}`, isChanged ? "word0" : "-", "-", isChanged ? "word1" : "-", "-", isChanged ? "word2" : "-"]));
  const paths = files.map((_, file) => `${folder}/${file}.txt`);
  before.forEach((lines, file) => writeFileSync(join(root, paths[file] ?? ""), `${lines.join("\n")}\n`));
  let state = seed + 1;
  const isTaken = (): boolean => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % 3 !== 0;
  const expected = before.map((lines) => [...lines]);
  const blocks: string[] = [];
  const taken = edits.map(({ file: number, adds }, index) => {
    const file = number % files.length;
    const text = [`new${index}`, "a", "b"].slice(0, adds + 1).join("\n");
    blocks.push(printBlock(`e${index}x`, { action: "file_replace_all_text", path: paths[file] ?? "", old_text: `word${index}`, new_text: text }));
    return (before[file] ?? []).flatMap((line, at) => {
      if (line !== `word${index}`) return [];
      const isOn = isTaken();
      if (isOn) (expected[file] ?? [])[at] = text;
      return [isOn];
    });
  });
  return {
    answer: `${blocks.join("\n")}\n`,
    taken,
    after: () => paths.map((path) => readFileSync(join(root, path), "utf8")),
    expected: expected.map((lines) => `${lines.join("\n")}\n`),
  };
}
