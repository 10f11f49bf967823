/** Puts what a plain answer shows of a file into it: with proof, or not at all. */
import type { Part } from "../addresses/part.ts";
import type { Source } from "../edit/whole-file.ts";
import { trimmedLines } from "../edit/lazy.ts";
import { type Grammar, readExcerpt } from "./contexts.ts";
import { isCutShort } from "./declarations/cut-short.ts";
import { placeDeclarations } from "./declarations/declarations.ts";
import type { Holes } from "./declarations/members.ts";
import { doubledSetting, placeAlike, placeInSection, placeLonger, placeSetting } from "./lines/alike.ts";
import { placeBesideLike, placeFragment, replaceLines } from "./lines/fragment.ts";
import { replaceSpan } from "./lines/span.ts";
import { insertAt } from "./lines/statement.ts";
import type { Imports } from "./declarations/import-place.ts";
import { importsIn, isImport, withImports } from "./declarations/imports.ts";
import { isCommentIn, isHead } from "./remarks.ts";
import { withKeptEnd } from "./lines/kept-end.ts";
import { placeNumbered } from "./told/numbered.ts";
import { everyPart, hasBody, kindOf, LEAVES } from "./parts.ts";
import { endOfList, isFrame, placeBelowLike, SECTION } from "./lines/list-end.ts";
import { keepsOnlyEnds, ONE_MORE, replacesElement, replacesHead } from "./lines/one-more.ts";
import { isLocal } from "./declarations/rivals.ts";
import { removeShown, withoutComma } from "./lines/remove.ts";
import { dedented, holdsWord, isAlike, isHole, spliced, type Splice, Unplaced, withoutEdgeHoles } from "./text.ts";
import { valueForType } from "./values.ts";
import { hiddenIn, losesMore, vanishedIn } from "./vanished.ts";
import { whatGoes } from "./told/what-goes.ts";
import { placeWhereMeant } from "./lines/where-meant.ts";
import { insertBeside, insertField, isMissing } from "./lines/beside.ts";
import { isInBody, NO_PLACE, placeTold, tellsPlace } from "./told/places.ts";
import { placeAround } from "./lines/wrap.ts";
import { bare, containerTold, fromTold, insideTold, ownName, toldIn, toldLine, type Told, withinTold } from "./told/told.ts";

export interface ExcerptSource extends Source, Grammar {}

/** What an answer shows. */
export interface Excerpt {
  readonly path: string;
  readonly content: string;
  /** The lines that it replaces, if the answer shows them. */
  readonly old?: string | undefined;
  /** How often the file has what it replaces, if not once: a number, or "all". */
  readonly times?: string | undefined;
  /** The sentences about it. */
  readonly told: string;
  readonly source: ExcerptSource;
  readonly holes: Holes;
  /** Whether its path stands at the fence. */
  readonly isLabelled?: boolean;
  /** The text before the answer, if an earlier block of it has changed that. */
  readonly original?: string | undefined;
}

/** The text that is meant, and what was done: `login replaced (lines 4-7)`. Or why it is refused. */
export type Merged =
  | {
      readonly text: string;
      readonly done: readonly string[];
      /** How many declarations of the file stay as they are. */
      readonly untouched: number;
    }
  | Unplaced;

