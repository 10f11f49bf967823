/** The law of a file that a sentence leaves as it is: the code below is not for it. And a label above sentences binds. */
import { describe, expect, test } from "vitest";
import { answeredIn } from "./answered.ts";

const A = "export function one(x) {\n  return x;\n}\n\nexport function two(x) {\n  return x * 2;\n}\n";
const B = "export function three(x) {\n  return 3 * x;\n}\n\nexport function two(x) {\n  return x + 2;\n}\n";
const FILES = { "src/a.js": A, "src/b.js": B };
const code = (text: string): string => `\`\`\`js\n${text}\`\`\`\n`;
const first = `Update \`one\` in \`src/a.js\`:\n\n${code("export function one(x) {\n  return x + 1;\n}\n")}\n`;
const two = code("export function two(x) {\n  return 2 * x;\n}\n");
const CHANGED = A.replace("return x;", "return x + 1;").replace("x * 2", "2 * x");

test.each([
  "`src/b.js` stays the same. Also update `two`:", "Nothing changes in `src/b.js`. Then change `two`:", "(`src/b.js` has its own `two`, leave it.) Update `two`:", "`src/b.js` remains unchanged. Update `two`:", "Leave `src/b.js` as is. Update `two`:",
  "Don't touch `src/b.js`. Update `two`:", "No changes are needed in `src/b.js`. Update `two`:", "`src/b.js` doesn't need to change. Now `two`:", "`src/b.js` bleibt unverändert. Ändere `two`:",
])("left alone: %s", async (sentence) => {
  expect(await answeredIn(FILES, `${first}${sentence}\n\n${two}`)).toEqual({ "src/a.js": CHANGED, "src/b.js": B });
});

test.each(["The bug is also in `src/b.js`. Update `two`:", "`src/b.js` is wrong too. Update `two`:", "Now `src/b.js`. Update `two`:", "In `src/b.js`, leave `three` as it is. Update `two`:"])("the file of the code: %s", async (sentence) => {
  const { "src/b.js": text } = await answeredIn(FILES, `${first}${sentence}\n\n${two}`);
  expect(text).toBe(B.replace("x + 2", "2 * x"));
});

test("ruled out in the sentence", async () => {
  const answer = `In \`src/a.js\` (not \`src/b.js\`), change \`two\`:\n\n${two}`;
  expect(await answeredIn(FILES, answer)).toEqual({ "src/a.js": A.replace("x * 2", "2 * x"), "src/b.js": B });
});

describe("a function that only another file has", () => {
  const three = code("export function three(x) {\n  return 33 * x;\n}\n");

  test.each(["**src/a.js**\n\nChange `three`:", "### src/a.js\n\nUpdate `three`:", "## `src/a.js`\n\nFix `three`:"])("below a label: %s", async (above) => {
    expect(await answeredIn(FILES, `${above}\n\n${three}`)).toEqual(FILES);
  });

  test("below the code of the label", async () => {
    const answer = `### src/a.js\n\n${two}\nAnd change \`three\`:\n\n${three}`;
    expect((await answeredIn(FILES, answer))["src/b.js"]).toBe(B.replace("3 * x", "33 * x"));
  });
});
