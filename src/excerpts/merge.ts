/** Puts what a plain answer shows of a file into it: with proof, or not at all. */
import type { Part } from "../addresses/part.ts";
import { countsOf } from "../core/counted.ts";
import { trimmedLines } from "../edit/lazy.ts";
import type { Source } from "../edit/whole-file.ts";
import type { Grammar } from "./contexts.ts";
import type { Imports } from "./declarations/import-place.ts";
import { importsIn, isImport, linesWithoutImports, withImports } from "./declarations/imports.ts";
import { doubledSetting } from "./lines/alike.ts";
import { dividedTexts } from "./lines/divided.ts";
import { replaceValue } from "./lines/named-value.ts";
import { replaceLines } from "./lines/pair.ts";
import { removeShown, withoutComma } from "./lines/remove.ts";
import { replaceSpan } from "./lines/span.ts";
import { placeWhereMeant } from "./lines/where-meant.ts";
import { lossOfLines } from "./losses.ts";
import { everyPart } from "./parts.ts";
import { place } from "./place.ts";
import type { Placeable, Placed } from "./shown.ts";
import { holdsWord, isAlike, type PlacedLines, spliced, type Splice, Unplaced, type Within } from "./text.ts";
import { bare, fromTold, insideTold, isRenamed, type Told, toldIn, withinTold } from "./told/told.ts";
import { valueForType } from "./values.ts";
import { strayComment, vanishedIn } from "./vanished.ts";

export interface ExcerptSource extends Source, Grammar {}

