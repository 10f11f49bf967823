/** Laws of the syntaxes that other tools defined. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isBlock } from "../../../src/core/block.ts";
import { parse, read, readAnswer } from "../../../src/answer/read-answer.ts";
import { DELIMITERS } from "../../../src/syntaxes/csl/marker.ts";
import { isIn, type Format, syntaxes } from "../../../src/syntaxes/index.ts";
import { Source } from "../../../src/syntaxes/source.ts";

const foreign = syntaxes.filter(({ isForeign }) => isForeign === true).map(({ name }) => name as Format);

const piece = fc.oneof(
  fc.constantFrom(
    "<<<<<<< SEARCH", "<<<<<<<", "=======", ">>>>>>> REPLACE", "------- SEARCH", "+++++++ REPLACE", ":start_line:3", "-------", "\\=======", "src/a.ts", "**`a.txt`**",
    "*** Begin Patch", "*** End Patch", " *** End Patch", "*** Update File: a.txt", "*** Add File: b.txt", "*** Delete File: c.txt", "*** Move to: d.txt", "*** End of File", "@@", "@@ f()",
    "diff --git a/a.txt b/a.txt", "--- a/a.txt", "+++ b/a.txt", "--- /dev/null", "+++ /dev/null", "@@ -1,2 +1,3 @@", "new file mode 100755", "rename from a", "rename to b", "\\ No newline at end of file",
    "```", "```diff", "~~~", "```ts src/a.ts", " context", "-old", "+new", "", " ", "\r", "prose", "\ufeff",
    "<tool_call>", "</tool_call>", '{"name": "Edit", "arguments": {"file_path": "a", "old_string": "b", "new_string": "c"}}', '{"type":"tool_use","name":"Write","input":{', "}}", "[", '"',
    '<invoke name="Edit">', '<parameter name="path">a</parameter>', "</invoke>", "<write_to_file>", "<path>a</path>", "<content>", "</content>", "</write_to_file>", "[TOOL_CALLS]",
  ),
  fc.string({ maxLength: 5 }),
);
const answer = fc.array(piece, { maxLength: 30 }).map((lines) => lines.join("\n"));

test("no text makes a reader throw; blocks stand in their order, in the text, with ids of their own", () => {
  fc.assert(
    fc.property(answer, fc.constantFrom(...foreign), (text, format) => {
      const { items } = read(text, { format });
      const blocks = items.filter(isBlock);
      expect(new Set(blocks.map(({ id }) => id)).size).toBe(blocks.length);
      let last = 0;
      for (const { startLine, endLine, properties, span, diagnostics } of blocks) {
        expect(span.start).toBeGreaterThanOrEqual(last);
        expect(span.end).toBeGreaterThanOrEqual(span.start);
        expect(span.end).toBeLessThanOrEqual(text.length);
        expect(endLine ?? startLine).toBeGreaterThanOrEqual(startLine);
        expect("action" in properties || diagnostics.length > 0).toBe(true);
        last = span.start;
      }
      readAnswer(text, { format });
    }),
    { numRuns: 3_000 },
  );
});

test("a text that is not in a syntax holds none of its blocks", () => {
  fc.assert(
    fc.property(answer, (text) => {
      // Lazy files are found as whole files.
      for (const syntax of syntaxes.filter(({ isForeign, name }) => isForeign === true && name !== "lazy")) {
        const source = new Source(text);
        const { items } = syntax.read(source, { csl: DELIMITERS });
        expect([syntax.name, items.length === 0 || isIn(source, syntax, { csl: DELIMITERS })]).toEqual([syntax.name, true]);
      }
    }),
    { numRuns: 3_000 },
  );
});

test("of what the text of a whole file shows, nothing runs", () => {
  fc.assert(
    fc.property(answer, fc.constantFrom("", "diff", "json"), (shown, info) => {
      const items = read(`docs/howto.md\n\`\`\`\`md\nHow an edit looks.\n\`\`\`${info}\n${shown}\n\`\`\`\nThat is all.\n\`\`\`\`\n`).items.filter(isBlock);
      const damaged = new Set(items.filter(({ diagnostics }) => diagnostics.length > 0).map(({ meant }) => meant?.group));
      const running = items.filter(({ diagnostics, meant }) => diagnostics.length === 0 && (meant?.group === undefined || !damaged.has(meant.group)));
      expect(running.map(({ properties }) => properties["path"])).toEqual(running.length === 0 ? [] : ["docs/howto.md"]);
    }),
    { numRuns: 3_000 },
  );
});

const hunkLine = fc.tuple(fc.constantFrom(" ", "-", "+"), fc.constantFrom("", "text", "```", "```sh", "  ~~~", " ````", "* item", "@@", "# T"));

test("a hunk with right counts is read line by line, whatever fences it shows and whatever list follows it", () => {
  fc.assert(
    fc.property(fc.array(hunkLine, { minLength: 1, maxLength: 12 }), fc.boolean(), fc.constantFrom("", "\n\n- a list\n- of changes\n", "\n\n\n+ a list\n  of changes\n"), (hunk, isFenced, prose) => {
      fc.pre(hunk.some(([sign]) => sign !== " "));
      const [old, now] = ["+", "-"].map((other) => hunk.filter(([sign]) => sign !== other).map(([, text]) => text));
      const diff = `--- a/a.md\n+++ b/a.md\n@@ -1,${old?.length} +1,${now?.length} @@\n${hunk.map((line) => line.join("")).join("\n")}`;
      const { blocks } = parse((isFenced ? `\`\`\`diff\n${diff}\n\`\`\`` : diff) + prose, { format: "unified-diff" });
      const whole = (lines: readonly string[] | undefined) => lines?.map((line) => `${line}\n`).join("");
      expect(blocks.map(({ properties: { old_lines, new_lines } }) => ({ old_lines, new_lines }))).toEqual([{ old_lines: whole(old), new_lines: whole(now) }]);
    }),
    { numRuns: 3_000 },
  );
});

describe("what runs in an answer does not depend on the line endings of the chat", () => {
  test.each(foreign)("%s", (format) => {
    fc.assert(
      fc.property(answer, (text) => {
        const plain = text.replaceAll("\r", "");
        const blocks = (one: string) => parse(one, { format }).blocks.map(({ properties, startLine, endLine }) => ({ properties: { ...properties }, startLine, endLine }));
        // The contents of tags and JSON are taken as they are.
        if (format !== "tool-calls") expect(blocks(plain.replaceAll("\n", "\r\n"))).toEqual(blocks(plain));
      }),
      { numRuns: 500 },
    );
  });
});

// A reader that takes quadratic time exceeds the time of a test; `npm run bench -- intake` measures the growth.
describe("hostile texts are read", () => {
  const units = ["```\n", "<<<<<<< SEARCH\n", "=======\n", "a.txt\n<<<<<<< SEARCH\nx\n", "@@\n", "@@ -1 +1 @@\n+a\n", "--- a\n+++ b\n", "diff --git a/a b/a\n", "*** Update File: a\n", "*** Begin Patch\n", "\n", "*** Update File: a\n@@\n\n", "{\n", '{"name": "Edit", "arguments": {\n', "[", "<tool_call>\n", "<write_to_file>\n", '<invoke name="Edit">\n', '<parameter name="a">', "<content>\n", "```diff\n", "<<<<<<<\n", '"name": "Edit",\n{\n', "{ \"name\": \"", "*** Begin Patch\n*** Update File: a\n *** End Patch\n"];
  test.each(units)("%j, a megabyte of it", (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    const found = foreign.filter((format) => read(text, { format }).items.length > 0);
    const { parts } = read(text);
    const names = parts.filter(({ read: { items } }) => items.length > 0).map(({ syntax: { name } }) => name);
    expect([...found, "nesl"]).toEqual(expect.arrayContaining(names));
    expect(names.length > 0).toBe(found.length > 0);
  });

  test("much text below a hunk, with a changed line at its end", () => {
    const { items } = read(`\`\`\`diff\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n${"p\n".repeat(60_000)}+x\n\`\`\`\n`, { format: "unified-diff" });
    expect(items).toMatchObject([{ diagnostics: [{ code: "MISPLACED_MARKER", line: 7 }] }]);
  });
});
