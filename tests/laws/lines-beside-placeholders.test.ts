/** The law of lines beside placeholders: where each is in the file once, they tell what is meant, and else nothing is written. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { alignedText } from "../../src/edit/aligned.ts";
import { tries } from "../support/tries.ts";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly mark: string;
  readonly open: (name: string) => string;
  readonly close: string;
  readonly line: (text: string) => string;
}

const LANGUAGES: readonly Language[] = [
  { path: "a.ts", mark: "//", open: (name) => `export function ${name}() {`, close: "}", line: (text) => `  ${text}();` },
  { path: "a.py", mark: "#", open: (name) => `def ${name}():`, close: "", line: (text) => `    ${text}()` },
  { path: "a.go", mark: "//", open: (name) => `func ${name}() {`, close: "}", line: (text) => `\t${text}()` },
  { path: "a.rs", mark: "//", open: (name) => `fn ${name}() {`, close: "}", line: (text) => `    ${text}();` },
  { path: "a.rb", mark: "#", open: (name) => `def ${name}`, close: "end", line: (text) => `  ${text}()` },
  { path: "a.java", mark: "//", open: (name) => `static void ${name}() {`, close: "}", line: (text) => `    ${text}();` },
  { path: "a.kt", mark: "//", open: (name) => `fun ${name}() {`, close: "}", line: (text) => `    ${text}()` },
  { path: "a.css", mark: "/*", open: (name) => `.${name} {`, close: "}", line: (text) => `    --${text}: 1px;` },
  { path: "a.lua", mark: "--", open: (name) => `function ${name}()`, close: "end", line: (text) => `  ${text}()` },
];

/** Of a function with six lines: which of them the file has in other functions too. */
const repeated = fc.array(fc.boolean(), { minLength: 6, maxLength: 6 });
const change = fc.record({
  at: fc.nat({ max: 5 }),
  what: fc.constantFrom("another", "one more", "two more", "gone", "another of the file"),
  above: fc.integer({ min: 1, max: 4 }),
  below: fc.integer({ min: 1, max: 4 }),
});
const answer = fc.record({
  language: fc.constantFrom(...LANGUAGES),
  functions: fc.array(fc.tuple(repeated, fc.option(change)), { minLength: 2, maxLength: 4 }),
  indents: fc.array(fc.constantFrom("", "  ", "        "), { minLength: 8, maxLength: 8 }),
});

test("what stands between placeholders is put where it is meant, or nowhere", () => {
  let [landed, tried] = [0, 0];
  fc.assert(
    fc.property(answer, ({ language, functions, indents }) => {
      const { mark, open, close, line } = language;
      const hole = (at: number): string => `${indents[at % indents.length]}${mark} ... existing code ...${mark === "/*" ? " */" : ""}`;
      // Each line of the old file, and what becomes of it.
      const rows = functions.flatMap(([isRepeated, edit], number) => {
        const body = isRepeated.map((isSame, at) => line(isSame ? `same${at % 3}` : `step${number}x${at}`));
        const become = (text: string, at: number): readonly string[] => {
          if (at !== edit?.at) return [text];
          const fresh = { another: ["fresh"], "one more": [undefined, "fresh"], "two more": [undefined, "fresh", "newer"], gone: [], "another of the file": ["same1"] }[edit.what];
          return fresh.map((word) => (word === undefined ? text : line(`${word}${word === "same1" ? "" : number}`)));
        };
        const inside = body.map((text, at) => ({ text, now: become(text, at), edit: at === edit?.at ? edit : undefined }));
        const same = (text: string) => ({ text, now: [text], edit: undefined });
        return [same(open(`name${number}`)), ...inside, ...(close === "" ? [] : [same(close)]), same("")];
      });
      const isShown = rows.map((_, at) => rows.some(({ edit }, place) => edit !== undefined && at >= place - edit.above && at <= place + edit.below));
      const [before, after] = [rows.map(({ text }) => text), rows.flatMap(({ now }) => now)].map((lines) => lines.join("\n")) as [string, string];
      if (before === after || isShown.every(Boolean)) return;
      // That a line is gone is told by the one below it.
      const isTold = rows.every(({ now }, at) => now.length > 0 || [1, 2].some((down) => isShown[at + down] === true && rows[at + down]?.text !== ""));
      if (!isTold) return;
      const excerpt = rows.flatMap(({ now }, at) => (isShown[at] === true ? now : at === 0 || isShown[at - 1] === true ? [hole(at)] : []));
      const text = excerpt.join("\n");
      const result = alignedText(before, text, (shown) => shown.includes("... existing code"));
      if (result !== undefined) expect(result, text).toBe(after);
      // A line that the file has once in another place may be the one that is meant.
      const isFresh = functions.every(([, edit]) => edit?.what !== "another of the file");
      const isOnce = (at: number): boolean => rows.filter((row) => row.text === rows[at]?.text).length === 1 && rows[at]?.edit === undefined;
      if (isFresh && rows.every((_, at) => isShown[at] !== true || (isShown[at - 1] === true && isShown[at + 1] === true) || isOnce(at))) {
        tried += 1;
        landed += Number(result === after);
      }
    }),
    tries(4000, 40_000),
  );
  expect(landed / tried).toBeGreaterThan(0.97);
});

const CODE = ["def first():", "    a = read()", "    log(a)", "    keep(a)", "    return a", "", "def second():", "    b = take()", "    log(b)", "    send(b)", "    return a", ""].join("\n");
const HOLE = "    # ... existing code ...";
const within = (lines: readonly string[]): string => `In \`a.py\`:\n\n\`\`\`\n${lines.join("\n")}\n\`\`\`\n`;

test("a line beside a placeholder that the file has twice tells nothing", async () => {
  expect(await answered("a.py", CODE, within([HOLE, "    send(c)", "    return a", HOLE]))).toBe(CODE);
  expect(alignedText(CODE, [HOLE, "    keep(a)", "    close(a)", "    return a", HOLE].join("\n"), (line) => line === HOLE.trim())).toBeUndefined();
});

test("lines between two that the file has do not go in silence", () => {
  const long = CODE.replace("    log(a)\n", [...Array(9).keys()].map((at) => `    step${at}(a)\n`).join(""));
  expect(alignedText(long, ["    a = read()", "    keep(a)", HOLE].join("\n"), (line) => line === HOLE.trim())).toBeUndefined();
  // Nor does a line come a second time that may only have moved.
  expect(alignedText(CODE, ["    a = read()", "    send(b)", "    log(a)", HOLE].join("\n"), (line) => line === HOLE.trim())).toBeUndefined();
});
