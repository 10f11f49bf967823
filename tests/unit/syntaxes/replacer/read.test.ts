import fc from "fast-check";
import { expect, test } from "vitest";
import { type Diagnostic, type ReadBlock, isBlock } from "../../../../src/core/block.ts";
import { readReplacer, ReplacerParser } from "../../../../src/syntaxes/replacer/read.ts";
import { cutAt, nearReplacer } from "../near-csl.ts";
import { runs } from "../near-nesl.ts";

function read(pieces: readonly string[]): Array<ReadBlock | Diagnostic> {
  const items: Array<ReadBlock | Diagnostic> = [];
  const parser = new ReplacerParser((item) => items.push(item));
  for (const piece of pieces) parser.write(piece);
  parser.end();
  return items;
}

test("any split yields the same as the whole text", () => {
  fc.assert(
    fc.property(nearReplacer, fc.array(fc.nat(300), { maxLength: 10 }), (text, cuts) => {
      expect(read(cutAt(text, cuts))).toEqual(read([text]));
      expect(read(text.split(""))).toEqual(read([text]));
    }),
    runs,
  );
});

test("a block without an error has all required parameters, and contains no marker", () => {
  fc.assert(
    fc.property(nearReplacer, (text) => {
      for (const { block, diagnostics } of readReplacer(text).items.filter(isBlock)) {
        if (diagnostics.length > 0) continue;
        const { action, path, ...values } = block.properties;
        expect(path).toMatch(/^[^\n<]+$/);
        expect(Object.keys(values)).toEqual(action === "file_write" ? ["content"] : ["old_text", "new_text"]);
        for (const value of Object.values(values)) expect(value).not.toMatch(/^\n|\n$/);
      }
    }),
    runs,
  );
});

test("a block is yielded when the line of its end is complete", () => {
  const seen: string[] = [];
  const parser = new ReplacerParser((item) => seen.push(isBlock(item) ? item.block.id : item.message));
  parser.write("<<<FILE>>>\na\n<<<OVERWRITE>>>\nx\n<<<END>>>");
  expect(seen).toEqual([]);
  parser.write("\n");
  expect(seen).toEqual(["block-1"]);
});
