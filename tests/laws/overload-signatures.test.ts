/** The law of overloads: where an answer shows only the implementation of a function, its signatures stay. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const SENTENCES = ["**P**", "Update `convert` in `P`:", "In `P`, check the argument first:"];
/** What stands around the function, its signatures, the head of its implementation, and what they are indented by. */
const FORMS: Readonly<Record<string, readonly [above: string, below: string, signatures: readonly string[], head: string, indent?: string]>> = {
  exported: ["", "", ["export function convert(a: string): string\n", "export function convert(a: number): number\n"], "export function convert(a: any): any"],
  default: ["import { log } from './log'\n\n", "\nexport const other = 1\n", ["export default function convert(a: string): string;\n"], "export default function convert(a: any): any"],
  "with a comment": ["const x = 1\n\n", "", ["/** Converts. */\n", "function convert(a: string): string\n\n", "// two\n", "function convert(a: number): number\n\n"], "function convert(a: any): any"],
  method: ["class Unit {\n  size = 1\n\n", "\n  other() {\n    return 1\n  }\n}\n", ["  convert(a: string): string\n", "  convert(a: number): number\n"], "convert(a: any): any", "  "],
};

describe.each(Object.keys(FORMS))("%s", (form) => {
  const [above = "", below = "", signatures = [], head = "", indent = ""] = FORMS[form] ?? [];
  const bodyOf = (lines: readonly string[]): string => [`${head} {`, ...lines.map((line) => `  ${line}`), "}"].map((line) => `${indent}${line}\n`).join("");
  const [old, now] = [bodyOf(["return a"]), bodyOf(["check(a)", "return a"])];
  const before = above + signatures.join("") + old + below;

  test.each(SENTENCES)("%s", async (sentence) => {
    const answerOf = (shown: string): string => `${sentence.replace("P", "a.ts")}\n\n\`\`\`ts\n${shown}\`\`\`\n`;
    expect(await answered("a.ts", before, answerOf(now))).toBe(above + signatures.join("") + now + below);
    // Signatures that are shown replace the old ones.
    const fewer = signatures.filter((line) => !line.includes("number") && !line.includes("// two"));
    expect(await answered("a.ts", before, answerOf(fewer.join("") + now))).toBe(above + fewer.join("") + now + below);
    // A comment that stands above the signatures is no comment on what stands below them.
    const commented = signatures[0]?.startsWith("/**") === true ? signatures[0] : "";
    expect(await answered("a.ts", before, answerOf(commented + now))).toBe(above + signatures.join("") + now + below);
  });
});

test("a class that is shown whole keeps the signatures of a method that it shows without them", async () => {
  const before = "class Unit {\n  convert(a: string): string\n  convert(a: any): any {\n    return a\n  }\n}\n";
  const answer = "Update `Unit` in `a.ts`:\n\n```ts\nclass Unit {\n  convert(a: any): any {\n    check(a)\n    return a\n  }\n}\n```\n";
  expect(await answered("a.ts", before, answer)).toBe(before.replace("    return", "    check(a)\n    return"));
});
