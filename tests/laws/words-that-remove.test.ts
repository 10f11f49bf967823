/** Law of the words by which an answer takes away what it shows: it goes, and with other words it never does. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const GOES = [
  "Delete `b` from `u.js`:", "`b` in `u.js` is no longer needed, so take it out:", "Take `b` out of `u.js`:", "Strip `b` from `u.js`:", "Cut this function from `u.js`:", "Ditch `b` in `u.js`:",
  "In `u.js`, kill the dead function `b`:", "In `u.js`, throw out `b`:", "Clear out `b` in `u.js`:", "`u.js`: purge this function:", "Get `b` out of `u.js`:", "Discard `b` in `u.js`:", "Erase `b` from `u.js`:",
  "In `u.js` wirf `b` raus:", "Streiche `b` in `u.js`:", "Dans `u.js`, enlève la fonction `b` :", "En `u.js`, quita la función `b`:",
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

  test.each(STAYS)("stays below: %s", async (sentence) => {
    expect(await made(sentence, OLD)).toBe(fileWith(`${OLD}\n`));
  });

  test.each(BECOMES)("takes the place of the old text below: %s", async (sentence) => {
    expect(await made(sentence, NEW)).toBe(fileWith(`${NEW}\n`));
  });
});
