import fc from "fast-check";
import { expect, test } from "vitest";
import { type Cuttable, cutMiddle } from "../../../src/report/sections.ts";

const NOTICE = /\n?note: (\d+) bytes are cut here.*\n?/;
const asIs = (texts: readonly string[], show: Cuttable["show"] = (text) => text): Cuttable[] => texts.map((text) => ({ text, show }));

test("keeps texts that fit", () => {
  const texts = ["abc", "", "def"];
  expect(cutMiddle(asIs(texts), 6)).toEqual(texts);
});

test("keeps the first and the last half", () => {
  const [text = ""] = cutMiddle(asIs(["0123456789"]), 6);
  expect(text.split("\n")).toEqual(["012", expect.stringMatching(/^note: 4 bytes are cut here/), "789"]);
});

test("counts the halves over all texts", () => {
  const [first, second, third] = cutMiddle(asIs(["aaaa", "bbbb", "cccc"]), 4);
  expect(first).toMatch(/^aa\nnote: 2 bytes/);
  expect(second).toMatch(/^note: 4 bytes/);
  expect(third).toMatch(/note: 2 bytes.*\ncc$/);
});

test("splits no character, and loses nothing else", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 5, maxLength: 200 }), fc.nat(40), (text, limit) => {
      fc.pre(!text.includes("\n") && Buffer.byteLength(text) > limit);
      const [cut = ""] = cutMiddle(asIs([text]), limit);
      const [, missing] = NOTICE.exec(cut) ?? [];
      const [head = "", tail = ""] = cut.split(new RegExp(NOTICE.source.replace("(\\d+)", "\\d+")));
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + Number(missing)).toBe(Buffer.byteLength(text));
      expect(Buffer.byteLength(head) + Buffer.byteLength(tail)).toBeLessThanOrEqual(limit);
    }),
  );
});

test("escapes only what may be kept of long texts, and counts correctly", () => {
  let shown = 0;
  const count = (text: string): string => {
    shown += text.length;
    return text;
  };
  const [first, middle, last] = cutMiddle(asIs(["a".repeat(1_000_000), "\u00e4".repeat(1_000_000), "c".repeat(1_000_000)], count), 1_000);
  expect(shown).toBeLessThan(3_100);
  expect(first).toMatch(/^a{500}\nnote: 999500 bytes/);
  expect(middle).toMatch(/^note: 2000000 bytes/);
  expect(last).toMatch(/^note: 999500 bytes.*\nc{500}$/);
});

test("measures texts after escaping", () => {
  const [grown] = cutMiddle(asIs(["ab".repeat(10_000)], (text) => text.replaceAll("a", "\\u0001")), 100);
  expect(grown).toMatch(/^(?:\\u0001b){7}\\\nnote: \d+ bytes.*\nb(?:\\u0001b){7}$/);
  const [shrunk] = cutMiddle(asIs(["\r\n".repeat(10_000)], (text) => text.replaceAll("\r\n", "\n")), 100);
  expect(shrunk).toMatch(/^\n{50}\nnote: \d+ bytes.*\n\n{50}$/);
});
