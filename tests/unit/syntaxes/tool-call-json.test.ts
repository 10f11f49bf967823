/** Repair of the JSON of tool calls. */
import { expect, test } from "vitest";
import { parsedJson } from "../../../src/syntaxes/tool-calls/json.ts";

test("a comma before a closing bracket, and line breaks and tabs in a string, are repaired", () => {
  expect(parsedJson('{"a": [1, ",]\n\t\r\\"", ] ,\n}')).toEqual({ value: { a: [1, ',]\n\t\r"'] }, isRepaired: true });
  expect(parsedJson('{"a": [1, 2]}')).toEqual({ value: { a: [1, 2] }, isRepaired: false });
  expect(parsedJson("null")).toEqual({ value: null, isRepaired: false });
});

test("CRLF in a string is the clipboard's and read as LF, unless it is escaped", () => {
  expect(parsedJson('{"a":\r\n"b\r\nc",\r\n}')?.value).toEqual({ a: "b\nc" });
  expect(parsedJson('{"a": "b\\r\\nc"}')?.value).toEqual({ a: "b\r\nc" });
});

test.each(["", "{", ",", "[1,,]", '{"a": "b}', '["a\\\nb"]', '["a\\', "[,1]"])("other damage is not repaired: %j", (text) => {
  expect(parsedJson(text)).toBeUndefined();
});

test("an unclosed quote before many escaped ones takes linear time", () => {
  const start = performance.now();
  expect(parsedJson('{"a": "' + '\\"'.repeat(500_000))).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(3_000);
});

test("a string of any length is repaired", () => {
  const text = "x".repeat(17_000_000);
  const value = parsedJson(`["${text}\n",]`)?.value;
  expect(Array.isArray(value) && value[0] === `${text}\n`).toBe(true);
});
