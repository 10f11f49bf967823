import { adviseBy, cutOffIn, cutOffWords } from "../advice.ts";
import { FENCE_START } from "../fence.ts";
import { HEADINGS } from "../headings.ts";
import type { Syntax } from "../syntax.ts";
import { readWholeFiles } from "./read.ts";

const asked = {
  as: "whole files in code fences",
  change: "the whole file in a code fence, with its path alone on the line above",
  write: "the file in a code fence, with its path alone on the line above",
  remove: HEADINGS,
};

/** Whole files in code fences under their paths. */
export const wholeFile = {
  name: "whole-file",
  called: "the form of whole files",
  isForeign: true,
  isUncertain: true,
  unit: "file",
  asked,
  isIn: ({ text }) => SIGN.test(text),
  opens: () => false,
  read: readWholeFiles,
  advise: adviseBy(
    { UNCLOSED_BLOCK: "end the file with the line that closes its fence, or with </file>" },
    "send the file in a fence of more backticks than any line in it has, with its path on the line above",
  ),
  cutOff: cutOffIn(cutOffWords("file", "written: it was cut off")),
} as const satisfies Syntax;

const SIGN = new RegExp(`${FENCE_START}|^<file path="|^#{1,6} (?:Deleted|Renamed) file: \``, "m");

/**
 * The same with placeholders for lines of the old file, which the action fills. A text of them is found as whole files.
 */
export const lazy = {
  ...wholeFile,
  name: "lazy",
  called: "the form of files with placeholders",
  isIn: () => false,
} as const satisfies Syntax;
