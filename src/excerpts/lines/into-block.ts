/** Sees that new lines stand in the block, or beside the line, that a sentence names. */
import { insertBeside } from "./beside.ts";
import { endOfBlock, endOfStatement } from "../block.ts";
import {
  areMembers,
  blockAt,
  type BlockTold,
  blockTold,
  isHeading,
  isOneShape,
  isShownIn,
  type MemberBlock,
  membersOf,
} from "./blocks-told.ts";
import { divided } from "./divided.ts";
import { isRemark } from "../remarks.ts";
import { insertAt } from "./statement.ts";
import {
  dedented,
  firstIndent,
  firstLine,
  holdsWord,
  indentOf,
  isInRows,
  type PlacedLines,
  reindented,
  rowAt,
  type Splice,
  startOfRow,
  Unplaced,
} from "../text.ts";
import { tellsOpening } from "../told/places.ts";
import { lastSentence } from "../told/told.ts";

/** Where new lines were put, and nothing else was changed. */
interface Insertion {
  /** Index of the line above which they stand. */
  readonly row: number;
  readonly indent: string;
}

/**
 * Returns other places for new lines than a named block does not hold or than stand elsewhere than a sentence says.
 * Undefined if they stand right, or no sentence names a place for them.
 */
export function placeWhereTold(
  file: string,
  content: string,
  { splices, text }: { readonly splices: readonly Splice[]; readonly text: string },
): PlacedLines | Unplaced | undefined {
  const rows = file.split("\n");
  const at = insertionIn(file, content, splices);
  if (at === undefined) return undefined;
  const named = blockTold(text, rows);
  if (named !== undefined && areMembers(content, rows, named.block)) return inBlock(file, content, { rows, at, named });
  const beside = besideLine(text, rows);
  const first = content.trim().split("\n", 1)[0] ?? "";
  if (isShownIn(content, rows) || beside === undefined || !isOneShape(first, rows[beside.line] ?? "")) return undefined;
  // Below a heading another one goes below all of its section.
  if (beside.side === "below" && isHeading(first)) return undefined;
  return isBeside(rows, at, beside) ? undefined : insertAt(file, content, beside);
}

interface InBlock {
  readonly rows: readonly string[];
  readonly at: Insertion;
  readonly named: BlockTold;
}

function inBlock(
  file: string,
  content: string,
  { rows, at, named: { block: outer, side, name } }: InBlock,
): PlacedLines | Unplaced | undefined {
  const inner = outer.isCode ? [outer] : blocksAsDeep(rows, outer, firstIndent(content));
  if (inner.some((block) => isIn(at, block, rows) && !(side === "top" && !block.isCode && at.row > block.first)))
    return undefined;
  const [block, other] = inner;
  if (isShownIn(content, rows)) return new Unplaced(`would have lines of ${name} twice: show the new ones alone`);
  if (block === undefined || other !== undefined)
    return new Unplaced(`has several places in ${name} for this: say what the new lines go below`);
  return insertInBlock(file, content, { rows, block, side: side ?? "end" });
}

/** Returns the place of members at the end of a type without a grammar that the last sentence names, or at its top. */
export function placeInType(file: string, content: string, text: string): PlacedLines | undefined {
  const rows = file.split("\n");
  const { block, side = "end" } = blockTold(text, rows) ?? {};
  const isType = block !== undefined && TYPE.test(rows[block.head] ?? "");
  const [first = ""] = content.trim().split("\n", 1);
  if (!isType || first === content.trim() || isShownIn(first, rows)) return undefined;
  const row = side === "top" ? block.first : block.last + 1;
  const start = startOfRow(rows, row);
  // Members stand apart where those of the file do.
  const isApart = membersOf(rows, block).some((member) => member > block.first && rows[member - 1]?.trim() === "");
  const [above, below] = side === "top" ? ["", isApart ? "\n" : ""] : [isApart ? "\n" : "", ""];
  const members = reindented(dedented(content.replace(/^\n+|\s+$/g, "")), block.indent, file);
  return {
    splices: [{ start, end: start, text: `${above}${members}\n${below}` }],
    done: [`lines added at the ${side} of the block of line ${block.head + 1}`],
  };
}

const TYPE =
  /^\s*(?:[\w@]+\s+)*(?:actor|class|contract|defmodule|enum|extension|interface|mixin|module|object|protocol|record|struct|trait)\s+[\p{L}_]/u;

