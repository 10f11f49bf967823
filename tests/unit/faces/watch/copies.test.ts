import { expect, test } from "vitest";
import { Copies } from "../../../../src/faces/watch/watch-clipboard.ts";

const short = "block\n#!end_abc";
const long = "the answer around it\nblock\n#!end_abc\nand more";

test("runs the shorter of two copies, in either order", () => {
  for (const [first, second] of [[short, long], [long, short]] as const) {
    const copies = new Copies();
    expect(copies.see(first, 0)).toBeUndefined();
    expect(copies.see(second, 1_800)).toBe(short);
  }
});

test("not if more than 1.8 s apart", () => {
  const copies = new Copies();
  copies.see(short, 0);
  expect(copies.see(long, 1_801)).toBeUndefined();
});

test("a text seen repeatedly counts from when it was copied", () => {
  const copies = new Copies();
  for (let at = 0; at <= 3_000; at += 150) expect(copies.see(short, at)).toBeUndefined();
  expect(copies.see(long, 3_100)).toBeUndefined();
});

test("the initial text never counts", () => {
  const copies = new Copies(short);
  expect(copies.see(short, 0)).toBeUndefined();
  expect(copies.see(long, 10)).toBeUndefined();
});

test("the same text twice counts once", () => {
  const copies = new Copies();
  copies.see(short, 0);
  copies.see("other", 10);
  expect(copies.see(short, 20)).toBeUndefined();
});

test.each([[" #!end_abc"], ["x #!end_abc"], ["#!end_abd"], ["#!end_abc x"], ["#!end_abcd"], ["#!END_abc"], [""]])("%j shares no end marker", (line) => {
  const copies = new Copies();
  copies.see(short, 0);
  expect(copies.see(`a longer text\n${line}\n`, 10)).toBeUndefined();
});

test("a pair counts only once", () => {
  const copies = new Copies();
  copies.see(short, 0);
  expect(copies.see(long, 10)).toBe(short);
  expect(copies.see(`${long} still`, 20)).toBeUndefined();
});

test("Loaf's own copies do not count", () => {
  const copies = new Copies();
  copies.see(short, 0);
  copies.ignore(`${long}, a report`);
  expect(copies.see(`${long}, a report`, 10)).toBeUndefined();
});

test("a second copy is awaited as long as it would count", () => {
  const copies = new Copies();
  copies.see("no block", 0);
  expect(copies.isAwaiting(1)).toBe(false);
  copies.see(short, 10);
  expect([copies.isAwaiting(1_810), copies.isAwaiting(1_811)]).toEqual([true, false]);
});
