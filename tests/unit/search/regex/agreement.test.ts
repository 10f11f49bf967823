/** Law: ripgrep, Loaf's own matcher and JavaScript's RegExp find the same lines. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineFinder } from "../../../../src/search/line-finder.ts";
import { soughtRegex } from "../../../../src/search/regex.ts";
import { createFolder } from "../../../support/folder.ts";
import { tries } from "../../../support/tries.ts";
import { openProject, ripgrep } from "../project.ts";

/** A pattern, and what JavaScript calls the same: its `\s` also knows spaces beyond ASCII. */
interface Both {
  readonly loaf: string;
  readonly js: string;
}

const same = (text: string): Both => ({ loaf: text, js: text });
const letters = ["a", "b", "c", "A", "_", "1", " ", "é", "É", "ß", "σ", "ς", "Σ", "😀", "漢", "-", "\\.", "\\$", "\\x61", "\\u00e9", "\\t"];
const classes: readonly Both[] = [
  ...[".", "\\d", "\\w", "\\D", "\\W", "[ab]", "[^a]", "[a-c1]", "[^\\n]", "[^\\w]", "[\\d_]", "[é-ö]", "[^é]", "[ß-漢😀]", "[^\\d\\n]"].map(same),
  { loaf: "\\s", js: "[\\t-\\r ]" },
  { loaf: "\\S", js: "[^\\t-\\r ]" },
  { loaf: "[\\w-.]", js: "[\\w\\-.]" },
  { loaf: "[]a]", js: "[\\]a]" },
  { loaf: "[[:alpha:]_]", js: "[A-Za-z_]" },
  { loaf: "{", js: "\\{" },
];
const edges = ["^", "$", "\\b", "\\B"].map(same);

const joinBoth = (parts: readonly Both[], separator: string): Both => ({ loaf: parts.map(({ loaf }) => loaf).join(separator), js: parts.map(({ js }) => js).join(separator) });
const around = ({ loaf, js }: Both, before: string, after: string): Both => ({ loaf: before + loaf + after, js: before + js + after });

const { pattern } = fc.letrec<{ pattern: Both; part: Both; atom: Both }>((tie) => ({
  pattern: fc.array(fc.array(tie("part"), { maxLength: 4, depthIdentifier: "p" }).map((parts) => joinBoth(parts, "")), { minLength: 1, maxLength: 3, depthIdentifier: "p" }).map((options) => joinBoth(options, "|")),
  part: fc.oneof(
    { depthIdentifier: "p" },
    tie("atom"),
    fc.constantFrom(...edges),
    fc.tuple(tie("atom"), fc.constantFrom("*", "+", "?", "*?", "+?", "??", "{2}", "{0}", "{1,}", "{0,3}", "{2,3}?")).map(([atom, count]) => around(atom, "", count)),
  ),
  atom: fc.oneof(
    { depthIdentifier: "p" },
    fc.constantFrom(...letters.map(same), ...classes),
    tie("pattern").map((inside) => around(inside, "(", ")")),
    tie("pattern").map((inside) => around(inside, "(?:", ")")),
  ),
}));

const nonEmpty = pattern.filter(({ loaf }) => loaf !== "");
const text = fc.array(fc.constantFrom("a", "b", "c", "A", "ab", "_", "1", " ", "é", "É", "ß", "σ", "ς", "Σ", "😀", "漢", "-", ".", "$", "{", "]", "\t", "\r", "\n", "\n", "\r\n", "\n\n"), { maxLength: 25 }).map((parts) => parts.join(""));

function linesByLoaf(bytes: readonly Buffer[], wanted: string): number[] {
  const finder = new LineFinder(soughtRegex(wanted).needle(), Infinity);
  for (const piece of bytes) finder.take(piece);
  finder.end();
  return finder.found.map(({ line_number }) => line_number);
}

function linesByJavaScript(whole: string, wanted: RegExp): number[] {
  const lines = whole.replace(/^\ufeff/, "").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.flatMap((line, index) => (wanted.test(line.replace(/\r$/, "")) ? [index + 1] : []));
}

describe("a regular expression", () => {
  it("finds the lines that JavaScript's RegExp finds, however the text is cut", () => {
    let [found, all] = [0, 0];
    fc.assert(fc.property(nonEmpty, text, fc.boolean(), fc.boolean(), fc.array(fc.nat(), { maxLength: 4 }), ({ loaf, js }, written, hasMark, ignoresCase, cuts) => {
      // V8 finds a place inside a character, between its surrogates.
      fc.pre(!loaf.includes("\\B") || !written.includes("😀"));
      const whole = hasMark && written !== "" ? `\ufeff${written}` : written;
      const bytes = Buffer.from(whole);
      const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end)).filter((piece) => piece.length > 0);
      const expected = linesByJavaScript(whole, new RegExp(js, ignoresCase ? "ius" : "us"));
      expect(linesByLoaf(pieces, ignoresCase ? `(?i)${loaf}` : loaf)).toEqual(expected);
      found += expected.length;
      all += whole.split("\n").length;
    }), tries(400, 20_000));
    expect(found / all).toBeGreaterThan(0.2);
    expect(found / all).toBeLessThan(0.9);
  });

  it("finds the same with ripgrep as without", async () => {
    expect(ripgrep).toBeDefined();
    const root = createFolder({ "a.txt": "" });
    let [found, asked] = [0, 0];
    await fc.assert(fc.asyncProperty(nonEmpty, fc.array(text, { minLength: 10, maxLength: 20 }), fc.boolean(), async ({ loaf }, texts, hasMark) => {
      for (const [index, written] of texts.entries()) writeFileSync(join(root, `${index}.txt`), hasMark ? `\ufeff${written}` : written);
      const answer = (program: string | undefined) => openProject(root, program).search.grep({ pattern: loaf, regex: true, path: root });
      const expected = await answer(undefined);
      expect(await answer(ripgrep)).toEqual(expected);
      // Otherwise Loaf's own scan would agree with itself.
      const { ripgrepPattern } = soughtRegex(loaf);
      if (ripgrepPattern === undefined) return;
      asked += 1;
      execFileSync(ripgrep ?? "", ["--quiet", "--no-config", `--regexp=${ripgrepPattern}|(?:)`, "--", root]);
      found += expected.matches.length;
    }), tries(25, 1_000));
    expect(found).toBeGreaterThan(100);
    expect(asked).toBeGreaterThan(5);
  }, 60_000);
});
