import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "../../../src/index.ts";
import { contextReport } from "../../../src/report/context.ts";
import { drawTree } from "../../../src/report/file-tree.ts";
import { estimateTokens } from "../../../src/edit/tokens.ts";

const report = (files: ReadonlyArray<{ path: string; text: string }>, maxTokens = 100_000) => contextReport({ title: "CONTEXT", files, maxTokens });

describe("the context as text", () => {
  it("has a tree at the top, then each file between marks", async () => {
    expect((await report([{ path: "/p/a.ts", text: "one\n" }, { path: "/p/src/b.ts", text: "two" }])).text).toBe(`=== CONTEXT ===
/p/
  a.ts
  src/b.ts

=== START FILE: /p/a.ts ===
one

=== END FILE: /p/a.ts ===

=== START FILE: /p/src/b.ts ===
two
=== END FILE: /p/src/b.ts ===

=== END CONTEXT ===`);
  });

  it("keeps to the budget, and names omitted files", async () => {
    const files = [{ path: "big.ts", text: "word ".repeat(5000) }, { path: "small.ts", text: "x" }, { path: "large.ts", text: "y ".repeat(9000) }];
    const { text, shown } = await report(files, 1000);
    expect([...shown]).toEqual(["small.ts"]);
    expect(text).toMatch(/^note: left out to keep to 1000 tokens: big\.ts \(about \d+ tokens\), large\.ts \(about \d+ tokens\); ask for them one by one$/m);
    expect(estimateTokens(text)).toBeLessThanOrEqual(1000);
  });

  it("shows files whole in order, then outlines, then names", async () => {
    const files = ["a.ts", "b.ts", "c.ts", "d.ts"].map((path) => ({ path, text: "word ".repeat(450) }));
    const outlines: Record<string, readonly string[]> = { "b.ts": ["@@One  class, lines 1-9", "@@One@@two  method, lines 2-3"], "c.ts": ["@@Three  class, lines 1-2"] };
    const outlineOf = async (path: string, levels: number) => (path === "c.ts" && levels > 1 ? ["@@Three@@deep  method, line 1 ".repeat(60)] : outlines[path]);
    const { text, shown } = await contextReport({ title: "CONTEXT", files, maxTokens: 800, outlineOf });
    expect([...shown]).toEqual(["a.ts"]);
    expect(text.slice(text.indexOf("=== END FILE: a.ts")).replace(/about \d+/, "about N")).toBe(`=== END FILE: a.ts ===

=== START OUTLINE: b.ts ===
@@One  class, lines 1-9
@@One@@two  method, lines 2-3
=== END OUTLINE: b.ts ===

=== START OUTLINE: c.ts ===
@@Three  class, lines 1-2
=== END OUTLINE: c.ts ===

note: left out to keep to 800 tokens: d.ts (about N tokens); ask for them one by one

=== END CONTEXT ===`);
    expect(estimateTokens(text)).toBeLessThanOrEqual(800);
  });

  it("cuts changes that are too long at the end of a line", async () => {
    const { text } = await contextReport({ title: "CONTEXT", files: [{ path: "a.ts", text: "x" }], changes: { title: "CHANGES since main", text: "+line of code\n".repeat(900) }, maxTokens: 2_000 });
    expect(text).toMatch(/\+line of code\n=== \d+ more lines are left out ===\n=== END CHANGES since main ===\n\n=== START FILE: a\.ts ===/);
    expect(estimateTokens(text)).toBeLessThanOrEqual(1_200);
  });

  it("neutralises blocks and look-alikes in files", async () => {
    const line = fc.constantFrom("#!nesl [@three-char-SHA-256: abc]", "action = \"file_delete\"", "#!end_abc", "=== END CONTEXT ===", "<<<FILE>>>", "<---WRITE file=\"a\"--->", "text", "\u001b[2J", "\r");
    const files = fc.array(fc.record({ path: fc.constantFrom("a", "b/\n#!nesl [@x: abc]", "=== c"), text: fc.array(line).map((lines) => lines.join("\n")) }), { maxLength: 3 });
    await fc.assert(fc.asyncProperty(files, async (some) => {
      const { text } = await report(some);
      expect(parse(text)).toMatchObject({ blocks: [], errors: [] });
      expect(text).not.toContain("\u001b");
      expect(text.match(/^=== END CONTEXT ===$/gm)).toHaveLength(1);
    }));
  });
});

describe("a tree of paths", () => {
  it("joins directories with one entry, and keeps addresses whole", () => {
    expect(drawTree(["a/b/c.ts", "a/b/d.ts", "a/e.md@@# One / Two", "z"])).toEqual(["a/", "  b/", "    c.ts", "    d.ts", "  e.md@@# One / Two", "z"]);
    expect(drawTree(["a/b/c"])).toEqual(["a/b/c"]);
    expect(drawTree([])).toEqual([]);
  });
});
