/** What models write for other tools, with the files that are to come of it. 0 wrong: a case lands byte for byte, or is refused. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "../../src/answer/read-answer.ts";
import { FORMATS } from "../../src/syntaxes/index.ts";
import { shared } from "../support/shared.ts";
import { runIntake } from "../support/intake.ts";

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly answer: string;
  readonly expected: Expected;
}

type Expected = { readonly files: Readonly<Record<string, string>> } | { readonly refused: true } | { readonly anyOf: readonly Expected[] };

const SUITES = ["search-replace", "patch", "unified-diff", "whole-file", "lazy"];

/** Cases that have one meaning, and are refused all the same, with the reason. */
const REFUSED: Readonly<Record<string, string>> = {};

/** Cases that were to be refused before section 10 of behaviour.md said that what a lazy text does not show stays, and what must be in the file. */
const STAYS: Readonly<Record<string, string>> = { "continue-lazy-calculator-stateless-js": "getResult() {" };

describe.skipIf(shared === undefined)("other tools' syntaxes (skipped where LOAF_SHARED is not set)", () => {
  for (const suite of SUITES) {
    const folder = join(shared ?? "", "conformance", suite);
    const files = shared === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith(".json") && name !== "aider-gold.json");
    for (const file of files) {
      const { cases } = JSON.parse(readFileSync(join(folder, file), "utf8")) as { readonly cases: readonly Case[] };
      describe(`${suite}/${file}`, () => {
        test.each(cases.map((one) => [one.name, one] as const))("%s", async (name, { files: before, answer, expected }) => {
          const { files: after, output } = await runIntake(before, answer, { syntaxes: [...FORMATS] });
          const allowed = "anyOf" in expected ? expected.anyOf : [expected];
          const trees = allowed.map((one) => ("files" in one ? one.files : before));
          if (name in REFUSED) expect(after).toEqual(before);
          else if (STAYS[name] !== undefined) expect(Object.values(after).join("")).toContain(STAYS[name]);
          else expect(trees, `${JSON.stringify(after)}\n${output}`).toContainEqual(after);
          if ("refused" in expected && STAYS[name] === undefined) expect(output).not.toBe("");
        });
      });
    }
  }

  test("aider's gold file: each edit is read exactly, each error is reported", () => {
    const gold = JSON.parse(readFileSync(join(shared ?? "", "conformance/search-replace/aider-gold.json"), "utf8")) as { readonly cases: readonly Gold[] };
    const wrong = gold.cases.flatMap(({ name, answer, expected: { blocks, damaged = [] } }) => {
      const read = parse(answer, { format: "search-replace" });
      const bad = new Set(read.errors.map(({ blockId }) => blockId));
      const [good, broken] = [read.blocks.filter(({ id }) => !bad.has(id)), read.blocks.filter(({ id }) => bad.has(id))];
      const found = good.map(({ startLine, properties: { path, old_lines = "", new_lines, content } }) => ({ line: startLine, path, search: old_lines, replace: new_lines ?? content }));
      const brokenLines = broken.map(({ startLine }) => startLine);
      const isRight =
        blocks.every(({ line, path, search, replace, endedByDivider }) => (endedByDivider && brokenLines.includes(line)) || found.some((one) => JSON.stringify(one) === JSON.stringify({ line, path, search, replace }))) &&
        damaged.every(({ line }) => brokenLines.includes(line)) &&
        found.length + broken.length === blocks.length + damaged.length;
      return isRight ? [] : [{ name, found: found.map(({ line, path }) => `${line} ${path}`), broken: brokenLines, blocks: blocks.map(({ line, path }) => `${line} ${path}`), damaged: damaged.map(({ line }) => line) }];
    });
    expect(wrong).toEqual([]);
  });
});

interface Gold {
  readonly name: string;
  readonly answer: string;
  readonly expected: {
    readonly blocks: ReadonlyArray<{ readonly path: string; readonly search: string; readonly replace: string; readonly line: number; readonly endedByDivider?: true }>;
    readonly damaged?: ReadonlyArray<{ readonly line: number }>;
  };
}
