import { expect, test } from "vitest";
import { lossOfLines } from "../../../src/excerpts/losses.ts";
import { toldIn } from "../../../src/excerpts/told/told.ts";
import { growthOfItem } from "../../support/work.ts";

test("what an addition loses is told in linear time", () => {
  const told = toldIn("Add this to it:");
  const run = (count: number): void => {
    const text = `const o = {\n${Array.from({ length: count }, (_, at) => `  "k ${at}" => ${at},`).join("\n")}\n};\n`;
    lossOfLines({ text, parts: [] }, [{ start: 0, end: text.length, text: text.replaceAll("=> ", "=> x") }], told);
  };
  // With its square it would be 16.
  expect(growthOfItem(16_000, run)).toBeLessThan(6);
});
