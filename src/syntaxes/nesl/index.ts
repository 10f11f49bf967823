import type { Diagnostic, ReadBlock } from "../../core/block.ts";
import type { Syntax } from "../syntax.ts";
import { advise } from "./advise.ts";
import { cutOff, nearHeader, typography } from "./diagnose.ts";
import { readHeader, SPELLINGS } from "./header.ts";
import { isIndentedHeader, repair } from "./indentation.ts";
import { NeslParser } from "./read.ts";
import { teach } from "./teach.ts";

/** Loaf's own syntax. SHAM counts as NESL with another spelling. */
export const nesl = {
  name: "nesl",
  called: "NESL",
  unit: "block",
  asked: {
    as: "NESL blocks",
    change: "file_replace_text with path, old_text and new_text",
    write: "file_write with path and content",
    remove: "file_delete with path, or file_move with old_path and new_path",
  },
  endMarker: new RegExp(`^\\s*(?:${SPELLINGS.map(({ end }) => end).join("|")})`),
  opens: (line) => readHeader(line) !== undefined,
  read: ({ text }, _settings, maxErrors) => {
    const items: Array<ReadBlock | Diagnostic> = [];
    const parser = parserOf((item) => items.push(item), maxErrors);
    parser.write(text);
    parser.end();
    return { items };
  },
  arriving: { parser: parserOf, mustWait: ({ content }) => isIndentedHeader(content) },
  repair,
  near: nearHeader,
  advise,
  cutOff,
  damage: typography,
  teach,
  hasShortLesson: true,
} as const satisfies Syntax;

function parserOf(onItem: (item: ReadBlock | Diagnostic) => void, maxErrors?: number): NeslParser {
  return new NeslParser(onItem, onItem, maxErrors);
}
