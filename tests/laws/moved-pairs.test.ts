/** The law of old and new lines that stand at the margin of an answer: the new ones are moved as the old ones are, or refused. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const FILES: Readonly<Record<string, string>> = {
  "a.js": "function f(x) {\n    if (x) {\n        one(x);\n        two(x);\n    }\n    three(x);\n    for (const y of x) {\n        four(y);\n        five(y);\n    }\n    return x;\n}\n",
  "a.py": "def f(x):\n    if x:\n        one(x)\n        two(x)\n    three(x)\n    for y in x:\n        four(y)\n        if y:\n            five(y)\n    return x\n",
  "a.go": "func f(x int) {\n\tif x {\n\t\tone(x)\n\t\ttwo(x)\n\t}\n\tthree(x)\n\tfor y := range x {\n\t\tfour(y)\n\t}\n\treturn x\n}\n",
};
const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? "";

const CHANGES: Readonly<Record<string, (lines: readonly string[]) => string[]>> = {
  "the first line goes": ([, ...others]) => others,
  "the last line goes": (lines) => lines.slice(0, -1),
  "another first line": ([first = "", ...others]) => [`${indentOf(first)}changed(x)`, ...others],
  "another last line": (lines) => [...lines.slice(0, -1), `${indentOf(lines.at(-1) ?? "")}changed(x)`],
  "a line above": (lines) => [`${indentOf(lines[0] ?? "")}fresh(x)`, ...lines],
  "a line below": (lines) => [...lines, `${indentOf(lines.at(-1) ?? "")}fresh(x)`],
};
/** Both texts at the margin by the least indentation of the two, or each by its own. */
const SHIFTS: Readonly<Record<string, (old: readonly string[], now: readonly string[]) => readonly [number, number]>> = {
  "as one": (old, now) => [least([...old, ...now]), least([...old, ...now])],
  each: (old, now) => [least(old), least(now)],
};
const least = (lines: readonly string[]): number => Math.min(...lines.map((line) => indentOf(line).length));
const FORMS: ReadonlyArray<(path: string, old: string, now: string) => string> = [
  (path, old, now) => `In \`${path}\`, replace:\n\n${old}\nwith:\n\n${now}`,
  (path, old, now) => `\`${path}\`\n\nBefore:\n\n${old}\nAfter:\n\n${now}`,
];

test.each(Object.keys(CHANGES).flatMap((change) => Object.keys(SHIFTS).map((shift) => [change, shift] as const)))("%s, moved %s", async (change, shift) => {
  let landed = 0;
  for (const [path, file] of Object.entries(FILES)) {
    const lines = file.trimEnd().split("\n");
    for (let from = 1; from < lines.length - 2; from++)
      for (let end = from + 2; end < Math.min(lines.length, from + 4); end++) {
        const old = lines.slice(from, end);
        const now = CHANGES[change]?.(old) ?? [];
        const [less, lessNow] = SHIFTS[shift]?.(old, now) ?? [0, 0];
        // Nothing tells how a text is moved that shares no line with the old one.
        if (less === 0 || (less !== lessNow && now.every((line) => !old.includes(line)))) continue;
        const fence = (text: readonly string[], by: number): string => `\`\`\`\n${text.map((line) => line.slice(by)).join("\n")}\n\`\`\`\n`;
        const wanted = `${lines.toSpliced(from, old.length, ...now).join("\n")}\n`;
        const text = await answered(path, file, FORMS[from % 2]?.(path, fence(old, less), fence(now, lessNow)) ?? "");
        expect([wanted, file]).toContain(text);
        landed += Number(text === wanted);
      }
  }
  expect(landed).toBeGreaterThan(25);
});
