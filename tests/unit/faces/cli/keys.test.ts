import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { KeyReader, readKeys } from "../../../../src/faces/cli/keys.ts";

const ESCAPE = "\u001b";

/** Each chunk arrives by itself, 5 ms after the one before; a lone escape character is a key only later. */
async function typed(...chunks: readonly string[]): Promise<string[]> {
  const seen: string[] = [];
  const terminal = new PassThrough();
  const stop = readKeys(terminal, new KeyReader({
    onKey: (key) => seen.push(`key ${key}`),
    onLine: (line) => seen.push(`line ${line}`),
    onTyping: (line) => seen.push(`typing ${line ?? "nothing"}`),
    onPaste: () => seen.push("paste"),
  }).take);
  for (const chunk of chunks) {
    terminal.write(chunk);
    await setTimeout(chunk === ESCAPE ? 80 : 5);
  }
  stop();
  return seen;
}

const ends = (all: readonly string[]) => all.filter((one) => !one.startsWith("typing"));

test.each([
  ["single keys", ["r", "U", "?"], ["key r", "key u", "key ?"]],
  ["letters beyond ASCII", ["ü", "😀"], ["key ü", "key 😀"]],
  ["Ctrl-C and Ctrl-D", ["\u0003", "\u0004"], ["key ctrl-c", "key q"]],
  ["arrows and other keys that send more than one character", ["\u001b[A", "\u001bOP", "\u001b[15~", "\u001b[3~", "\u001b[1;5C"], []],
  ["such keys in a line, which they leave as it is", ["/", "u", "\u001b[D", "n", "\u001b\u007f", "d", "o", "\u001b[A\u001b[A", "\r"], ["line undo"]],
  ["a key with Alt is not the key without", ["\u001bq", "\u001bu"], []],
  ["what a terminal reports: focus, mouse, clipboard, device, cursor", ["\u001b[I", "\u001b[<0;10;20M", "\u001b]52;c;cXVpdA==\u0007", "\u001b[?62;22c", "\u001b[12;40R", "\u001bP1$r0q\u001b\\"], []],
  ["a line, typed", [..."/undo 2\r"], ["line undo 2"]],
  ["a line at once", ["/undo\n"], ["line undo"]],
  ["a line with letters beyond ASCII", [..."/context add grün\r"], ["line context add grün"]],
  ["a line that was mended", [..."/unxo", "\u007f", "\b", ..."do\r"], ["line undo"]],
  ["a line that was given up", [..."/undo", ESCAPE, "r"], ["key r"]],
  ["a line given up by Ctrl-U", [..."/undo", "\u0015", "r"], ["key r"]],
  ["a line given up by Ctrl-C", [..."/undo", "\u0003", "\u0003"], ["key ctrl-c"]],
  ["no line at all", ["/", "\r"], []],
  ["an answer that was pasted", ["quit\nrun\nundo"], ["paste"]],
  ["one that the terminal marks", ["\u001b[200~q", "u", "r\u001b[201~q"], ["paste", "key q"]],
  ["one whose marks are cut anywhere", ["\u001b[20", "0~qu\u001b[2", "01~", "q"], ["paste", "key q"]],
  ["one with escape sequences and Ctrl-C in it", ["\u001b[200~q\u0003\u001b[A\u001b", "\u001b[201~", "r"], ["paste", "key r"]],
  ["one that is pasted into a line is no part of it", [..."/undo", "\u001b[200~ 5\u001b[201~", "\r"], ["paste", "line undo"]],
  ["one whose end got lost: Ctrl-C still works", ["\u001b[200~quit", "q", "\u0003", "r"], ["key ctrl-c", "key r"]],
  ["a long one", [`\u001b[200~${"An answer of a model\n".repeat(5_000)}`, "q\u001b[201~", "r"], ["paste", "key r"]],
  ["much at once, even if it begins with a slash", [`/${"q".repeat(300)}`], ["paste"]],
])("%s", async (_, chunks, expected) => {
  expect(ends(await typed(...chunks))).toEqual(expected);
});

test("shows a line as it is typed", async () => {
  expect(await typed("/", "u", "\u007f", "\u007f")).toEqual(["typing /", "typing /u", "typing /", "typing nothing"]);
});
