/** The law of a comment of a few words that stands for lines of a function: those lines stay, or the answer is refused. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const WORDS = ["existing logic", "existing code", "rest of the function", "rest of function", "previous code", "other code", "other methods", "other functions", "original code", "keep the rest", "keep the rest as is", "same as before", "unchanged", "original logic here", "the rest stays the same", "existing implementation", "remaining logic", "... rest"];
const LANGUAGES: readonly (readonly [path: string, mark: string, head: string, body: readonly string[], end: string, added: string])[] = [
  ["a.js", "//", "export function f(x) {", ["  const y = x + 1;", "  const z = y * 2;", "  log(z);", "  return z;"], "}", "  check(x);"],
  ["a.py", "#", "def f(x):", ["    y = x + 1", "    z = y * 2", "    log(z)", "    return z"], "", "    check(x)"],
  ["A.java", "//", "class A {\n  int f(int x) {", ["    int y = x + 1;", "    int z = y * 2;", "    log(z);", "    return z;"], "  }\n}", "    check(x);"],
  ["a.go", "//", "package a\n\nfunc f(x int) int {", ["\ty := x + 1", "\tz := y * 2", "\tlog(z)", "\treturn z"], "}", "\tcheck(x)"],
];

test.each(WORDS.flatMap((words) => LANGUAGES.map((language) => [words, language[0], language] as const)))("%s: %s", async (words, path, [, mark, head, body, end, added]) => {
  const hole = `${/^\s*/.exec(added)?.[0] ?? ""}${mark} ${words}`;
  for (const lines of [body, body.slice(2), body.slice(3)])
    for (const shown of [[added, hole], [hole, added], [added, hole, body[3] ?? ""], [hole, body[3]?.replace("z", "z + 1") ?? ""], [hole]]) {
      const fileOf = (inner: readonly string[]): string => `${[head, ...inner, ...(end === "" ? [] : [end])].join("\n")}\n`;
      const before = fileOf(lines);
      const text = await answered(path, before, `Update \`f\` in \`${path}\`:\n\n\`\`\`\n${fileOf(shown).replace(/^package a\n\n/, "")}\`\`\`\n`);
      const kept = shown.some((line) => line.includes("z + 1")) ? lines.slice(0, -1) : lines;
      expect(kept.filter((line) => !text.includes(line)), `${shown.join("\n")}\n\n${text}`).toEqual([]);
    }
});

const GOING_ON = ["... and so on", "... so on", "... and more", "... and then return", "... then continue", "... or whatever", "...and the rest", "... and the others"];
test.each(GOING_ON.flatMap((words) => LANGUAGES.map((language) => [words, language[0], language] as const)))("%s stands for lines: %s", async (words, path, [, mark, head, body, end]) => {
  const fileOf = (lines: readonly string[]): string => [head, ...lines, ...(end === "" ? [] : [end]), ""].join("\n");
  const indent = /^\s*/.exec(body[0] ?? "")?.[0] ?? "";
  const first = (body[0] ?? "").replace("1", "5");
  const shown = fileOf([first, `${indent}${mark} ${words}`, body.at(-1) ?? ""]);
  for (const label of [`**${path}**`, `Update \`f\` in \`${path}\`:`]) {
    const text = await answered(path, fileOf(body), `${label}\n\n\`\`\`\n${shown}\`\`\`\n`);
    expect([fileOf(body), fileOf([first, ...body.slice(1)])], text).toContain(text);
  }
});