export function mergeExcerpt(before: string, excerpt: Excerpt): Merged {
  const { path, content, old, source } = excerpt;
  // The words of a path are no names in its file.
  const told = toldIn(excerpt.told.replaceAll(path, " ").replaceAll(path.slice(path.lastIndexOf("/") + 1), " "));
  const isSpan = old !== undefined && !old.includes("\n");
  const parts = source.parts(before);
  const placed =
    old === undefined
      ? placeWhereMeant(before, place(before, excerpt, told), { content, path, said: told })
      : content.trim() === ""
        ? removeShown(before, old, { parts, within: fromTold(before, parts, told) })
        : isSpan
          ? replaceSpan(before, { old, now: content, times: excerpt.times, within: insideTold(before, parts, told) })
          : replaceLines(before, { old, content, within: withinTold(before, parts, told) });
  if (placed instanceof Unplaced) return placed;
  const asked = content.split("\n").find((line) => ASKS.test(line) && !before.includes(line.trim()));
  if (asked !== undefined) return new Unplaced(`is to hold code that the answer leaves to you: "${asked.trim()}"`);
  const isRemoval = content.trim() === "" || "isRemoval" in placed;
  const removed = isRemoval && source.isValid(before) === true ? withoutComma(before, placed) : undefined;
  const plain = spliced(before, placed.splices);
  const isComma = removed !== undefined && source.isValid(plain ?? "") === false && source.isValid(removed) === true;
  const changed = isComma ? removed : plain;
  if (changed === undefined) return new Unplaced("is shown twice at one place: which text is meant is unclear");
  const { imports } = placed as Placed;
  const text = imports === undefined ? changed : withImports(changed, imports, path);
  if (text instanceof Unplaced) return text;
  const done = isComma ? placed.done.map((one) => `${one}, and the comma above`) : [...placed.done];
  if (imports !== undefined && text !== changed) done.push(imports.all.length === 1 ? "import added" : "imports added");
  const vanished = told.isRemoval || isSpan || "isRemoval" in placed ? undefined : vanishedIn(content, text);
  if (vanished !== undefined) return new Unplaced(`would not hold the line "${vanished.slice(0, 60)}"`);
  const given = { before, parts: source.parts(before), content };
  const valued = old === undefined ? valueForType(given, placed.splices) : undefined;
  if (valued !== undefined) return valued;
  // It may break nothing that was whole, and lose nothing that it does not show.
  // Of several pairs, only all may be.
  if (old === undefined && source.isValid(before) !== false && source.isValid(text) === false)
    return new Unplaced("would have a syntax error afterwards");
  const hasGrammar = source.parts(before).length > 0;
  const doubled =
    told.isAddition && !hasGrammar ? doubledSetting(before, text, told.isFurther ? "" : told.text) : undefined;
  if (doubled !== undefined) return new Unplaced(`has ${doubled} in this section: say whether the old one stays`);
  const declared = (file: string, name: string): number =>
    everyPart(source.parts(file)).filter(({ part }) => part.name === name).length;
  // What is declared elsewhere now, or imported, has only moved. What an old text shows is meant to go.
  const movable = [old ?? "", ...content.split("\n").filter(isImport)].join("\n");
  const isGone = (name: string): boolean =>
    !holdsWord(movable, bare(name)) && (!hasGrammar || declared(before, name) > declared(text, name));
  // Without a grammar, a word may be anything.
  const lost = "isRemoval" in placed ? [] : source.lostIn(before, text).filter((name) => isGone(lastOf(name)));
  if (lost.length > 0) return new Unplaced(`would lose ${lost.slice(0, 5).join(", ")}`);
  const forgotten = told.isWhole ? undefined : forgottenIn(excerpt.original, before, text);
  if (forgotten !== undefined)
    return new Unplaced(`would lose the line "${forgotten}", which an earlier block of the answer has added`);
  const isElided = text.split("\n").some((line) => ELIDED.test(line) && !before.includes(line.trim()));
  if (isElided || excerpt.holes.has(before, text)) return new Unplaced(`would hold a placeholder in '${path}'`);
  return { text, done, untouched: untouchedIn(source.parts(before), placed.splices) };
}

