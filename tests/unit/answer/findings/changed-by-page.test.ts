/** An edit that went through a page never runs, and is named. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readAnswer } from "../../../../src/answer/read-answer.ts";

const quoted = (text: string): string => text.replaceAll(/^/gm, "> ");
const escaped = (text: string): string => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const edit = fc.constantFrom(
  "a.ts\n<<<<<<< SEARCH\nif (a > b) {\n=======\nif (a < b) {\n>>>>>>> REPLACE",
  "```ts\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n```",
  "*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+> two\n*** End Patch",
  "```diff\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-one\n+two\n```",
  "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-<p>\n+<b>\r",
  '<invoke name="Write">\n<parameter name="file_path">a.ts</parameter>\n<parameter name="content">x</parameter>\n</invoke>',
);

test("edits in a blockquote are named and not run, with entities or without", () => {
  const change = fc.constantFrom(quoted, (text: string) => escaped(quoted(text)), (text: string) => quoted(escaped(text)), (text: string) => quoted(quoted(text)));
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), change, (edits, changed) => {
      const { items, findings } = readAnswer(`I change it:\n\n${changed(edits.join("\n\n"))}\n`);
      expect(items).toEqual([]);
      expect(findings.map(({ code }) => code)).toContain("answer/near-marker");
    }),
  );
});

test("they are only shown beside a block that runs", () => {
  fc.assert(
    fc.property(edit, (shown) => {
      const block = "b.ts\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE";
      const { totalBlocks, findings } = readAnswer(`You wrote:\n\n${quoted(shown)}\n\nNow:\n\n${block}\n`);
      expect([totalBlocks, ...findings.map(({ message }) => message)]).toEqual([1, ...(shown.startsWith("```") ? ["not read: 1 code block in a quotation (line 3)"] : [])]);
    }),
  );
});
