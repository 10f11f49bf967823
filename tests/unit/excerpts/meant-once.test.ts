import { expect, test } from "vitest";
import type { ExcerptSource } from "../../../src/excerpts/merge.ts";
import { meantOnce } from "../../../src/excerpts/meant-once.ts";
import type { ShownText } from "../../../src/excerpts/meant.ts";

const source: ExcerptSource = { parts: () => [], isValid: () => undefined, blocksIn: () => [], lostIn: () => [] };
const shown: ShownText = { path: "a.txt", content: "one\ntwo\n", told: "Here is the full `a.txt`:", isLabelled: true, mayMerge: true, source };

test("what an action means is found once", () => {
  const action = {};
  const first = meantOnce(action, shown, "one\n");
  expect(first.text).toBe("one\ntwo\n");
  expect(meantOnce(action, shown, "one\n")).toBe(first);
  expect(meantOnce({}, shown, "one\n")).not.toBe(first);
});

test("it is found anew for another text of the file", () => {
  const action = {};
  expect(meantOnce(action, shown, "one\n").text).toBe("one\ntwo\n");
  expect(meantOnce(action, shown, "one\r\n").text).toBe("one\r\ntwo\r\n");
  expect(() => meantOnce(action, { ...shown, original: "zero\n" }, "one\ntwo\nthree\nfour\nfive\nsix\n")).toThrow();
});