/** A comment of nothing but an ellipsis. */
const ELIDED = /^\s*(?:\/\/|#|--|\/\*|<!--|\{\/\*)\s*(?:\.{3}|…)\s*(?:\*\/\}?|-->)?\s*$/;

/** Counts the declarations in which nothing is changed. What names data is none. */
function untouchedIn(parts: readonly Part[], splices: readonly Splice[]): number {
  return everyPart(parts).filter(
    ({ part: { kind, start, end } }) =>
      DECLARATIONS.has(kind) && !splices.some((one) => one.start < end && one.end > start),
  ).length;
}

const DECLARATIONS: ReadonlySet<string> = new Set(
  "class constant constructor enum function impl interface macro method struct trait type union variable".split(" "),
);

/** Returns a line that the answer itself has added, and that a later part of it lacks, with nothing alike in its place. */
function forgottenIn(original: string | undefined, before: string, now: string): string | undefined {
  if (original === undefined || original === before) return undefined;
  const [old, lines] = [new Set(trimmedLines(original)), trimmedLines(now)];
  return trimmedLines(before).find(
    (line) => line.length > 1 && !old.has(line) && !lines.some((other) => isAlike(other, line)),
  );
}

/** A comment in place of code that somebody else has to write. */
const ASKS =
  /^\s*(?:#|\/\/|\/\*|<!--|--)\s*(?:(?:\.\.\.|…)\s*)?(?:(?:add|insert|put|write|place) )?your (?:own )?[\w ]{0,40}\b(?:here|goes here)\b/i;

interface Placed {
  readonly splices: readonly Splice[];
  readonly done: readonly string[];
  readonly imports?: Imports;
  /** Set if it takes away what is shown. */
  readonly isRemoval?: true;
}

function place(
  before: string,
  { path, content, source, holes, told: sentences, isLabelled = false, original }: Excerpt,
  told: Told,
): Placed | Unplaced {
  const within = withinTold(before, source.parts(before), told);
  const names = source.parts(content).flatMap((part) => [part.name, ownName(part)]);
  const first = trimmedLines(content).find((line) => !isCommentIn(path, line)) ?? "";
  const goes = whatGoes(told, { content, first, names });
  if (goes === "shown") {
    const removed = removeShown(before, content, { parts: source.parts(before) });
    if (!(removed instanceof Unplaced)) return { ...removed, isRemoval: true };
    if (told.isRemovalLast) return removed;
  }
  if (goes === "unclear" && trimmedLines(before).join("\n").includes(trimmedLines(content).join("\n")))
    return new Unplaced("has this already, and the sentence does not say that it goes: write Delete this");
  const numbered = placeNumbered(before, content, told.text);
  if (numbered !== undefined) return numbered;
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const shown = importsIn(dedented(content));
  if (lines.length > 0 && lines.length === shown.all.flatMap((one) => one.lines.filter((line) => line.trim())).length)
    return { splices: [], done: [], imports: shown };
  const read = readExcerpt(path, content, source);
  const gaps = read?.gaps.filter((line) => !isHead(line) && !isHole(line)) ?? [];
  const isGap = (line: string): boolean => line.trim() === "" || gaps.includes(line.trim());
  const imports = { ...shown, all: shown.all.filter((one) => one.lines.every(isGap)) };
  const imported = new Set(imports.all.flatMap((one) => one.lines.map((line) => line.trim())));
  const isForDeclaration = read?.parts.some(hasBody) === true;
  const at = placeTold(told, { text: before, parts: source.parts(before), isForDeclaration });
  // Statements are read as declarations too.
  const isShown = (row: number): boolean => lines.some((line) => line.trim() === before.split("\n")[row]?.trim());
  const isThere = (part: Part): boolean =>
    hasBody(part) && everyPart(source.parts(before)).some(({ part: { name } }) => name === part.name);
  const areLines =
    at !== undefined &&
    ((at.line !== undefined && isShown(at.line) && !read?.parts.some(isThere)) ||
      read?.parts.every(({ kind }) => kind === "item") === true ||
      (isInBody(at) && read?.parts.every(({ name }) => name !== at.part?.name) === true));
  const setsLocal = read?.parts.some((part) => isLocal(part, { text: before, parts: source.parts(before) }, within));
  const there = new Set(trimmedLines(before));
  const isKnown = (line: string): boolean => imported.has(line) || isCommentIn(path, line) || there.has(line);
  if (read !== undefined && !areLines && setsLocal !== true && gaps.every(isKnown)) {
    const file = { text: before, parts: source.parts(before), holes };
    if (file.parts.length > 0) {
      // A section that no sentence names may go on below the last line that is shown.
      const stretch = isUnnamedSection(read.parts, told) ? placeFragment(before, content, undefined, told) : undefined;
      if (stretch !== undefined && !(stretch instanceof Unplaced)) return stretch;
      if (isCutShort(file, read, told)) return fragmentIn();
      const item = told.isAddition ? undefined : itemLike(before, content, read.parts);
      if (item !== undefined) return item;
      const placed = placeDeclarations(file, read, told);
      if (placed instanceof Unplaced && placed.isLoss) return placed;
      if (told.isAddition && !(placed instanceof Unplaced) && replacesElement(file, placed)) return ONE_MORE;
      const isAll =
        !(placed instanceof Unplaced) && vanishedIn(content, spliced(before, placed.splices) ?? content) === undefined;
      if (!(placed instanceof Unplaced) && isAll && (placed.added === 0 || told.isAddition))
        return { ...placed, imports };
      // What has declarations of no place may be statements of a function.
      const fragment = holes.has(before, content) ? placed : fragmentIn();
      const keepsMore =
        !(placed instanceof Unplaced) &&
        placed.found > 0 &&
        read.parts.every((part) => hasBody(part) && part.kind !== "key") &&
        !(fragment instanceof Unplaced) &&
        losesMore(before, fragment.splices, placed.splices);
      if (!(fragment instanceof Unplaced) && fragment !== placed && !keepsMore) return fragment;
      if (placed instanceof Unplaced) return placed;
      const isNamed = sentences.includes(path.slice(path.lastIndexOf("/") + 1));
      const isAlone = isLabelled || (isNamed && !/\p{L}/u.test(told.text.replace(PLACE_WORDS, "")));
      const isTold =
        placed.found > 0 ||
        told.goesOn ||
        isFurther(
          file.parts,
          read.parts,
          isAlone && gaps.length === 0 && !lines.some((line) => isImport(line) || isHead(line)),
        ) ||
        at !== undefined ||
        containerTold(told, file.parts) !== undefined;
      return isTold
        ? { ...placed, imports }
        : new Unplaced(`has no ${read.parts[0]?.name ?? ""}: say where it belongs`);
    }
  }
  const fragment = fragmentIn();
  if (at?.side === "end" && at.part === undefined && /<\/html>\s*$/i.test(before) && !/<\/html>/i.test(content))
    return new Unplaced("ends with </html>: say what this goes below");
  // Lines of which the file has most are no new ones.
  const isNew = told.isAddition || lines.filter((line) => there.has(line.trim())).length * 2 < lines.length;
  const replaced = told.isAddition ? undefined : placeInSection(before, content, at?.line);
  const inserted = replaced ?? (at && isNew ? insertBeside(before, content, at) : undefined);
  // Lines that stand elsewhere already are no reason not to add them where a sentence says.
  const isElsewhere =
    told.isAddition && !(fragment instanceof Unplaced) && fragment.splices.length === 0 && isMissing(before, inserted);
  // Signs and tags alone at both ends tell nothing of what is to be one more.
  const hasSignsAround = [first, lines.at(-1) ?? ""].every(isFrame);
  const addsAnother = told.isFurther || (told.isAddition && hasSignsAround);
  const isAnother =
    !(fragment instanceof Unplaced) &&
    ((addsAnother && keepsOnlyEnds(before, fragment)) ||
      (told.isAddition && (replacesHead(before, fragment, first) || (SECTION.test(first) && !there.has(first)))));
  if (!(fragment instanceof Unplaced) && !isElsewhere && !isAnother) return withFilledHoles(before, fragment, holes);
  const longer = at !== undefined || told.isFurther || isAnother ? undefined : placeLonger(before, content, within);
  if (longer !== undefined) return longer;
  if (inserted !== undefined) return inserted;
  if (at !== undefined) return fragment;
  const type = told.isAddition ? containerTold(told, source.parts(before)) : undefined;
  const field = type?.kind === "struct" || type?.kind === "interface" ? insertField(before, content, type) : undefined;
  if (field !== undefined) return field;
  // A place that the file does not have is no reason to choose another one.
  if (tellsPlace(told)) return isAnother ? ONE_MORE : new Unplaced(NO_PLACE);
  const beside = told.isAddition ? placeBesideLike(before, content, within) : undefined;
  if (beside !== undefined) return beside;
  const below = told.isAddition ? placeBelowLike(before, content) : undefined;
  if (below !== undefined) return below;
  if (isAnother) return ONE_MORE;
  const around = placeAround(before, content, told);
  if (around !== undefined) return around;
  const line = toldLine(told, before, lines[0] ?? "");
  // Lines of the file beside it would be there twice.
  const isOneLine = lines.slice(1).every((one) => !there.has(one.trim()) || !/\w/.test(one));
  if (line !== undefined && isOneLine)
    return replaceLines(before, { old: before.split("\n")[line]?.trim() ?? "", content });
  const alike = placeAlike(before, withoutEdgeHoles(content), { within, original });
  if (alike !== undefined && !told.isAddition && !told.isBeside) return withKeptEnd(before, alike, content);
  const setting = told.isAddition || source.parts(before).length > 0 ? undefined : placeSetting(before, content);
  if (setting !== undefined) return setting;
  // Lists of names and the like have no order: what is added goes to the end.
  const end =
    told.isAddition && !lines.some((line) => there.has(line.trim()))
      ? endOfList(before, lines, source.parts(before).length > 0)
      : undefined;
  return end === undefined ? fragment : insertAt(before, content, { line: end, isLast: true, side: "below" });

  function fragmentIn(): Placed | Unplaced {
    const placed = placeFragment(before, content, within, told);
    const hidden =
      placed instanceof Unplaced
        ? undefined
        : hiddenIn(before, placed.splices, { content, parts: source.parts(before), told });
    return hidden === undefined ? placed : new Unplaced(`would lose ${hidden}`);
  }
}

/** Replaces the element of a list without names that one of an excerpt is a new form of, if that has all its lines. */
function itemLike(before: string, content: string, [only, other]: readonly Part[]): Placed | undefined {
  // A head such as [[bin]] is that of all of them.
  const isItem = only?.kind === "item" && other === undefined && /^\s*- \w/.test(content);
  const placed = isItem ? placeAlike(before, content, {}) : undefined;
  const isLess = placed?.splices.some(
    ({ start, end, text }) => trimmedLines(before.slice(start, end)).length > trimmedLines(text).length,
  );
  return isLess === true ? undefined : placed;
}

/**
 * Returns whether new declarations go to the end of a file without a sentence: tables, which have no order, and those
 * of which the file has others of their kind, where its path stands above them alone.
 */
function isFurther(parts: readonly Part[], shown: readonly Part[], isAlone: boolean): boolean {
  const kinds = new Set(everyPart(parts).map(({ part }) => kindOf(part.kind)));
  return shown.every(({ kind }) => kind === "table" || (isAlone && kinds.has(kindOf(kind)) && !IN_ORDER.has(kind)));
}

/** All that a sentence has beside a path: and in the file. */
const PLACE_WORDS = /\b(?:also|and|at|class|file|for|in|module|new|now|the|then|to|your)\b/gi;
/** What its place gives a meaning, or what is data. */
const IN_ORDER: ReadonlySet<string> = new Set(["rule", "section", "key", ...LEAVES]);

function isUnnamedSection([only, ...others]: readonly Part[], { text }: Told): boolean {
  return only?.kind === "section" && others.length === 0 && !text.includes(bare(only.name));
}

/** Returns splices with the lines that the placeholders in them stand for. */
function withFilledHoles(before: string, placed: Placed, holes: Holes): Placed | Unplaced {
  const splices = placed.splices.map(({ start, end, text }) => {
    const old = before.slice(start, end);
    const filled = holes.has(old, text) ? holes.filled(old, text) : text;
    return filled === undefined ? undefined : { start, end, text: filled };
  });
  return splices.every((one) => one !== undefined)
    ? { ...placed, splices }
    : new Unplaced("is unclear: what a placeholder stands for cannot be told");
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
