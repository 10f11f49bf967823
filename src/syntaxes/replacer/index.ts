import { adviseBy, cutOffIn, nearMarker } from "../advice.ts";
import { hasAt, startsLine } from "../source.ts";
import type { NearLine, NearSettings, Syntax } from "../syntax.ts";
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
  read: readReplacer,
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
  cutOff: cutOffIn(({ id, properties }) => {
    const path = properties["path"]?.split("\n", 1)[0] ?? "";
    return {
      inside: `${id}, which was not run: it was cut off, or the line <<<END>>> is missing`,
      request: `continue from block ${id}${path === "" ? "" : `, the <<<FILE>>> of ${path}`}`,
    };
  }),
  teach,
} as const satisfies Syntax;

const FILE = "<<<FILE>>>";

function isBlank(text: string, from: number): boolean {
  let at = from;
  while (/[^\S\n]/.test(text.charAt(at))) at += 1;
  return at === text.length || text[at] === "\n";
}

/** Accepts lists, quotes, indentation, small letters and two to four angle brackets. */
function near(line: string, { isOwn }: NearSettings): NearLine | undefined {
  const section = NEAR_MARKER.exec(line.trimEnd())?.[1]?.toUpperCase();
  if (section === "FILE") return nearFile;
  // In a text of this syntax, a stray section is already an error.
  if (section === undefined || isOwn) return undefined;
  const what = `the replacer's marker <<<${section}>>> without <<<FILE>>>`;
  const request =
    "Send it again with <<<FILE>>> and the file's path on two lines before it, from the first column";
  return { ...nearMarker(`<<<${section}>>>`, what, request), isInner: true };
}

const NEAR_MARKER = /^\s*(?:(?:[>*+-]|\d{1,3}[.)])\s+)?<{2,4}\s*(FILE|SEARCH|OVERWRITE)\s*>{2,4}$/i;

const nearFile = nearMarker(
  FILE,
  "nearly the replacer's marker <<<FILE>>>",
  "Send what begins there again, each marker alone on its line, from the first column and exactly as in <<<FILE>>>",
);
