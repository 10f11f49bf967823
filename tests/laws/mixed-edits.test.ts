/** The law of an edit in plain sentences beside a block of another syntax: each is made at its own place, or named. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fullReport, Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { isLong } from "../support/tries.ts";
import { SYNTAXES as BARE } from "./one-edit.ts";

const SYNTAXES: typeof BARE = {
  ...BARE,
  "SEARCH/REPLACE in a fence": (edit) => BARE["SEARCH/REPLACE"]?.(edit).replace("\n", "\n```\n").concat("```\n") ?? "",
};

interface Language {
  readonly path: string;
  readonly info: string;
  readonly head: string;
  /** Lines of a function. All but the first two are in each function. */
  block(number: number, value: number): readonly string[];
}

const LANGUAGES: readonly Language[] = [
  { path: "app/shop.py", info: "python", head: "import os", block: (n, value) => [`def f${n}(x):`, `    a = x + ${n}`, `    b = a * ${value}`, "    log(b)", "    return b"] },
  { path: "src/shop.ts", info: "ts", head: 'import { log } from "./log";', block: (n, value) => [`export function f${n}(x: number): number {`, `  const a = x + ${n};`, `  const b = a * ${value};`, "  log(b);", "  return b;", "}"] },
  { path: "shop/shop.go", info: "go", head: "package shop", block: (n, value) => [`func f${n}(x int) int {`, `\ta := x + ${n}`, `\tb := a * ${value}`, "\tlog(b)", "\treturn b", "}"] },
  { path: "lib/shop.rb", info: "ruby", head: 'require "log"', block: (n, value) => [`def f${n}(x)`, `  a = x + ${n}`, `  b = a * ${value}`, "  log(b)", "  b", "end"] },
  { path: "src/shop.rs", info: "rust", head: "use std::fmt;", block: (n, value) => [`fn f${n}(x: u32) -> u32 {`, `    let a = x + ${n};`, `    let b = a * ${value};`, "    log(b);", "    b", "}"] },
];
/** Of four functions, those that the answer changes. */
const [WORDS, BLOCK] = [0, 2];
const linesOf = ({ head, block }: Language, values: Readonly<Record<number, number>>): string[] => [head, ...[0, 1, 2, 3].flatMap((n) => ["", ...block(n, values[n] ?? 1)])];
const textOf = (language: Language, values: Readonly<Record<number, number>>): string => linesOf(language, values).map((line) => `${line}\n`).join("");
const fenced = ({ info }: Language, lines: readonly string[]): string => `\`\`\`${info}\n${lines.join("\n")}\n\`\`\`\n`;

const PLAIN: Readonly<Record<string, (language: Language, path: string, value: number) => string>> = {
  "a pair": (language, path, value) => `In \`${path}\`, replace:\n\n${fenced(language, language.block(WORDS, 1).slice(1, 3))}\nwith:\n\n${fenced(language, language.block(WORDS, value).slice(1, 3))}`,
  "before and after": (language, path, value) => `In \`${path}\`:\n\nBefore:\n\n${fenced(language, language.block(WORDS, 1).slice(1, 3))}\nAfter:\n\n${fenced(language, language.block(WORDS, value).slice(1, 3))}`,
  "code spans": (language, path, value) => `In \`f${WORDS}\` in \`${path}\`, change \`${language.block(WORDS, 1)[2]?.trim()}\` to \`${language.block(WORDS, value)[2]?.trim()}\`.\n`,
  "a code span that is there once": (_, path, value) => `In \`${path}\`, change \`x + ${WORDS}\` to \`x + ${WORDS}${value}\`.\n`,
  "a rename": (_, path) => `In \`${path}\`, rename \`f${WORDS}\` to \`g\`.\n`,
  "a declaration": (language, path, value) => `Update \`f${WORDS}\` in \`${path}\`:\n\n${fenced(language, language.block(WORDS, value))}`,
  "a fragment": (language, path, value) => `In \`f${WORDS}\` in \`${path}\`, update:\n\n${fenced(language, language.block(WORDS, value).slice(1, 4))}`,
};
const BLOCKS = ["SEARCH/REPLACE", "SEARCH/REPLACE in a fence", "a call", "Codex's patch", "a diff", "a whole file"];
/** Those that may be refused: a span that stands in each function, and a name of which nobody knows the uses. */
const MAY_BE_REFUSED = new Set(["code spans", "a rename"]);
/** One of so many in the short tests: prime to the numbers of sentences, blocks and values. */
const STEP = 11;

