/** The values of tool calls in tags, and what they do to files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";

async function after(before: Readonly<Record<string, string>>, answer: string, path: string): Promise<string> {
  const root = createFolder(before);
  const loaf = await Loaf.create({ repoPath: root });
  await loaf.execute(answer);
  return readFileSync(join(root, path), "utf8");
}

const call = (tool: string, given: Readonly<Record<string, string>>): string =>
  `<invoke name="${tool}">\n${Object.entries(given).map(([name, value]) => `<parameter name="${name}">${value}</parameter>\n`).join("")}</invoke>\n`;

test.each([
  ["a new file", {}, call("Write", { file_path: "a.txt", content: "A\nB\n" }), "A\nB\n"],
  ["a new file between its tags", {}, call("Write", { file_path: "a.txt", content: "\nA\nB\n" }), "A\nB"],
  ["an edit", { "a.txt": "a\nb\nC\n" }, call("Edit", { file_path: "a.txt", old_string: "a\nb", new_string: "A\nB" }), "A\nB\nC\n"],
  ["an edit in CDATA", { "a.txt": "a\nb\nC\n" }, call("Edit", { file_path: "a.txt", old_string: "<![CDATA[\na\nb]]>", new_string: "<![CDATA[A\nB]]>" }), "A\nB\nC\n"],
  ["an edit of a file with CRLF", { "a.txt": "a\r\nb\r\nC\r\n" }, call("Edit", { file_path: "a.txt", old_string: "a\nb", new_string: "A\nB" }), "A\r\nB\r\nC\r\n"],
  ["a call in JSON with line breaks in a string", {}, '{"name": "write_file", "arguments": {"path": "a.txt", "content": "A\nB\n"}}\n', "A\nB\n"],
])("a text pasted with CRLF has the line endings of one with LF in %s", async (_, before, answer, text) => {
  expect(await after(before, answer, "a.txt")).toBe(text);
  expect(await after(before, answer.replaceAll("\n", "\r\n"), "a.txt")).toBe(text);
});

test.each([
  ["below", "2\n", ""],
  ["above", "\n2", ""],
  ["at both ends", "\n2\n", ""],
  ["at both ends, and a new text of only one", "\n2\n", "\n"],
  ["before an indented closing tag", "\n2\n  ", "\n  "],
])("a deleted line with a newline %s leaves no blank one", async (_, old, fresh) => {
  const answer = call("Edit", { file_path: "a.txt", old_string: old, new_string: fresh });
  expect(await after({ "a.txt": "1\n2\n3\n" }, answer, "a.txt")).toBe("1\n3\n");
});

test.each([
  ["a part of a line", "2", "", "1\n 3\n"],
  ["a line by another", "\n2 3\n", "\n4\n", "1\n4\n"],
])("newlines at the ends are not part of an edit that replaces %s", async (_, old, fresh, text) => {
  const answer = call("Edit", { file_path: "a.txt", old_string: old, new_string: fresh });
  expect(await after({ "a.txt": "1\n2 3\n" }, answer, "a.txt")).toBe(text);
});

test.each<[string, string, string, string, string]>([
  ["a newline that only the new text has", "1\n2\n", "1", "1\n", "1\n\n2\n"],
  ["a newline that only the old text has", "1\n2\n", "1\n", "1", "12\n"],
  ["a newline at the end of both", "1\n2\n", "1\n", "3\n", "3\n2\n"],
  ["a blank line above that the new text keeps", "1\n\n2\n", "\n2", "\n3", "1\n\n3\n"],
  ["a blank line above that the new text lacks", "1\n\n2\n", "\n2", "2", "1\n2\n"],
])("%s is text", async (_, before, old, fresh, text) => {
  expect(await after({ "a.txt": before }, call("Edit", { file_path: "a.txt", old_string: old, new_string: fresh }), "a.txt")).toBe(text);
});

test.each<[string, string, string, string, string]>([
  ["both texts at both ends", "1 2\n", "\n2\n", "\n3\n", "1 3\n"],
  ["both, the closing tags indented", "1 2\n", "\n2\n  ", "\n3\n  ", "1 3\n"],
  ["both, which begin with a blank line too", "1\n\n2\n", "\n\n2\n", "\n\n3\n", "1\n\n3\n"],
  ["the old text, at the end of a file without a newline", "1\n2", "2\n", "3\n", "1\n3"],
  ["the old text, in the middle of a line", "1 2 3\n", "2\n", "4\n", "1 4 3\n"],
  ["the old text at both ends, and not the new one", "1 2\n", "\n2\n", "3", "1 3\n"],
])("newlines around %s are layout where the texts fit only without them", async (_, before, old, fresh, text) => {
  expect(await after({ "a.txt": before }, call("Edit", { file_path: "a.txt", old_string: old, new_string: fresh }), "a.txt")).toBe(text);
});

test("an edit that fits only without the newlines around its texts is known as applied before", async () => {
  const root = createFolder({ "a.txt": "1\n2" });
  const loaf = await Loaf.create({ repoPath: root });
  const answer = call("Edit", { file_path: "a.txt", old_string: "2\n", new_string: "3\n" });
  const results = [await loaf.execute(answer), await loaf.execute(answer, { skipApplied: true })].map(({ results: [one] }) => one);
  expect(results.map((one) => [one?.success, one?.appliedIn])).toEqual([[true, undefined], [true, 1]]);
});
