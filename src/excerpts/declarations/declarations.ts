/** Replaces the declarations that an excerpt shows, each at its place, and inserts those that are new. */
import type { Part } from "../../addresses/part.ts";
import { append } from "../../core/lists.ts";
import { containerBeside, containerOf } from "./container.ts";
import { type ReadExcerpt } from "../contexts.ts";
import { joinedTo } from "./cut-short.ts";
import { findPart, isSaidToReplace, lacks, lossIn } from "./find-part.ts";
import { endOfStatement } from "../block.ts";
import { insertAt } from "../lines/statement.ts";
import {
  besideFields,
  blankLinesAtEnd,
  blankLinesBetween,
  endOfShown,
  firstFree,
  hasHoleAbove,
  hasHoleInside,
  hasStatementsBelow,
  isInStatement,
  isLineOf,
  lastBeside,
  lastVersion,
  linesAbove,
  sectionsBeside,
  skipSharedLines,
} from "./insertion.ts";
import { goneMembers, type Holes, withOldMembers } from "./members.ts";
import { rangeFor, withoutRepeated } from "./signatures.ts";
import { CONTAINERS, type Found, LEAVES, linesBeside, linesOf, nameOf, standsApart } from "../parts.ts";
import { aboveRemarks, belowHead, isRemark, losesDecorator, wholeHeadOf, withKeptPrefix } from "../remarks.ts";
import { NO_PLACE, placeTold, tellsPlace, type ToldPlace } from "../told/places.ts";
import { containerTold, localsIn, type Told } from "../told/told.ts";
import {
  divideMembers,
  firstIndent,
  holdsWord,
  indentOf,
  linesNamed,
  MAX_QUOTED,
  reindented,
  type Span,
  type Splice,
  startOfRow,
  Unplaced,
  wholeLines,
} from "../text.ts";
import { isHole, withoutEdgeHoles } from "../placeholders/hole.ts";

/** What an excerpt changes. */
export interface Placed {
  readonly splices: readonly Splice[];
  /** `login replaced (lines 4-7)` */
  readonly done: readonly string[];
  /** How many of its declarations the file has, and how many are new. */
  readonly found: number;
  readonly added: number;
}

export interface OldFile {
  readonly text: string;
  readonly path: string;
  readonly parts: readonly Part[];
  readonly holes: Holes;
}

export function placeDeclarations(file: OldFile, excerpt: ReadExcerpt, told: Told): Placed | Unplaced {
  const placing = new Placing(file, excerpt, told);
  const problem = placing.place(excerpt.parts, undefined);
  return problem ?? { splices: placing.splices, done: placing.done, found: placing.found, added: placing.added };
}

class Placing {
  readonly splices: Splice[] = [];
  readonly done: string[] = [];
  found = 0;
  added = 0;
  readonly #file: OldFile;
  readonly #excerpt: ReadExcerpt;
  readonly #told: Told;