describe.each(LANGUAGES)("$path", (language) => {
  const other = language.path.replace("shop.", "other.");
  // A whole text below the words takes them back.
  const cases = Object.keys(PLAIN).flatMap((plain) => BLOCKS.flatMap((block) => [true, false].flatMap((isSame) => [7, 9].flatMap((value) => [true, false].map((isFirst) => ({ plain, block, isSame, value, isFirst })))))).filter(({ block, isSame, isFirst }, index) => (isLong || index % STEP === 0) && (block !== "a whole file" || !isSame || !isFirst));

  test.each(cases)("$plain beside $block: same file $isSame, as $value, words first $isFirst", async ({ plain, block, isSame, value, isFirst }) => {
    const blockPath = isSame ? language.path : other;
    const lines = linesOf(language, {});
    const at = lines.indexOf(language.block(BLOCK, 1)[1] ?? "");
    const edit = SYNTAXES[block]?.({ path: blockPath, lines, at, count: 2, now: language.block(BLOCK, 9).slice(1, 3) }) ?? "";
    const words = PLAIN[plain]?.(language, language.path, value) ?? "";
    const answer = isFirst ? `${words}\n${edit}` : `${edit}\n${words}`;
    const root = createFolder({ [language.path]: textOf(language, {}), [other]: textOf(language, {}) });
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
    const result = await loaf.execute(answer);
    const after = (path: string): string => readFileSync(join(root, path), "utf8");
    const [old, now] = [1, value].map((number) => language.block(WORDS, number).join("\n")) as [string, string];
    const withWords = (text: string): string => (plain === "a code span that is there once" ? text.replace(`x + ${WORDS}`, `x + ${WORDS}${value}`) : text.replace(old, now));
    const report = fullReport(result, loaf);
    const blockLands = textOf(language, { [BLOCK]: 9 });
    if (!isSame) {
      expect(after(other), report).toBe(blockLands);
      expect([withWords(textOf(language, {})), textOf(language, {})], report).toContain(after(language.path));
    } else expect([withWords(blockLands), blockLands], report).toContain(after(language.path));
    const isLanded = after(language.path) !== (isSame ? blockLands : textOf(language, {}));
    if (!isLanded) {
      expect(MAY_BE_REFUSED, report).toContain(plain);
      expect(report, answer).toMatch(/not read: .*`f0`|❌/);
    }
  });

  test.each(BLOCKS.filter((block) => block !== "a whole file"))("a sentence that tells what %s does is neither made nor named", async (block) => {
    const lines = linesOf(language, {});
    const [old = "", now = ""] = [1, 9].map((value) => language.block(BLOCK, value)[2]?.trim());
    const edit = SYNTAXES[block]?.({ path: language.path, lines, at: lines.indexOf(language.block(BLOCK, 1)[1] ?? ""), count: 2, now: language.block(BLOCK, 9).slice(1, 3) }) ?? "";
    const root = createFolder({ [language.path]: textOf(language, {}) });
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, approve: () => "once" });
    const result = await loaf.execute(`In \`f${BLOCK}\` in \`${language.path}\`, change \`${old}\` to \`${now}\`.\n\n${edit}`);
    expect(readFileSync(join(root, language.path), "utf8")).toBe(textOf(language, { [BLOCK]: 9 }));
    expect(fullReport(result, loaf)).not.toMatch(/not read|❌/);
  });
});
