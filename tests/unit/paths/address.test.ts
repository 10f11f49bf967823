import fc from "fast-check";
import { expect, test } from "vitest";
import { addresses, find } from "../../../src/paths/address.ts";
import { loadStructure, nearest, partsOf } from "../../../src/addresses/structure.ts";
import { type FoundPart, type Kind, nest, type Part } from "../../../src/addresses/part.ts";

/** Each span is `[name, start, end]`, optionally with a kind. */
function partsFrom(...spans: Array<[name: string, start: number, end: number, kind?: Kind]>) {
  return nest(spans.map(([name, start, end, kind = "class"]): FoundPart => ({ name, kind, start, end, from: start, to: end })));
}

const listed = (...spans: Parameters<typeof partsFrom>) => Array.from(addresses(partsFrom(...spans)), ({ address }) => address);
const found = (parts: readonly Part[], address: string) => find(parts, address).map((one) => one.address);

test("nests a part in the part that contains it", () => {
  expect(listed(["a", 0, 10], ["b", 1, 5], ["c", 2, 3], ["d", 6, 9], ["e", 10, 12])).toEqual(["@@a", "@@a@@b", "@@a@@b@@c", "@@a@@d", "@@e"]);
});

test("assigns a comment inside the previous part to that part only", () => {
  const found: FoundPart[] = [{ name: "a", kind: "class", start: 0, end: 10, from: 0, to: 10 }, { name: "b", kind: "class", start: 12, end: 20, from: 5, to: 20 }, { name: "c", kind: "class", start: 12, end: 15, from: 5, to: 15 }];
  expect(Array.from(addresses(nest(found)), ({ part }) => part.start)).toEqual([0, 10, 12]);
});

test("numbers only siblings of the same name", () => {
  expect(listed(["a", 0, 1], ["b", 1, 2], ["a", 2, 9], ["a", 3, 4])).toEqual(["@@a#1", "@@b", "@@a#2", "@@a#2@@a"]);
});

test("never numbers a part like the name of a sibling", () => {
  expect(listed(["a", 0, 1], ["a#2", 1, 2], ["a", 2, 3])).toEqual(["@@a#1", "@@a#2", "@@a##2"]);
});

test("finds all siblings of a name without its number", () => {
  const parts = partsFrom(["a", 0, 1], ["a", 1, 2]);
  expect(found(parts, "@@a")).toEqual(["@@a#1", "@@a#2"]);
  expect(found(parts, "@@a#2")).toEqual(["@@a#2"]);
});

test("lets an address omit groups only, and prefers direct parts", () => {
  const parts = partsFrom(["n", 0, 10, "namespace"], ["a", 1, 5], ["b", 2, 3], ["a", 10, 12], ["m", 12, 20, "namespace"], ["c", 13, 14], ["n", 20, 30, "namespace"], ["c", 21, 22]);
  expect(found(parts, "@@a")).toEqual(["@@a"]);
  expect(found(parts, "@@a@@b")).toEqual(["@@n#1@@a@@b"]);
  expect(found(parts, "@@b")).toEqual([]);
  expect(found(parts, "@@c")).toEqual(["@@m@@c", "@@n#2@@c"]);
});

test("finds a name that contains the separator", () => {
  const parts = partsFrom(["a@@b", 0, 10], ["c", 1, 2], ["a", 10, 20], ["b", 11, 12]);
  expect(found(parts, "@@a@@b@@c")).toEqual(["@@a@@b@@c"]);
  expect(found(parts, "@@a@@b")).toEqual(["@@a@@b", "@@a@@b"]);
});

test("finds nothing for an empty address, or one that continues after a part", () => {
  const parts = partsFrom(["a", 0, 1]);
  for (const address of ["@@", "@@a@@", "@@@@a", "@@a@@b", "@@A"]) expect(found(parts, address)).toEqual([]);
});

test("addresses a hundred of a thousand nested levels", async () => {
  await loadStructure("a.json");
  expect([...addresses(partsOf("a.json", "[".repeat(1000) + "]".repeat(1000)))]).toHaveLength(100);
});

test("answers a miss with all parts, those of a similar name, or the siblings", () => {
  const few = partsFrom(["a", 0, 1], ["b", 1, 2]);
  expect(nearest(few, "@@x")).toEqual({ candidates: ["@@a", "@@b"], omitted: 0 });
  const many = partsFrom(["Server", 0, 99], ...Array.from({ length: 20 }, (_, index): [string, number, number] => [`method${index}`, index + 1, index + 2]), ["start", 100, 101]);
  expect(nearest(many, "@@Server@@Start")).toEqual({ candidates: ["@@start"], omitted: 21 });
  expect(nearest(many, "@@Server@@none").candidates).toEqual(Array.from({ length: 15 }, (_, index) => `@@Server@@method${index}`));
  expect(nearest(many, "@@nothing@@none").candidates).toEqual(["@@Server", "@@start"]);
});

