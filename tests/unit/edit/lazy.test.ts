import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillHoles } from "../../../src/edit/lazy.ts";

const HOLE = "// ...";
const fill = (oldText: string, newText: string) => fillHoles(oldText, newText, (line) => line === HOLE);

test("a text with very many holes is refused, in little time", () => {
  const old = Array.from({ length: 50_000 }, (_, index) => `line ${index}\n`).join("");
  const text = Array.from({ length: 50_000 }, (_, index) => (index % 2 === 0 ? `line ${index}\n` : `${HOLE}\n`)).join("");
  expect(fill(old, text)).toEqual({ hole: 1_002, reason: "the text has more than 500 placeholders" });
});

describe("a hole is filled", () => {
  const old = "import a;\n\nfunction one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n";

  test.each([
    ["at the start and the end", `${HOLE}\n\nfunction two() {\n  return 3;\n}\n`, old.replace("return 2", "return 3")],
    ["between two parts", `import a;\n\nfunction one() {\n  return 1;\n${HOLE}\n\nfunction two() {\n  return 2;\n}\n\nthree();\n`, `${old}\nthree();\n`],
    ["within lines of another depth", `import a;\n\nfunction one() {\n  ${HOLE}\n}\n\nfunction two() {\n  return 4;\n}\n`, old.replace("return 2", "return 4")],
    ["at the end", `import a;\nimport b;\n\nfunction one() {\n${HOLE}\n`, old.replace("import a;\n", "import a;\nimport b;\n")],
    ["of two that follow each other", `import a;\nimport b;\n\nfunction one() {\n  ${HOLE}\n\n${HOLE}\n`, old.replace("import a;\n", "import a;\nimport b;\n")],
  ])("%s", (_, text, expected) => {
    expect(fill(old, text)).toEqual({ text: expected });
  });

  test.each([
    ["beside new lines", `import b;\n${HOLE}\nfunction two() {\n  return 2;\n}\n`, 2],
    ["beside a bracket below a changed line", `import a;\nfunction one() {\n  return 0;\n}\n${HOLE}\n`, 5],
    ["beside lines that stand there twice", `import a;\n${HOLE}\n}\n${HOLE}\n`, 2],
    ["where the lines stand in another order", `function two() {\n  return 2;\n${HOLE}\nfunction one() {\n  return 1;\n}\n`, 3],
    ["where most of what no hole covers would be lost", `import a;\n${HOLE}\nfunction one() {\n}\n`, 2],
    ["where two follow each other before a line that stands there twice", `import a;\n${HOLE}\n${HOLE}\n}\n`, 2],
  ])("not %s", (_, text, hole) => {
    expect(fill(old, text)).toMatchObject({ hole, reason: expect.any(String) });
  });
});

/**
 * A change of a file: each new line with the old line it is, if any. New lines differ from all old ones: of equal ones, nobody can
 * tell which a hole stands for.
 */
const changed = fc
  .record({
    old: fc.array(fc.constantFrom("}", "  x();", "function one() {", "function two() {", "import a;", "  return 1;", "@Override", "end", "z"), { minLength: 2, maxLength: 14 }),
    steps: fc.array(fc.record({ at: fc.nat(20), removed: fc.nat(2), added: fc.array(fc.constantFrom("new();", "import b;", "  y();", "]"), { maxLength: 2 }) }), { maxLength: 2 }),
    holes: fc.array(fc.record({ at: fc.nat(20), length: fc.integer({ min: 1, max: 6 }) }), { minLength: 1, maxLength: 2 }),
  })
  .map(({ old, steps, holes }) => {
    const lines: Array<{ readonly line: string; readonly of: number }> = old.map((line, of) => ({ line, of }));
    for (const { at, removed, added } of steps) {
      const from = at % (lines.length + 1);
      // Where one of several equal lines is removed, nobody can tell which one a hole stands for.
      const isTold = lines.slice(from, from + removed).every(({ line }) => old.filter((one) => one === line).length === 1);
      lines.splice(from, isTold ? removed : 0, ...added.map((line) => ({ line, of: -1 })));
    }
    const lazy = lines.map(({ line }) => line);
    // A hole stands for the same lines in both files, between the same lines or at the same end.
    const places = holes.map(({ at, length }) => ({ from: at % Math.max(1, lines.length), length }));
    for (const { from, length } of places.toSorted((a, b) => b.from - a.from)) {
      const part = lines.slice(from, from + length);
      const before = from === 0 ? -1 : lines[from - 1]?.of;
      const after = from + part.length === lines.length ? old.length : lines[from + part.length]?.of;
      const isSame = part.every(({ of }, index) => of === (part[0]?.of ?? 0) + index && of !== -1) && before === (part[0]?.of ?? 0) - 1 && after === (part.at(-1)?.of ?? 0) + 1;
      if (isSame && !lazy.slice(Math.max(0, from - 1), from + length + 1).includes(HOLE)) lazy.splice(from, part.length, HOLE);
    }
    return { old: old.join("\n"), lazy: lazy.join("\n"), wanted: lines.map(({ line }) => line).join("\n") };
  })
  .filter(({ lazy }) => lazy.split("\n").includes(HOLE));

test("a text with holes gives the file that is meant, or is refused", () => {
  const significant = (text: string) => text.split("\n").filter((line) => line.trim() !== "");
  let filled = 0;
  fc.assert(
    fc.property(changed, ({ old, lazy, wanted }) => {
      const result = fill(`${old}\n`, `${lazy}\n`);
      if (!("text" in result)) return;
      filled += 1;
      expect(significant(result.text)).toEqual(significant(wanted));
    }),
    { numRuns: 5_000 },
  );
  expect(filled).toBeGreaterThan(500);
});
