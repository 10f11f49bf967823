import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explain, Failed } from "../../../src/core/failure.ts";
import { decode, encode, spliceBytes, withoutMark } from "../../../src/edit/codec.ts";

const bytes = (...parts: ReadonlyArray<string | readonly number[]>): Buffer => Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

const failureOf = (act: () => unknown): string => {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof Failed) return thrown.failure.code;
    throw thrown;
  }
  return "none";
};

test("decodes UTF-8 without its byte order mark", () => {
  expect(decode(bytes("grüße 🥖\r\n"))).toEqual({ text: "grüße 🥖\r\n" });
  expect(decode(bytes([0xef, 0xbb, 0xbf], "x"))).toEqual({ text: "x" });
  expect(decode(bytes("\ufffd is a character like any other")).problem).toBeUndefined();
  expect(decode(Buffer.alloc(0)).text).toBe("");
});

test.each([
  ["binary", bytes("a\0b")],
  ["not-utf-8", bytes("caf", [0xe9])],
  ["not-utf-8", bytes([0xed, 0xa0, 0x80])],
  ["not-utf-8", bytes([0xc0, 0xaf])],
  ["utf-16", bytes([0xff, 0xfe], "a\0")],
  ["utf-16", bytes([0xfe, 0xff], "\0a")],
])("%s is not text", (problem, file) => {
  expect(decode(file).problem).toBe(problem);
});

describe("an edit", () => {
  test("keeps the byte order mark", () => {
    const file = bytes([0xef, 0xbb, 0xbf], "one two");
    expect(spliceBytes(file, [{ start: 0, end: 3, text: "1" }], "/f")).toEqual(bytes([0xef, 0xbb, 0xbf], "1 two"));
  });

  test("changes only its own bytes, whatever the others contain", () => {
    const file = bytes([0xff, 0x00, 0xe9], "old", [0xc3, 0x28]);
    expect(spliceBytes(file, [{ start: 3, end: 6, text: "newer" }], "/f")).toEqual(bytes([0xff, 0x00, 0xe9], "newer", [0xc3, 0x28]));
  });

  test("accepts only ASCII in a file that is not UTF-8", () => {
    const file = bytes("caf", [0xe9], " old");
    expect(failureOf(() => spliceBytes(file, [{ start: 5, end: 8, text: "né" }], "/f"))).toBe("text/not-ascii");
    expect(failureOf(() => spliceBytes(file, [{ start: 0, end: 4, text: "tea" }], "/f"))).toBe("text/not-ascii");
    expect(failureOf(() => spliceBytes(file, [{ start: 5, end: 8, text: "n" }, { start: 8, end: 8, text: "\u0080" }], "/f"))).toBe("text/not-ascii");
  });

  test("accepts non-ASCII text in UTF-8", () => {
    expect(spliceBytes(bytes("é🥖"), [{ start: 2, end: 6, text: "ö" }], "/f")).toEqual(bytes("éö"));
  });

  test("with a lone surrogate is refused", () => {
    expect(failureOf(() => spliceBytes(bytes("x"), [{ start: 0, end: 1, text: "\ud83e" }], "/f"))).toBe("text/lone-surrogate");
  });
});

test("encode refuses a lone surrogate instead of replacing it", () => {
  for (const text of ["\ud800", "a\udc00b", "\ufffd\ud83e"]) expect(failureOf(() => encode(text, "/f"))).toBe("text/lone-surrogate");
  expect(encode("\ufffd 🥖", "/f")).toEqual(bytes("\ufffd 🥖"));
  expect(explain({ code: "text/lone-surrogate", path: "/f" })).toContain("/f");
});

test("keeps all bytes that no splice covers, for any bytes and places", () => {
  const splices = fc.array(fc.record({ kept: fc.nat(60), taken: fc.nat(60), text: fc.oneof(fc.constant(""), fc.string({ maxLength: 80 })) }), { maxLength: 6 });
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), splices, (array, wanted) => {
    const file = Buffer.from(array);
    const body = withoutMark(file);
    let at = 0;
    const made = wanted.map(({ kept, taken, text }) => {
      const start = Math.min(body.length, at + kept);
      at = Math.min(body.length, start + taken);
      return { start, end: at, text: decode(file).problem === undefined ? text : text.replace(/[^\x00-\x7f]/g, "?") };
    });
    fc.pre(decode(file).problem === undefined || made.every(({ start, end }) => body.subarray(start, end).every((byte) => byte < 0x80)));
    const kept = [0, ...made.map(({ end }) => end)].map((start, index) => body.subarray(start, made[index]?.start ?? body.length));
    const expected = Buffer.concat([file.subarray(0, file.length - body.length), ...kept.flatMap((part, index) => [part, Buffer.from(made[index]?.text ?? "")])]);
    expect(spliceBytes(file, made, "/f")).toEqual(expected);
  }));
});
