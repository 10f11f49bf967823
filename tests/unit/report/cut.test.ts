import fc from "fast-check";
import { expect, test } from "vitest";
import { cutMiddle } from "../../../src/report/cut.ts";

const NOTICE = /\n?note: (\d+) bytes are cut here.*\n?/;

test("what fits stays", () => {
  const texts = ["abc", "", "def"];
  expect(cutMiddle(texts, 6)).toBe(texts);
});

test("the first and the last half stay", () => {
  const [text = ""] = cutMiddle(["0123456789"], 6);
  expect(text.split("\n")).toEqual(["012", expect.stringMatching(/^note: 4 bytes are cut here/), "789"]);
});

test("the halves are counted over all texts", () => {
  const [first, second, third] = cutMiddle(["aaaa", "bbbb", "cccc"], 4);
  expect(first).toMatch(/^aa\nnote: 2 bytes/);
  expect(second).toMatch(/^note: 4 bytes/);
  expect(third).toMatch(/note: 2 bytes.*\ncc$/);
});

test("no character is torn, and nothing else is lost", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 5 }), fc.nat(40), (text, limit) => {
      fc.pre(!text.includes("\n") && Buffer.byteLength(text) > limit);
      const [cut = ""] = cutMiddle([text], limit);
      const [, missing] = NOTICE.exec(cut) ?? [];
      const [head = "", tail = ""] = cut.split(new RegExp(NOTICE.source.replace("(\\d+)", "\\d+")));
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + Number(missing)).toBe(Buffer.byteLength(text));
      expect(Buffer.byteLength(head) + Buffer.byteLength(tail)).toBeLessThanOrEqual(limit);
    }),
  );
});
