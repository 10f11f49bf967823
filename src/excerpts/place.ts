/** The ways to place an excerpt, in the order in which they are tried. */
import type { Part } from "../addresses/part.ts";
import { once } from "../core/once.ts";
import { trimmedLines } from "../edit/lazy.ts";
import { type Grammar, type ReadExcerpt, readExcerpt } from "./contexts.ts";
import { isCutShort } from "./declarations/cut-short.ts";
import { placeDeclarations } from "./declarations/declarations.ts";
import type { Imports } from "./declarations/import-place.ts";
import { importsIn, isImport, linesWithoutImports } from "./declarations/imports.ts";
import type { Holes } from "./declarations/members.ts";
import { isLocal } from "./declarations/rivals.ts";
import { placeAlike, placeInSection, placeLonger, placeSetting } from "./lines/alike.ts";
import { insertBeside, isMissing } from "./lines/beside.ts";
import { placeBesideLike, placeFragment } from "./lines/fragment.ts";
import { placeInNamed, placeInType } from "./lines/into-block.ts";
import { placeCases } from "./lines/further-cases.ts";
import { withKeptEnd } from "./lines/kept-end.ts";
import { isSubsequence } from "./lines/nearest.ts";
import { endOfList, isFrame, placeBelowLike, SECTION } from "./lines/list-end.ts";
import { keepsOnlyEnds, ONE_MORE, replacesElement, replacesHead } from "./lines/one-more.ts";
import { replaceLines } from "./lines/pair.ts";
import { removeShown } from "./lines/remove.ts";
import { insertAt } from "./lines/statement.ts";
import { placeAround } from "./lines/wrap.ts";
import { everyPart, hasBody, kindOf, LEAVES, standsApart } from "./parts.ts";
import { isCommentIn, isHead } from "./remarks.ts";
import { dedented, indentOf, isHole, spliced, type Splice, Unplaced, type Within, withoutEdgeHoles } from "./text.ts";
import { placeNumbered } from "./told/numbered.ts";
import { isInBody, NO_PLACE, placeTold, tellsPlace, type ToldPlace } from "./told/places.ts";
import { bare, containerTold, ownName, toldLine, type Told, withinTold } from "./told/told.ts";
import { whatGoes } from "./told/what-goes.ts";
import { hiddenIn, losesMore, vanishedIn } from "./vanished.ts";

/** What an answer shows without the text that it replaces. */
export interface Placeable {
  readonly path: string;
  readonly content: string;
  /** The sentences about it. */
  readonly told: string;
  readonly source: Grammar;
  readonly holes: Holes;
  /** Whether its path stands at the fence. */
  readonly isLabelled?: boolean;
  /** The text before the answer, if an earlier block of it has changed that. */
  readonly original?: string | undefined;
}

export interface Placed {
  readonly splices: readonly Splice[];
  readonly done: readonly string[];
  readonly imports?: Imports;
  /** Set if it takes away what is shown. */
  readonly isRemoval?: true;
}

export function place(before: string, excerpt: Placeable, told: Told): Placed | Unplaced {
  const shown = new Shown(before, excerpt, told);
  return (
    asRemoval(shown) ??
    placeNumbered(before, excerpt.content, told.text) ??
    asImports(shown) ??
    byDeclarations(shown) ??
    byLines(shown)
  );
}

/** An excerpt and its file, each read once. */
class Shown {
  readonly excerpt: Placeable;
  readonly told: Told;
  readonly file: { readonly text: string; readonly parts: readonly Part[]; readonly holes: Holes };
  /** The trimmed lines of the file. */
  readonly there: ReadonlySet<string>;
  /** The lines of the excerpt that are not blank. */
  readonly lines: readonly string[];
  /** Its first line that is no comment, trimmed. */
  readonly first: string;
  /** The lines of the file that the sentences name. */
  readonly within: Within | undefined;
  readonly imports: Imports;
  /** What the grammar reads of it. */
  readonly read = once(() => readExcerpt(this.excerpt.path, this.excerpt.content, this.excerpt.source));
  /** The place that the sentences name. */
  readonly at = once(() =>
    placeTold(this.told, { ...this.file, isForDeclaration: this.read()?.parts.some(standsApart) }),
  );
  /** The lines between two that both have. */
  readonly fragment = once(() => this.#fragment());

  constructor(before: string, excerpt: Placeable, told: Told) {
    const { path, content, source, holes } = excerpt;
    [this.excerpt, this.told] = [excerpt, told];
    this.file = { text: before, parts: source.parts(before), holes };
    this.there = new Set(trimmedLines(before));
    this.lines = content.split("\n").filter((line) => line.trim() !== "");
    this.first = trimmedLines(content).find((line) => !isCommentIn(path, line)) ?? "";
    this.within = withinTold(before, this.file.parts, told);
    this.imports = importsIn(dedented(content));
  }

  #fragment(): Placed | Unplaced {
    const { text, parts } = this.file;
    const { content } = this.excerpt;
    const placed = placeFragment(text, content, this.within, this.told);
    if (placed instanceof Unplaced) return placed;
    const hidden = hiddenIn(text, placed.splices, { content, parts, told: this.told });
    return hidden === undefined ? placed : new Unplaced(`would lose ${hidden}`);
  }
}

