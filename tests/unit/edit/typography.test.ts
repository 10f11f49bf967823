import { expect, test } from "vitest";
import { typographicBytes } from "../../../src/edit/typography.ts";

test("a plain byte stands for its own typographic characters only", () => {
  const of = (plain: string) => typographicBytes(plain.charCodeAt(0)).map((bytes) => bytes.toString());
  expect(of("'")).toContain("\u2019");
  expect(of("'")).not.toContain("\u201d");
  expect(of('"')).toContain("\u201d");
  expect(of("a")).toEqual([]);
});