  constructor(file: OldFile, excerpt: ReadExcerpt, told: Told) {
    [this.#file, this.#excerpt, this.#told] = [file, excerpt, told];
  }

  /** @param inside the declaration of the file that these stand in, if the excerpt shows it */
  place(parts: readonly Part[], inside: Found | undefined): Unplaced | undefined {
    const shown = { file: this.#file, excerpt: this.#excerpt, told: this.#told };
    const targets = parts.map((part) => findPart(part, inside, shown));
    const problem = targets.find((one) => one instanceof Unplaced);
    if (problem !== undefined) return problem;
    for (const [index, part] of parts.entries()) {
      const target = targets[index] as Found | undefined;
      this[target === undefined ? "added" : "found"] += 1;
      const failed =
        target === undefined
          ? this.#insert(part, { parts, targets: targets as Array<Found | undefined>, index, inside })
          : this.#replace(part, target);
      if (failed !== undefined) return failed;
    }
    return undefined;
  }

  #replace(part: Part, target: Found): Unplaced | undefined {
    const { text } = this.#file;
    const old = target.part;
    if (old.isUncertain) return new Unplaced(`has a syntax error around ${old.name}`);
    // The last one of several may only look like a member of what is above it, but not where brackets tell.
    const outer = part.children.find(
      ({ name }) =>
        part.kind !== "rule" &&
        this.#told.names.has(name) &&
        ![part, ...old.children].some((one) => one.name === name) &&
        !this.#told.isAddition &&
        this.#file.parts.some((one) => one.name === name && one.kind !== "section"),
    );
    const [was, shown] = [text.slice(old.start, old.end), this.#excerpt.text.slice(part.start, part.end)];
    const stray = outer?.name ?? joinedTo(part, this.#file.parts, { was, shown, told: this.#told });
    if (stray !== undefined) return new Unplaced(`has ${stray} outside of ${old.name}: show it apart`, true);
    const members = part.children.filter(({ kind }) => !LEAVES.has(kind));
    const isReplaced = isSaidToReplace(this.#told, part.name);
    const lacksSome = !isReplaced && lacks(old, part, { before: text, now: this.#excerpt.text, told: this.#told });
    const hasHoles = this.#file.holes.has(was, shown);
    const isLess = lacksSome || losesDecorator(was, shown, this.#told) || hasHoles;
    // Fields below a placeholder are new, or stand for their old ones.
    const areFields = hasHoles && part.kind === "class" && part.children.length > 0;
    if (CONTAINERS.has(part.kind) && (members.length > 0 || areFields) && isLess)
      return this.#replaceMembers(part, target, members);
    const range = this.#rangeOf(part, old);
    const [before, above] = [text.slice(range.start, range.end), text.slice(old.start, range.start)];
    const now = withoutRepeated(above, this.#reindented(part, range));
    // Where an excerpt ends with a heading or a key alone, it does not show what is below it.
    const isHeading =
      shown.trim().split("\n").length === 1 &&
      (part.kind === "section" ||
        (part.kind === "key" && /:\s*$/.test(shown) && old.children.length > 0) ||
        (part.kind === "table" && old.children.length > 0));
    const whole = isHeading ? before : UNDECORATED.test(this.#told.text) ? now : withKeptPrefix(before, now);
    const filled = withOldMembers(part, before, whole, { holes: this.#file.holes, told: this.#told });
    // Fields are members too, where the lines between them do not tell.
    if (filled === undefined && part.kind === "interface" && part.children.length > 0)
      return this.#replaceMembers(part, target, members);
    if (filled === undefined)
      return new Unplaced(`is unclear about ${part.name}: what its placeholder stands for cannot be told`, true);
    const isOpen = this.#excerpt.isOpen && part.end >= this.#excerpt.text.trimEnd().length;
    const gone = goneMembers(part, before, filled, this.#told);
    if (gone !== undefined) return new Unplaced(gone, true);
    const loss = isHeading ? undefined : lossIn(part, before, filled, { told: this.#told, isOpen });
    // Little of a section or a list may be a stretch of its lines.
    if (loss !== undefined) return new Unplaced(loss, part.kind !== "section" && part.kind !== "key");
    if (filled === before) {
      this.done.push(`${nameOf(target)} unchanged`);
      return undefined;
    }
    if (this.#told.stays.has(part.name))
      return new Unplaced(`would change ${part.name}, which the sentence says stays the same`, true);
    this.splices.push({ ...range, text: filled });
    this.done.push(`${nameOf(target)} replaced (${linesNamed(text, range)})`);
    return undefined;
  }

  /** The sections inside one are not part of its text, where an excerpt shows none. */
  #rangeOf(part: Part, old: Part): Span {
    const { text } = this.#file;
    const range = wholeLines(text, rangeFor(part, old, this.#told.text));
    const inner = part.kind === "section" && part.children.length === 0 ? old.children[0] : undefined;
    return inner === undefined ? range : { start: range.start, end: wholeLines(text, inner).start };
  }

  #replaceMembers(part: Part, target: Found, members: readonly Part[]): Unplaced | undefined {
    const { text } = this.#file;
    const [oldFirst, newFirst] = [target.part.children[0], part.children[0]];
    if (oldFirst !== undefined && newFirst !== undefined) {
      const [before, now] = [
        text.slice(target.part.start, wholeLines(text, oldFirst).start),
        this.#excerpt.text.slice(part.start, wholeLines(this.#excerpt.text, newFirst).start),
      ];
      const [oldHead, newHead] = [before, now].map((head) => wholeHeadOf(head)) as [string, string];
      // Of a head of several lines, one may show the beginning alone.
      const isShort = oldHead.includes("\n") && (newHead.match(/\w+/g) ?? []).every((word) => holdsWord(oldHead, word));
      const at = isShort ? -1 : text.indexOf(oldHead, target.part.start);
      if (oldHead !== newHead && at !== -1 && at < wholeLines(text, oldFirst).start)
        this.splices.push({ start: at, end: at + oldHead.length, text: newHead });
    }
    const stray = this.#strayIn(part, target.part)?.slice(0, MAX_QUOTED);
    if (stray !== undefined)
      return new Unplaced(`lacks the line "${stray}", which is no member of ${part.name}: send it whole`);
    // Fields count too, where they are shown.
    const shown = part.children.filter((one) => members.includes(one) || LEAVES.has(one.kind));
    return this.place(shown, target);
  }

  /** Returns a line that an excerpt shows beside the members of a type, and that the file does not have there. */
  #strayIn(part: Part, old: Part): string | undefined {
    const known = new Set(linesBeside(this.#file.text, old));
    return belowHead(linesBeside(this.#excerpt.text, part)).find(
      (line) => !known.has(line) && !isHole(line) && !isRemark(line) && /\w/.test(line),
    );
  }

  #insert(part: Part, { parts, targets, index, inside }: Siblings): Unplaced | undefined {
    const isLeaf = LEAVES.has(part.kind);
    const { parts: all, text } = this.#file;
    const isOnly = this.#excerpt.isInside && all.length === 1 && all[0]?.kind === "class";
    const wanted = placeTold(this.#told, { ...this.#file, isForDeclaration: standsApart(part) });
    const isGiven = this.#told.isAddition && (isOnly || containerTold(this.#told, all) !== undefined);
    if (isLeaf && inside === undefined && !isGiven && wanted?.part === undefined)
      return new Unplaced(`has no ${part.name}`);
    // Where a placeholder stands between two, the new one may be anywhere between them.
    const before = this.#beside(parts, targets, index, -1);
    const after = this.#beside(parts, targets, index, 1);
    const end = endOfShown(this.#excerpt, parts, { targets, index });
    if (end === "between" && before === undefined && after === undefined && wanted === undefined)
      return new Unplaced(`may have ${part.name} anywhere between its placeholders: show an unchanged line beside it`);
    const sibling = before ?? after;
    const given = { file: this.#file, excerpt: this.#excerpt, told: this.#told };
    const container =
      inside?.part ?? (sibling === undefined ? containerOf(part, given) : containerBeside(sibling, part, given));
    if (container instanceof Unplaced) return container;
    const siblings = container?.children ?? sectionsBeside(part, this.#file.parts);
    const latest = wanted === undefined ? lastVersion(part, siblings) : undefined;
    // One that was inserted above stands where this one does, and comes first.
    const [anchor, side] =
      before !== undefined
        ? ([before.part, "below"] as const)
        : wanted?.part !== undefined &&
            (wanted.side === "above" || wanted.side === "below") &&
            siblings.includes(wanted.part)
          ? ([wanted.part, wanted.side] as const)
          : (after?.part ?? latest) !== undefined
            ? ([after?.part ?? latest, "above"] as const)
            : wanted?.side === "top" || (wanted === undefined && end === "first")
              ? ([firstFree(siblings, linesOf(this.#excerpt.text, part), this.#file), "above"] as const)
              : isLeaf
                ? besideFields(siblings)
                : ([lastBeside(part.name, siblings, { text, isPlaced: wanted !== undefined }), "below"] as const);
    const code = withoutEdgeHoles(this.#excerpt.text.slice(part.start, part.end));
    const localsOf = (name: string): readonly number[] => localsIn(text, all, name, this.#told);
    const nested = localsOf(part.name);
    if (nested.length > 1) return new Unplaced(`declares ${part.name} ${nested.length} times: say in which function`);
    if (nested[0] !== undefined && inside === undefined) return this.#replaceStatement(part, nested[0]);
    if (inside === undefined && parts.some(({ name }, at) => targets[at] === undefined && localsOf(name).length === 1))
      return new Unplaced(`may have ${part.name} in a function: show an unchanged line above it and one below`);
    const isAtEnd = wanted?.side === "end" && wanted.part === undefined && container === undefined;
    if (before === undefined && (wanted?.line !== undefined || (isAtEnd && hasStatementsBelow(text, siblings.at(-1)))))
      return this.#insertAtLine(part, wanted as ToldPlace);
    if (wanted === undefined && before === undefined && tellsPlace(this.#told, all)) return new Unplaced(NO_PLACE);
    if (this.#file.holes.has("", code) || hasHoleInside(this.#excerpt.text, part))
      return new Unplaced(`has no ${part.name}, whose placeholder stands for nothing`);
    if (anchor === undefined)
      return new Unplaced(`has no member in ${container?.name ?? ""} beside which ${part.name} could stand`);
    const around = wholeLines(text, anchor);
    // What the excerpt shows between its neighbour and the first new one.
    const first = targets.slice(0, index).findLastIndex((one) => one !== undefined) + 1;
    const place =
      before !== undefined && first > 0
        ? { ...around, end: skipSharedLines(text, around.end, linesAbove(this.#excerpt.text, parts, first)) }
        : around;
    const indent = firstIndent(text.slice(place.start, place.end));
    if (container === undefined && this.#excerpt.indent === "" && isInStatement(text, place.start))
      return new Unplaced(`has ${anchor.name} inside a statement: say what ${part.name} belongs below`);
    const written = `${reindented(linesOf(this.#excerpt.text, part), indent, text).replace(/\s+$/, "")}\n`;
    const isMember = part.kind === "key" && /^\s*\{/.test(text);
    // Members of JSON have commas between them.
    const isEnd = side === "below" && !/^\s*,/.test(text.slice(anchor.end));
    const joined = isMember ? written.replace(/,?\n$/, isEnd ? "\n" : ",\n") : written;
    const isLine = !code.trim().includes("\n");
    const isTop = container === undefined && !isMember;
    const divided = blankLinesBetween(text, siblings, { isTop, kind: part.kind, line: isLine ? anchor : undefined });
    const next = side === "above" && anchor === after?.part ? index + 1 : index;
    const blankShown = blankLinesAtEnd(linesAbove(this.#excerpt.text, parts, next));
    // A line alone stands as close to the one above it as it is shown.
    const isTold = isTop && wanted?.part === anchor && anchor.kind === part.kind && isLineOf(text, anchor);
    const isClose = isLine && (isTold || (before !== undefined && parts[index - 1] !== undefined));
    const blank = "\n".repeat(isClose ? blankShown : Math.max(divided, blankShown));
    if (isMember && isEnd) divideMembers(this.splices, anchor.end, place.end);
    if (part.kind === "section") {
      // A section ends with the blank lines below it.
      const isDivided = side === "above" || /(?:^|\n)[ \t]*\n$/.test(text.slice(0, place.end));
      const at = side === "above" ? place.start : place.end;
      const gap = isDivided ? "" : text.endsWith("\n") ? "\n" : "\n\n";
      this.splices.push({ start: at, end: at, text: `${gap}${joined}${at < text.length ? "\n" : ""}` });
    } else if (side === "below") {
      const isOpen = place.end === text.length && !text.endsWith("\n");
      this.splices.push({
        start: place.end,
        end: place.end,
        text: `${isOpen ? "\n" : ""}${blank}${isOpen ? joined.trimEnd() : joined}`,
      });
    } else {
      const start = aboveRemarks(text, place.start, this.#excerpt.gaps);
      this.splices.push({ start, end: start, text: `${joined}${blank}` });
    }
    this.done.push(`${[container?.name, part.name].filter(Boolean).join(".")} added`);
    return undefined;
  }

  /** Replaces a declaration inside a function, which the grammar does not list. */
  #replaceStatement(part: Part, line: number): Unplaced | undefined {
    this.found += 1;
    const { text } = this.#file;
    const lines = text.split("\n");
    const end = startOfRow(lines, endOfStatement(lines, line) + 1);
    const range = { start: startOfRow(lines, line), end: Math.min(end, text.length) };
    const now = this.#reindented(part, range);
    if (this.#file.holes.has(text.slice(range.start, range.end), now))
      return new Unplaced(`is unclear about ${part.name}: what its placeholder stands for cannot be told`);
    this.splices.push({ ...range, text: now });
    this.done.push(`${part.name} replaced (${linesNamed(text, range)})`);
    return undefined;
  }

  /** Returns the nearest declaration on one side that the file has, if no placeholder stands between the two. */
  #beside(parts: readonly Part[], targets: Siblings["targets"], index: number, step: 1 | -1): Found | undefined {
    for (let at = index; at >= 0 && at < parts.length; at += step) {
      if (at !== index && targets[at] !== undefined) return targets[at];
      if (hasHoleAbove(this.#excerpt.text, parts, step === 1 ? at + 1 : at)) return undefined;
    }
    return undefined;
  }

  #insertAtLine(part: Part, place: ToldPlace): undefined {
    const { splices, done } = insertAt(this.#file.text, linesOf(this.#excerpt.text, part), place);
    append(this.splices, splices);
    append(this.done, done);
    return undefined;
  }

  #reindented(part: Part, old: Span): string {
    const { text } = this.#file;
    const before = text.slice(old.start, old.end);
    const lines = reindented(linesOf(this.#excerpt.text, part), firstIndent(before), text).replace(/\s+$/, "");
    const [had, has] = [before, lines].map((one) => /,\s*$/.test(one));
    const ended = part.kind !== "key" || had === has ? lines : had ? `${lines},` : lines.replace(/,$/, "");
    // A section ends with the blank lines above the next one.
    const tail = /\s*$/.exec(before)?.[0] ?? "";
    return before.endsWith("\n") ? `${ended}${tail}` : indentOf(before) === "" ? ended.trimStart() : ended;
  }
}

interface Siblings {
  readonly parts: readonly Part[];
  readonly targets: ReadonlyArray<Found | undefined>;
  readonly index: number;
  readonly inside: Found | undefined;
}

/** Sentences that take the decorator or the comment off what is shown. */
const UNDECORATED =
  /\b(?:(?:remov|delet|drop|without)\w*\b[^.\n]{0,60}(?:\b(?:decorators?|annotations?|attributes?|comments?|docstrings?)\b|`@|`#\[)|replac(?:e|ing) the docblocks? (?:by|with)\b)/i;