function asRemoval({ file, excerpt: { content, source }, told, first }: Shown): Placed | Unplaced | undefined {
  const names = source.parts(content).flatMap((part) => [part.name, ownName(part)]);
  const goes = whatGoes(told, { content, first, names });
  if (goes === "shown") {
    const removed = removeShown(file.text, content, { parts: file.parts });
    if (!(removed instanceof Unplaced)) return { ...removed, isRemoval: true };
    if (told.isRemovalLast) return removed;
  }
  const isThere = (): boolean => trimmedLines(file.text).join("\n").includes(trimmedLines(content).join("\n"));
  return goes === "unclear" && isThere()
    ? new Unplaced("has this already, and the sentence does not say that it goes: write Delete this")
    : undefined;
}

/** Returns the imports of an excerpt that has nothing else but placeholders, unless sentences place declarations in it. */
function asImports({ lines, imports, told, read, at }: Shown): Placed | undefined {
  const shown = imports.all.flatMap((one) => one.lines.filter((line) => line.trim()));
  const isAll = shown.length > 0 && lines.filter((line) => !isHole(line)).length === shown.length;
  const isPlaced = isAll && tellsPlace(told) && read() !== undefined && at() !== undefined;
  return isAll && !isPlaced ? { splices: [], done: [], imports } : undefined;
}

/** Places what the grammar reads as declarations. Undefined if there are none, or if they are statements. */
function byDeclarations(shown: Shown): Placed | Unplaced | undefined {
  const { excerpt, told, file, there, lines, fragment } = shown;
  const [{ path, content, holes }, read, at] = [excerpt, shown.read(), shown.at()];
  if (read === undefined || file.parts.length === 0) return undefined;
  const gaps = read.gaps.filter((line) => !isHead(line) && !isHole(line));
  const isGap = (line: string): boolean => line.trim() === "" || gaps.includes(line.trim());
  const imports = { ...shown.imports, all: shown.imports.all.filter((one) => one.lines.every(isGap)) };
  const imported = new Set(imports.all.flatMap((one) => one.lines.map((line) => line.trim())));
  const isKnown = (line: string): boolean => imported.has(line) || isCommentIn(path, line) || there.has(line);
  const setsLocal = read.parts.some((part) => isLocal(part, file, shown.within) || isInOther(part, file, read));
  if (areLines(shown, read, at) || setsLocal || !gaps.every(isKnown)) return undefined;
  // A section that no sentence names may go on below the last line that is shown.
  const stretch = isUnnamedSection(read.parts, told) ? placeFragment(file.text, content, undefined, told) : undefined;
  if (stretch !== undefined && !(stretch instanceof Unplaced))
    return endsEarly(file, read.parts, stretch)
      ? new Unplaced(`has more lines in ${read.parts[0]?.name} below those that are shown: say whether they stay`)
      : stretch;
  if (isCutShort(file, read, told)) return fragment();
  const item = told.isAddition ? undefined : itemLike(file.text, content, read.parts);
  if (item !== undefined) return item;
  const placed = placeDeclarations(file, read, told);
  if (placed instanceof Unplaced) {
    if (placed.isLoss || holes.has(file.text, content)) return placed;
    // What is a field beside others may be a member of something else: of an enum, of a list.
    const isMember = told.isAddition && read.parts.every(({ kind }) => LEAVES.has(kind));
    const stated = isMember ? byLines(shown) : fragment();
    return stated instanceof Unplaced ? placed : stated;
  }
  if (told.isAddition && replacesElement(file, placed)) return ONE_MORE;
  const isAll = vanishedIn(content, spliced(file.text, placed.splices) ?? content) === undefined;
  if (isAll && (placed.added === 0 || told.isAddition)) return { ...placed, imports };
  // What has declarations of no place may be statements of a function.
  const isRule = placed.found === 0 && read.parts.every(({ kind }) => kind === "rule");
  const stated = isRule || holes.has(file.text, content) ? undefined : fragment();
  if (stated !== undefined && !(stated instanceof Unplaced)) {
    const areFunctions = read.parts.every((part) => hasBody(part) && part.kind !== "key");
    const keepsMore = placed.found > 0 && areFunctions && losesMore(file.text, stated.splices, placed.splices);
    if (!keepsMore) return stated;
  }
  const hasOthers = gaps.length > 0 || lines.some((line) => isImport(line) || isHead(line));
  const isTold =
    placed.found > 0 ||
    told.goesOn ||
    isFurther(file.parts, read.parts, isAlone(excerpt, told) && !hasOthers) ||
    (read.parts.every((part) => isOfKnownType(part, file.parts)) && !hasOthers) ||
    at !== undefined ||
    containerTold(told, file.parts) !== undefined;
  return isTold ? { ...placed, imports } : new Unplaced(`has no ${read.parts[0]?.name ?? ""}: say where it belongs`);
}

