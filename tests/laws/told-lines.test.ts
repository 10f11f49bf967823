/** Laws of lines that a sentence names or a fence shows: new ones keep the indentation of the file, and go where these are. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const SENTENCES = ["update the `WORD` line", "change the `WORD` line", "the `WORD` line should be"];
const FILES: ReadonlyArray<readonly [path: string, text: string, word: string, old: string, now: string]> = [
  ["Makefile", "all:\n\tgcc -O1 a.c\n\tstrip a\n", "gcc", "gcc -O1 a.c", "gcc -O2 a.c"], ["a.cfg", "[a]\n    x = 1\n    y = 2\n", "x", "x = 1", "x = 3"],
  ["nginx.conf", "server {\n    listen 80;\n    location / {\n        proxy_pass http://a;\n    }\n}\n", "proxy_pass", "proxy_pass http://a;", "proxy_pass http://b;"],
  ["index.html", '<html>\n  <body>\n    <img src="a.png">\n    <p>x</p>\n  </body>\n</html>\n', "img", '<img src="a.png">', '<img src="b.png">'],
  ["notes.txt", "list:\n    alpha one\n    beta two\n", "beta", "beta two", "beta three"], ["Caddyfile", "example.org {\n\treverse_proxy a:1\n\tlog\n}\n", "reverse_proxy", "reverse_proxy a:1", "reverse_proxy b:1"],
  ["a.ts", "export function f() {\n  const limit = 3;\n  return limit;\n}\n", "limit", "const limit = 3;", "const limit = 5;"],
];
const SHOWN: Readonly<Record<string, (line: string) => string>> = { "at the margin": (line) => line, "indented by two": (line) => `  ${line}`, "indented by a tab": (line) => `\t${line}` };

describe.each(SENTENCES)("%s", (sentence) => {
  test.each(FILES)("%s", async (path, text, word, old, now) => {
    for (const [how, write] of Object.entries(SHOWN)) {
      const result = await answered(path, text, `In \`${path}\`, ${sentence.replace("WORD", word)}:\n\n\`\`\`\n${write(now)}\n\`\`\`\n`);
      expect([how, [text, text.replace(old, now)].includes(result), result]).toEqual([how, true, result]);
    }
  });
});

/** What stands above the line beside which others go, and between the two. */
const ANCHORED: ReadonlyArray<readonly [above: string, between: string, side: "above" | "below"]> = [
  ["In `PATH`, after", "add:", "below"], ["In `PATH`, right after", "in `f()`, add:", "below"], ["In `PATH`, right below this line:", "add the following:", "below"],
  ["In `PATH`, find this line:", "and add this below it:", "below"], ["Locate this in `PATH`:", "Then insert this right after it:", "below"], ["In `PATH` you have:", "Add a check just below it:", "below"],
  ["In `PATH`, before", "add:", "above"], ["In `PATH`, right above this line:", "insert:", "above"], ["In `PATH`, find this line:", "and add this right above it:", "above"], ["`PATH` has this line:", "Right before it, add:", "above"],
];
const ENDINGS = { lf: (text: string) => text, crlf: (text: string) => text.replaceAll("\n", "\r\n") };
const CODE: ReadonlyArray<readonly [path: string, head: string, lines: readonly string[], added: string]> = [
  ["a.py", "def f(a):", ["    x = a + 1", "    return x"], "    check(a)"], ["a.ts", "export function f(a: string) {", ["  const x = a.length;", "  return x;", "}"], "  check(`${a}`);"],
  ["a.rs", "fn f(a: usize) -> usize {", ["    let x = a + 1;", "    x", "}"], "    check(a);"], ["a.go", "func f(a int) int {", ["\tx := a + 1", "\treturn x", "}"], "\tcheck(a)"],
];
test.each(ANCHORED)("%s … %s: it goes %s the line", async (above, between, side) => {
  for (const [path, head, lines, added] of CODE)
    for (const [name, ended] of Object.entries(ENDINGS))
      for (const shown of [added, added.trim()]) {
        const fileOf = (body: readonly string[]): string => ended(`${[head, ...body].join("\n")}\n`);
        const answer = `${above.replace("PATH", path)}\n\n\`\`\`\n${lines[0]}\n\`\`\`\n\n${between}\n\n\`\`\`\n${shown}\n\`\`\`\n`;
        expect(await answered(path, fileOf(lines), answer), `${path} ${name}`).toBe(fileOf(lines.toSpliced(side === "below" ? 1 : 0, 0, added)));
        const there = fileOf(lines.toSpliced(side === "below" ? 1 : 0, 0, added));
        expect(await answered(path, there, answer), `${path} ${name}, a second time`).toBe(there);
      }
});

/** What follows an edit, and goes beside it. */
test.each([["and right below it:", 1], ["Add this check directly below it:", 1], ["and add this above it:", 0]] as const)("behind an edit, %s", async (between, at) => {
  for (const [path, head, lines, added] of CODE) {
    const [old = "", ...others] = lines;
    const now = old.replace("1", "2").replace("length", "size");
    for (const order of [`In \`${path}\`, replace \`${old.trim()}\` with:`, `In \`${path}\`, replace\n\n\`\`\`\n${old}\n\`\`\`\n\nwith`]) {
      const answer = `${order}\n\n\`\`\`\n${now}\n\`\`\`\n\n${between}\n\n\`\`\`\n${added}\n\`\`\`\n`;
      const after = [head, ...[now, ...others].toSpliced(at, 0, added), ""].join("\n");
      expect(await answered(path, [head, ...lines, ""].join("\n"), answer), `${path} ${order}`).toBe(after);
    }
  }
});
