/** What is shown of a long line is short. One that is too long is named: a regular expression needs a line whole. */
import { describe, expect, it } from "vitest";
import { Loaf } from "../../../../src/index.ts";
import { LineFinder } from "../../../../src/search/line-finder.ts";
import { soughtText } from "../../../../src/search/line-finder.ts";
import { soughtRegex } from "../../../../src/search/regex.ts";
import { printBlock } from "../../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../../support/folder.ts";

const TOO_LONG = 4_300_000;
const PIECE = 100_000;

function finderOf(pattern: string, text: string, sought = soughtRegex): LineFinder {
  const finder = new LineFinder(sought(pattern).needle(), 10);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PIECE) finder.take(bytes.subarray(at, at + PIECE));
  finder.end();
  return finder;
}

describe("a long line", () => {
  it("is found however many pieces it comes in, and cut around the match", () => {
    const { found, hasUnsearched } = finderOf("ne+dle$", `${"x".repeat(200_000)}needle\n`);
    expect(found).toEqual([{ line_number: 1, line: `…${"x".repeat(500)}needle` }]);
    expect(hasUnsearched).toBe(false);
    expect(finderOf("^x+ne", `${"x".repeat(200_000)}needle${"y".repeat(200_000)}\n`).found[0]?.line).toHaveLength(501);
  });

  it("that is too long is passed over, and no place in it is taken for its start", () => {
    const { found, hasUnsearched } = finderOf("^b", `b\n${"b".repeat(TOO_LONG)}\nb\na\nb`);
    expect(found.map(({ line_number }) => line_number)).toEqual([1, 3, 5]);
    expect(hasUnsearched).toBe(true);
    const last = finderOf("^b", "b".repeat(TOO_LONG));
    expect([last.count, last.hasUnsearched]).toEqual([0, true]);
  });

  it("that is too long is searched for a text in its first 4 MB", () => {
    const { found, hasUnsearched } = finderOf("needle", `a needle${"b".repeat(TOO_LONG)}needle\nneedle`, soughtText);
    expect(found.map(({ line_number }) => line_number)).toEqual([1, 2]);
    expect(hasUnsearched).toBe(true);
    expect(finderOf("needle", `${"b".repeat(TOO_LONG)}needle\nneedle`, soughtText).found).toEqual([{ line_number: 2, line: "needle" }]);
  });

  it("that is too long is named, in a file and below a directory", async () => {
    const root = createFolder({ "a.txt": `${"b".repeat(TOO_LONG)}\nbee\n`, "sub/b.txt": `bee\n${"b".repeat(TOO_LONG)}` });
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, gitCommit: false });
    const grep = (path: string): string => printBlock("abc", { action: "grep", pattern: "b+ee?$", regex: "true", path });
    const said = "a line over 4 MB was not searched to its end";
    const { results: [file] } = await loaf.execute(grep("a.txt"));
    expect(file).toMatchObject({ data: [{ line_number: 2 }], warnings: [`a.txt: ${said}`] });
    const { results: [all] } = await loaf.execute(grep("."));
    expect(all?.data).toHaveLength(2);
    expect(all?.warnings?.[0]).toMatch(new RegExp(`^(?:\\./)?a\\.txt and 1 more file: ${said}$`));
  });
});
