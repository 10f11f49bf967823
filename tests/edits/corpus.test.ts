/**
 * Thousands of edits in real source files, each misquoted as models and chats misquote, with what must come of it: the bytes, put together
 * by the generator without any matching, or a refusal. The counts are written to the file that LOAF_TABLE names.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Failed } from "../../src/core/failure.ts";
import { Loaf } from "../../src/index.ts";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";
import { spliceBytes, withoutMark } from "../../src/edit/codec.ts";
import { replaceOnce } from "../../src/edit/replace.ts";
import { createSandbox } from "../support/sandbox.ts";
import { type EditCase, generateCases } from "./corpus.ts";
import { placesOf, skeleton } from "./passage.ts";
import { languages } from "./sources.ts";
import { Tally, type Verdict } from "./tally.ts";

const cases = [...generateCases()];
const tally = new Tally();

test("there are more than 5,000 cases, and of each kind some", () => {
  expect(cases.length).toBeGreaterThan(5_000);
  const counts = new Map<string, number>();
  for (const { kind } of cases) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count < 60)).toEqual([]);
});

describe.each(languages)("%s", (language) => {
  test("what must be refused is refused, and what is applied is right to the byte", { timeout: 120_000 }, () => {
    const wrong: string[] = [];
    for (const one of cases.filter((each) => each.language === language)) {
      const verdict = judge(one, applyPurely(one));
      tally.count(one, verdict);
      if (verdict === "wrong") wrong.push(one.name);
    }
    expect(wrong).toEqual([]);
  });
});

test("at least 99 in 100 that must be applied are", () => {
  expect(tally.shareApplied).toBeGreaterThanOrEqual(0.99);
});

test("an engine that sees neither white space nor the second place is found out", () => {
  const caught = new Set(cases.filter((one) => judge(one, applyBlindly(one)) === "wrong").map(({ kind }) => kind));
  const expected = ["dedented", "CRLF file", "mixed endings inside", "stands twice", "two depths, neither exact", "tabs and spaces exchanged", "shifted unevenly", "a blank line more"];
  expect([...caught]).toEqual(expect.arrayContaining(expected));
});

test("the whole way, from an answer to the disk, gives the same for every twentieth case", { timeout: 120_000 }, async () => {
  const sandbox = createSandbox();
  try {
    const loaf = await Loaf.create({ repoPath: sandbox.root, config: { edits: { match: "tolerant" } } });
    const path = join(sandbox.root, "file.txt");
    const different: string[] = [];
    for (const one of cases.filter((_, index) => index % 20 === 0)) {
      writeFileSync(path, one.file);
      await loaf.execute(printBlock("edt", { action: "file_replace_text", path, old_text: one.oldText, new_text: one.newText }));
      const expected = applyPurely(one) ?? one.file;
      if (!readFileSync(path).equals(expected)) different.push(one.name);
    }
    expect(different).toEqual([]);
  } finally {
    sandbox.remove();
  }
});

afterAll(() => {
  const file = process.env["LOAF_TABLE"];
  if (file !== undefined) writeFileSync(file, `${tally.table()}\n`);
});

/** The file afterwards, or undefined where the edit is refused. */
function applyPurely({ file, oldText, newText }: EditCase): Buffer | undefined {
  try {
    const { splices } = replaceOnce(withoutMark(file), oldText, newText, "tolerant");
    return spliceBytes(file, splices, "/file");
  } catch (thrown) {
    if (thrown instanceof Failed) return undefined;
    throw thrown;
  }
}

/** As simple matchers do it: the first place whose lines are the same but for the white space around them, blank lines left out. */
function applyBlindly({ file, oldText, newText }: EditCase): Buffer | undefined {
  const lines = file.toString().split("\n");
  const filled = lines.flatMap((line, index) => (skeleton(line) === "" ? [] : [{ text: skeleton(line), index }]));
  const wanted = oldText.split("\n").map(skeleton).filter((line) => line !== "");
  const [place] = placesOf(filled.map(({ text }) => text), wanted);
  const [first, last] = place === undefined ? [] : [filled[place], filled[place + wanted.length - 1]];
  if (first === undefined || last === undefined) return undefined;
  return Buffer.from([...lines.slice(0, first.index), newText, ...lines.slice(last.index + 1)].join("\n"));
}

function judge({ expected }: EditCase, result: Buffer | undefined): Verdict {
  if (result === undefined) return "refused";
  return expected?.equals(result) === true ? "applied" : "wrong";
}
