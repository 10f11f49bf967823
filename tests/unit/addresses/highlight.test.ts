import { expect, test } from "vitest";
import { highlight } from "../../../src/addresses/highlight.ts";

const kinds = async (path: string, text: string): Promise<string[]> => (await highlight(path, text)).map(([start, end, kind]) => `${kind} ${text.slice(start, end)}`);

test.each([
  ["a.py", 'def f(x):\n  return "a" # done\n', ["keyword def", "keyword return", 'string "a"', "comment # done"]],
  ["a.ts", "const x: Cart = 1;", ["keyword const", "type Cart", "number 1"]],
  ["a.json", '{"a": [true, 2]}', ['string "a"', "number true", "number 2"]],
  ["a.rs", "fn f() -> u8 { 3 }", ["keyword fn", "type u8", "number 3"]],
  ["a.txt", "const x = 1;", []],
])("%s", async (path, text, expected) => {
  expect(await kinds(path, text)).toEqual(expected);
});

test("a text that is cut off, hostile or empty still has its tokens, or none", async () => {
  expect(await kinds("a.ts", "const x = (((")).toEqual(["keyword const"]);
  expect(await kinds("a.ts", "")).toEqual([]);
  const all = await highlight("a.ts", "a<".repeat(5_000));
  expect(all.every(([start, end]) => start < end)).toBe(true);
});
