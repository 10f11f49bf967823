/** The ways to place an excerpt, in the order in which they are tried. */
import type { Part } from "../addresses/part.ts";
import { smallest } from "../core/lists.ts";
import { trimmedLines } from "../edit/lazy.ts";
import { mayBeElsewhere, notDescribed } from "./as-described.ts";
import type { ReadExcerpt } from "./contexts.ts";
import { isCutShort } from "./declarations/cut-short.ts";
import { placeDeclarations } from "./declarations/declarations.ts";
import { isImport } from "./declarations/imports.ts";
import { placeInFunction } from "./declarations/in-function.ts";
import { topFor } from "./declarations/top-of-file.ts";
import { isLocal } from "./declarations/rivals.ts";
import { placeAlike } from "./lines/alike.ts";
import { placeChanged } from "./lines/changed.ts";
import { ELEMENT, placeBelowLike } from "./lines/list-end.ts";
import { placeFragment } from "./lines/fragment.ts";
import { placeKeptWhole } from "./lines/kept-whole.ts";
import { isSubsequence } from "./lines/nearest.ts";
import { ONE_MORE, replacesElement } from "./lines/one-more.ts";
import { doublesTable, placeTable } from "./lines/tables.ts";
import { placeStatements } from "./lines/statements.ts";
import { removeShown } from "./lines/remove.ts";
import { everyPart, FUNCTIONS, hasBody, kindOf, LEAVES } from "./parts.ts";
import { isCommentIn, isHead, isRemark } from "./remarks.ts";
import { indentOf, lineWith, rowAt, spliced, Unplaced } from "./text.ts";
import { isHole } from "./placeholders/hole.ts";
import { notHeld } from "./told/holders.ts";
import { placeNumbered } from "./told/numbered.ts";
import { isInBody, tellsPlace, type ToldPlace } from "./told/places.ts";
import { bare, containerTold, lastSentence, localsIn, ownName, plain, type Told, withinTold } from "./told/told.ts";
import { whatGoes } from "./told/what-goes.ts";
import { losesMore, vanishedIn } from "./vanished.ts";
import { placeLines } from "./lines/place-lines.ts";
import { type Placeable, type Placed, Shown } from "./shown.ts";

export function place(before: string, excerpt: Placeable, told: Told): Placed | Unplaced {
  const shown = new Shown(before, excerpt, told);
  const given = asRemoval(shown) ?? placeNumbered(before, excerpt.content, told.text) ?? asImports(shown);
  if (given !== undefined) return given;
  const asDeclarations = (): Placed | Unplaced | undefined =>
    areInBody(shown) ? undefined : (placeInFunction(shown) ?? byDeclarations(shown));
  const usual = asStatements(shown) ?? asDeclarations() ?? placeLines(shown);
  const placed = (usual instanceof Unplaced ? asChanged(shown, usual) : undefined) ?? usual;
  if (placed instanceof Unplaced) return placed;
  const doubled = doublesTable(before, placed.splices);
  const elsewhere = mayBeElsewhere(shown) ?? (doubled && (placeTable(before, excerpt.content) ?? doubled));
  if (elsewhere !== undefined) return elsewhere;
  // Where a sentence tells the place, it is right. "Under `Tag`" may also mean in it.
  const at = shown.at();
  const isSure = at?.side === "end" || at?.part?.kind === "section" || !/\bunder\b/i.test(told.text);
  if (at !== undefined && isSure) return placed;
  const misplaced = notDescribed(placed, shown);
  return misplaced ?? notHeld(placed, { file: shown.file, parts: shown.read()?.parts ?? [], told }) ?? placed;
}

function asRemoval({ file, excerpt: { content, source }, told, first, imports }: Shown): Placed | Unplaced | undefined {
  const names = source.parts(content).flatMap((part) => [part.name, ownName(part)]);
  const isThere = trimmedLines(file.text).join("\n").includes(trimmedLines(content).join("\n"));
  // Remove `a` and import it.
  if (imports.all.length > 0 && !isThere && /\bimport (?:both|it|them)\b/i.test(told.text)) return undefined;
  const goes = whatGoes(told, { content, first, names, isThere });
  if (goes === "shown") {
    const removed = removeShown(file.text, content, { parts: file.parts });
    if (!(removed instanceof Unplaced)) return { ...removed, isRemoval: true };
    if (told.isRemovalLast) return removed;
  }
  return goes === "unclear" && isThere
    ? new Unplaced("has this already, and the sentence does not say that it goes: write Delete this")
    : undefined;
}

