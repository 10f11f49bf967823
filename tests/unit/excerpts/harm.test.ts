import { expect, test } from "vitest";
import { loadStructure, partsOf } from "../../../src/addresses/structure.ts";
import type { ExcerptSource } from "../../../src/excerpts/merge.ts";
import { harmOf } from "../../../src/excerpts/harm.ts";

const f = (name: string): string => `function ${name}() {\n  return "${name}";\n}\n`;

test.each([
  ["once more than the file and the answer have it", [f("b"), f("a"), f("b")], "would hold b 2 times"],
  ["as often as the file", [f("a"), f("b")], undefined],
])("a function %s", async (_, text, harm) => {
  await loadStructure("a.js");
  const source = { parts: (code: string) => partsOf("a.js", code), isValid: () => true } as Partial<ExcerptSource> as ExcerptSource;
  expect(harmOf(source, { before: f("a") + f("b"), content: `// ...\n${f("a")}// ...\n`, text: text.join("") })).toBe(harm);
});
