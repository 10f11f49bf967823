/** The law of further blocks: one that the file does not have goes to the end of its kind, and the rest stays. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Kind {
  readonly path: string;
  readonly before: string;
  readonly block: string;
  /** What stays below it, a part of the file. */
  readonly below?: string;
}

const TESTS = "\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(1), 2);\n    }\n}\n";
const KINDS: readonly Kind[] = [
  { path: "Makefile", before: ".PHONY: test run\n\ntest:\n\tpytest\n\nrun: test\n\tmake serve\n", block: "format:\n\truff format .\n" },
  { path: "Makefile", before: "PORT := 80\n\ntest:\n\tpytest\n\nrun:\n\tserve $(PORT)\n", block: "format: test\n\truff format .\n\nclean:\n\trm -rf dist\n" },
  { path: "a.scss", before: "$gap: 4px;\n\n.card {\n  margin: $gap;\n\n  &:hover {\n    margin: 0;\n  }\n}\n\nbody {\n  margin: 0;\n}\n", block: ".note {\n  margin: 1px;\n}\n" },
  { path: "a.scss", before: "@mixin wide {\n  width: 100%;\n}\n\n.card {\n  @include wide;\n}\n", block: "@mixin narrow {\n  width: 50%;\n}\n" },
  { path: "a.rs", before: `pub fn add(one: u8) -> u8 {\n    one + 1\n}\n${TESTS}`, block: "pub fn take(one: u8) -> u8 {\n    one - 1\n}\n", below: TESTS },
  { path: "b.rs", before: `pub struct A;\n\nimpl A {\n    fn a() {}\n}\n${TESTS}`, block: "impl Default for A {\n    fn default() -> Self {\n        A\n    }\n}\n", below: TESTS },
];
const SENTENCES: ReadonlyArray<(path: string) => string> = [
  (path) => `Add this to \`${path}\`:`,
  (path) => `Add this helper to \`${path}\`:`,
  (path) => `In \`${path}\`, add the following:`,
];

test.each(KINDS.flatMap((kind) => SENTENCES.map((tell) => ({ ...kind, sentence: tell(kind.path) }))))("$sentence $block", async ({ path, before, block, below = "", sentence }) => {
  const result = await answered(path, before, `${sentence}\n\n\`\`\`\n${block}\`\`\`\n`);
  expect(result).toBe(`${before.slice(0, before.length - below.length)}\n${block}${below}`);
});

test.each([["Update"], ["In"], ["In", ", change `.card` for small screens"]])("%s: a media query that is shown whole is its own place", async (word, rest = "") => {
  const media = (rules: string): string => `@media (max-width: 600px) {\n${rules}}\n`;
  const [app, card] = ["  .app {\n    margin: 1px;\n  }\n", "  .card {\n    margin: 2px;\n  }\n"];
  const textWith = (shown: string): string => `.app {\n  margin: 0;\n}\n\n.card {\n  margin: 8px;\n}\n\n${shown}`;
  const now = media(`${app}\n${card}`);
  const result = await answered("a.css", textWith(media(app)), `${word} \`a.css\`${rest}:\n\n\`\`\`css\n${now}\`\`\`\n`);
  expect(result).toBe(textWith(now));
});

/** What is to go into a rule does not go to the end of the file. */
test("a rule for a rule", async () => {
  const now = await answered("a.scss", ".a {\n  color: red;\n}\n", "Add this to `.a` in `a.scss`:\n\n```scss\n.c {\n  color: black;\n}\n```\n");
  expect(now).not.toMatch(/^\.c/m);
});
