/** Repair of the JSON of tool calls. */
import { expect, test } from "vitest";
import { isBlock } from "../../../src/core/block.ts";
import { parse, read } from "../../../src/answer/read-answer.ts";
import { parsedJson } from "../../../src/syntaxes/tool-calls/arguments.ts";
import { measureWork } from "../../support/work.ts";

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
  const work = measureWork();
  expect(parsedJson('{"a": "' + '\\"'.repeat(500_000))).toBeUndefined();
  expect(work()).toBeLessThan(3_000);
});

test("a string of any length is repaired", () => {
  const text = "x".repeat(17_000_000);
  const value = parsedJson(`["${text}\n",]`)?.value;
  expect(Array.isArray(value) && value[0] === `${text}\n`).toBe(true);
});

test.each(["name", "tool", "tool_name", "recipient_name"])("the name of a tool may stand in '%s'", (key) => {
  const { blocks } = parse(JSON.stringify({ [key]: "Write", arguments: { file_path: "a.txt", content: "x" } }));
  expect(blocks[0]?.properties).toMatchObject({ action: "file_write", path: "a.txt" });
});

test.each([
  [[2, 3], { action: "file_read_numbered", lines: "2-3" }],
  [[3, 2], { action: "file_read" }],
  [[2, -1], { action: "file_read" }],
  [["a", 3], { action: "file_read" }],
  [[2], { action: "file_read" }],
])("a view of the lines %j", (range, expected) => {
  const { blocks } = parse(JSON.stringify({ name: "str_replace_based_edit_tool", input: { command: "view", path: "a.txt", view_range: range } }));
  expect(blocks[0]?.properties).toMatchObject(expected);
});

test("calls without their last brace, each in its fence, cost the others nothing", () => {
  const call = (path: string) => `{"name": "Write", "arguments": {"file_path": "${path}", "content": "x"}}`;
  const fenced = (text: string) => `\`\`\`json\n${text}\n\`\`\`\n\n`;
  const broken = Array.from({ length: 25 }, (_, index) => fenced(call(`b${index}`).slice(0, -1)));
  const { items } = read(`${broken.join("")}${fenced(call("good"))}`, { format: "tool-calls" });
  const good = items.filter(isBlock).filter(({ diagnostics }) => diagnostics.length === 0);
  expect([items.length, good.map(({ properties }) => properties["path"])]).toEqual([26, ["good"]]);
});
