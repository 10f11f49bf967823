import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type Memory, NOTHING_RAN, whatToRun } from "../../../../src/faces/watch/what-to-run.ts";

/** Small letters are actions, capitals are errors. */
const itemsOf = (text: string) => [...text].map((hash) => ({ hash, isAction: hash === hash.toLowerCase() }));
const run = (text: string, memory: Memory) => {
  const decision = whatToRun(itemsOf(text), memory);
  return { ran: [...text].filter((_, index) => decision.positions.has(index)).join(""), memory: decision.memory };
};

/** Returns what runs of each text in a series. */
function series(...texts: readonly string[]): string[] {
  let memory = NOTHING_RAN;
  return texts.map((text) => {
    const { ran, memory: next } = run(text, memory);
    memory = next;
    return ran;
  });
}

describe.each([
  ["the first text runs whole", ["ab"], ["ab"]],
  ["the same text does not run again", ["ab", "ab"], ["ab", ""]],
  ["what is added below runs", ["ab", "abc"], ["ab", "c"]],
  ["what is added above or between runs", ["ab", "xayb"], ["ab", "xy"]],
  ["the same block added again runs", ["a", "aa", "aa"], ["a", "a", ""]],
  ["an action that was changed makes a new text", ["ab", "ax"], ["ab", "ax"]],
  ["another order makes a new text", ["ab", "ba"], ["ab", "ba"]],
  ["what comes back after another text runs again", ["a", "b", "a"], ["a", "b", "a"]],
  ["a later part of a text is a new text", ["abc", "bc", "ac"], ["abc", "bc", "ac"]],
  ["nothing runs where the end was taken away, nor when it is back", ["abc", "ab", "", "abc"], ["abc", "", "", ""]],
  ["a text that an editor saves in two steps runs once", ["ab", "a", "abc"], ["ab", "", "c"]],
  ["what is wrong is told once", ["aX", "aX", "abX"], ["aX", "", "b"]],
  ["what was wrong and is mended runs alone", ["aX", "ax"], ["aX", "x"]],
  ["what is cut off while it is saved again runs nothing else", ["abc", "aB", "abc"], ["abc", "B", ""]],
  ["a new text tells again what is wrong", ["aX", "bX"], ["aX", "bX"]],
])("%s", (_, texts, ran) => {
  it(texts.join(" → "), () => expect(series(...texts)).toEqual(ran));
});

const text = fc.array(fc.constantFrom(..."abcXY"), { maxLength: 6 }).map((letters) => letters.join(""));

test("a text runs at most once in a row, and an extended one runs the addition", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), text, text, (before, one, more) => {
      const [again, longer] = series(...before, one, one, one + more).slice(-2);
      expect(again).toBe("");
      // The addition may equal the former end of the text.
      const isLast = series(...before, one).at(-1) !== "" && before.length === 0;
      if (isLast) expect([...(longer ?? "")].filter((letter) => letter === letter.toLowerCase()).join("")).toBe([...more].filter((letter) => letter === letter.toLowerCase()).join(""));
    }),
    { numRuns: 2_000 },
  );
});
