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
const isAtMargin = (line: string, depth: number): boolean => indentOf(line).length <= depth && !/^\s*\}/.test(line);
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
        // Of a whole block without its head, the lines leave the block: deeper, they would be no Python.
        const isLeft = less < lessNow && least(lines.slice(from, from + 1)) === less && isAtMargin(lines[end] ?? "", less);
        const wanted = `${lines.toSpliced(from, old.length, ...(isLeft ? now.map((line) => line.slice(lessNow - less)) : now)).join("\n")}\n`;
        const text = await answered(path, file, FORMS[from % 2]?.(path, fence(old, less), fence(now, lessNow)) ?? "");
        expect([wanted, file]).toContain(text);
        landed += Number(text === wanted);
      }
  }
  expect(landed).toBeGreaterThan(25);
});

/** A file with @ for the old text, that text and the new one, at the depth of the file. */
const WHOLE: ReadonlyArray<readonly [path: string, file: string, old: string, now: string]> = [
  ["a.py", "def go(x):\n    a = 1\n\n@\n    done(a)\n", "    if x == 1:\n        return one(x)\n\n    if x > 2:\n        return two(x)\n", "    return one(x)\n"],
  ["b.py", "def go(x):\n    while x:\n@", "        if x == 1:\n            return one(x)\n        return two(x)\n", "        if x < 3:\n            return any_of(x)\n        if x:\n            return one(x)\n"],
  ["c.py", "def go(x):\n@\n    done(x)\n", "    one(x)\n    two(x)\n", "    with lock:\n        one(x)\n        two(x)\n"],
  ["a.ts", "function go(x) {\n@\n  done(x)\n}\n", "  if (x === 1) {\n    return one(x)\n  }\n", "  return one(x)\n"],
  ["a.go", "func go(x int) {\n@\n\tdone(x)\n}\n", "\tif x == 1 {\n\t\treturn one(x)\n\t}\n", "\tfor x > 0 {\n\t\tif x == 2 {\n\t\t\treturn one(x)\n\t\t}\n\t}\n"],
];
/** What an answer takes off the lines of a text whose first line has some indentation. */
const TAKEN: Readonly<Record<string, (text: string, indent: string) => string>> = {
  "from all lines": (text, indent) => text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  "from the first line": (text, indent) => text.slice(indent.length),
  "from none": (text) => text,
};

test.each(Object.keys(TAKEN).flatMap((taken) => WHOLE.map(([path]) => [taken, path] as const)))("whole statements land as deep as the old ones: %s, %s", async (taken, path) => {
  const [, file = "", old = "", now = ""] = WHOLE.find(([name]) => name === path) ?? [];
  for (const form of FORMS) {
    const fence = (text: string): string => `\`\`\`\n${TAKEN[taken]?.(text, indentOf(old)) ?? ""}\`\`\`\n`;
    expect(await answered(path, file.replace("@", old), form(path, fence(old), fence(now)))).toBe(file.replace("@", now));
  }
});

test("whole statements land as deep as the old ones where only the new ones stand at the margin", async () => {
  for (const [path, file, old, now] of WHOLE) {
    const fence = (text: string): string => `\`\`\`\n${text}\`\`\`\n`;
    const bare = TAKEN["from all lines"]?.(now, indentOf(old)) ?? "";
    expect(await answered(path, file.replace("@", old), FORMS[0]?.(path, fence(old), fence(bare)) ?? "")).toBe(file.replace("@", now));
  }
});

test("an only old line, and the first new one, may be shown without the indentation that the other new lines have", async () => {
  const file = "def go(items):\n    for a in items:\n        for item in a:\n            total += item.price\n    return total\n";
  const [old, deep] = ["total += item.price", " ".repeat(12)];
  const cases: ReadonlyArray<readonly [now: string, wanted: string]> = [
    [`extra()\n${deep}${old}`, `${deep}extra()\n${deep}${old}`], [`${old}\n${deep}extra()`, `${deep}${old}\n${deep}extra()`],
    [`if item:\n    ${old}`, `${deep}if item:\n${deep}    ${old}`], ["total += 1\nextra()", `${deep}total += 1\n${deep}extra()`],
  ];
  for (const [now, wanted] of cases)
    for (const form of FORMS) {
      const text = await answered("a.py", file, form("a.py", `\`\`\`\n${old}\n\`\`\`\n`, `\`\`\`\n${now}\n\`\`\`\n`));
      expect(text).toBe(file.replace(`${deep}${old}`, wanted));
    }
});

/** An old form that an answer gives from memory is no text of the file. */
test.each([
  ["a.js", "function f(x) {\n  go(x);\n  return x;\n}\n\nfunction g() {}\n", "function f(x) {\n  return x;\n}", "function f(x) {\n  return x + 1;\n}", "function f(x) {\n  return (x + 1;\n}"],
  ["a.py", "def f(x):\n    go(x)\n    return x\n\n\ndef g():\n    pass\n", "def f(x):\n    return x", "def f(x):\n    return x + 1", "def f(x):\n    return (x + 1"],
])("%s: its new form replaces the declaration, and breaks nothing", async (path, file, old, now, broken) => {
  const answerOf = (text: string): string => `In \`${path}\`, replace this:\n\n\`\`\`\n${old}\n\`\`\`\n\nwith:\n\n\`\`\`\n${text}\n\`\`\`\n`;
  expect(await answered(path, file, answerOf(now))).toBe(file.replace(/^(?:function|def) f[^]*?return x\n?(?:;\n\})?/, () => (path === "a.js" ? now : `${now}\n`)));
  expect(await answered(path, file, answerOf(broken))).toBe(file);
});
