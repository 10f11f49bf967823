import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { append, largest, smallest } from "../../../src/core/lists.ts";
import { parse } from "../../../src/index.ts";
import { filesBelow } from "../../support/intake.ts";

/** More than a call takes as arguments. */
const MANY = 150_000;

describe("a list of any length", () => {
  const numbers = Array.from({ length: MANY }, (_, index) => (index * 7) % MANY);

  test("has a smallest and a largest number", () => {
    expect([smallest(numbers), largest(numbers)]).toEqual([0, MANY - 1]);
    expect([smallest([]), largest([])]).toEqual([Infinity, -Infinity]);
  });

  test("is appended to another", () => {
    const list = [-1];
    append(list, numbers);
    expect([list.length, list[0], list.at(-1)]).toEqual([MANY + 1, -1, numbers.at(-1)]);
  });
});

test.each(["prose\n", "# Title\n", "- a step\n", "<<<FILE>>>\na.js\n<<<SEARCH>>>\nx\n"])("%j many times is read", (line) => {
  expect(parse(line.repeat(MANY)).errors.length).toBeLessThan(MANY + 1);
});

/** What spreads a list into the arguments of a call that takes any number of them. */
function spreadsIn(path: string, text: string): readonly string[] {
  const found: string[] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const isAny = /^(?:concat|fromCharCode|fromCodePoint|max|min|push|splice|unshift)$/.test(node.expression.name.text);
      const spread = node.arguments.filter(ts.isSpreadElement).filter(({ expression }) => !/^\(?(?:\w+ \? )?\[[^.]*\]/.test(expression.getText()));
      if (isAny && spread.length > 0) found.push(`${path}: ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("no list is spread into the arguments of a call", () => {
  expect(spreadsIn("planted.ts", "list.push(...more); Math.max(0, ...numbers); list.push({ ...one });")).toHaveLength(2);
  const sources = Object.entries(filesBelow(join(import.meta.dirname, "../../../src"))).filter(([path]) => /\.tsx?$/.test(path));
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.flatMap(([path, text]) => spreadsIn(path, text))).toEqual([]);
});
