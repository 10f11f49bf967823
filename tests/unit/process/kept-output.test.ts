import fc from "fast-check";
import { expect, test } from "vitest";
import { KeptOutput } from "../../../src/process/run-program.ts";

function keep(limit: number, ...pieces: ReadonlyArray<string | Buffer>): KeptOutput {
  const output = new KeptOutput(limit);
  for (const piece of pieces) output.add(Buffer.from(piece));
  return output;
}

const omittedFrom = (output: KeptOutput): number => Number(/^… (\d+) bytes are left out here …$/m.exec(output.text())?.[1]);

test("what fits is kept as it is, however it comes", () => {
  expect(keep(10, "12", "34567", "890").text()).toBe("1234567890");
  expect(keep(10).text()).toBe("");
});

test("of more, the first and the last half stay, and a line says how much is missing", () => {
  const output = keep(10, "abcdefgh", "ijklmnop");
  expect(output.text()).toBe("abcde\n… 6 bytes are left out here …\nlmnop");
  expect(output.total).toBe(16);
});

test("a character is never cut", () => {
  expect(keep(6, "ää".repeat(10)).text()).toBe("ä\n… 36 bytes are left out here …\nä");
});

test.each(["\u0080", "é", "\u0800", "漢", "\u{10000}", "😀"])("no byte of %s is cut off", (character) => {
  const size = Buffer.byteLength(character);
  for (let half = 4; half < 12; half++) {
    const [head, , tail] = keep(2 * half, character.repeat(20)).text().split("\n") as [string, string, string];
    expect([head, tail]).toEqual([character.repeat(Math.floor(half / size)), character.repeat(Math.floor(half / size))]);
  }
});

test("bytes that are no UTF-8 are counted like others", () => {
  expect(omittedFrom(keep(4, Buffer.alloc(10, 0xff)))).toBeGreaterThanOrEqual(6);
  expect(keep(4, Buffer.alloc(10, 0x80)).total).toBe(10);
});

test("however the output is cut into pieces, the same is kept, and it is its two ends", () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)), { maxLength: 20 });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 60 }), pieces, (limit, all) => {
      const whole = Buffer.concat(all);
      const output = keep(limit, ...all);
      expect(output.text()).toBe(keep(limit, whole).text());
      expect(output.total).toBe(whole.length);
      if (whole.length <= limit) expect(output.text()).toBe(whole.toString());
      else expect(omittedFrom(output)).toBeGreaterThanOrEqual(whole.length - limit - 1);
    }),
  );
});
