import { expect, test } from "vitest";
import { placeSettings } from "../../../src/excerpts/lines/alike.ts";
import { growthOfItem } from "../../support/work.ts";

test("settings are placed by their keys in linear time", () => {
  const run = (count: number): void => {
    const lines = Array.from({ length: count }, (_, at) => `KEY_${at}=${at}`);
    const shown = lines.flatMap((line, at) => [`${line}0`, `NEW_${at}=1`]);
    expect(placeSettings(`${lines.join("\n")}\n`, shown.join("\n"), false)).toBeDefined();
  };
  // With its square it would be 16.
  expect(growthOfItem(16_000, run)).toBeLessThan(6);
});
