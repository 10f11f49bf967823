import { findLine, startsLine } from "../text-lines.ts";
import type { Syntax } from "../syntax.ts";
import { cutOff, near } from "./diagnose.ts";
import { readReplacer } from "./read.ts";
import { teach } from "./teach.ts";

/** Blocks of sections, each for one file, with short paths. */
export const replacer = {
  name: "replacer",
  called: "the replacer's syntax",
  unit: "block",
  asked: { as: "blocks that begin with <<<FILE>>>", change: "<<<SEARCH>>> and <<<REPLACE>>>", write: "<<<OVERWRITE>>>" },
  find: (text) => findLine(text, FILE, (at) => startsLine(text, at) && isBlank(text, at + FILE.length)),
  opens: (line) => line.startsWith(FILE) && isBlank(line, FILE.length),
  read: (text) => readReplacer(text),
  near,
  cutOff,
  teach,
} as const satisfies Syntax;

const FILE = "<<<FILE>>>";

function isBlank(text: string, from: number): boolean {
  let at = from;
  while (/[^\S\n]/.test(text.charAt(at))) at += 1;
  return at === text.length || text[at] === "\n";
}
