import type { ShownResult } from "../actions/define.ts";
import { type FileLines, MISSES } from "../core/failure.ts";
import { maskSecrets, masksIn } from "../core/mask-secrets.ts";
import type { Peeked } from "../core/outcome.ts";
import { afterReturns, visibleOnOneLine } from "../core/visible.ts";
import { baseNote, printPart } from "./context.ts";
import { labelled, type Remark, remarkLine, type ReportRows, type Row } from "./rows.ts";
import { startOfLine } from "../edit/hints/closest.ts";
import { numberLines } from "../edit/lines.ts";

/** Returns a file as it is now. Undefined if unreadable. */
export type Peek = (path: string) => Peeked | undefined;

export interface Section {
  /** Undefined if there are only remarks. */
  readonly title: string | undefined;
  /** Labels of its rows. */
  readonly label: string;
  readonly failed: boolean;
  readonly pieces: readonly ShownResult[];
  /** Hints and warnings, each a line. */
  readonly remarks: readonly Remark[];
}

/** What to show of a long file in which only edits failed. */
export type OnMiss = "excerpt" | "file";

/** Returns the sections in the order of the text. Shows a file once, at the first block that needs it. */
export function sectionsOf({ blocks, checks, hooks }: ReportRows, peek: Peek, onMiss: OnMiss = "excerpt"): Section[] {
  // Thousands of edits may fail in one file.
  const peeked = new Map<string, ReturnType<Peek>>();
  const peekOnce: Peek = (path) => {
    if (!peeked.has(path)) peeked.set(path, peek(path));
    return peeked.get(path);
  };
  const nameOf = (path: string): string => peekOnce(path)?.path ?? path;
  const groups = new Map<string | Row, Row[]>();
  for (const row of blocks) {
    const path = fileShownFor(row);
    const key = path === undefined ? row : nameOf(path);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const sections = [...groups].map(([key, rows]) => {
    if (typeof key !== "string") return ownSection(key);
    const path = String(rows[0]?.result?.params["path"]);
    return fileSection(path, rows, { now: peekOnce(path), onMiss });
  });
  return [...[...checks, ...hooks].map(ownSection), ...withoutRepeats(sections, nameOf)]
    .filter(({ title, remarks }) => title !== undefined || remarks.length > 0)
    .map(masked);
}

/** Shows each text of a file once, and refers to it below. */
function withoutRepeats(sections: readonly Section[], nameOf: (path: string) => string): Section[] {
  const shown = new Map<string, string>();
  return sections.map((section) => {
    const repeated = new Set<ShownResult>();
    for (const piece of section.pieces) {
      if (!("file" in piece)) continue;
      const name = nameOf(piece.file);
      if (shown.get(name) === piece.content) repeated.add(piece);
      shown.set(name, piece.content);
    }
    if (repeated.size === 0) return section;
    const names = [...new Set([...repeated].map((piece) => ("file" in piece ? visibleOnOneLine(piece.file) : "")))];
    return {
      ...section,
      pieces: section.pieces.filter((piece) => !repeated.has(piece)),
      remarks: [note(`shown above: ${names.join(", ")}`), ...section.remarks],
    };
  });
}

/** Masks secrets and adds a warning. Must precede truncation, since half a secret is not recognisable. */
export function masked(section: Section): Section {
  const whole = section.pieces.map(textOf);
  const texts = whole.map(maskSecrets);
  if (texts.every((text, index) => text === whole[index])) return section;
  const pieces = section.pieces.map((piece, index) => withText(piece, texts[index] ?? ""));
  const masks = [...new Set(texts.flatMap(masksIn))].join(", ");
  const text = `secrets are masked here (${masks}); an edit must not contain a mask`;
  return { ...section, pieces, remarks: [...section.remarks, { kind: "warning", text }] };
}

function note(text: string): Remark {
  return { kind: "note", text };
}

/** Makes foreign text safe for a report, inside or outside the frame of a file. Idempotent. */
export type Show = (text: string, isFramed: boolean) => string;

/** Returns the section as text, with its content truncated to `limit` bytes. */
export function renderSection({ title, pieces, remarks }: Section, limit: number, show: Show): string {
  const contents = cutMiddle(
    pieces.map((piece) => ({ text: textOf(piece), show: (text, isRest) => showPiece(piece, text, { isRest, show }) })),
    limit,
  );
  const body = pieces.map((piece, index) => frame(piece, contents[index] ?? "")).join("\n\n");
  return [...(title === undefined ? [] : [`${title}:`, body]), ...remarks.map(remarkLine)].join("\n");
}

/** Facts are Loaf's own text, except the rest of a truncated line, which has lost its beginning. */
function showPiece(
  piece: ShownResult,
  text: string,
  { isRest, show }: { readonly isRest: boolean; readonly show: Show },
): string {
  if (!("facts" in piece)) return show(text, "file" in piece);
  const end = isRest ? `${text}\n`.indexOf("\n") : 0;
  return show(text.slice(0, end), false) + text.slice(end);
}

function textOf(piece: ShownResult): string {
  if ("file" in piece) return piece.content;
  if ("text" in piece) return piece.text;
  return ("facts" in piece ? piece.facts : piece.entries).map((entry) => visibleOnOneLine(entry)).join("\n");
}

/** @param text the changed result of `textOf` */
function withText(piece: ShownResult, text: string): ShownResult {
  if ("file" in piece) return { ...piece, content: text };
  if ("text" in piece) return { ...piece, text };
  return "facts" in piece ? { facts: text.split("\n") } : { entries: text.split("\n") };
}

function fileShownFor({ result, definition }: Row): string | undefined {
  // A file whose read was refused must not be shown.
  if (result === undefined || result.code?.startsWith("skip/")) return undefined;
  const { show } = definition ?? {};
  return show === "file" || (show === "file-on-miss" && MISSES.has(result.code))
    ? String(result.params["path"])
    : undefined;
}

/** @param now undefined if the file is no longer readable; then shows what a block has read of it */
function fileSection(
  path: string,
  rows: readonly Row[],
  { now, onMiss }: { readonly now: Peeked | undefined; readonly onMiss: OnMiss },
): Section {
  const content = now?.text ?? rows.map(contentRead).findLast((read) => read !== undefined);
  const about = { label: rows.map(({ label }) => label).join(", "), failed: rows.some(({ mark }) => mark === "❌") };
  if (content === undefined) return { title: undefined, pieces: [], ...about, remarks: rows.flatMap(labelled) };
  const excerpt =
    now !== undefined && onMiss === "excerpt" && rows.every(({ definition }) => definition?.show === "file-on-miss")
      ? excerptOf(
          now,
          rows.flatMap(({ result }) => result?.near ?? []),
        )
      : undefined;
  const [base] = now === undefined ? [] : rows.flatMap(({ result }) => Object.values(result?.bases ?? {}));
  return {
    ...about,
    title: `[${rows.map(({ label, mark }) => `${label} ${mark}`).join(", ")}] ${visibleOnOneLine(path)}`,
    pieces: excerpt?.parts ?? [{ file: path, content, ...(base !== undefined && { base }) }],
    remarks: [
      ...(now === undefined ? [note("the file can no longer be read; this is what the run read")] : []),
      ...(excerpt?.hasMoved ? [note("later edits moved lines; hints number them as they were before")] : []),
      ...rows.flatMap((row) => (rows.length > 1 ? labelled(row) : row.remarks)),
    ],
  };
}

function contentRead({ result }: Row): string | undefined {
  const { content } = Object(result?.data) as { readonly content?: unknown };
  return typeof content === "string" ? content : undefined;
}

function ownSection(row: Row): Section {
  const { label, mark, end, action, subject, definition, result } = row;
  const { bases = {} } = result ?? {};
  const pieces = piecesOf(row);
  const about = { label, failed: mark === "❌" || end === "failed", pieces };
  if (pieces.length === 0) return { title: undefined, ...about, remarks: labelled(row) };
  const isFramed = pieces.some((piece) => "file" in piece);
  return {
    ...about,
    title: [`[${label}]`, result?.action ?? action, definition?.heading ?? subject]
      .filter((part) => part !== "")
      .join(" "),
    remarks: [...(isFramed ? [] : Object.values(bases).map((base) => note(baseNote(base)))), ...row.remarks],
  };
}

function piecesOf({ action, definition, result, output }: Row): ShownResult[] {
  if (action === "")
    return (["stdout", "stderr"] as const)
      .filter((title) => output?.[title] !== "")
      .map((title) => ({ title, text: afterReturns(output?.[title] ?? "").replace(/\r?\n$/, "") }));
  const { data, params, bases = {} } = result ?? {};
  if (typeof definition?.show !== "function" || data === undefined) return [];
  return definition.show(data as never, params as never).map((piece) => {
    const base = "file" in piece ? bases[piece.file] : undefined;
    return base === undefined ? piece : { ...piece, base };
  });
}

function frame(piece: ShownResult, content: string): string {
  if ("file" in piece) return printPart({ ...piece, title: `FILE: ${visibleOnOneLine(piece.file)}`, body: content });
  return "title" in piece ? `${piece.title}:\n${content}` : content || "(nothing)";
}

export interface Cuttable {
  readonly text: string;
  /**
   * Escapes the text for the report. Idempotent. Returns at least one byte for two UTF-16 units.
   *
   * @param isRest whether the text begins within a line
   */
  readonly show: (text: string, isRest: boolean) => string;
}

/**
 * Truncates texts in the middle, so that together they have at most `limit` bytes of UTF-8 as shown, without notices.
 * Keeps the first and the last half of the limit, counted over all texts in order.
 *
 * Cuts between characters, and inserts a notice at each cut. Escapes the remaining parts again, since the rest of a
 * line may look like one of the report's own.
 */
export function cutMiddle(items: readonly Cuttable[], limit: number): readonly string[] {
  // Escape and measure only what may be kept, however long the texts are: twice the limit, and some for the seam.
  const nearEnds = middlesOf(
    items.map(({ text }) => text),
    limit + 10,
  );
  const shown = items.map(({ text, show }, index) => {
    const [from, to] = nearEnds[index] ?? [0, 0];
    const ends = text.slice(0, from) + text.slice(to);
    return { bytes: Buffer.from(show(ends, false)), dropped: Buffer.byteLength(text) - Buffer.byteLength(ends), show };
  });
  const encoded = shown.map(({ bytes }) => bytes);
  if (lengthOf(encoded) <= limit) return encoded.map(String);
  const middles = middlesOf(encoded, Math.floor(limit / 2));
  return shown.map((text, index) => withoutMiddle(text, middles[index] ?? [0, 0]));
}

type Range = readonly [from: number, to: number];

/** Returns the range of each item outside the first and the last `kept` units of all items. May be empty. */
function middlesOf(items: ReadonlyArray<{ readonly length: number }>, kept: number): Range[] {
  const total = lengthOf(items);
  let before = 0;
  return items.map(({ length }) => {
    const within = (offset: number) => Math.min(Math.max(offset - before, 0), length);
    const [from, to] = [within(kept), within(total - kept)];
    before += length;
    return [from, Math.max(from, to)];
  });
}

function lengthOf(items: ReadonlyArray<{ readonly length: number }>): number {
  return items.reduce((sum, { length }) => sum + length, 0);
}

interface Encoded {
  readonly bytes: Buffer;
  /** Bytes of the middle that were dropped before encoding. */
  readonly dropped: number;
  readonly show: Cuttable["show"];
}

function withoutMiddle({ bytes, dropped, show }: Encoded, [start, end]: Range): string {
  if (start === end && dropped === 0) return bytes.toString();
  const [from, to] = [characterStart(bytes, start, -1), characterStart(bytes, end, 1)];
  const notice = `note: ${to - from + dropped} bytes are cut here; ask for the part you need: lines by number, or a narrower search`;
  return [show(bytes.toString("utf8", 0, from), false), notice, show(bytes.toString("utf8", to), true)]
    .filter((part) => part !== "")
    .join("\n");
}

/**
 * Returns the nearest start of a character in that direction, or the offset itself. A byte 10xxxxxx continues a
 * character.
 */
function characterStart(bytes: Buffer, offset: number, step: 1 | -1): number {
  let at = offset;
  while (((bytes[at] ?? 0) & 0b1100_0000) === 0b1000_0000) at += step;
  return at;
}

/** Files of no more lines are shown whole. */
const MAX_WHOLE = 40;
/** Lines to show before and after a place. */
const AROUND = 15;
/** Maximum number of places in one file. More would not fit into a report. */
const MAX_PLACES = 100;

interface Excerpt {
  readonly parts: readonly ShownResult[];
  /** Whether a place is on other lines now than when the edit was refused. */
  readonly hasMoved: boolean;
}

/**
 * Returns numbered parts of a file: the places where refused edits fit, or nearly, with the lines around them.
 * Undefined if the whole file should be shown: it is short, or nothing in it is similar.
 */
function excerptOf(
  { text, firstLine = 1 }: Pick<Peeked, "text" | "firstLine">,
  near: readonly FileLines[],
): Excerpt | undefined {
  const lines = text.replace(/\n$/, "").split(/\r?\n/);
  if (lines.length <= MAX_WHOLE || near.length === 0) return undefined;
  const end = firstLine + lines.length - 1;
  const ranges: Array<{ first: number; last: number }> = [];
  const places = near
    .slice(0, MAX_PLACES)
    .map((place) => ({ place, at: firstLine + indexNow(lines, place, firstLine) }));
  for (const { place, at } of places.toSorted((a, b) => a.at - b.at)) {
    const first = Math.max(firstLine, at - AROUND);
    const last = Math.min(end, at + place.last - place.first + AROUND);
    const before = ranges.at(-1);
    if (before !== undefined && first <= before.last + 1) before.last = Math.max(before.last, last);
    else ranges.push({ first, last });
  }
  return {
    parts: ranges.map(({ first, last }) => ({
      title: `lines ${first}-${last} of ${firstLine === 1 ? "" : `${firstLine}-`}${end}`,
      text: numberLines(text, `${first}-${last}`, ": ", firstLine).content,
    })),
    hasMoved: places.some(({ place, at }) => at !== place.first),
  };
}

/** Returns the index of the nearest lines that begin as those of a place, or as near as the file still is long. */
function indexNow(lines: readonly string[], { first, starts }: FileLines, firstLine: number): number {
  const index = Math.min(Math.max(0, first - firstLine), lines.length - 1);
  for (let distance = 0; distance < lines.length; distance++)
    for (const at of [index + distance, index - distance])
      if (starts.every((start, line) => startOfLine(lines[at + line] ?? "") === start)) return at;
  return index;
}
