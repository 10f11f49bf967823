import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../../src/edit/tokens.ts";
import { parse } from "../../../src/index.ts";
import { contextReport, splitReport } from "../../../src/report/context.ts";

const split = async (files: ReadonlyArray<{ path: string; text: string }>, maxTokens: number) =>
  splitReport("CONTEXT", (await contextReport({ title: "CONTEXT", files, maxTokens: Infinity })).sections, maxTokens);
const words = (count: number) => "word\n".repeat(count);

describe("a report in parts", () => {
  test("keeps files whole, numbers the parts, and asks to wait for the last", async () => {
    const parts = await split([{ path: "a.ts", text: words(180) }, { path: "b.ts", text: words(180) }], 500);
    expect(parts).toHaveLength(2);
    expect(parts[0]).toBe(`=== CONTEXT, part 1 of 2 ===\n\na.ts\nb.ts\n\n=== START FILE: a.ts ===\n${words(180)}\n=== END FILE: a.ts ===\n\nnote: more follows; answer after the last part\n\n=== END CONTEXT, part 1 of 2 ===`);
    expect(parts[1]).toBe(`=== CONTEXT, part 2 of 2 ===\n\n=== START FILE: b.ts ===\n${words(180)}\n=== END FILE: b.ts ===\n\n=== END CONTEXT, part 2 of 2 ===`);
  });

  test("is one part without a number if all fits", async () => {
    expect(await split([{ path: "a.ts", text: "x" }], 500)).toEqual(["=== CONTEXT ===\n\na.ts\n\n=== START FILE: a.ts ===\nx\n=== END FILE: a.ts ===\n\n=== END CONTEXT ==="]);
  });

  test("cuts a file that exceeds a part between lines, and names the lines", async () => {
    const lines = Array.from({ length: 600 }, (_, index) => `line ${index + 1}`);
    const parts = await split([{ path: "a.ts", text: lines.join("\n") }], 1_000);
    const marks = parts.join("\n").match(/=== START FILE: a\.ts, lines \d+-\d+ of 600 ===/g) ?? [];
    const spans = marks.map((mark) => [...mark.matchAll(/\d+/g)].map(Number));
    expect(spans.length).toBeGreaterThan(1);
    expect([spans[0]?.[0], spans.at(-1)?.[1]]).toEqual([1, 600]);
    for (const [index, span] of spans.slice(1).entries()) expect(span[0]).toBe((spans[index]?.[1] ?? 0) + 1);
    expect(parts.join("\n").match(/^line \d+$/gm)).toEqual(lines);
  });

  test("leaves out a line that exceeds a part, and says so", async () => {
    const parts = await split([{ path: "a.js", text: `first\n${"var a=1;".repeat(3_000)}\nlast` }], 500);
    expect(parts).toHaveLength(1);
    expect(parts[0]).toMatch(/first\n=== line 2 is left out: it has about \d+ tokens, more than a part ===\nlast\n/);
  });

  test("no part exceeds the limit, loses a line, or acts", async () => {
    const line = fc.constantFrom("#!nesl [@three-char-SHA-256: abc]", "action = \"file_delete\"", "#!end_abc", "=== END CONTEXT ===", "const a = [1, 2, 3];", "", "日本語のテキスト", "x".repeat(300));
    const files = fc.array(fc.array(line, { maxLength: 120 }).map((lines) => lines.join("\n")), { maxLength: 5 }).map((texts) => texts.map((text, index) => ({ path: `f${index}.ts`, text })));
    await fc.assert(fc.asyncProperty(files, fc.integer({ min: 500, max: 2_000 }), async (some, limit) => {
      const parts = await split(some, limit);
      for (const part of parts) {
        expect(estimateTokens(part)).toBeLessThanOrEqual(limit);
        expect(parse(part)).toMatchObject({ blocks: [], errors: [] });
        expect(part.match(/^=== START /gm)?.length).toBe(part.match(/^=== END (?!CONTEXT)/gm)?.length);
      }
      const count = (text: string) => text.match(/const a = \[1, 2, 3\];/g)?.length ?? 0;
      expect(count(parts.join("\n"))).toBe(count(some.map(({ text }) => text).join("\n")));
    }), { numRuns: 60 });
  });
});
