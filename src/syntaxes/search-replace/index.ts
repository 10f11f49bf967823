import { isBlock } from "../../core/block.ts";
import { adviseBy, cutOffIn, cutOffWords, nearMarker } from "../advice.ts";
import { hasAt, type Source } from "../source.ts";
import { HEADINGS, isHeading } from "../headings.ts";
import type { Syntax } from "../syntax.ts";
import { isHead, isNearHead } from "./markers.ts";
import { readSearchReplace } from "./read.ts";
import { teach } from "./teach.ts";

/** Its own labels tell that it is an edit, and nothing of which file. */
const conflict = nearMarker(
  "<<<<<<< LABEL",
  "the first line of a conflict without a file",
  "Send it again in a code fence, with the file's path alone on the line above the fence",
);
/** `HEAD` is of a conflict that git wrote, and is talked about. */
const CONFLICT = /^<{7} (?!HEAD\b)\S/;

/** Blocks of old and new lines between conflict markers, as aider, Roo, Cline and Code Web Chat read them. */
export const searchReplace = {
  name: "search-replace",
  called: "the SEARCH/REPLACE format",
  isForeign: true,
  unit: "block",
  asked: {
    as: "SEARCH/REPLACE blocks",
    change: "a block with the old and the new lines",
    write: "a block with an empty SEARCH",
    remove: HEADINGS,
  },
  isIn: (source) => hasAt(source.text, "SEARCH", (at) => opensAround(source.text, at)) || hasConflict(source),
  opens: (line) => isHead(line) || isNearHead(line),
  near: (line) => (CONFLICT.test(line) ? conflict : undefined),
  read: (source) => readSearchReplace(source),
  advise: adviseBy(
    {
      MALFORMED_MARKER: "write LINE as: <<<<<<< SEARCH",
      MISSING_REPLACE: "write the line ======= between the old lines and the new ones",
      UNCLOSED_BLOCK: "end the block with this line: >>>>>>> REPLACE",
      MISPLACED_MARKER: "a block has one line ======= and no other marker inside: send this one as a unified diff",
      INVALID_PATH: "write the file's path alone on the line above <<<<<<< SEARCH",
    },
    "write each block in this order: the file's path, <<<<<<< SEARCH, the old lines, =======, the new lines, >>>>>>> REPLACE",
  ),
  wraps: (line) => /^\s*<(?:apply_diff|replace_in_file)>\s*$/.test(line),
  cutOff: cutOffIn(cutOffWords("block", "run: it was cut off, or the line >>>>>>> REPLACE is missing")),
  teach,
} as const satisfies Syntax;

function opensAround(text: string, at: number): boolean {
  const start = text.lastIndexOf("\n", at) + 1;
  const lineFeed = text.indexOf("\n", at);
  const end = lineFeed === -1 ? text.length : lineFeed;
  if (at - start > MAX_BEFORE || end - at > MAX_AFTER) return false;
  const line = text.slice(start, end);
  return isHead(line) || isNearHead(line);
}

/** Marks and white space around the word, in UTF-16 units. */
const MAX_BEFORE = 60;
const MAX_AFTER = 60;

/** A conflict counts only in a fence with a path, which costs more to find out. */
function hasConflict(source: Source): boolean {
  if (!source.text.includes("\n<<<<")) return false;
  return readSearchReplace(source)
    .items.filter(isBlock)
    .some((item) => !isHeading(source.text, item));
}
