import { isBlock } from "../../core/block.ts";
import { adviseBy, cutOffIn } from "../advice.ts";
import type { Syntax } from "../syntax.ts";
import { readUnifiedDiff } from "./read.ts";

/** Diffs as git and diff print them, and as models write them. What one says of a file runs as a whole. */
export const unifiedDiff = {
  name: "unified-diff",
  called: "the format of a diff",
  isForeign: true,
  unit: "block",
  asked: {
    as: "a unified diff",
    change: "a hunk",
    write: "a diff from /dev/null",
    remove: "a diff to /dev/null, or the lines rename from OLD and rename to NEW below diff --git",
  },
  opens: (line) => /^(?:diff --git |--- \S)/.test(line),
  read: readUnifiedDiff,
  advise: adviseBy(
    {
      UNCLOSED_BLOCK: "send the whole diff of its file again, to the last line; @@ needs no numbers",
      INVALID_PATH: "write the two lines --- a/PATH and +++ b/PATH above the hunk",
      MISPLACED_MARKER: "begin LINE with a space if the line stays, with - if it goes, with + if it comes",
      EMPTY_SECTION:
        "write the lines to remove with - before them, and the lines to add with +; leave out what does not change",
    },
    "write each file as --- a/PATH, +++ b/PATH and hunks that begin with @@",
  ),
  cutOff: cutOffIn(
    ({ id }) => ({
      inside: `hunk ${id}, or its numbers are wrong: nothing was done with its file`,
      request: "Send the whole diff of that file again",
    }),
    (_source, { items }) => items.filter(isBlock).findLast(({ endLine }) => endLine === null),
  ),
} as const satisfies Syntax;