/** Returns the imports of an excerpt that has nothing else but placeholders, unless sentences place declarations in it. */
function asImports({ file, lines, imports, told, read, at }: Shown): Placed | Unplaced | undefined {
  const shown = imports.all.flatMap((one) => one.lines.filter((line) => line.trim()));
  const isAll = shown.length > 0 && lines.filter((line) => !isHole(line)).length === shown.length;
  const isPlaced = isAll && tellsPlace(told) && read() !== undefined && at() !== undefined;
  if (!isAll || isPlaced) return undefined;
  const names = new Set(imports.all.flatMap((one) => [...one.names.keys()]));
  const goes = goneForImport(told.text);
  const replaced = file.parts.filter(({ name }) => names.has(name) && (goes === "all" || goes.includes(name)));
  const gone = replaced.map(({ start, end }) => file.text.slice(start, end)).join("\n\n");
  const removed = gone === "" ? { splices: [], done: [] } : removeShown(file.text, gone, { parts: file.parts });
  return removed instanceof Unplaced ? removed : { ...removed, imports };
}

/** Returns the names that sentences take away or replace by an import: replace the constants, remove `a` and `b`. */
function goneForImport(text: string): readonly string[] | "all" {
  if (ALL_GONE.test(text)) return "all";
  const spans = [...text.matchAll(GONE)].flatMap(([, list = ""]) => list.match(/`[^`\n]+`/g) ?? []);
  return spans.flatMap((span) => /^`([\p{L}\p{N}_$]+)(?:\(\)| =.*)?`$/u.exec(span)?.[1] ?? []);
}

/** What may stand before the names or the kinds of them. */
const DETERMINERS = "(?:(?:both|local|old|the|these|those|three|two|your) )*";
const ALL_GONE = new RegExp(
  `\\b(?:delete|drop|remove|replace) ${DETERMINERS}(?:classes|constants|declarations|definitions|functions|helpers)\\b(?! \`)`,
  "i",
);
const GONE = new RegExp(
  "\\b(?:delete|drop|no longer needs?|remove|replace) " +
    `${DETERMINERS}(?:(?:class|constant|function|helper)(?:es|s)? )?(\`[^\`\\n]+\`(?:(?:,|,? and) \`[^\`\\n]+\`)*)`,
  "gi",
);
/** Says that what is shown may only use something. */
const USES = /\b(?:call(?:s|ed|ing)?|examples?|run|test|try|us(?:age|e[ds]?|ing))\b/i;

/** Places statements of a function that a fragment does not: its first or its last line is another one now. */
function asStatements({ file, excerpt, told, within, at, fragment, imports }: Shown): Placed | undefined {
  const { content, source } = excerpt;
  const isUse = USES.test(lastSentence(told.text));
  const areStatements = source.parts(content).every(({ kind }) => kindOf(kind) === "value") && imports.all.length === 0;
  const placed = areStatements && !told.isAddition ? placeStatements(file.text, content, { within, isUse }) : undefined;
  return placed !== undefined && at() === undefined && fragment() instanceof Unplaced ? placed : undefined;
}

/** Places statements of which some are new forms, where nothing else tells why a fragment has no place. */
function asChanged({ file, excerpt, told, at, fragment }: Shown, usual: Unplaced): Placed | undefined {
  const place = at();
  const isAtEnd = place?.side === "end" && place.part === undefined && place.line === undefined;
  if (usual !== fragment() || usual.isLoss || (!isAtEnd && (place !== undefined || tellsPlace(told, file.parts))))
    return undefined;
  // A word that is not marked as code names no function here: to keep the order.
  const names = new Set([...told.text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => plain(code)));
  const within = withinTold(file.text, file.parts, { ...told, names });
  const isUse = USES.test(lastSentence(told.text).replaceAll(/`[^`\n]*`/g, "`"));
  const around = { within, isUse, isAddition: told.isAddition || told.mayAdd };
  const [{ text }, { content }] = [file, excerpt];
  if (!isAtEnd) return placeChanged(text, content, around) ?? placeKeptWhole(text, content, around);
  const kept = placeKeptWhole(text, content, around);
  return kept?.splices.every(({ end }) => text.slice(end).trim() === "") ? kept : undefined;
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
  if (stretch !== undefined && !(stretch instanceof Unplaced) && !losesTitle(file, stretch))
    return endsEarly(file, read.parts, stretch)
      ? new Unplaced(`has more lines in ${read.parts[0]?.name} below those that are shown: say whether they stay`)
      : stretch;
  const elsewhere = told.isAddition || at !== undefined ? undefined : sectionElsewhere(file.parts, read.parts);
  if (elsewhere !== undefined)
    return new Unplaced(`has ${elsewhere} elsewhere: show it apart, with its title as it is`);
  if (isCutShort(file, { ...read, isMarked: lines.some(isHole) }, told)) {
    const part = fragment();
    return !(part instanceof Unplaced) && spliced(file.text, part.splices) === file.text
      ? new Unplaced(`goes on below what is shown of ${read.parts[0]?.name}: show its end too, or say that it goes`)
      : part;
  }
  const areElements =
    read.parts.every(({ kind }) => kind === "item") ||
    (ELEMENT.test(shown.first) && read.parts.every(({ kind }) => kind === "key"));
  const further = told.isAddition && areElements ? placeBelowLike(file.text, content, shown.within) : undefined;
  const addsOne = told.isAddition || told.mayAdd;
  const item = addsOne ? further : itemLike(file.text, content, read.parts);
  if (item !== undefined) return item;
  const placed = placeDeclarations(file, read, told);
  if (placed instanceof Unplaced) {
    if (placed.isLoss || holes.has(file.text, content)) return placed;
    // What is a field beside others may be a member of something else: of an enum, of a list.
    const isMember = told.isAddition && read.parts.every(({ kind }) => LEAVES.has(kind));
    const stated = isMember ? placeLines(shown) : fragment();
    return stated instanceof Unplaced || endsInside(file, read.parts, stated) || losesTitle(file, stated)
      ? placed
      : stated;
  }
  if (addsOne && replacesElement(file, placed)) return ONE_MORE;
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
    indentOf(lineWith(text, start)) !== "" && /^(?:if|try|for|while|with)\b.*:\s*$/m.test(text.split("\n", 1)[0] ?? "");
  return !isInside && kind === "variable" && isDeeper && !everyPart(parts).some(({ part }) => part.name === name);
}

/** Returns whether new values are set beside a statement of a function, as one of their lines stands in one and nowhere else. */
function areInBody({ file, lines, read, there, told }: Shown): boolean {
  const { text = "", parts = [], isInside = false } = read() ?? {};
  // A value of the file, or of one of its functions, may have another form.
  const isChanged = ({ name, start, end }: Part): boolean =>
    !there.has(text.slice(start, end).trim()) && localsIn(file.text, file.parts, name, told).length > 0;
  const isThere = (part: Part): boolean => file.parts.some(({ name }) => name === part.name) || isChanged(part);
  if (isInside || parts.some(isThere) || !parts.every(({ kind }) => kindOf(kind) === "value")) return false;
  const bodies = everyPart(file.parts).filter(({ part }) => FUNCTIONS.has(part.kind) && hasBody(part));
  const all = [...file.text.matchAll(/\S.*/g)].map(({ 0: row, index }) => ({ row: row.trimEnd(), index }));
  const isIn = ({ index }: { readonly index: number }): boolean =>
    bodies.some(({ part }) => part.start < index && index < part.end);
  // Those inside a value may stand in a function by chance.
  const depth = smallest(lines.map((line) => indentOf(line).length));
  return lines.some((line) => {
    const isOuter = indentOf(line).length === depth && /\w/.test(line);
    const places = isOuter ? all.filter(({ row }) => row === line.trim()) : [];
    return places.length > 0 && places.every(isIn);
  });
}

/** Returns whether what is read as declarations are statements, which a grammar reads as such too. */
function areLines(
  { file, lines, excerpt: { content } }: Shown,
  { parts }: ReadExcerpt,
  at: ToldPlace | undefined,
): boolean {
  if (at === undefined) return false;
  const row = at.line === undefined ? undefined : file.text.split("\n")[at.line]?.trim();
  const isThere = (part: Part): boolean =>
    hasBody(part) && everyPart(file.parts).some(({ part: { name } }) => name === part.name);
  return (
    (at.line !== undefined && lines.some((line) => line.trim() === row) && !parts.some(isThere)) ||
    parts.every(({ kind }) => kind === "item") ||
    (at.side === "top" && at.part === undefined && isAboveOthers(file, content, parts)) ||
    (isInBody(at) && parts.every(({ name }) => name !== at.part?.name))
  );
}

/** Returns whether new declarations go to the top of a file, above lines that are none. */
function isAboveOthers({ text, path, parts }: Shown["file"], content: string, shown: readonly Part[]): boolean {
  // Imports go to the others, and code below them.
  if (content.split("\n").some(isImport)) return false;
  const isNew = !everyPart(parts).some(({ part }) => shown.some(({ name }) => name === part.name));
  const [top, next] = [isNew ? topFor(content, text, path) : undefined, parts[0]];
  const below = top && next && text.split("\n").slice(top.row, rowAt(text, next.start));
  return below !== undefined && below.some((line) => line.trim() !== "" && !isRemark(line));
}

/** Returns whether a path stands at the fence, or in a sentence that says nothing else. */
function isAlone({ path, told: sentences, isLabelled = false }: Placeable, told: Told): boolean {
  const isNamed = sentences.includes(path.slice(path.lastIndexOf("/") + 1));
  return isLabelled || (isNamed && !/\p{L}/u.test(told.text.replace(PLACE_WORDS, "")));
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

/** All that a sentence has beside a path: and in the file, the new view. */
const PLACE_WORDS =
  /\b(?:also|and|at|class|component|controller|css|file|for|handlers?|helpers?|hooks?|html|in|java|javascript|js|models?|module|new|now|python|routes?|rust|service|step|styles?|stylesheet|tests?|the|then|to|ts|typescript|types?|urls?|views?|your)\b/gi;
/** What its place gives a meaning, or what is data. */
const IN_ORDER: ReadonlySet<string> = new Set(["section", "key", ...LEAVES]);

function isUnnamedSection([only, ...others]: readonly Part[], { text }: Told): boolean {
  if (only?.kind !== "section" || others.length > 0) return false;
  const [name, plain] = [bare(only.name), text.replaceAll(MARKS, "").toLowerCase()];
  const isCalled = (noun: string): boolean =>
    [`${name} ${noun}`, `${noun} ${name}`].some((words) => plain.includes(words.toLowerCase()));
  return !isCalled("section") && (isCalled("list") || isCalled("table") || !text.includes(name));
}

/**
 * Returns the only section of a file that has the title of a shown one, with other marks, or inside another section
 * than the one above it in the excerpt, of which it skips a level.
 */
function sectionElsewhere(parts: readonly Part[], shown: readonly Part[]): string | undefined {
  const levelOf = (name = ""): number => name.search(/[^#]/);
  const sections = everyPart(parts).filter(({ part }) => part.kind === "section");
  for (const { part, around } of everyPart(shown)) {
    const above = around.at(-1);
    const [only, other] = sections.filter(({ part: { name } }) => bare(name) === bare(part.name));
    if (part.kind !== "section" || only === undefined || other !== undefined) continue;
    const isApart = above !== undefined && levelOf(part.name) > levelOf(above.name) + 1;
    const isOther = only.part.name !== part.name || only.around.at(-1)?.name !== above?.name;
    if (isApart ? isOther : above === undefined && only.part.name !== part.name) return only.part.name;
  }
  return undefined;
}

/** What stands around a name in a sentence. */
const MARKS = /["'“”*_`#]/g;

/** The same if what is below follows without a blank line, as the next item of a list. */
function endsInside(file: Shown["file"], shown: readonly Part[], placed: Placed): boolean {
  return endsEarly(file, shown, placed) && placed.splices.some(({ end }) => /^[ \t]*\S/.test(file.text.slice(end)));
}

/** Returns whether lines replace others among which is the title of a section that they do not show. */
function losesTitle({ parts }: Shown["file"], { splices }: Placed): boolean {
  return everyPart(parts).some(({ part: { kind, name, start } }) =>
    splices.some((one) => kind === "section" && start >= one.start && start < one.end && !one.text.includes(name)),
  );
}

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
