import { expect, test } from "vitest";
import { afterReturns, visible, visibleOnOneLine } from "../../../src/core/visible.ts";

test.each([
  ["an escape sequence", "\u001b[31mred", "\\u001b[31mred"],
  ["a link of the terminal's", "\u001b]8;;http://x\u0007", "\\u001b]8;;http://x\\u0007"],
  ["an 8-bit control", "\u009b2J", "\\u009b2J"],
  ["backspace and a lone CR", "safe\b\b\rrm", "safe\\u0008\\u0008\\u000drm"],
  ["a change of direction", "a\u202eb\u2066c\u200f", "a\\u202eb\\u2066c\\u200f"],
  ["a line separator", "a\u2028b", "a\\u2028b"],
  ["half a surrogate pair", "\ud800x", "\\ud800x"],
])("53: escapes %s", (_, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test("ordinary text is unchanged", () => {
  const text = "tab\tand\nlines\r\nwith äöü, 漢字, 👨‍👩‍👧 and ⁞";
  expect(visible(text)).toBe(text);
});

test("on one line, escapes line breaks too and truncates between characters", () => {
  expect(visibleOnOneLine("a\nb\r\nc")).toBe("a\\u000ab\\u000d\\u000ac");
  expect(visibleOnOneLine("12345", 5)).toBe("12345");
  expect(visibleOnOneLine("1234😀", 5)).toBe("1234…");
});

test.each([
  ["zero-width space", "a\u200bb", "a\\u200bb"],
  ["word joiner", "a\u2060b", "a\\u2060b"],
  ["byte order mark", "a\ufeffb", "a\\ufeffb"],
  ["soft hyphen", "a\u00adb", "a\\u00adb"],
  ["joiner between letters", "a\u200db", "a\\u200db"],
  ["joiner behind the last emoji", "👩\u200d.md", "👩\\u200d.md"],
  ["variation selector behind a letter", "a\ufe0f", "a\\ufe0f"],
  ["tag, as JSON writes it", "a\u{e0041}", "a\\udb40\\udc41"],
])("on one line, escapes zero-width characters: %s", (_, text, shown) => {
  expect(visibleOnOneLine(text)).toBe(shown);
});

test("keeps zero-width characters in contents, and in emoji everywhere", () => {
  expect(visible("a\u200b\u00ad\ufeffb")).toBe("a\u200b\u00ad\ufeffb");
  const emoji = "⚠️ ❤️‍🔥 👩🏽‍💻 👨‍👩‍👧";
  expect(visibleOnOneLine(emoji)).toBe(emoji);
});

test.each([
  ["a progress bar", "10%\r100%\rdone\nnext\n", "done\nnext\n"],
  ["one that ends in a return", "10%\r100%\r", "100%\r"],
  ["lines that end in CRLF", "one\r\ntwo\r\n", "one\r\ntwo\r\n"],
  ["a bar that ends in CRLF", "a\rb\r\r\nc", "b\r\r\nc"],
  ["a line of returns alone", "a\n\r\r\nb", "a\n\r\r\nb"],
])("a carriage return starts its line anew: %s", (_, output, left) => {
  expect(afterReturns(output)).toBe(left);
});