/** Returns whether a value that a file does not have stands in a statement. */
function isInOther({ name, kind, start }: Part, { parts }: Shown["file"], { text, isInside }: ReadExcerpt): boolean {
  const isDeeper =
    indentOf(text.slice(text.lastIndexOf("\n", start) + 1)) !== "" &&
    /^(?:if|try|for|while|with)\b.*:\s*$/m.test(text.split("\n", 1)[0] ?? "");
  return !isInside && kind === "variable" && isDeeper && !everyPart(parts).some(({ part }) => part.name === name);
}

/** Returns whether what is read as declarations are statements, which a grammar reads as such too. */
function areLines({ file, lines }: Shown, { parts }: ReadExcerpt, at: ToldPlace | undefined): boolean {
  if (at === undefined) return false;
  const row = at.line === undefined ? undefined : file.text.split("\n")[at.line]?.trim();
  const isThere = (part: Part): boolean =>
    hasBody(part) && everyPart(file.parts).some(({ part: { name } }) => name === part.name);
  return (
    (at.line !== undefined && lines.some((line) => line.trim() === row) && !parts.some(isThere)) ||
    parts.every(({ kind }) => kind === "item") ||
    (isInBody(at) && parts.every(({ name }) => name !== at.part?.name))
  );
}

/** Returns whether a path stands at the fence, or in a sentence that says nothing else. */
function isAlone({ path, told: sentences, isLabelled = false }: Placeable, told: Told): boolean {
  const isNamed = sentences.includes(path.slice(path.lastIndexOf("/") + 1));
  return isLabelled || (isNamed && !/\p{L}/u.test(told.text.replace(PLACE_WORDS, "")));
}

/** Places lines: where others of the file stand, or where the sentences say. */
function byLines(shown: Shown): Placed | Unplaced {
  const { excerpt, told, file, there, lines, within } = shown;
  const [{ content, holes, original }, { text: before }, { isAddition }] = [excerpt, file, told];
  const [at, fragment] = [shown.at(), shown.fragment()];
  const cases = at?.line === undefined ? placeCases(before, content, { within, told }) : undefined;
  if (cases !== undefined) return cases;
  if (at?.side === "end" && at.part === undefined && /<\/html>\s*$/i.test(before) && !/<\/html>/i.test(content))
    return new Unplaced("ends with </html>: say what this goes below");
  // Lines of which the file has most are no new ones.
  const isNew = isAddition || lines.filter((line) => there.has(line.trim())).length * 2 < lines.length;
  const replaced = isAddition ? undefined : placeInSection(before, content, at?.line);
  const member = isAddition && file.parts.length === 0 ? placeInType(before, content, told.text) : undefined;
  const inserted = replaced ?? member ?? (at && isNew ? insertBeside(file, content, at) : undefined);
  const isAnother = addsOneMore(shown, fragment);
  if (!(fragment instanceof Unplaced) && !isAnother) {
    // Lines that stand elsewhere already are no reason not to add them where a sentence says.
    const isElsewhere = isAddition && fragment.splices.length === 0 && isMissing(before, inserted);
    if (!isElsewhere) return withFilledHoles(before, fragment, holes);
  }
  const longer = at !== undefined || told.isFurther || isAnother ? undefined : placeLonger(before, content, within);
  if (longer !== undefined) return longer;
  if (inserted !== undefined) return inserted;
  if (at !== undefined) return fragment;
  const apart = fragment instanceof Unplaced ? besideImports(shown) : undefined;
  if (apart !== undefined) return apart;
  const listed = isAddition ? placeInNamed(before, content, told.text) : undefined;
  if (listed !== undefined) return listed;
  // A place that the file does not have is no reason to choose another one.
  if (tellsPlace(told)) return isAnother ? ONE_MORE : new Unplaced(NO_PLACE);
  const like = isAddition ? (placeBesideLike(before, content, within) ?? placeBelowLike(before, content)) : undefined;
  if (like !== undefined) return like;
  if (isAnother) return ONE_MORE;
  const changed = placeAround(before, content, told) ?? inToldLine(shown);
  if (changed !== undefined) return changed;
  const alike = placeAlike(before, withoutEdgeHoles(content), { within, original, told: told.text });
  if (alike !== undefined && !isAddition && !told.isBeside)
    return withKeptEnd(before, alike, { content, isLess: told.isLess });
  const setting = isAddition || file.parts.length > 0 ? undefined : placeSetting(before, content);
  if (setting !== undefined) return setting;
  // Lists of names and the like have no order: what is added goes to the end.
  const isAllNew = isAddition && !lines.some((line) => there.has(line.trim()));
  const end = isAllNew ? endOfList(before, lines, file.parts.length > 0) : undefined;
  return end === undefined ? fragment : insertAt(before, content, { line: end, isLast: true, side: "below" });
}

