/** Checks that blocks and errors do not depend on how a text is split. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Block, Diagnostic, ReadBlock } from "../../../src/core/block.ts";
import { NeslParser } from "../../../src/syntaxes/nesl/read.ts";
import { nearNesl, runs } from "./near-nesl.ts";

test("any split yields the same as the whole text", () => {
  fc.assert(
    fc.property(nearNesl, fc.array(fc.nat(400), { maxLength: 12 }), (text, cuts) => {
      expect(read(cutAt(text, cuts))).toEqual(read([text]));
    }),
    runs,
  );
});

test("single units yield the same as the whole text", () => {
  fc.assert(
    fc.property(nearNesl, (text) => {
      expect(read(text.split(""))).toEqual(read([text]));
    }),
    { numRuns: 500 },
  );
});

test("a split inside CRLF, a surrogate pair or after the byte order mark changes nothing", () => {
  const text = "\uFEFF#!nesl [@x: abc]\r\nk = <<'EOT_abc'\r\n😀\r\nEOT_abc\r\n#!end_abc";
  for (let place = 0; place <= text.length; place++) expect(read(cutAt(text, [place]))).toEqual(read([text]));
  expect(read([text]).blocks[0]?.properties).toEqual({ k: "😀" });
});

test("a context extends across splits in both directions", () => {
  const lines = ["1", "2", "3", "#!nesl oops", "5", "6", "7"];
  const [stray] = read(lines.map((line) => `${line}\n`)).strays;
  expect(stray?.context).toBe("2\n3\n#!nesl oops\n5\n6");
});

test("a block is yielded when the line of its end marker is complete", () => {
  const seen: Block[] = [];
  const parser = new NeslParser((block) => seen.push(block), () => {});
  parser.write("#!nesl [@x: abc]\nk = \"v\"\n#!end_abc");
  expect(seen).toEqual([]);
  parser.write("\nand more");
  expect(seen).toMatchObject([{ id: "abc", properties: { k: "v" }, startLine: 1, endLine: 3 }]);
});

test("an unclosed block is yielded when the next one starts", () => {
  const seen: string[] = [];
  const parser = new NeslParser(({ id }) => seen.push(id), () => {});
  parser.write("#!nesl [@x: abc]\n#!nesl [@x: abd]\n");
  expect(seen).toEqual(["abc"]);
  parser.end();
  expect(seen).toEqual(["abc", "abd"]);
});

function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b), text.length];
  return places.slice(1).map((place, index) => text.slice(places[index], place));
}

function read(pieces: readonly string[]): { blocks: ReadBlock[]; strays: Diagnostic[] } {
  const blocks: ReadBlock[] = [];
  const strays: Diagnostic[] = [];
  const parser = new NeslParser((block) => blocks.push(block), (stray) => strays.push(stray));
  for (const piece of pieces) parser.write(piece);
  parser.end();
  return { blocks, strays };
}
