/** Law of the words by which an answer takes away what it shows: it goes, and with other words it never does. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fullReport, Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { answered } from "./answered.ts";

const GOES = [
  "Delete `b` from `u.js`:", "`b` in `u.js` is no longer needed, so take it out:", "Take `b` out of `u.js`:", "Strip `b` from `u.js`:", "Cut this function from `u.js`:", "Ditch `b` in `u.js`:",
  "In `u.js`, kill the dead function `b`:", "In `u.js`, throw out `b`:", "Clear out `b` in `u.js`:", "`u.js`: purge this function:", "Get `b` out of `u.js`:", "Discard `b` in `u.js`:", "Erase `b` from `u.js`:",
  "In `u.js` wirf `b` raus:", "Streiche `b` in `u.js`:", "Dans `u.js`, enlève la fonction `b` :", "En `u.js`, quita la función `b`:",
];
/** Orders that begin no sentence, and sentences that say what has to go. */
const GOES_TOO = [
  "In `u.js`, remove the old definition:", "**In `u.js`, remove the old definition:**", "In `u.js`, drop the now unused helper:", "In `u.js`, get rid of the old implementation:", "The cache does it now. In `u.js`, delete the function and its comment:",
  "In `u.js` this function is no longer needed. Remove it:", "In `u.js`, we no longer need this, so delete it:", "From `u.js`, take out:", "`u.js`: remove", "The following in `u.js` is dead code and should be removed:",
  "`b` in `u.js` is now unused and can be deleted:", "The function `b` in `u.js` should be deleted:", "In `u.js` these lines have to go:", "In `u.js`, `b` needs to be removed:", "`b` in `u.js` must go:",
];
/** Sentences that may mean it: it goes, or the answer is named. */
const MAY_GO = [
  "Finally, the old helper in `u.js` must go:", "从 `u.js` 中删除以下代码：", "This is unused in `u.js`:", "En `u.js` ya no hace falta esta función; elimínala:", "Dans `u.js`, cette fonction n'est plus utilisée, supprimez-la :",
  "The helper `b` in `u.js` can go:", "You can safely remove this from `u.js`:", "In `u.js`, the following is obsolete:", "We don't need this in `u.js` any more:", "In `u.js`: no longer needed:",
];
/** Something else went from it, which the file lacks already. */
const OTHER_GOES = [
  "The cache does it now. Remove the logging from `b` in `u.js`:", "The cache does it now. In `u.js`, drop the old log call:",
  "The log call of `b` in `u.js` should be removed:", "The logging in `b` of `u.js` is no longer needed, so `b` becomes:", "Remove the logging from `b` in `u.js`:", "In `u.js`, the check in `b` can go:", "In `u.js`, `debug` must be removed from `b`:",
  "The parameter of this function in `u.js` is unused. Remove it:",
];
/** What stays as it is, or becomes what is shown. */
const STAYS = [
  "Take `b` out of `u.js` and put it into `v.js`:", "Cut `b` from `u.js` and paste it into `v.js`:", "Take `b` in `u.js` as it is:", "Take a look at `b` in `u.js`, it rules out nulls:",
  "Before you kill the process, check `b` in `u.js`:", "Before you remove the cache, check `b` in `u.js`:", "Don't throw `b` out of `u.js`:", "Never strip `b` from `u.js`:",
];
const BECOMES = [
  "Cut `b` in `u.js` down to:", "Strip `b` in `u.js` of its logging:", "Kill the logging in `b` of `u.js`:", "Take the log call out of `b` in `u.js`:", "Clear out the logging of `u.js`; `b` becomes:",
  "Discard the result of `log` in `b` in `u.js`:", "Cut the response time with `b` in `u.js`:",
];
const fileWith = (b: string): string => `export const a = 1;\n\n${b}export const c = 3;\n`;
const [OLD, NEW] = ["export function b() {\n  log(1);\n  return 2;\n}\n", "export function b() {\n  return 2;\n}\n"];
const made = (sentence: string, shown: string): Promise<string> => answered("u.js", fileWith(`${OLD}\n`), `${sentence}\n\n\`\`\`js\n${shown}\`\`\`\n`);

describe("what is shown", () => {
  test.each(GOES)("goes below: %s", async (sentence) => {
    expect(await made(sentence, OLD)).toBe(fileWith(""));
  });

  test.each(GOES_TOO)("goes too below: %s", async (sentence) => {
    expect(await made(sentence, OLD)).toBe(fileWith(""));
  });

  test.each(MAY_GO)("goes or is named below: %s", async (sentence) => {
    const root = createFolder({ "u.js": fileWith(`${OLD}\n`) });
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
    const report = fullReport(await loaf.execute(`${sentence}\n\n\`\`\`js\n${OLD}\`\`\`\n`), loaf);
    const isGone = readFileSync(join(root, "u.js"), "utf8") === fileWith("");
    if (!isGone) expect(report).toMatch(/ ❌ |it was not read/);
  });

  test.each(OTHER_GOES)("stays without what goes below: %s", async (sentence) => {
    const there = fileWith(`${NEW}\n`);
    expect(await answered("u.js", there, `${sentence}\n\n\`\`\`js\n${NEW}\`\`\`\n`)).toBe(there);
  });

  test.each(STAYS)("stays below: %s", async (sentence) => {
    expect(await made(sentence, OLD)).toBe(fileWith(`${OLD}\n`));
  });

  test.each(BECOMES)("takes the place of the old text below: %s", async (sentence) => {
    expect(await made(sentence, NEW)).toBe(fileWith(`${NEW}\n`));
  });
});
