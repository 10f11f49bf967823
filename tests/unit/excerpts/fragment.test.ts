import { expect, test } from "vitest";
import { placeFragment } from "../../../src/excerpts/fragment.ts";
import { Unplaced } from "../../../src/excerpts/text.ts";
import { growthOfItem } from "../../support/work.ts";

const lines = (count: number, lineAt: (index: number) => string): string => Array.from({ length: count }, (_, index) => `${lineAt(index)}\n`).join("");
const content = lines(5, (index) => (index % 2 === 0 ? "}" : `  b${index}();`));

test("a fragment whose first and last line stand thousands of times in a file is refused in linear time", { timeout: 60_000 }, () => {
  const growth = growthOfItem(16_000, (count) => {
    const placed = placeFragment(lines(count, (index) => (index % 2 === 0 ? "}" : `  a${index % 97}();`)), content, undefined);
    expect(placed).toBeInstanceOf(Unplaced);
  });
  expect(growth).toBeLessThan(6);
});

test("what a placeholder below a changed last line stands for is not replaced", () => {
  const file = "proc load(path) =\n    let a = open(path)\n    let b = read(a)\n    return close(a, b)\n";
  const shown = "proc load(path) =\n    let a = open(path, 1)\n    return close(a, c)\n    # ... existing code ...\n";
  expect(placeFragment(file, shown, undefined)).toEqual(new Unplaced("does not have the line above the last placeholder: show an unchanged one there"));
});
