import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPlaces, holds } from "../../../src/edit/match.ts";
import type { Place } from "../../../src/edit/splice.ts";
import { measureWork } from "../../support/work.ts";

const allPlaces = (text: string, wanted: string, from?: number): Place[] => findPlaces(Buffer.from(text), wanted, from).first(Infinity);

describe("finding a text", () => {
  it("does not include a CR before a CRLF", () => {
    expect(allPlaces("\r\r\n", "\n")).toEqual([{ start: 1, end: 3 }]);
    expect(allPlaces("\r\r\nx", "\r\n")).toEqual([{ start: 1, end: 3 }]);
  });

  it("agrees with the definition for short texts", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\r", "\n", "\r\n"), maxLength: 20 });
    const wanted = fc.string({ unit: fc.constantFrom("a", "b", "\r", "\n", "\r\n"), minLength: 1, maxLength: 3 });
    fc.assert(fc.property(text, wanted, fc.nat(3), (all, some, from) => {
      fc.pre(!isInside(all, from));
      expect(allPlaces(all, some, from)).toEqual(byDefinition(all, some, from));
    }), { numRuns: 3000 });
  });

  it("agrees with it for long texts", () => {
    const unit = fc.string({ unit: fc.constantFrom("a", "b", "\r", "\n", "\r\n"), minLength: 1, maxLength: 4 });
    const wanted = fc.tuple(unit, unit, unit).map(([head, body, tail]) => head + body.repeat(300) + tail);
    fc.assert(fc.property(wanted, fc.array(fc.oneof(unit, fc.constant(null)), { maxLength: 5 }), fc.boolean(), (some, parts, crlf) => {
      const all = parts.map((part) => part ?? some).join("");
      const text = crlf ? all.replace(/\r?\n/g, "\r\n") : all;
      expect(allPlaces(text, some)).toEqual(byDefinition(text, some, 0));
    }), { numRuns: 300 });
  });

  it.each(["\n", "\r\n"])("agrees with it if a line with %j repeats everywhere, so that every strategy is used", (ending) => {
    const line = `${"x".repeat(70)}${ending}`;
    const text = `${line.repeat(4_000)}end${ending}${line.repeat(4_000)}`;
    const twice = `${"x".repeat(70)}\n`.repeat(2);
    const places = allPlaces(text, twice);
    expect(places).toHaveLength(4_000);
    expect(places.every(({ start, end }, index) => start === index * 2 * line.length + (index < 2_000 ? 0 : 3 + ending.length) && end - start === 2 * line.length)).toBe(true);
    const before = 3_998 * line.length;
    expect(allPlaces(text, `${twice}end`)).toEqual([{ start: before, end: before + 2 * line.length + 3 }]);
    expect(allPlaces(text, `${twice}no end`)).toEqual([]);
  });

  it.each([
    ["line endings", "\r\n".repeat(200_000), `\n${"\r\n".repeat(100_000)}`],
    ["uniform characters", "a".repeat(400_000), `${"a".repeat(100_000)}b${"a".repeat(100_000)}`],
  ])("takes linear time for %s", (_, text, wanted) => {
    const work = measureWork();
    allPlaces(text, wanted);
    expect(work()).toBeLessThan(1000);
  });
});

/** Tries every place, first for the exact text, then with each CRLF read as LF. */
function byDefinition(text: string, wanted: string, from: number): Place[] {
  const exact = placesOf(unitsOf(text, from, false), [...wanted]).filter(({ start, end }) => !isInside(text, start) && !isInside(text, end));
  if (exact.length > 0 || !wanted.includes("\n")) return withoutOverlap(exact);
  return withoutOverlap(placesOf(unitsOf(text, from, true), unitsOf(wanted, 0, true).map(({ value }) => value)));
}

function withoutOverlap(places: readonly Place[]): Place[] {
  const kept: Place[] = [];
  for (const place of places) if ((kept.at(-1)?.end ?? 0) <= place.start) kept.push(place);
  return kept;
}

interface Unit extends Place {
  readonly value: string;
}

function unitsOf(text: string, from: number, joined: boolean): Unit[] {
  return [...text.slice(from).matchAll(joined ? /\r\n|[^]/g : /[^]/g)].map(({ 0: value, index }) => ({
    value: value === "\r\n" ? "\n" : value,
    start: from + index,
    end: from + index + value.length,
  }));
}

/** Returns all places, including overlapping ones. */
function placesOf(units: readonly Unit[], wanted: readonly string[]): Place[] {
  return units.flatMap(({ start }, at) => (wanted.every((value, offset) => units[at + offset]?.value === value) ? [{ start, end: units[at + wanted.length - 1]?.end ?? 0 }] : []));
}

function isInside(text: string, offset: number): boolean {
  return text.slice(offset - 1, offset + 1) === "\r\n" && offset > 0;
}

describe("whether a text contains another", () => {
  it.each([10, 1_000])("of %i characters", (length) => {
    const part = `${"a".repeat(length)}\u00fc`;
    expect([holds(`x${part}x`, part), holds(`x${"a".repeat(length)}x`, part)]).toEqual([true, false]);
  });
});
