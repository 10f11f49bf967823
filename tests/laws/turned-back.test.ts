/** The law of a text between two edits: if it turns back on the first, only the second is made; if it goes on, both are. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";

const A = "export function a(x) {\n  return x + 1;\n}\n\nexport function b(x) {\n  return x - 1;\n}\n";
const C = "export function c(x) {\n  return x * 2;\n}\n";
const fence = (text: string, lang = "js"): string => `\`\`\`${lang}\n${text}\n\`\`\`\n`;
const FIRST: Readonly<Record<string, string>> = {
  "a function": `Update \`a\` in \`a.js\`:\n\n${fence("export function a(x) {\n  return x + 100;\n}")}`,
  "SEARCH/REPLACE": `a.js\n${fence("<<<<<<< SEARCH\n  return x + 1;\n=======\n  return x + 100;\n>>>>>>> REPLACE", "")}`,
  "a whole file": `**a.js**\n${fence(A.replace("+ 1", "+ 100").trimEnd())}`,
  "two code spans": "In `a.js`, change `return x + 1;` to `return x + 100;`.\n",
  "a diff": fence("--- a/a.js\n+++ b/a.js\n@@\n export function a(x) {\n-  return x + 1;\n+  return x + 100;\n }", "diff"),
};
const SECOND: Readonly<Record<string, string>> = {
  "a function": `\`c.js\`:\n\n${fence("export function c(x) {\n  return x * 200;\n}")}`,
  "SEARCH/REPLACE": `c.js\n${fence("<<<<<<< SEARCH\n  return x * 2;\n=======\n  return x * 200;\n>>>>>>> REPLACE", "")}`,
};
const TURNS_BACK = [
  "Actually, no: `a` should stay as it is. The right place is `c`:", "Actually no, we should keep `a` as it is and change `c`:", "Wait, `a` is called from the tests too, so we can't change it. Change `c` instead:",
  "Hmm, wait. `a` is fine; the bug is in `c`:", "On reflection that's the wrong function. Here is the right one:", "Scratch the first edit. Do this:", "No wait, don't touch `a`. Only `c` has to change:",
  "Sorry, ignore the edit to `a`. This is the one you need:", "Actually the first change is unnecessary, because `c` does it:", "Undo that. The fix belongs in `c`:",
  "That would break callers, so let's leave `a` alone and do it in `c`:", "Correction: not `a`, but `c`:", "I changed my mind; the change to `a` isn't needed. Instead:", "Looking at it again, that edit is not needed. Change this:",
  "Better not. Do it in `c`:", "Instead of the above, change `c`:", "~~That~~ Rather this:", "(Ignore the block above, I misread the code.)", "Oops, wrong file. I meant:", "EDIT: the above is wrong, use this:",
];
const GOES_ON = [
  "Then change `c` too:", "And the same in `c`:", "`c` needs it as well:", "Next, `c`, which must not call `a` twice:", "Wait, one more: `c` has the same bug:", "Actually, `c` also needs it:", "Don't forget `c`:",
  "The old `c` was wrong:", "Hmm, what about `c`? It needs it, too:", "Instead of a constant, `c` uses a factor:", "No other function calls it, but `c` does the same:", "I left `b` as it is. Now `c`:",
  "With that, `a` is fine. Now `c`:", "Now that `a` is right, update `c`:", "Oops, I forgot `c`, which would not compile:", "Wait, don't forget `c`:", "Rather than a constant, `c` takes a factor:", "Undo in `c` has to be changed:",
  "Wait for the server to start, then change `c`:", "Hold on to the old value, and also change `c`:",
];

async function landed(sentence: string, first: string, second: string): Promise<readonly boolean[]> {
  const root = createFolder({ "a.js": A, "c.js": C });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
  await loaf.execute(`${FIRST[first]}\n${sentence}\n\n${SECOND[second]}`);
  return [readFileSync(join(root, "a.js"), "utf8").includes("+ 100"), readFileSync(join(root, "c.js"), "utf8").includes("* 200")];
}

describe.each(Object.keys(FIRST).flatMap((first) => Object.keys(SECOND).map((second) => [first, second] as const)))("%s, then %s", (first, second) => {
  test.each(TURNS_BACK)("turned back: %s", async (sentence) => {
    expect(await landed(sentence, first, second)).toEqual([false, true]);
  });

  test.each(GOES_ON)("gone on: %s", async (sentence) => {
    expect(await landed(sentence, first, second)).toEqual([true, true]);
  });
});
