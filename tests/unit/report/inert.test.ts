import { expect, test } from "vitest";
import { inert } from "../../../src/report/inert.ts";

test.each(["#!nesl [@three-char-SHA-256: k7m]", "  #!nesl broken", "#!SHAM [@x: k7m]", "<---WRITE file=\"a\"--->", "<<<FILE>>>", "=== END ==="])(
  "%s is marked",
  (line) => {
    expect(inert(`a\n${line}\nb`)).toBe(`a\n⁞ ${line}\nb`);
  },
);

test("an opener behind a byte order mark or a CR is found", () => {
  expect(inert("\ufeff#!nesl [@three-char-SHA-256: k7m]")).toMatch(/^⁞ /);
  expect(inert("#!nesl [@three-char-SHA-256: k7m]\r\n")).toMatch(/^⁞ .*\]\n$/);
});

test("other lines stay, and CRLF becomes LF", () => {
  expect(inert("x = 1\r\n==== heading\n#!end_k7m\n")).toBe("x = 1\n==== heading\n#!end_k7m\n");
});

test("twice is once", () => {
  const once = inert("=== a\n#!nesl [@x: k7m]\n\u001b");
  expect(inert(once)).toBe(once);
});
