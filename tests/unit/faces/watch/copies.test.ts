import { expect, test } from "vitest";
import { PairsOfCopies, SingleCopies } from "../../../../src/faces/watch/watch-clipboard.ts";

const short = "block\n#!end_abc";
const long = "the answer around it\nblock\n#!end_abc\nand more";

test("runs the shorter of two copies, in either order", () => {
  for (const [first, second] of [[short, long], [long, short]] as const) {
    const copies = new PairsOfCopies();
    expect(copies.see(first, 0)).toBeUndefined();
    expect(copies.see(second, 1_800)).toBe(short);
  }
});

test("not if more than 1.8 s apart", () => {
  const copies = new PairsOfCopies();
  copies.see(short, 0);
  expect(copies.see(long, 1_801)).toBeUndefined();
});

test("a text seen repeatedly counts from when it was copied", () => {
  const copies = new PairsOfCopies();
  for (let at = 0; at <= 3_000; at += 150) expect(copies.see(short, at)).toBeUndefined();
  expect(copies.see(long, 3_100)).toBeUndefined();
});

test("a text that was there before never counts", () => {
  const copies = new PairsOfCopies();
  copies.ignore(short);
  expect(copies.see(short, 0)).toBeUndefined();
  expect(copies.see(long, 10)).toBeUndefined();
});

test("the same text twice counts once", () => {
  const copies = new PairsOfCopies();
  copies.see(short, 0);
  copies.see("other", 10);
  expect(copies.see(short, 20)).toBeUndefined();
});

test("two spellings of the end marker are the same", () => {
  const copies = new PairsOfCopies();
  copies.see("block\n#!END_SHAM_abc", 0);
  expect(copies.see("the answer\nblock\n#!END_SHAM_abc\n", 10)).toBe("block\n#!END_SHAM_abc");
});

test("blocks of other syntaxes are known by what identifies them", () => {
  const copies = new PairsOfCopies((text) => [...text.matchAll(/<[^>]*>/g)].map(([block]) => block));
  expect(copies.see("An answer: <edit> and <more>", 0)).toBeUndefined();
  expect(copies.isAwaiting(1)).toBe(true);
  expect(copies.see("Other: <less>", 10)).toBeUndefined();
  expect(copies.see("<edit>", 20)).toBe("<edit>");
});

test.each([[" #!end_abc"], ["x #!end_abc"], ["#!end_abd"], ["#!end_abc x"], ["#!end_abcd"], ["#!END_abc"], [""]])("%j shares no end marker", (line) => {
  const copies = new PairsOfCopies();
  copies.see(short, 0);
  expect(copies.see(`a longer text\n${line}\n`, 10)).toBeUndefined();
});

test("a pair counts only once", () => {
  const copies = new PairsOfCopies();
  copies.see(short, 0);
  expect(copies.see(long, 10)).toBe(short);
  expect(copies.see(`${long} still`, 20)).toBeUndefined();
});

test("Loaf's own copies do not count", () => {
  const copies = new PairsOfCopies();
  copies.see(short, 0);
  copies.ignore(`${long}, a report`);
  expect(copies.see(`${long}, a report`, 10)).toBeUndefined();
});

test("a second copy is awaited as long as it would count", () => {
  const copies = new PairsOfCopies();
  copies.see("no block", 0);
  expect(copies.isAwaiting(1)).toBe(false);
  copies.see(short, 10);
  expect([copies.isAwaiting(1_810), copies.isAwaiting(1_811)]).toEqual([true, false]);
});

test("where the user is asked, each copy counts, once, but not what was there or Loaf itself has copied", () => {
  const copies = new SingleCopies();
  copies.ignore("before");
  const seen = ["before", "one", "one", "two", "one"].map((text) => copies.see(text));
  copies.ignore("a report");
  expect([...seen, copies.see("a report"), copies.see("one")]).toEqual([undefined, "one", undefined, "two", "one", undefined, "one"]);
});
