import { expect, test } from "vitest";
import { KeyReader } from "../../../../src/faces/cli/keys.ts";

function typed(...chunks: readonly string[]): string[] {
  const seen: string[] = [];
  const reader = new KeyReader({
    onKey: (key) => seen.push(`key ${key}`),
    onLine: (line) => seen.push(`line ${line}`),
    onTyping: (line) => seen.push(`typing ${line ?? "nothing"}`),
    onPaste: () => seen.push("paste"),
  });
  for (const chunk of chunks) reader.take(chunk);
  return seen;
}

const ends = (all: readonly string[]) => all.filter((one) => !one.startsWith("typing"));

test.each([
  ["single keys", ["r", "U", "?"], ["key r", "key u", "key ?"]],
  ["Ctrl-C and Ctrl-D", ["\u0003", "\u0004"], ["key ctrl-c", "key q"]],
  ["arrows and other keys that send more than one character", ["\u001b[A", "\u001bOP", "\u001b[15~"], []],
  ["a line, typed", [..."/undo 2\r"], ["line undo 2"]],
  ["a line at once", ["/undo\n"], ["line undo"]],
  ["a line that was mended", [..."/unxo", "\u007f", "\b", ..."do\r"], ["line undo"]],
  ["a line that was given up", [..."/undo", "\u001b", "r"], ["key r"]],
  ["a line given up by Ctrl-C", [..."/undo", "\u0003", "\u0003"], ["key ctrl-c"]],
  ["no line at all", ["/", "\r"], []],
  ["an answer that was pasted", ["quit\nrun\nundo"], ["paste"]],
  ["one that the terminal marks", ["\u001b[200~q", "u", "r\u001b[201~q"], ["paste", "key q"]],
  ["much at once, even if it begins with a slash", [`/${"q".repeat(300)}`], ["paste"]],
])("%s", (_, chunks, expected) => {
  expect(ends(typed(...chunks))).toEqual(expected);
});

test("shows a line as it is typed", () => {
  expect(typed("/", "u", "\u007f", "\u007f")).toEqual(["typing /", "typing /u", "typing /", "typing nothing"]);
});
