import { adviseBy } from "../advice.ts";
import { hasAt, startsLine } from "../source.ts";
import type { Syntax } from "../syntax.ts";
import { cutOff, near } from "./diagnose.ts";
import { readReplacer } from "./read.ts";
import { teach } from "./teach.ts";

const FORM = "<<<FILE>>>, the path, <<<SEARCH>>>, the old lines, <<<REPLACE>>>, the new lines, <<<END>>>";

/** Blocks of sections, each for one file, with short paths. */
export const replacer = {
  name: "replacer",
  called: "the replacer's syntax",
  unit: "block",
  asked: {
    as: "blocks that begin with <<<FILE>>>",
    change: "<<<SEARCH>>> and <<<REPLACE>>>",
    write: "<<<OVERWRITE>>>",
  },
  isIn: ({ text }) => hasAt(text, FILE, (at) => startsLine(text, at) && isBlank(text, at + FILE.length)),
  opens: (line) => line.startsWith(FILE) && isBlank(line, FILE.length),
  read: ({ text }) => readReplacer(text),
  near,
  advise: adviseBy(
    {
      UNCLOSED_BLOCK: "end the block with this line: <<<END>>>",
      INVALID_PATH: "write the path of one file, alone on the line below <<<FILE>>>",
      EMPTY_SEARCH: "below <<<SEARCH>>>, quote the lines to replace as they are in the file",
      EMPTY_SECTION: "write at least one line below the marker of LINE: an empty line means no text",
    },
    `write the markers of a block in this order, each alone on its line: ${FORM}`,
  ),
  cutOff,
  teach,
} as const satisfies Syntax;

const FILE = "<<<FILE>>>";

function isBlank(text: string, from: number): boolean {
  let at = from;
  while (/[^\S\n]/.test(text.charAt(at))) at += 1;
  return at === text.length || text[at] === "\n";
}
