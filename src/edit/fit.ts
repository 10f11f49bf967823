import { diffArrays } from "diff";
import { keepTypography } from "./keep-typography.ts";
import { fitLineEndings } from "./line-ending.ts";
import { lineNumberAt } from "./line-numbers.ts";
import { partsOf, REPORT_MARK } from "./quotation.ts";
import type { Splice } from "./splice.ts";
import type { Proposed } from "./passes.ts";
import { NO_SHIFT, type Shift, shifted } from "./shift.ts";
import { isRounded, type Tolerated, toleratedIn } from "./tolerance.ts";
import { plain } from "./typography.ts";

export interface Fitted {
  readonly splices: readonly Splice[];
  readonly tolerated: readonly Tolerated[];
}

/**
 * A new text in the file's own formatting at a place that the old one fits. Lines that both have in common are left as the file has
 * them; the others are changed as the old ones were found to differ.
 *
 * @returns undefined where the new text has less indentation than would have to be taken away
 */
export function fit(bytes: Buffer, place: Proposed, oldText: string, newText: string): Fitted | undefined {
  const { tolerated, isRound } = compare(bytes, place, oldText);
  const fitLine = lineFitter(bytes, { shift: place.shift ?? NO_SHIFT, tolerated, isRound });
  const withEndings = fitLineEndings(bytes, oldText, newText);
  const splices: Splice[] = [];
  for (const { start, end, lines, replaced, isFirst } of changedLines(oldText, newText, linePlacesOf(bytes, place))) {
    const fitted = lines.map((line, index) => fitLine(line, index > 0 || !isFirst || startsLine(bytes, place.start)));
    if (fitted.includes(undefined)) return undefined;
    const there = bytes.toString("utf8", start, end).split("\n");
    const kept = fitted.map((line = "", index) => withContent(line, (content) => keepTypography(content, contentOf(replaced[index]), contentOf(there[index]))));
    splices.push({ start, end, text: withEndings(kept.join(""), start) });
  }
  return { splices, tolerated };
}

function contentOf(line = ""): string {
  return partsOf(line.replace(/\r?\n$|\r$/, ""))[1];
}

function withContent(line: string, change: (content: string) => string): string {
  const content = contentOf(line);
  const at = content === "" ? 0 : line.indexOf(content);
  return line.slice(0, at) + change(content) + line.slice(at + content.length);
}

/** In what the text that stands at a place differs from the old text. */
export function compare(bytes: Buffer, { start, end }: Proposed, oldText: string): Comparison {
  const found = bytes.toString("utf8", start, end);
  return { tolerated: toleratedIn(oldText, found, lineNumberAt(bytes, start)), isRound: isRounded(oldText, found) };
}

export interface Comparison {
  readonly tolerated: readonly Tolerated[];
  /** The old text has typographic characters where the file has plain ones. */
  readonly isRound: boolean;
}

/** A whole new text for a place that starts at an offset, but for its line endings; undefined as for `fit`. */
export function fitWhole(bytes: Buffer, start: number, newText: string, difference: Comparison & { readonly shift: Shift }): string | undefined {
  const fitLine = lineFitter(bytes, difference);
  const fitted = linesOf(newText).map((line, index) => fitLine(line, index > 0 || startsLine(bytes, start)));
  return fitted.includes(undefined) ? undefined : fitted.join("");
}

/** One new line, with its ending; undefined where it is not indented so far as the shift would take away. */
function lineFitter(
  bytes: Buffer,
  { shift, tolerated, isRound }: Comparison & { readonly shift: Shift },
): (line: string, startsLine: boolean) => string | undefined {
  const isMarked = tolerated.some(({ rule }) => rule === "report-mark");
  const used = new Map<string, boolean>();
  const isUsed = (character: string): boolean => {
    const isThere = used.get(character) ?? bytes.includes(character);
    used.set(character, isThere);
    return isThere;
  };
  return (line, startsLine) => {
    const unmarked = isMarked && line.startsWith(REPORT_MARK) ? line.slice(REPORT_MARK.length) : line;
    const plainLine = isRound ? plain(unmarked, isUsed) : unmarked;
    const [indent, body] = partsOf(plainLine.replace(/\r?\n$/, ""));
    if (!startsLine || body === "" || shift.by === "") return plainLine;
    const fitted = shifted(shift.kind === "removed" ? plain(indent) : indent, shift);
    return fitted === undefined ? undefined : fitted + plainLine.slice(indent.length);
  };
}

function startsLine(bytes: Buffer, offset: number): boolean {
  return offset === 0 || bytes[offset - 1] === LF;
}

/** Bytes of the file, and the lines that take their place, with their endings. */
interface ChangedLines {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  /** The old lines whose place it is. */
  readonly replaced: readonly string[];
  /** Whether they begin where the place begins. */
  readonly isFirst: boolean;
}

/** Beyond so many changed lines finding the fewest would take long (time grows with the square); then all of them are replaced. */
const MOST_CHANGES = 200;

/** What the new text has and the old one has not. @param places of the old text's lines in the file */
function changedLines(oldText: string, newText: string, places: ReadonlyArray<{ readonly start: number; readonly end: number }>): ChangedLines[] {
  const startOf = (line: number): number => places[line]?.start ?? places.at(-1)?.end ?? 0;
  const [oldLines, newLines] = [linesOf(oldText), linesOf(newText)];
  const parts = diffArrays(oldLines, newLines, { maxEditLength: MOST_CHANGES });
  if (parts === undefined) return [{ start: startOf(0), end: startOf(places.length), lines: newLines, replaced: [], isFirst: true }];
  const changes: ChangedLines[] = [];
  let line = 0;
  for (const [index, { removed, added, value }] of parts.entries()) {
    const end = added ? line : line + value.length;
    // What takes the place of removed lines comes right after them.
    const replacement = parts[index + 1];
    if (removed) changes.push({ start: startOf(line), end: startOf(end), lines: replacement?.added === true ? replacement.value : [], replaced: value, isFirst: line === 0 });
    else if (added && parts[index - 1]?.removed !== true) changes.push({ start: startOf(line), end: startOf(line), lines: value, replaced: [], isFirst: line === 0 });
    line = end;
  }
  return changes;
}

/** With their endings; a text that ends with one has no empty line after it. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function linePlacesOf(bytes: Buffer, { start, end }: Proposed): Array<{ start: number; end: number }> {
  const places: Array<{ start: number; end: number }> = [];
  for (let at = start; at < end; at = places.at(-1)?.end ?? end) {
    const lineFeed = bytes.indexOf(LF, at);
    places.push({ start: at, end: lineFeed === -1 || lineFeed >= end ? end : lineFeed + 1 });
  }
  return places;
}

const LF = 10;
