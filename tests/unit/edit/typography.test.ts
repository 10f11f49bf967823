import { expect, test } from "vitest";
import { plainBytes } from "../../../src/edit/quotation.ts";

test("bytes in plain form keep the offsets of the file", () => {
  const bytes = Buffer.concat([Buffer.from("a “b’s” é\u00a0–x"), Buffer.from([0xe2, 0x80]), Buffer.from("’")]);
  const { text, byteAt } = plainBytes(bytes);
  expect(text).toBe(`a "b's" \xc3\xa9 -x\xe2\x80'`);
  const starts = [...text].map((_, index) => byteAt(index));
  expect(starts).toEqual([0, 1, 2, 5, 6, 9, 10, 13, 14, 15, 16, 18, 21, 22, 23, 24]);
  expect(byteAt(text.length)).toBe(bytes.length);
});
