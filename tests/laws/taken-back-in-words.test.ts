/** The law of a block that a sentence takes back and goes on to the right one: the first is not written, the second is. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const FILES: ReadonlyArray<readonly [path: string, file: string, wrong: string, right: string, now: string]> = [
  ["a.py", "def area(r):\n    return 3.14 * r * r\n\n\ndef total(items):\n    result = 0\n    return result\n", "def area(r):\n    return 3 * r * r\n", "def total(items):\n    return sum(items)\n", "def area(r):\n    return 3.14 * r * r\n\n\ndef total(items):\n    return sum(items)\n"],
  ["a.ts", "export function area(r: number) {\n  return 3.14 * r * r;\n}\n\nexport function total(items: number[]) {\n  return 0;\n}\n", "export function area(r: number) {\n  return 3 * r * r;\n}\n", "export function total(items: number[]) {\n  return sum(items);\n}\n", "export function area(r: number) {\n  return 3.14 * r * r;\n}\n\nexport function total(items: number[]) {\n  return sum(items);\n}\n"],
  ["a.rb", "def area(r)\n  3.14 * r * r\nend\n\ndef total(items)\n  0\nend\n", "def area(r)\n  3 * r * r\nend\n", "def total(items)\n  items.sum\nend\n", "def area(r)\n  3.14 * r * r\nend\n\ndef total(items)\n  items.sum\nend\n"],
];
const SENTENCES = [
  "Wait, `area` should stay unchanged. Update only `total`:", "Hmm, on second thought keep the original `area`. Only change `total`:", "On second thought, leave `area` as it was. Change `total` instead:",
  "I take that back. Update `total`:", "Here `area` must not change. Update `total`:", "Wait, here `area` must not change. Update `total`:",
  "Moment, das war falsch. Ändere stattdessen `total`:", "Hmm, das brauchst du doch nicht. Ändere `total`:", "Oh, `area` doesn't need to change. Update `total`:",
  "Actually no, `area` is fine. The bug is in `total`, so update that:", "Actually, never mind the above; change `total`:", "(This was the old plan; it isn't needed.) Update `total` in `PATH`:",
  "Never mind; update `total`:", "Scratch that, the problem is in `total`, so change it to:", "Actually, `area` is already correct, so update `total`:", "Wait, that's wrong – update `total`:", "(Never mind the above.) Change `total`:",
];
const answerOf = (sentence: string, [path, , wrong, right]: (typeof FILES)[number]): string =>
  `In \`${path}\`:\n\n\`\`\`\n${wrong}\`\`\`\n\n${sentence.replace("PATH", path)}\n\n\`\`\`\n${right}\`\`\`\n`;

describe.each(SENTENCES)("%s", (sentence) => {
  test.each(FILES)("%s", async (...example) => {
    expect(await answered(example[0], example[1], answerOf(sentence, example))).toBe(example[4]);
  });
});
