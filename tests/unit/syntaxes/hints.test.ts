/** What the errors of each syntax advise to write. */
import { expect, test } from "vitest";
import { isBlock } from "../../../src/core/block.ts";
import { readAnswer } from "../../../src/syntaxes/answer.ts";
import type { Format } from "../../../src/syntaxes/index.ts";

function hintsOn(format: Format, text: string): readonly string[] {
  const { items, advise } = readAnswer(text, { format });
  return items.flatMap((item) => (isBlock(item) ? advise(item.diagnostics, text.slice(item.span.start, item.span.end)) : advise([item], text)));
}

test.each<[string, Format, string, string]>([
  ["a RUN without a command in CSL", "csl", "<---RUN--->\n<---END--->\n", "write one command on each line below <---RUN--->"],
  ["an operation without a file in CSL", "csl", "<---WRITE--->\nx\n<---END--->\n", 'write the file\'s path in the marker, as in: <---WRITE file="src/a.txt"--->'],
  ["a hunk of a patch without a change", "patch", "*** Begin Patch\n*** Update File: a\n@@\n one\n*** End Patch\n", "write the lines to remove with - before them, and the lines to add with +; a patch without a change is left out"],
  ["a hunk of a diff without a change", "unified-diff", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n one\n", "write the lines to remove with - before them, and the lines to add with +; leave out what does not change"],
])("%s", (_, format, text, hint) => {
  expect(hintsOn(format, text)).toEqual([hint]);
});
