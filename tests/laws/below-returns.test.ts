/** The law of a new return: no line of the file stands below it, as deep, that ran before. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

/** A language: a function with @ in the place of its last lines, the line above them, and lines for them. */
const FILES = {
  "a.py": { file: "def load(path):\n    data = read(path)\n@\n\ndef other():\n    pass\n", above: "    data = read(path)", indent: "    ", end: "" },
  "a.ts": { file: "function load(path: string) {\n  const data = read(path);\n@}\n\nfunction other() {}\n", above: "  const data = read(path);", indent: "  ", end: ";" },
  "a.go": { file: "package a\n\nfunc load(path string) any {\n\tdata := read(path)\n@}\n\nfunc other() {}\n", above: "\tdata := read(path)", indent: "\t", end: "" },
  "a.php": { file: "<?php\n\nfunction load($path) {\n    $data = read($path);\n@}\n\nfunction other() {}\n", above: "    $data = read($path);", indent: "    ", end: ";" },
} as const;

describe.each(Object.entries(FILES))("%s", (path, { file, above, indent, end }) => {
  const fileWith = (...lines: readonly string[]): string => file.replace("@", () => lines.map((line) => `${indent}${line}${end}\n`).join(""));
  const answerWith = (sentence: string, ...lines: readonly string[]): string =>
    `${sentence.replace("FILE", path)}\n\n\`\`\`${path.slice(2)}\n${above}\n${lines.map((line) => `${indent}${line}${end}\n`).join("")}\`\`\`\n`;
  const SENTENCES = ["Add a log line to `load` in `FILE`:", "In `load` in `FILE`, add logging:", "Add this to `FILE`:"];

  test.each(SENTENCES)("%s with the return that has more words takes the place of the old one", async (sentence) => {
    const answer = answerWith(sentence, "log(path)", "return parse(data, true)");
    expect(await answered(path, fileWith("return parse(data)"), answer)).toBe(fileWith("log(path)", "return parse(data, true)"));
  });

  test.each(SENTENCES)("%s with another return lands nowhere", async (sentence) => {
    const old = fileWith("return parse(data)");
    expect(await answered(path, old, answerWith(sentence, "log(path)", "return cached(path)"))).toBe(old);
  });

  test.each(SENTENCES)("%s with a return above other statements lands nowhere", async (sentence) => {
    const old = fileWith("check(data)", "return parse(data)");
    expect(await answered(path, old, answerWith(sentence, "log(path)", "return parse(data, true)"))).toBe(old);
  });

  test("a return alone goes where a sentence says", async () => {
    const answer = `At the top of \`load\` in \`${path}\`, add an early return:\n\n\`\`\`\n${indent}return none${end}\n\`\`\`\n`;
    expect(await answered(path, fileWith("return parse(data)"), answer)).toBe(fileWith("return parse(data)").replace(above, () => `${indent}return none${end}\n${above}`));
  });
});

test.each([
  ["a function below it", "a.js", "function get(key) {\n  const hit = find(key);\n  return hit;\n\n  function find(k) {\n    return k;\n  }\n}\n", "function get(key) {\n  const hit = find(key);\n  count(hit);\n  return wrap(hit);\n\n  function find(k) {\n    return k;\n  }\n}\n"],
  ["a case below it", "a.js", "function get(kind) {\n  switch (kind) {\n    case 1:\n      return one();\n    case 2:\n      return two();\n  }\n}\n", "function get(kind) {\n  switch (kind) {\n    case 1:\n      return other();\n    case 2:\n      return two();\n  }\n}\n"],
  ["a condition in its line", "a.rb", "def go(x)\n  y = x\n  puts y\nend\n", "def go(x)\n  return if x.nil?\n  y = x\n  puts y\nend\n"],
])("%s is no harm", async (_, path, file, now) => {
  expect(await answered(path, file, `Update \`${/\w+(?=\()/.exec(file)?.[0] ?? ""}\` in \`${path}\`:\n\n\`\`\`\n${now}\`\`\`\n`)).toBe(now);
});
