import fc from "fast-check";
import { expect, test } from "vitest";
import { isBlock } from "../../../../src/core/block.ts";
import { readReplacer } from "../../../../src/syntaxes/replacer/read.ts";
import { Source } from "../../../../src/syntaxes/source.ts";
import { nearReplacer } from "../near-csl.ts";
import { runs } from "../near-nesl.ts";

test("a block without an error has all required parameters, and contains no marker", () => {
  fc.assert(
    fc.property(nearReplacer, (text) => {
      for (const { properties, diagnostics } of readReplacer(new Source(text)).items.filter(isBlock)) {
        if (diagnostics.length > 0) continue;
        const { action, path, ...values } = properties;
        expect(path).toMatch(/^[^\n<]+$/);
        expect(Object.keys(values)).toEqual(action === "file_write" ? ["content"] : ["old_text", "new_text"]);
        for (const value of Object.values(values)) expect(value).not.toMatch(/^\n|\n$/);
      }
    }),
    runs,
  );
});
