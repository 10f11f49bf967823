/** What the errors of each syntax advise to write. */
import { expect, test } from "vitest";
import { isBlock } from "../../../src/core/block.ts";
import { readAnswer } from "../../../src/answer/read-answer.ts";
import type { Format } from "../../../src/syntaxes/index.ts";

function hintsOn(format: Format, text: string): readonly string[] {
  const { items, fatal, advise } = readAnswer(text, { format });
  if (fatal !== undefined) return advise([fatal.diagnostic], text);
  return items.flatMap((item) => (isBlock(item) ? advise(item.diagnostics, text.slice(item.span.start, item.span.end)) : advise([item], text)));
}

test.each<[string, Format, string, string]>([
  ["a RUN without a command in CSL", "csl", "<---RUN--->\n<---END--->\n", "write one command on each line below <---RUN--->"],
  ["an operation without a file in CSL", "csl", "<---WRITE--->\nx\n<---END--->\n", 'write the file\'s path in the marker, as in: <---WRITE file="src/a.txt"--->'],
  ["nested TASKS in CSL", "csl", "<---TASKS--->\n<---TASKS--->\n<---END--->\n", "end the first <---TASKS---> with <---END---> before the second one begins"],
  ["a marker in the wrong place in CSL", "csl", "<---END--->\n<---RUN--->\nls\n<---END--->\n", "leave out line 1, or write the operation that it belongs to above it"],
  ["an operation that CSL does not have", "csl", "<---RUN--->\nls\n<---END--->\n<---SEEK--->\n", "the operations are <---WRITE--->, <---RUN--->, <---SEARCH--->, <---TASKS--->; a line of text must not begin with <---"],
  ["a SEARCH without a REPLACE in CSL", "csl", '<---SEARCH file="a"--->\nx\n<---END--->\n', "write the line <---REPLACE---> and the new text before <---END--->"],
  ["an operation of CSL that does not end", "csl", '\n<---WRITE file="a"--->\nx\n', "end the operation of line 2 with this line: <---END--->"],
  ["an attribute of CSL twice", "csl", '<---WRITE file="a" file="b"--->\nx\n<---END--->\n', "keep one of the attributes with this name in line 1"],
  ["a wrong count in CSL", "csl", '<---SEARCH file="a" count="x"--->\nx\n<---REPLACE--->\ny\n<---END--->\n', 'write count="1", another number, or count="all"; with <---TO--->, no count'],
  ["a wrong append in CSL", "csl", '<---WRITE file="a" append="x"--->\nx\n<---END--->\n', 'write append="true", or leave append out'],
  ["a marker of CSL without quotes", "csl", "<---WRITE file=a count='2'--->\nx\n<---END--->\n", 'write line 1 as: <---WRITE file="a" count="2"--->'],
  ["an END of CSL with more behind it", "csl", '<---WRITE file="a"--->\nx\n<---END---> done\n', "write line 3 as: <---END--->"],
  ["a hunk of a patch without a change", "patch", "*** Begin Patch\n*** Update File: a\n@@\n one\n*** End Patch\n", "write the lines to remove with - before them, and the lines to add with +; a patch without a change is left out"],
  ["a hunk of a diff without a change", "unified-diff", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n one\n", "write the lines to remove with - before them, and the lines to add with +; leave out what does not change"],
])("%s", (_, format, text, hint) => {
  expect(hintsOn(format, text)).toEqual([hint]);
});
