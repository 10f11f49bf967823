/** A job that every syntax can say leaves the same tree in each. */
import fc from "fast-check";
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { printCsl } from "../../../src/syntaxes/csl/teach.ts";
import { printReplacer } from "../../../src/syntaxes/replacer/teach.ts";
import { createFolder } from "../../support/folder.ts";
import { snapshot } from "../../support/sandbox.ts";

type Job = ReadonlyArray<Readonly<Record<string, string>>>;

const toSham = (nesl: string): string => nesl.replaceAll("#!nesl ", "#!SHAM ").replaceAll("EOT_", "EOT_SHAM_").replaceAll("#!end_", "#!END_SHAM_");

const syntaxes = {
  nesl: (job: Job) => job.map((block) => printBlock("k7m", block)),
  sham: (job: Job) => job.map((block) => toSham(printBlock("k7m", block))),
  csl: (job: Job) => job.map((block) => printCsl(block)),
  replacer: (job: Job) => job.map((block) => printReplacer(block)),
};

/** None is the end of another, where the replacer alone would look it up. */
const path = fc.constantFrom("a.txt", "src/b.txt", "src/deep/c.txt", "new.txt", "lib/d.txt");
const lines = ["one", "  two", "three = 'é😀'", "EOT", "four\\", "# <---END--->", " <<<END>>>"];
/** Without empty lines at its ends, and with more than white space in it. */
const text = fc.shuffledSubarray(lines, { minLength: 1 }).map((chosen) => chosen.join(chosen.length % 2 === 0 ? "\n" : "\n\n"));
const oldText = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...lines) }, { weight: 1, arbitrary: text });
const job = fc.array(
  fc.oneof(
    fc.record({ action: fc.constant("file_write"), path, content: fc.oneof(text, fc.constant("")) }),
    fc.record({ action: fc.constant("file_replace_text"), path, old_text: oldText, new_text: fc.oneof(text, fc.constant("")) }),
  ),
  { minLength: 1, maxLength: 6 },
);
/** What the project holds before; the edits find something in it now and then. */
const files = fc.dictionary(fc.constantFrom("a.txt", "src/b.txt", "src/deep/c.txt"), fc.tuple(text, fc.constantFrom("", "\n", "\r\n")).map(([content, end]) => (end === "\r\n" ? content.replaceAll("\n", end) : content) + end));

/** Where both edits find their place. */
const sure: [Record<string, string>, Job] = [
  { "a.txt": "one\r\n\r\n  two\r\n" },
  [
    { action: "file_replace_text", path: "a.txt", old_text: "one\n\n  two", new_text: "EOT\n# <---END--->" },
    { action: "file_write", path: "lib/d.txt", content: "one" },
    { action: "file_replace_text", path: "lib/d.txt", old_text: "one", new_text: "" },
  ],
];

test("NESL, SHAM, CSL and the replacer leave the same tree, and the same edits are done", async () => {
  let edits = 0;
  await fc.assert(
    fc.asyncProperty(files, job, async (before, blocks) => {
      const outcomes = [];
      for (const print of Object.values(syntaxes)) {
        const root = createFolder(before);
        const printed = print(blocks);
        expect(printed).not.toContain(undefined);
        const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true } });
        const { results, parseErrors } = await loaf.execute(printed.join("\n\nthen\n\n"));
        expect(parseErrors).toEqual([]);
        outcomes.push({ tree: snapshot(root), codes: results.map(({ success, code }) => [success, code]) });
        rmSync(root, { recursive: true });
      }
      const [first, ...others] = outcomes;
      for (const other of others) expect(other).toEqual(first);
      edits += blocks.filter(({ action }, index) => action === "file_replace_text" && first?.codes[index]?.[0] === true).length;
    }),
    { numRuns: 100, interruptAfterTimeLimit: 8_000, examples: [sure] },
  );
  expect(edits).toBeGreaterThanOrEqual(2);
});