/** Returns whether lines that a fragment would replace are only others of what a sentence adds. */
function addsOneMore({ file, told, first, lines, there }: Shown, fragment: Placed | Unplaced): boolean {
  if (fragment instanceof Unplaced) return false;
  // Signs and tags alone at both ends tell nothing of what is to be one more.
  const hasSignsAround = [first, lines.at(-1) ?? ""].every(isFrame);
  const addsAnother = told.isFurther || (told.isAddition && hasSignsAround);
  const isHeadNew = SECTION.test(first) && !there.has(first);
  return (
    (addsAnother && keepsOnlyEnds(file.text, fragment)) ||
    (told.isAddition && (replacesHead(file.text, fragment, first) || isHeadNew))
  );
}

/** Without a grammar, places the lines below imports where others of the file stand, and the imports among its own. */
function besideImports({ file, excerpt, told, imports }: Shown): Placed | undefined {
  if (imports.all.length === 0 || file.parts.length > 0) return undefined;
  const content = linesWithoutImports(imports).join("\n");
  const placed = new Shown(file.text, { ...excerpt, content }, told).fragment();
  return placed instanceof Unplaced ? undefined : { ...placed, imports };
}

/** Replaces the line that the sentences name. */
function inToldLine({ file, excerpt, told, lines, there }: Shown): Placed | Unplaced | undefined {
  const line = toldLine(told, file.text, lines[0] ?? "");
  // Lines of the file beside it would be there twice.
  const isOneLine = lines.slice(1).every((one) => !there.has(one.trim()) || !/\w/.test(one));
  return line !== undefined && isOneLine
    ? replaceLines(file.text, { old: file.text.split("\n")[line]?.trim() ?? "", content: excerpt.content })
    : undefined;
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

/** Returns whether a function of Go is a method of a type of which the file has others. */
function isOfKnownType({ name, kind }: Part, parts: readonly Part[]): boolean {
  const type = kind === "method" ? name.slice(0, name.lastIndexOf(".") + 1) : "";
  return type !== "" && parts.some((part) => part.kind === kind && part.name.startsWith(type));
}

/** All that a sentence has beside a path: and in the file. */
const PLACE_WORDS = /\b(?:also|and|at|class|file|for|in|module|new|now|the|then|to|your)\b/gi;
/** What its place gives a meaning, or what is data. */
const IN_ORDER: ReadonlySet<string> = new Set(["rule", "section", "key", ...LEAVES]);

function isUnnamedSection([only, ...others]: readonly Part[], { text }: Told): boolean {
  if (only?.kind !== "section" || others.length > 0) return false;
  const [name, plain] = [bare(only.name), text.replaceAll(MARKS, "").toLowerCase()];
  const isCalled = (noun: string): boolean =>
    [`${name} ${noun}`, `${noun} ${name}`].some((words) => plain.includes(words.toLowerCase()));
  return !isCalled("section") && (isCalled("list") || isCalled("table") || !text.includes(name));
}

/** What stands around a name in a sentence. */
const MARKS = /["'“”*_`#]/g;

/** Returns whether lines replace others in a section that has more below: that may be meant to go too. */
function endsEarly({ text, parts }: Shown["file"], [shown]: readonly Part[], { splices }: Placed): boolean {
  const section = everyPart(parts).find(({ part }) => part.name === shown?.name)?.part;
  const [splice] = splices;
  // Below the title stands the head of the file, of which some lines may be shown.
  if (section === undefined || splice === undefined || section.name.startsWith("# ")) return false;
  const end = section.children[0]?.start ?? section.end;
  const isLess = !isSubsequence(trimmedLines(text.slice(splice.start, splice.end)), trimmedLines(splice.text));
  return isLess && splice.end < end && text.slice(splice.end, end).trim() !== "";
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
