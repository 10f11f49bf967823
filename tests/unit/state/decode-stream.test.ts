import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeStream } from "../../../src/state/input.ts";

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function decoded(bytes: Buffer, size: number): Promise<string> {
  let text = "";
  try {
    for await (const piece of decodeStream(inPieces(bytes, size))) text += piece;
  } catch {
    text += "!";
  }
  return text;
}

test("decodes the same text for any cut", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40 }), fc.integer({ min: 1, max: 9 }), async (text, size) => {
      const bytes = Buffer.from(text.toWellFormed());
      expect(await decoded(bytes, size)).toBe(bytes.toString("utf8"));
    }),
  );
});

test.each([
  ["in the middle", "one\ntwo \x80\nthree", "one\n!"],
  ["at once", "\xff", "!"],
  ["at the end, where a character is cut off", "one\n\xc3", "one\n!"],
])("invalid UTF-8 ends it, %s", async (_, bytes, expected) => {
  expect(await decoded(Buffer.from(bytes, "latin1"), 100)).toBe(expected);
});
