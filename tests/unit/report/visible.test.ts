import { expect, test } from "vitest";
import { visible, visibleOnOneLine } from "../../../src/report/visible.ts";

test.each([
  ["an escape sequence", "\u001b[31mred", "\\u001b[31mred"],
  ["a link of the terminal's", "\u001b]8;;http://x\u0007", "\\u001b]8;;http://x\\u0007"],
  ["an 8-bit control", "\u009b2J", "\\u009b2J"],
  ["backspace and a lone CR", "safe\b\b\rrm", "safe\\u0008\\u0008\\u000drm"],
  ["a change of direction", "a\u202eb\u2066c\u200f", "a\\u202eb\\u2066c\\u200f"],
  ["a line separator", "a\u2028b", "a\\u2028b"],
  ["half a surrogate pair", "\ud800x", "\\ud800x"],
])("%s is shown", (_, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test("ordinary text stays as it is", () => {
  const text = "tab\tand\nlines\r\nwith äöü, 漢字, 👨‍👩‍👧 and ⁞";
  expect(visible(text)).toBe(text);
});

test("on one line, breaks are shown too and a long text is cut between characters", () => {
  expect(visibleOnOneLine("a\nb\r\nc")).toBe("a\\u000ab\\u000d\\u000ac");
  expect(visibleOnOneLine("12345", 5)).toBe("12345");
  expect(visibleOnOneLine("1234😀", 5)).toBe("1234…");
});
