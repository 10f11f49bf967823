import fc from "fast-check";
import { expect, test } from "vitest";
import { cutMiddle } from "../../../src/report/cut.ts";

const NOTICE = /\n?note: (\d+) bytes are cut here.*\n?/;
const asIs = (text: string): string => text;

test("what fits stays", () => {
  const texts = ["abc", "", "def"];
  expect(cutMiddle(texts, 6, asIs)).toEqual(texts);
});

test("the first and the last half stay", () => {
  const [text = ""] = cutMiddle(["0123456789"], 6, asIs);
  expect(text.split("\n")).toEqual(["012", expect.stringMatching(/^note: 4 bytes are cut here/), "789"]);
});

test("the halves are counted over all texts", () => {
  const [first, second, third] = cutMiddle(["aaaa", "bbbb", "cccc"], 4, asIs);
  expect(first).toMatch(/^aa\nnote: 2 bytes/);
  expect(second).toMatch(/^note: 4 bytes/);
  expect(third).toMatch(/note: 2 bytes.*\ncc$/);
});

test("no character is torn, and nothing else is lost", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 5, maxLength: 200 }), fc.nat(40), (text, limit) => {
      fc.pre(!text.includes("\n") && Buffer.byteLength(text) > limit);
      const [cut = ""] = cutMiddle([text], limit, asIs);
      const [, missing] = NOTICE.exec(cut) ?? [];
      const [head = "", tail = ""] = cut.split(new RegExp(NOTICE.source.replace("(\\d+)", "\\d+")));
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + Number(missing)).toBe(Buffer.byteLength(text));
      expect(Buffer.byteLength(head) + Buffer.byteLength(tail)).toBeLessThanOrEqual(limit);
    }),
  );
});

test("of texts however long, no more is shown than may come into view, and the count is right", () => {
  let shown = 0;
  const count = (text: string): string => {
    shown += text.length;
    return text;
  };
  const [first, middle, last] = cutMiddle(["a".repeat(1_000_000), "\u00e4".repeat(1_000_000), "c".repeat(1_000_000)], 1_000, count);
  expect(shown).toBeLessThan(2_100);
  expect(first).toMatch(/^a{500}\nnote: 999500 bytes/);
  expect(middle).toMatch(/^note: 2000000 bytes/);
  expect(last).toMatch(/^note: 999500 bytes.*\nc{500}$/);
});

test("what grows or shrinks by being shown is cut as it is shown", () => {
  const [grown] = cutMiddle(["ab".repeat(10_000)], 100, (text) => text.replaceAll("a", "\\u0001"));
  expect(grown).toMatch(/^(?:\\u0001b){7}\\\nnote: \d+ bytes.*\nb(?:\\u0001b){7}$/);
  const [shrunk] = cutMiddle(["\r\n".repeat(10_000)], 100, (text) => text.replaceAll("\r\n", "\n"));
  expect(shrunk).toMatch(/^\n{50}\nnote: \d+ bytes.*\n\n{50}$/);
});
