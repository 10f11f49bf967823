/** docs/security-cases.md numbers the cases that Loaf must withstand. The title of a test that shows one begins with its number, or several: `16, 17: …`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { documentPaths, projectRoot, readDocument } from "../support/documents.ts";

const CASES = [...readFileSync(join(projectRoot, "docs/security-cases.md"), "utf8").matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number));
const NUMBERS = /^(\d+(?:, \d+)*)(?:, [a-z ]+)?: /;

test("each case of the list has a test that begins with its number", () => {
  const sorted = CASES.toSorted((a, b) => a - b);
  expect(sorted).toEqual([...new Set(sorted)]);
  expect(sorted.slice(0, 103)).toEqual(Array.from({ length: 103 }, (_, index) => index + 1));
  const shown = new Set([...titlesInCode(), ...titlesInDocuments()].flatMap((title) => (NUMBERS.exec(title)?.[1] ?? "").split(", ").map(Number)));
  expect(CASES.filter((number) => !shown.has(number))).toEqual([]);
});

function titlesInCode(): string[] {
  const files = readdirSync(join(projectRoot, "tests"), { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".test.ts"));
  return files.flatMap((file) => {
    const path = join(projectRoot, "tests", file);
    const titles: string[] = [];
    const visit = (node: ts.Node): void => {
      const [first] = ts.isCallExpression(node) && /^(?:test|it|describe)\b/.test(node.expression.getText()) ? node.arguments : [];
      // The titles of `test.each` may stand in its table.
      const said = first !== undefined && ts.isArrayLiteralExpression(first) ? first.elements : [first];
      for (const one of said) if (one !== undefined && ts.isStringLiteralLike(one)) titles.push(one.text);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true));
    return titles;
  });
}

function titlesInDocuments(): string[] {
  return documentPaths.flatMap((path) => readDocument(path).cases.map(({ name }) => name));
}
