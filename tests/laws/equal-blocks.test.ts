/** The law of equal heads: of blocks that begin alike, the one changes that an excerpt with placeholders shows, or none. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly head: string;
  /** What each block begins and ends with, and the line below it. */
  readonly block: readonly [head: string, foot: string, below: string];
  readonly line: (name: string) => string;
  /** A line inside each block, and one between two of them. */
  readonly common: string;
  readonly between: string;
  readonly end: string;
  readonly comment: string;
}

const LANGUAGES: readonly Language[] = [
  { path: "a.rs", head: "fn work() {", block: ["let f = || {", "};", "assert!(f().is_ok());"], line: (name) => `ensure!(${name} + ${name} == 2, "${name}");`, common: "Ok(())", between: "let v = 1;", end: "}\n", comment: "//" },
  { path: "a.ts", head: "function work() {", block: ["if (isReady(queue)) {", "}", "flush(queue);"], line: (name) => `queue.push(${name}, "${name}");`, common: "count += 1;", between: "const v = 1;", end: "}\n", comment: "//" },
  { path: "a.py", head: "def work():", block: ["if ready(queue):", "", "flush(queue)"], line: (name) => `queue.push(${name}, "${name}")`, common: "count += 1", between: "v = 1", end: "", comment: "#" },
  { path: "a.rb", head: "def work", block: ["if ready?(queue)", "end", "flush(queue)"], line: (name) => `queue.push(${name}, "${name}")`, common: "count += 1", between: "v = 1", end: "end\n", comment: "#" },
  { path: "a.go", head: "func work() {", block: ["if isReady(queue) {", "}", "flush(queue)"], line: (name) => `queue.Push(${name}, "${name}")`, common: "count++", between: "v := 1", end: "}\n", comment: "//" },
];
/** What an excerpt makes of one of the blocks. */
const CHANGES = ["its line changes", "a line above it goes", "a line is added", "its line goes"] as const;
/** What is shown below that line. */
const BELOW = ["a placeholder at its depth", "a placeholder and its end", "all of the block", "a placeholder outside"] as const;
const ABOVE = ["the line above", "nothing above", "the function alone"] as const;
const NAMES = ["one", "two", "three", "four"];

const RUNS = LANGUAGES.flatMap((language) =>
  NAMES.flatMap((_, at) => CHANGES.flatMap((change) => BELOW.flatMap((below) => ABOVE.map((above) => ({ language, path: language.path, at, change, below, above }))))),
).filter((_, index) => index % 3 === 0);
let landed = 0;

test.each(RUNS)("$path: block $at, $change, below: $below, above: $above", async ({ language, path, at, change, below, above }) => {
  const { block, line, common, comment, head, end } = language;
  const [first, foot, under] = block;
  const hole = `${comment} ... existing code ...`;
  const blockOf = (lines: readonly string[], own = ""): string =>
    text(1, [first]) + text(2, own === "" ? [...lines, common] : [own, ...lines, common]) + text(1, [foot, under].filter(Boolean));
  const bodyOf = (changed: string | undefined): string =>
    NAMES.map((name, index) => {
      const gap = index === at && !(changed !== undefined && change === "a line above it goes") ? text(1, [language.between]) : "";
      return `${gap}${index === at && changed !== undefined ? changed : blockOf([line(name)])}`;
    }).join("");
  const old = line(NAMES[at] ?? "");
  const lines = change === "its line changes" ? [old.replace("two", "other").replace(/"(?=\);?$)/, ' of "')] : change === "a line is added" ? [old, line("further")] : change === "its line goes" ? [] : [old];
  const [before, after] = [undefined, blockOf(lines)].map((changed) => `${path === "a.go" ? "package a\n\n" : ""}${head}\n${text(1, ["start();"])}${bodyOf(changed)}${end}`) as [string, string];
  const shownAbove = at === 0 ? "start();" : under;
  const gap = change === "a line above it goes" ? [] : [language.between];
  const top = above === "the line above" ? text(1, [hole, shownAbove, ...gap]) : above === "nothing above" ? text(1, [hole]) : text(1, [hole, ...gap]);
  const bottom = {
    "a placeholder at its depth": text(2, [hole]),
    "a placeholder and its end": text(2, [hole]) + text(1, [foot, hole].filter(Boolean)),
    "all of the block": text(2, [common]) + text(1, [foot, under, hole].filter(Boolean)),
    "a placeholder outside": text(1, [hole]),
  }[below];
  const answer = `Update \`work\` in \`${path}\`:\n\n\`\`\`\n${head}\n${top}${text(1, [first])}${text(2, lines)}${bottom}${end}\`\`\`\n`;
  const result = await answered(path, before, answer);
  expect([before, after], answer).toContain(result);
  if (result === after) landed += 1;
});

test("many land", () => {
  expect(landed).toBeGreaterThan(RUNS.length * 0.25);
});

function text(depth: number, lines: readonly string[]): string {
  return lines.map((line) => `${"    ".repeat(depth)}${line}\n`).join("");
}