/** What an answer shows. */
export interface Excerpt extends Placeable {
  readonly source: ExcerptSource;
  /** The lines that it replaces, if the answer shows them. */
  readonly old?: string | undefined;
  /** How often the file has what it replaces, if not once: a number, or "all". */
  readonly times?: string | undefined;
  /** The names of the declarations in each of which it has that, a line each. */
  readonly within?: string | undefined;
  /** Words of the answer's sentences that remove something. */
  readonly removed?: string | undefined;
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
          ? replaceParts(before, { ...excerpt, old }, told)
          : replaceLines(before, { old, content, within: withinTold(before, parts, told) });
  if (placed instanceof Unplaced) {
    // Old lines that are no text of the file may be written from memory: the new ones replace the same declarations.
    const isShown = old !== undefined && !isSpan && declareSame(source, old, content);
    const merged = isShown ? mergeExcerpt(before, { ...excerpt, old: undefined }) : placed;
    return merged instanceof Unplaced ? placed : merged;
  }
  const asked = content.split("\n").find((line) => ASKS.test(line) && !before.includes(line.trim()));
  if (asked !== undefined) return new Unplaced(`is to hold code that the answer leaves to you: "${asked.trim()}"`);
  const isRemoval = content.trim() === "" || "isRemoval" in placed;
  const loss = old === undefined && !isRemoval ? lossOfLines({ text: before, parts }, placed.splices, told) : undefined;
  if (loss !== undefined) return new Unplaced(loss);
  const plain = spliced(before, placed.splices);
  const commas = isRemoval
    ? withoutComma(before, placed)
    : told.isAddition && old === undefined
      ? dividedTexts(before, placed.splices)
      : [];
  const isBroken = commas.length > 0 && source.isValid(plain ?? "") === false && source.isValid(before) === true;
  const divided = isBroken ? commas.find((text) => source.isValid(text) === true) : undefined;
  const changed = divided ?? plain;
  if (changed === undefined) return new Unplaced("is shown twice at one place: which text is meant is unclear");
  const { imports } = placed as Placed;
  const text = imports === undefined ? changed : withImports(changed, imports, { path, removed: excerpt.removed });
  if (text instanceof Unplaced) return text;
  const done =
    isRemoval && divided !== undefined ? placed.done.map((one) => `${one}, and the comma above`) : [...placed.done];
  if (imports !== undefined && text !== changed) done.push(imports.all.length === 1 ? "import added" : "imports added");
  const isShown = !(told.isRemoval || isSpan || "isRemoval" in placed);
  const vanished = isShown ? vanishedIn(content, text) : undefined;
  if (vanished !== undefined) return new Unplaced(`would not hold the line "${vanished.slice(0, 60)}"`);
  const stray = isShown ? strayComment(path, content, text) : undefined;
  if (stray !== undefined) return new Unplaced(`would not hold the line "${stray.slice(0, 60)}" where it is shown`);
  const foreign = imports && text !== changed ? importOfItself(path, source, text, imports) : undefined;
  if (foreign !== undefined) return new Unplaced(`declares ${foreign} itself: say into which file the import goes`);
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
  const twice = old === undefined ? declaredTwice(path, source, { before, content, text }) : undefined;
  if (twice !== undefined) return new Unplaced(`would declare ${twice} twice: say whether the old one goes`);
  const declared = (file: string, name: string): number =>
    everyPart(source.parts(file)).filter(({ part }) => part.name === name).length;
  // What is declared elsewhere now, or imported, has only moved. What an old text shows is meant to go.
  const movable = [old ?? "", ...content.split("\n").filter(isImport)].join("\n");
  const isGone = (name: string): boolean =>
    !holdsWord(movable, bare(name)) &&
    !isRenamed(told, name) &&
    (!hasGrammar || declared(before, name) > declared(text, name));
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

/** Returns a name that a file would import from itself: the import is meant for another file, which uses this one. */
function importOfItself(path: string, { parts }: Grammar, text: string, { all }: Imports): string | undefined {
  const declared = new Set(parts(linesWithoutImports(importsIn(text)).join("\n")).map(({ name }) => name));
  const file = `/${path.replace(/\.\w+$/, "")}`;
  const isItself = (source: string): boolean => {
    const tail = source.replace(/^[./@~]+|\.\w+$/g, "");
    return (
      tail !== "" && [tail, source.replaceAll(".", "/").replace(/^\/+/, "")].some((end) => file.endsWith(`/${end}`))
    );
  };
  const names = all.flatMap((shown) => [...shown.names]);
  return names.find(([name, source]) => isItself(source) && declared.has(name))?.[0];
}

/** Returns whether two texts declare the same: one is an old form of the other. */
function declareSame({ parts }: Grammar, old: string, now: string): boolean {
  const [had, has] = [old, now].map((text) =>
    parts(text)
      .map(({ kind, name }) => `${kind} ${name}`)
      .join(),
  );
  return had !== "" && had === has;
}

/** Replaces a part of a line in each of the declarations that the sentence names, or in what it seems to mean. */
function replaceParts(before: string, excerpt: Excerpt & { readonly old: string }, told: Told): PlacedLines | Unplaced {
  const parts = excerpt.source.parts(before);
  const names = excerpt.within?.split("\n");
  if (names === undefined) return replacePart(before, excerpt, { told, within: insideTold(before, parts, told) });
  const all: PlacedLines[] = [];
  for (const name of names) {
    const within = withinTold(before, parts, toldIn(`in \`${name}\``));
    if (within === undefined) return new Unplaced(`does not have one ${name}`);
    const placed = replacePart(before, excerpt, { told, within, isExact: true });
    if (placed instanceof Unplaced) return placed;
    all.push(placed);
  }
  return { splices: all.flatMap(({ splices }) => splices), done: all.flatMap(({ done }) => done) };
}

/** Replaces a part of a line: the value, if a sentence names what has it, else the text itself. */
function replacePart(
  before: string,
  { path, old, content: now, times }: Excerpt & { readonly old: string },
  { told, within, isExact }: { readonly told: Told; readonly within: Within | undefined; readonly isExact?: boolean },
): PlacedLines | Unplaced {
  const spans = replaceSpan(before, { old, now, times, within, isExact });
  const valued = times === undefined ? replaceValue(before, { path, old, now, told: told.text, within }) : undefined;
  return valued === undefined || (valued instanceof Unplaced && spans instanceof Unplaced) ? spans : valued;
}

/** Returns a name that a file declared once, and would twice where its language allows that once. */
function declaredTwice(
  path: string,
  { parts }: Grammar,
  { before, content, text }: { readonly before: string; readonly content: string; readonly text: string },
): string | undefined {
  const kinds = ONCE.find(([files]) => files.test(path))?.[1];
  if (kinds === undefined) return undefined;
  const countsIn = (version: string): ReadonlyMap<string, number> =>
    countsOf(parts(version).flatMap(({ name, kind }) => (kinds.has(kind) ? [name] : [])));
  const [old, shown] = [countsIn(before), countsIn(content)];
  return [...countsIn(text)].find(
    ([name, count]) => count > 1 && old.get(name) === 1 && shown.get(name) !== count,
  )?.[0];
}

/** What files of a language declare once. */
const ONCE: ReadonlyArray<readonly [files: RegExp, kinds: ReadonlySet<string>]> = [
  [/\.go$/, new Set("constant function interface struct type variable".split(" "))],
  [/\.[cm]?[jt]sx?$/, new Set("class constant variable".split(" "))],
];

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

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
