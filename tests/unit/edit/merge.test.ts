import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeBytes, mergeText } from "../../../src/edit/merge.ts";
import { tries } from "../../support/tries.ts";
import { measureWork } from "../../support/work.ts";

const lines = (...all: readonly string[]) => all.map((line) => `${line}\n`).join("");

test("merges changes that are apart", () => {
  const base = lines("one", "two", "three", "four", "five");
  expect(mergeText(base, base.replace("one", "1"), base.replace("five", "5"))).toBe(lines("1", "two", "three", "four", "5"));
  expect(mergeText(base, `zero\n${base}`, base.replace("three\n", ""))).toBe(lines("zero", "one", "two", "four", "five"));
});

test.each([
  ["the same line", "one two three", "one 2 three", "one zwei three"],
  ["adjacent lines", "one two three", "1 two three", "one 2 three"],
  ["an insertion beside a change", "one two three", "one new two three", "one 2 three"],
  ["two insertions at one place", "one two", "one a two", "one b two"],
  ["a line inside a deletion", "one two three four", "one four", "one two 3 four"],
  ["an insertion with an ambiguous place among equal lines", "a x x x x b", "a x z x x x b", "a x x x b"],
])("conflicts: %s", (_, base, ours, theirs) => {
  const [one, two, three] = [base, ours, theirs].map((text) => lines(...text.split(" "))) as [string, string, string];
  expect(mergeText(one, two, three)).toBeUndefined();
  expect(mergeText(one, three, two)).toBeUndefined();
});

test("the same change on both sides is no conflict", () => {
  expect(mergeText(lines("a", "b", "c"), lines("a", "B", "c", "d"), lines("a", "B", "c"))).toBe(lines("a", "B", "c", "d"));
});

test("keeps every byte: line endings, a missing final newline, a byte order mark, invalid UTF-8", () => {
  const base = Buffer.from("\xef\xbb\xbfone\r\ntwo \xff\nthree\rthree\nfour", "latin1");
  const ours = Buffer.from("\xef\xbb\xbfone\r\ntwo \xff\nthree\rthree\nfour \xfe", "latin1");
  const theirs = Buffer.from("\xef\xbb\xbf1\r\ntwo \xff\nthree\rthree\nfour", "latin1");
  expect(mergeBytes(base, ours, theirs)?.toString("latin1")).toBe("\xef\xbb\xbf1\r\ntwo \xff\nthree\rthree\nfour \xfe");
});

test("a file with converted line endings conflicts", () => {
  const base = lines("one", "two", "three", "four");
  expect(mergeText(base, base.replaceAll("\n", "\r\n"), base.replace("four\n", ""))).toBeUndefined();
  expect(mergeText(base.replaceAll("\n", "\r\n"), base, base.replace("four", "4").replaceAll("\n", "\r\n"))).toBeUndefined();
});

test("lines may end with CR alone if there is no LF", () => {
  expect(mergeText("a\rb\rc\r", "a\rb\rc\rd\r", "A\rb\rc\r")).toBe("A\rb\rc\rd\r");
  expect(mergeText("a\rb\rc\nx\n", "A\rb\rc\nx\n", "a\rb\rC\nx\n")).toBeUndefined();
});

test("77: binary files and files saved in another encoding conflict", () => {
  const apart = (more: string): [Buffer, Buffer, Buffer] => [Buffer.from(`a\nb\nc${more}\n`, "latin1"), Buffer.from(`A\nb\nc${more}\n`, "latin1"), Buffer.from(`a\nb\nc${more}\nd\ne\n`, "latin1")];
  expect(mergeBytes(...apart(""))).toBeDefined();
  expect(mergeBytes(...apart("\0"))).toBeUndefined();
  const [base, ours, theirs] = ["a\nb\né\n", "a\nb\né!\n", "à\nb\né\n"].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
  expect(mergeBytes(base, ours, theirs)).toBeDefined();
  expect(mergeBytes(base, Buffer.from(ours.toString(), "latin1"), theirs)).toBeUndefined();
});