test("finds methods of Rust and Go under their type", async () => {
  for (const file of ["a.rs", "a.go"]) await loadStructure(file);
  const rust = partsOf("a.rs", "struct T;\nimpl T { fn m(&self) {} fn n() {} }\nimpl Clone for T { fn clone(&self) -> T { T } fn n() {} }\nmod x { impl<A> Deep<A> { fn m() {} } }\n");
  const go = partsOf("a.go", "package p\ntype T struct{}\nfunc (t *T) M() {}\nfunc (t U[K]) M() {}\n");
  const found = (parts: readonly Part[], address: string) => find(parts, address).map((one) => one.address);
  expect(["@@T@@m", "@@T@@clone", "@@T@@n", "@@T", "@@Deep@@m", "@@T@@none"].map((address) => found(rust, address))).toEqual([["@@impl T@@m"], ["@@impl Clone for T@@clone"], ["@@impl T@@n", "@@impl Clone for T@@n"], ["@@T"], ["@@x@@impl Deep<A>@@m"], []]);
  expect(["@@T@@M", "@@U@@M", "@@T", "@@T@@N"].map((address) => found(go, address))).toEqual([["@@T.M"], ["@@U.M"], ["@@T"], []]);
});

test("finds every part of any JSON by its address, with text that JSON.parse accepts", async () => {
  await loadStructure("a.json");
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const parts = partsOf("a.json", text);
      for (const { address, part } of addresses(parts)) {
        if (address.slice(2).split("@@").length > 5) continue;
        const [first, second] = find(parts, address);
        if (second === undefined) expect(first?.part).toBe(part);
        const own = text.slice(part.start, part.end);
        expect(() => JSON.parse(part.kind === "item" ? own : `{${own}}`) as unknown).not.toThrow();
      }
    }),
  );
});

test("keeps the parts of damaged JSON within the text", async () => {
  await loadStructure("a.json");
  expectNested(partsOfOrNone("a.json", "{:(é"), 0, 4);
});

test("escapes both halves of a hidden character, so that names differ", async () => {
  await loadStructure("a.md");
  expect(partsOf("a.md", "# a\u{e0001}\n\n# a\u{e0020}\n").map(({ step }) => step)).toEqual([String.raw`"# a\udb40\udc01"`, String.raw`"# a\udb40\udc20"`]);
});

test("nests a part that a syntax error puts in the statement of another", async () => {
  await loadStructure("a.ts");
  const text = "namespace N{namespace Nclass Aclass A";
  expect(partsOf("a.ts", text).map(({ name, children }) => [name, children.map((child) => child.name)])).toEqual([["N", ["Nclass"]]]);
  expectNested(partsOf("a.ts", text), 0, text.length);
});

test("nests the parts of any text in any language, or throws a failure", async () => {
  const files = ["a.md", "a.ts", "a.tsx", "a.js", "a.py", "a.go", "a.rs", "a.java", "a.c", "a.h", "a.cpp", "a.cs", "a.rb", "a.php", "a.css", "a.json", "a.yml"];
  for (const file of files) await loadStructure(file);
  const word = fc.constantFrom("class A", "def f", "function g", "(", ")", "{", "}", "[", "]", ":", ";", ",", "=>", "=", '"', "'", "`", "#", "//", "/*", "*/", "\n", "\r\n", "  ", "\t", "@x", "- ", "key", "é", "😀", "\u0000", "\ud800", "<", ">", "|", "---", "namespace N", "struct S", "end", "<?php ");
  fc.assert(
    fc.property(fc.constantFrom(...files), fc.array(word, { maxLength: 40 }), (file, words) => {
      const text = words.join("");
      expectNested(partsOfOrNone(file, text), 0, text.length);
    }),
    { numRuns: 1000 },
  );
});

function partsOfOrNone(file: string, text: string): readonly Part[] {
  try {
    return partsOf(file, text);
  } catch (thrown) {
    expect(thrown).toMatchObject({ failure: { code: "address/unreadable" } });
    return [];
  }
}

function expectNested(parts: readonly Part[], start: number, end: number): void {
  let reached = start;
  for (const part of parts) {
    expect(part.start).toBeGreaterThanOrEqual(reached);
    expect(part.end).toBeGreaterThanOrEqual(part.start);
    expect(part.end).toBeLessThanOrEqual(end);
    expectNested(part.children, part.start, part.end);
    reached = part.end;
  }
}
