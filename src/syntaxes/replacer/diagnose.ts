/** Detects damage in the replacer's syntax: an answer that was cut off, and lines that almost are markers. */
import type { ReadText } from "../../core/block.ts";
import type { Finding } from "../../core/finding.ts";
import { nearMarker } from "../advice.ts";
import { openBlock } from "../lines.ts";
import type { Source } from "../source.ts";
import type { NearLine, NearSettings } from "../syntax.ts";

/** Finds the block that the text ends in. Those before it run. */
export function cutOff(source: Source, read: ReadText): Finding | undefined {
  const open = openBlock(source, read);
  if (open === undefined) return undefined;
  const { id, startLine, properties } = open;
  const path = properties["path"]?.split("\n", 1)[0] ?? "";
  return {
    code: "answer/cut-off",
    line: startLine,
    blockId: id,
    message: `the answer ends inside ${id}, which was not run: it was cut off, or the line <<<END>>> is missing`,
    request: `continue from block ${id}${path === "" ? "" : `, the <<<FILE>>> of ${path}`}`,
  };
}

/** Accepts lists, quotes, indentation, small letters and two to four angle brackets. */
export function near(line: string, { isOwn }: NearSettings): NearLine | undefined {
  const section = NEAR_MARKER.exec(line.trimEnd())?.[1]?.toUpperCase();
  if (section === "FILE") return nearFile;
  // In a text of this syntax, a stray section is already an error.
  return section === undefined || isOwn ? undefined : straySection(`<<<${section}>>>`);
}

const NEAR_MARKER = /^\s*(?:(?:[>*+-]|\d{1,3}[.)])\s+)?<{2,4}\s*(FILE|SEARCH|OVERWRITE)\s*>{2,4}$/i;

const nearFile: NearLine = {
  name: "<<<FILE>>>",
  finding: (lines) =>
    nearMarker(
      lines,
      "nearly the replacer's marker <<<FILE>>>",
      "Send what begins there again, each marker alone on its line, from the first column and exactly as in <<<FILE>>>",
    ),
};

function straySection(name: string): NearLine {
  return {
    name,
    isInner: true,
    finding: (lines) =>
      nearMarker(
        lines,
        `the replacer's marker ${name} without <<<FILE>>>`,
        "Send it again with <<<FILE>>> and the file's path on two lines before it, from the first column",
      ),
  };
}