test("texts that differ everywhere conflict quickly", () => {
  const many = (name: string): string => Array.from({ length: 200_000 }, (_, index) => `${name} ${index}\n`).join("");
  const work = measureWork();
  expect(mergeText(`x\n${many("a")}y\n`, `X\n${many("b")}Y\n`, `x\n${many("c")}y\n`)).toBeUndefined();
  expect(work()).toBeLessThan(5_000);
});

test("77: changes must be separated by a unique line that both sides keep", () => {
  const base = lines("a", "}", "b", "}", "c");
  expect(mergeText(base, base.replace("a", "A"), base.replace("b", "B"))).toBeUndefined();
  expect(mergeText(base, base.replace("a", "A"), base.replace("c", "C"))).toBe(lines("A", "}", "b", "}", "C"));
});

test("merges a change into a block that the other side moved only if it is unambiguous", () => {
  const base = lines("a", "b", "c", "d", "e", "f", "g");
  const moved = lines("d", "e", "f", "g", "a", "b", "c");
  expect(mergeText(base, moved, base.replace("f", "F"))).toBe(lines("d", "e", "F", "g", "a", "b", "c"));
  expect(mergeText(base, moved, base.replace("b", "B"))).toBeUndefined();
});

test("merges a large text with changes far apart", () => {
  const base = Array.from({ length: 200_000 }, (_, index) => `line ${index}\n`);
  const [ours, theirs] = [base.with(10, "mine\n").with(199_000, "mine too\n"), base.with(20, "theirs\n").with(150_000, "")];
  expect(mergeText(base.join(""), ours.join(""), theirs.join(""))).toBe(base.with(10, "mine\n").with(199_000, "mine too\n").with(20, "theirs\n").with(150_000, "").join(""));
});

/** For each line of a base: who changes it, whether it stays, and how many lines are inserted before it. */
const piece = fc.record({ who: fc.constantFrom("ours", "theirs", "nobody", "nobody", "nobody"), isKept: fc.boolean(), inserted: fc.nat(2) });

test("merges separate changes of two sides unaltered, or conflicts because lines repeat", () => {
  const told = { merged: 0, repeating: 0 };
  const law = fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), fc.constantFrom("\n", "\r\n", "\r"), (pieces, repeats, ending) => {
    let count = 0;
    const line = (): string => (repeats ? "xyz".charAt(count++ % 7) : `${count++}`) + ending;
    const newLine = (): string => `new ${count++}${ending}`;
    // Separates the pieces of the two sides by unchanged lines.
    const apart = pieces.flatMap((one, index) => (one.who !== "nobody" && index > 0 && pieces[index - 1]?.who !== one.who ? [{ ...one, who: "nobody" }, one] : [one]));
    const base: string[] = [];
    const [ours, theirs, both]: [string[], string[], string[]] = [[], [], []];
    for (const { who, isKept, inserted } of [...apart, { who: "nobody", isKept: true, inserted: 0 }]) {
      const [old, added] = [line(), who === "nobody" ? [] : Array.from({ length: inserted }, newLine)];
      // Two deletions among equal lines may be the same deletion.
      const isDeleted = who !== "nobody" && !isKept && (inserted > 0 || !repeats);
      const changed = isDeleted ? added : [...added, old];
      base.push(old);
      ours.push(...(who === "ours" ? changed : [old]));
      theirs.push(...(who === "theirs" ? changed : [old]));
      both.push(...changed);
    }
    const merged = mergeText(base.join(""), ours.join(""), theirs.join(""));
    if (!repeats || merged !== undefined) expect(merged).toBe(both.join(""));
    told[repeats ? "repeating" : "merged"] += merged === undefined ? 0 : 1;
  });
  fc.assert(law, tries(2_000, 50_000));
  expect(told.merged).toBeGreaterThan(500);
  expect(told.repeating).toBeGreaterThan(100);
});