/** Returns the place of members in a list that the last sentence names. */
export function placeInNamed(file: string, content: string, text: string): PlacedLines | Unplaced | undefined {
  const rows = file.split("\n");
  const { block, side = "end" } = blockTold(text, rows) ?? {};
  const isList = block !== undefined && !block.isCode && !block.isFlat;
  if (!isList || isShownIn(content, rows) || !areMembers(content, rows, block)) return undefined;
  return insertInBlock(file, content, { rows, block, side });
}

/** Returns the place of a member in the only block that has the name of several of its kind: an action in `actions`. */
export function placeInPlural(file: string, content: string, text: string): PlacedLines | Unplaced | undefined {
  const rows = file.split("\n");
  const order = lastSentence(text);
  const words =
    ADDED.exec(order)?.[1]
      ?.replaceAll(/`[^`]*`/g, " ")
      .match(/\w+/g) ?? [];
  if (ORDERED.test(order)) return undefined;
  const plurals = new Set(words.flatMap((word) => [`${word}s`, word.replace(/y$/, "ies")]));
  const [head, other] = [...rows.keys()].filter((row) => plurals.has(LIST.exec(rows[row] ?? "")?.[1] ?? ""));
  const block = head === undefined || other !== undefined ? undefined : blockAt(rows, head);
  if (block === undefined) return undefined;
  const lines = content.trim().split("\n");
  const members = membersOf(rows, block).map((row) => (rows[row] ?? "").trim());
  const kind = kindOfMember(lines[0] ?? "");
  const nameOf = (line: string): string | undefined => /^(?:async |get |set )?["']?([\w$-]+)/.exec(line)?.[1];
  const isKnown = members.some((member) => kind !== "element" && nameOf(member) === nameOf(lines[0] ?? ""));
  const isOne = endOfStatement(lines, 0) === lines.length - 1 && kind !== undefined && !isKnown;
  // The block is in what the sentence names too.
  const holders = Array.from(order.matchAll(HOLDER), ([, code = ""]) => rows.findIndex((row) => holdsWord(row, code)));
  const isHeld = holders.every((row) => row <= block.head && (row === -1 || endOfStatement(rows, row) >= block.head));
  const isLike = members.some((member) => kindOfMember(member) === kind);
  const last = rows[block.last] ?? "";
  // Below a comment, or what takes all that is left, nothing goes.
  if (!isOne || !isHeld || !isLike || /\/[/*]|\*|:\w+\(/.test(last)) return undefined;
  const placed = insertInBlock(file, content, { rows, block, side: "end" });
  if (placed instanceof Unplaced || /,\s*$/.test(last)) return placed;
  const start = startOfRow(rows, block.last) + last.trimEnd().length;
  return {
    ...placed,
    splices: [{ start, end: start, text: "," }, ...placed.splices.filter(({ text }) => text !== ",")],
  };
}

function kindOfMember(line: string): string | undefined {
  return KINDS_OF_MEMBER.find(([, form]) => form.test(line))?.[0];
}

const KINDS_OF_MEMBER: ReadonlyArray<readonly [kind: string, form: RegExp]> = [
  ["element", /^\{/],
  [
    "function",
    /^(?:(?:async|function) )*[\w$]+\(.*\)(?:: [^;]+)? \{$|^[\w$]+: (?:async )?(?:\(.*\)|\w+)(?:: [^;]+)? => /,
  ],
  ["key", /^["']?[\w$-]+["']?: (?!.*;$)/],
];
/** Where in a list, or in one of its members. */
const ORDERED = /\b(?:above|before|beginning|child|first|inner|nested|sub|top|under)\b/i;
/** Add a `remove` action. */
const ADDED =
  /\badd (?:an?|another|one more|the|this)((?: (?:new )?(?!(?:for|in|of|so|that|to|with)\b)`?[\w-]+`?){1,3})/i;
const HOLDER = /\b(?:in|inside|into|of|on|to|within) (?:(?:the|your) )?`([^`\n]*\w[^`\n]*)`/gi;
/** The head of an object or a list with a name. */
const LIST = /^\s*(?:(?:export )?(?:const|let) )?(\w+)(?:: [^=]+ =| =|:) [{[]$/;

/** Inserts members in a block. */
export function insertInBlock(
  file: string,
  content: string,
  {
    rows,
    block,
    side,
  }: { readonly rows: readonly string[]; readonly block: MemberBlock; readonly side: "top" | "end" },
): PlacedLines | Unplaced {
  if (block.isCode) return insertBeside({ text: file, path: "", parts: [] }, content, { line: block.head, side });
  const members = membersOf(rows, block);
  const line = side === "top" ? members[0] : members.findLast((row) => !CONSTRAINT.test(rows[row] ?? ""));
  if (line === undefined) return new Unplaced("has no member there beside which the new lines could stand");
  return insertAt(file, content, { line, side: side === "top" ? "above" : "below" });
}

/** What ends the columns of a table. */
const CONSTRAINT = /^\s*(?:check|constraint|foreign key|primary key|unique)\b/i;

/** Returns a block, or those in it whose members are as deep as new lines are shown. */
function blocksAsDeep(rows: readonly string[], outer: MemberBlock, indent: string): readonly MemberBlock[] {
  if (outer.isFlat || indent.length <= outer.indent.length) return [outer];
  const inner = [...rows.keys()]
    .filter((row) => isInRows(row, outer))
    .flatMap((row) => blockAt(rows, row) ?? [])
    .filter((block) => block.indent === indent);
  return inner.length > 0 ? inner : [outer];
}

function isIn({ row, indent }: Insertion, block: MemberBlock, rows: readonly string[]): boolean {
  const isDeep = block.isFlat || indent.length > indentOf(rows[block.head] ?? "").length;
  return row >= block.start && row <= block.last + 1 && isDeep;
}

/** Returns where the only lines that are inserted stand, if nothing else changes but commas. */
export function insertionIn(file: string, content: string, splices: readonly Splice[]): Insertion | undefined {
  const [only, other] = splices.filter(({ text }) => text.trim() !== ",");
  if (only === undefined || other !== undefined || only.start !== only.end) return undefined;
  const stripped = (text: string): string => firstLine(text).trim().replace(/,$/, "");
  if (stripped(only.text) !== stripped(content)) return undefined;
  const above = file.slice(0, only.start);
  const row = rowAt(file, only.start) + (above === "" || above.endsWith("\n") ? 0 : 1);
  return { row, indent: firstIndent(only.text) };
}

interface BesideLine {
  readonly line: number;
  readonly side: "above" | "below";
}

/** Returns the only line that the last sentence shows whole, and on which side of it something goes. */
function besideLine(text: string, rows: readonly string[]): BesideLine | undefined {
  const [, word = "", code = ""] = BESIDE.exec(lastSentence(text)) ?? [];
  const stripped = (line: string): string => line.trim().replace(/[,;]$/, "");
  const [line, other] = [...rows.keys()].filter((row) => code !== "" && stripped(rows[row] ?? "") === stripped(code));
  const isAbove = /^(?:above|before)/i.test(word);
  if (line === undefined || other !== undefined || (!isAbove && tellsOpening(text))) return undefined;
  return { line, side: isAbove ? "above" : "below" };
}

const BESIDE = /\b(above|after|before|below|beneath|under(?:neath)?)\b[^`\n,;]{0,40}`([^`\n]+)`/i;

/** Returns whether nothing but comments and blank lines is between new lines and the one they go beside, as deep as that. */
function isBeside(rows: readonly string[], { row, indent }: Insertion, { line, side }: BesideLine): boolean {
  const [from, to] = side === "above" ? [row, line] : [(endOfBlock(rows, line) ?? line) + 1, row];
  const isFree = rows.slice(from, to).every((between) => between.trim() === "" || isRemark(between));
  return from <= to && isFree && indent === indentOf(rows[line] ?? "");
}

/** Returns an insertion with the commas that divide the members of the list it stands in. */
export function withCommas(file: string, splices: readonly Splice[]): readonly Splice[] {
  const [only, other] = splices;
  const isLine = only !== undefined && only.start === only.end && (only.start === 0 || file[only.start - 1] === "\n");
  if (!isLine || other !== undefined || !only.text.endsWith("\n")) return splices;
  const rows = file.split("\n");
  const row = rowAt(file, only.start);
  const [, above = "", lines = "", below = ""] = /^(\n*)(.*?)(\n+)$/s.exec(only.text) ?? [];
  const { text, comma } = divided(rows, row, lines);
  const added = { ...only, text: above + text + below };
  if (comma === undefined) return [added];
  const start = startOfRow(rows, comma.row) + comma.column;
  return [{ start, end: start, text: "," }, added];
}
