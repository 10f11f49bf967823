/** The law of lines above a return: above the one that the sentence means, or nowhere. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

/** A file with @ above the return that `C` names, which is that of `F`, and a line to add. */
const FILES: ReadonlyArray<readonly [path: string, name: string, code: string, file: string, line: string]> = [
  ["a.py", "main", "return 0", "def main():\n    try:\n        load()\n    except IndexError:\n        print('usage')\n        return 1\n    close()\n@    return 0\n", "print('done')"],
  ["a.ts", "get", "return value;", "class A {\n  get(key: string): string {\n    const hit = this.cache.get(key);\n    if (hit) {\n      this.count(1);\n      return hit;\n    }\n    const value = load(key);\n@    return value;\n  }\n}\n", "this.count(2);"],
  ["a.go", "load", "return nil", "package a\n\nfunc load() error {\n\tif bad {\n\t\tlog(\"bad\")\n\t\treturn err\n\t}\n@\treturn nil\n}\n", 'log("done")'],
];
const without = (text: string): string => text.replace(/^@/gm, "");
const answerOf = (sentence: string, line: string): string => `${sentence}\n\n\`\`\`\n${line}\n\`\`\`\n`;

describe.each(FILES)("%s", (path, name, code, file, line) => {
  test.each(["In `PATH`, before the `CODE` line in `NAME`:", "In `PATH`, add this above `CODE` in `NAME`:", "In `NAME` in `PATH`, add this before the final return:"])("%s", async (sentence) => {
    const now = without(file.replace(/^@([ \t]*)/m, `$1${line}\n$1`));
    expect(await answered(path, without(file), answerOf(sentence.replace("PATH", path).replace("CODE", code).replace("NAME", name), line))).toBe(now);
  });

  test.each(["In `PATH`, before the return in `NAME`, add:", "In `PATH`, before the `return other` line in `NAME`:", "In `NAME` in `PATH`, add this before `return other`:"])("%s, which is no return or several, lands nowhere", async (sentence) => {
    expect(await answered(path, without(file), answerOf(sentence.replace("PATH", path).replace("NAME", name), line))).toBe(without(file));
  });
});

test("a return behind a condition in its line is none", async () => {
  const file = "function get(key) {\n  if (hit) return hit;\n  const value = load(key);\n  return value;\n}\n";
  expect(await answered("a.js", file, answerOf("In `a.js`, before the `return hit` line in `get`:", "hits++;"))).toBe(file);
});
