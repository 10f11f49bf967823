import fc from "fast-check";
import { expect, test } from "vitest";
import { meantText } from "../../../src/edit/whole-file.ts";

test("a whole text that changes one line leaves every other byte as it was", () => {
  const endings = fc.array(fc.constantFrom("\n", "\r\n"), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(endings, fc.nat(), fc.boolean(), (all, chosen, isOpen) => {
      const changed = chosen % all.length;
      const textOf = (isNew: boolean, endingOf: (ending: string) => string): string => {
        const lines = all.map((ending, index) => (isNew && index === changed ? "new" : `line ${index}`) + (isOpen && index === all.length - 1 ? "" : endingOf(ending)));
        return lines.join("");
      };
      const meant = meantText({ path: "a.txt", content: textOf(true, () => "\n"), label: undefined }, textOf(false, (ending) => ending));
      expect(meant).toBe(textOf(true, (ending) => ending));
    }),
    { numRuns: 1_000 },
  );
});
