/** The law of a line that a sentence names and the fence shows at the margin: it keeps the indentation of the file. */
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
