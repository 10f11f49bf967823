import { once } from "../core/once.ts";
import { visible } from "../core/visible.ts";
import type { Delimiters } from "../syntaxes/csl/marker.ts";
import { opensBlock } from "../syntaxes/index.ts";

export interface Foreign {
  /** Configured delimiters of CSL. The default ones always count. */
  readonly csl?: Delimiters | undefined;
  /** Whether the text is between two marks of the report, like a file. There, only a mark or a block can deceive. */
  readonly isFramed?: boolean;
}

/**
 * Makes foreign text safe for a report. Escapes hidden characters, and puts `⁞ ` before lines that would open a block
 * in any syntax or look like the report's own. Converts line endings to LF. Idempotent.
 */
export function inert(text: string, { csl, isFramed = false }: Foreign = {}): string {
  const mark = (line: string): string => (opensBlock(line, csl) || isReportLine(line, isFramed) ? `⁞ ${line}` : line);
  return visible(text).replaceAll("\r\n", "\n").split("\n").map(mark).join("\n");
}

/**
 * Returns whether a line looks like one of the report's own: a mark (`=== END ===`) or, outside the frame of a file, a
 * title (`[k7m] exec bash:`), a block's line (`k7m ✅ …`), a status of CSL (`[task-1] SUCCESS: …`), a sentence of the
 * report, or a line with one of its keywords (`warning: `).
 *
 * Compares the look of lines: ignores invisible characters, accents and escapes, and treats look-alikes as equal.
 */
function isReportLine(line: string, isFramed: boolean): boolean {
  const looks = looksOf(line);
  const start = looks.trimStart();
  if (isMark(start, looks.length > start.length) || CUT.test(start.slice(wordOf(start, ["note"])))) return true;
  return (
    !isFramed &&
    (TITLE.test(start) ||
      BLOCK.test(start) ||
      SENTENCES.test(start) ||
      LISTS.test(start) ||
      wordOf(start, OWN_WORDS) > 0)
  );
}

/** Keywords at the start of report lines. A colon follows all but the last. */
const OWN_WORDS = [
  "note",
  "hint",
  "warning",
  "command",
  "stdout",
  "stderr",
  "exit code",
  "changed",
  "created",
  "deleted",
  "gone",
  "(nothing)",
];

const TITLE = /^\[[^\]]*\][^]*:\s*$/;
/** A status line of CSL, and sentences of a report without blocks. */
const SENTENCES = new RegExp(
  `^(?:\\[${alike("task-")}\\d[^\\]]*\\]\\s|${alike("continue from block ")}\\S|${alike("nothing to run found")}\\s*$)`,
  "iu",
);
const BLOCK = /^\S{1,100} (?:✅|⚠|❌)/;
const LISTS = /^Reading \d+ files:/;
/** After `note:`. */
const CUT = /^:\s*\d+ bytes are cut/i;
/**
 * In the first column, any text may follow: `=== a`. An indented line may be a comparison in code, so it must also end
 * like a mark.
 */
const MARK_START = /^=\s?=\s?=\s?[^=\s]/;

function isMark(start: string, isIndented: boolean): boolean {
  return MARK_START.test(start) && (!isIndented || start.trimEnd().endsWith("==="));
}

/**
 * Returns the length of the line's first word if it looks like one of these, otherwise 0. Treats a letter outside ASCII
 * as a look-alike of any other.
 */
function wordOf(start: string, words: readonly string[]): number {
  const colon = start.slice(0, MAX_WORD_LENGTH).indexOf(":");
  const end = colon === -1 ? Math.min(start.trimEnd().length, MAX_WORD_LENGTH) : colon;
  const letters = [...start.slice(0, end).trimEnd().replace(/\s+/g, " ").toLowerCase()];
  const isAlike = (word: string) =>
    word.length === letters.length && letters.every((letter, at) => letter === word[at] || letter > "\x7f");
  return words.some((word) => (colon !== -1 || word === "(nothing)") && isAlike(word)) ? end : 0;
}

/**
 * Returns the source of an expression for a text and its look-alikes. Treats a letter outside ASCII as a look-alike of
 * any other.
 */
function alike(text: string): string {
  return [...text]
    .map((letter) => (letter === " " ? "\\s+" : `[${letter === "-" ? "\\-" : letter}\\x80-\\u{10ffff}]`))
    .join("");
}

const MAX_WORD_LENGTH = 40;

const ASCII = /^[\t -~]*$/;
/** Escapes made by `visible`, with the rest of a terminal escape sequence. */
const ESCAPES = /^\s*(?:(?:\\u001b\[[0-9;]*[A-Zm]|\\u[0-9a-f]{4})\s*)+/;

const unseen = once(() => /[\p{M}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cn}]/gu);
const blanks = once(() => /[\p{White_Space}\u2800]/gu);
const equals = once(() => /[꓿᐀゠⹀〓ニ二═━╌╍┅┉≈≃≅≊≋≌≍≎≏≐-≟≡-≣⩦-⩷⚌🟰𝌆]/gu);
const colons = once(() => /[∶꞉ː˸׃։܃܄᛬︰]/gu);
const brackets: ReadonlyArray<readonly [RegExp, string]> = [
  [/[⟦〚【〔❲⦋⁅]/gu, "["],
  [/[⟧〛】〕❳⦌⁆]/gu, "]"],
];

/** Replaces known look-alikes in a line by plain characters. Linear time. */
function looksOf(line: string): string {
  return (ASCII.test(line) ? line : plain(line)).replace(ESCAPES, "");
}

function plain(line: string): string {
  const text = line
    .normalize("NFKD")
    .replace(unseen(), "")
    .replace(blanks(), " ")
    .replace(equals(), "=")
    .replace(colons(), ":");
  return brackets.reduce((changed, [alike, bracket]) => changed.replace(alike, bracket), text);
}
