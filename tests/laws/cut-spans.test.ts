/** The law of code spans: whatever stretch of a line a sentence changes, it lands if it cuts no name and no number, and else not. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const LINE = "var x2 = ab.c(10.5, d_e) + $f;";
const STRETCHES = [...LINE].flatMap((_, start) =>
  [2, 3, 5, 8].map((length) => ({ start, end: start + length })).filter(({ end }) => end <= LINE.length && isSpan(LINE.slice(start, end))));
const PARTS = LINE.match(/\d+\.\d+|[\w$]+|[^\w$]/g) ?? [];
/** Where a name, a number or a sign ends. */
const BORDERS = new Set(PARTS.map((_, index) => PARTS.slice(0, index).join("").length).concat(LINE.length));

test.each(STRETCHES)("$start to $end", async ({ start, end }) => {
  const old = LINE.slice(start, end);
  const isWhole = BORDERS.has(start) && BORDERS.has(end);
  const after = isWhole ? `${LINE.slice(0, start)}Q-Q${LINE.slice(end)}` : LINE;
  expect(await answered("a.txt", `one\n${LINE}\nthree\n`, `In \`a.txt\`, change \`${old}\` to \`Q-Q\`.\n`)).toBe(`one\n${after}\nthree\n`);
  const twice = `${LINE}\nx${LINE}\n${LINE}\n`;
  const first = start === 0 ? `x${LINE}` : `x${after}`;
  expect(await answered("a.txt", twice, `In \`a.txt\`, change every \`${old}\` to \`Q-Q\`.\n`)).toBe(`${after}\n${first}\n${after}\n`);
});

/** A code span does not show its outer spaces; a name alone may be renamed anywhere, and `.c` is a kind of file. */
function isSpan(text: string): boolean {
  return text === text.trim() && !/^\.?[\w$]+$/.test(text);
}
