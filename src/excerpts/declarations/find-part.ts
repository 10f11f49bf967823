/** Finds the declaration of a file that one of an excerpt replaces, and tells what it would lose. */
import type { Part } from "../../addresses/part.ts";
import { smallest } from "../../core/lists.ts";
import { looksLikeMember, mayBeStyle } from "./container.ts";
import type { ReadExcerpt } from "../contexts.ts";
import { isItem } from "../lines/list-end.ts";
import { everyPart, type Found, FUNCTIONS, GROUPS, kindOf, linesBeside } from "../parts.ts";
import { belowHead, isRemark, signatureOf } from "../remarks.ts";
import { rivalsOf } from "./rivals.ts";
import { ruleSharing } from "./rules.ts";
import { hidesSignatures } from "./signatures.ts";
import { counted } from "../../core/counted.ts";
import { wordsIn } from "../../edit/excerpt.ts";
import { trimmedLines } from "../../edit/lazy.ts";
import { holdsWord, indentOf, lineWith, Unplaced } from "../text.ts";
import { holdersTold } from "../told/holders.ts";
import { containerTold, renamedFrom, tellsAllOf, tellsName, type Told } from "../told/told.ts";

/** A file, what is shown of it, and the sentences about that. */
interface Shown {
  readonly file: { readonly text: string; readonly path: string; readonly parts: readonly Part[] };
  readonly excerpt: ReadExcerpt;
  readonly told: Told;
}

/**
 * Returns undefined for a declaration that is new.
 *
 * @param inside the declaration of the file that it stands in, if the excerpt shows it
 */
export function findPart(part: Part, inside: Found | undefined, shown: Shown): Found | undefined | Unplaced {
  const { file, excerpt, told } = shown;
  const stray = strayIn(part, shown);
  if (stray !== undefined)
    return new Unplaced(`has ${stray.name} outside of ${part.name}, at the depth that is shown: show it apart`, true);
  const isSame = (other: Part, name = part.name): boolean =>
    other.name === name && kindOf(other.kind) === kindOf(part.kind);
  if (inside !== undefined) {
    const around = [...inside.around, inside.part];
    const members = inside.part.children.map((child) => ({ part: child, around }));
    const same = ofKind(
      part,
      members.filter((member) => isSame(member.part)),
    );
    const among = everyPart(excerpt.parts).map((one) => one.part);
    return same.length > 1 ? overloaded(part, same, shown) : (same[0] ?? ruleSharing(part, members, among));
  }
  if (part.kind === "item")
    return new Unplaced(`has a list, and no name tells which of its elements ${part.name} is`, true);
  const every = everyPart(file.parts);
  const everywhere = every.filter(
    (other) => isSame(other.part) && (part.kind !== "declaration" || mayBeStyle(other, shown)),
  );
  const holding = holdersTold(part, shown);
  if (typeof holding === "string" && everywhere.length > 0) return new Unplaced(`has no ${holding}`, true);
  const holders = typeof holding === "string" ? [] : holding;
  const held = everywhere.filter(({ around }) => around.some((one) => holders.includes(one)));
  const [holder] = holders;
  // A class may have it from the one that its head names.
  const isInherited = everywhere.some(({ around }) => holders.some((one) => hasInHead(file.text, one, around.at(-1))));
  if (holder !== undefined && held.length === 0 && everywhere.length > 0 && (told.isAddition || !isInherited))
    return told.isAddition
      ? undefined
      : new Unplaced(`has no ${part.name} in ${holder.name}, but elsewhere: say which is meant`, true);
  const all = ofKind(part, held.length === 0 ? everywhere : held);
  const top = all.filter(({ around }) => around.every(({ kind }) => GROUPS.has(kind)));
  // The sentence has the names of what is shown too.
  const isShown = (name: string): boolean =>
    name === part.name || excerpt.parts.some((shownPart) => shownPart.name === name);
  const isTold = ({ around }: Found): boolean => around.some(({ name }) => !isShown(name) && tellsName(told, name));
  const [named, second] = PLACED.has(part.kind) ? all.filter(isTold) : [];
  if (named !== undefined && second === undefined) {
    const isIn =
      part.kind === "rule" ||
      top.length === 0 ||
      top.includes(named) ||
      named.around.at(-1) === containerTold(told, file.parts);
    return isIn ? named : overloaded(part, all, shown);
  }
  if (part.kind === "rule" && all.length > 1 && ON_SOME.test(told.text) && !/\boutside\b/i.test(told.text))
    return new Unplaced(`has ${part.name} ${all.length} times: say in which rule`, true);
  const members = looksLikeMember(excerpt.text.slice(part.start))
    ? all.filter((candidate) => !top.includes(candidate))
    : [];
  const outer = !excerpt.isInside && top.length > 0 ? top : all;
  const sameName = members.length > 0 ? members : outer;
  // A declaration without a body is another one than its definition.
  const isDefinition = isDefined(excerpt.text, part);
  const sameForm = sameName.filter(({ part: candidate }) => isDefined(file.text, candidate) === isDefinition);
  if (isDefinition && sameForm.length === 0 && sameName.some((candidate) => top.includes(candidate)))
    return new Unplaced(`only declares ${part.name}, and the code defines it: say which file has its definition`, true);
  const candidates = sameForm.length > 0 ? sameForm : sameName;
  const isOnly = excerpt.parts.length === 1;
  const old = candidates.length === 0 ? renamedFrom(told, part.name, isOnly) : undefined;
  if (old !== undefined) {
    const [only, other] = every.filter(({ part: candidate }) => isSame(candidate, old));
    return other === undefined ? only : undefined;
  }
  const [single, several] = candidates;
  if (single === undefined && !told.isAddition)
    return ruleSharing(
      part,
      every.filter(({ around }) => around.length === 0),
      excerpt.parts,
    );
  if (single === undefined || (several === undefined && isOverload(part, candidates, shown))) return undefined;
  if (several === undefined) return PLACED.has(part.kind) ? single : closest(part, single, shown);
  const inTold = candidates.filter(isTold);
  const inNamed = inTold.filter(({ around }) => around.some(({ name }) => tellsAllOf(told, name)));
  if (inNamed.length === 1) return inNamed[0];
  return inTold.length === 1 ? inTold[0] : overloaded(part, inTold.length > 1 ? inTold : candidates, shown);
}

/** Returns whether the first line of a declaration has the name of another one. */
function hasInHead(text: string, { start, name }: Part, other: Part | undefined): boolean {
  const at = text.indexOf(name, start);
  return other !== undefined && holdsWord(text.slice(at).split("\n", 1)[0] ?? "", other.name);
}

/**
 * Returns a function that only looks like one inside another, as it is shown below that and deeper: the file has its
 * first line in no function.
 */
function strayIn({ kind, children }: Part, { file, excerpt }: Shown): Part | undefined {
  if (!FUNCTIONS.has(kind)) return undefined;
  const isElsewhere = (child: Part): boolean =>
    everyPart(file.parts).some(
      ({ part: other, around }) =>
        other.name === child.name &&
        !around.some((outer) => FUNCTIONS.has(outer.kind)) &&
        lineWith(file.text, other.start) === excerpt.indent + lineWith(excerpt.text, child.start),
    );
  return children.find((child) => FUNCTIONS.has(child.kind) && isElsewhere(child));
}

/** Returns a declaration unless another of its name is more like the excerpt. Then returns the one the sentences name. */
function closest(part: Part, single: Found, { file, excerpt, told }: Shown): Found | undefined | Unplaced {
  const isTold = (around: readonly Part[]): boolean =>
    around.some(({ name }) => name !== part.name && tellsName(told, name));
  const rivals = rivalsOf(single, part, { file, excerpt, isTold });
  const [rival, second] = rivals.filter(({ around }) => isTold(around));
  if (rivals.length === 0) return single;
  if (rival !== undefined && second === undefined && !isTold(single.around)) return rival.match;
  const matches = rivals.flatMap(({ match }) => match ?? []);
  const [inside] = rivals.flatMap(({ match, around }) => (match === undefined ? [around.at(-1)?.name] : []));
  if (matches.length > 0) return severalTimes(part, [single, ...matches]);
  return new Unplaced(`has ${part.name} in ${inside} too, which is closer to these lines: say which is meant`, true);
}

/** Returns those of the very kind of a declaration, if there are any: C has a struct and a type of one name. */
function ofKind({ kind }: Part, all: readonly Found[]): readonly Found[] {
  const same = all.filter(({ part }) => part.kind === kind);
  return same.length > 0 ? same : all;
}

/** Returns whether a part is more than the head of a function, as C and the overloads of TypeScript have it. */
function isDefined(text: string, { kind, start, end }: Part): boolean {
  return (
    !FUNCTIONS.has(kind) || !/^[^{}]*\)[^{}]*;\s*$/.test(text.slice(start, end)) || /=>/.test(text.slice(start, end))
  );
}

/** What an excerpt shows without what it stands in, so that the sentence has to tell. */
const PLACED: ReadonlySet<string> = new Set(["key", "rule", "section"]);
/** A rule for some screens is another one than that for all. */
const ON_SOME =
  /\b(?:media|quer(?:y|ies)|breakpoints?|screens?|viewports?|phones?|mobiles?|tablets?|desktops?|print|dark|light)\b/i;

/** Of several with one name in one place, the excerpt's first line tells which is meant. */
function overloaded(
  part: Part,
  candidates: readonly Found[],
  { file, excerpt, told }: Shown,
): Found | undefined | Unplaced {
  const same = sameHeads(part, candidates, { file, excerpt });
  const isOnePlace = candidates.every(({ around }) => around.at(-1) === candidates[0]?.around.at(-1));
  const [match, second] = same;
  if (match !== undefined && second === undefined && (isOnePlace || isBesideShown(match, { file, excerpt })))
    return match;
  if (isOverload(part, candidates, { file, excerpt, told })) return undefined;
  return severalTimes(part, candidates);
}

const MAX_BESIDE = 20;

/** Returns whether all that is shown beside a declaration, and stands once in the file, stands beside it there too. */
function isBesideShown({ part: { name }, around }: Found, { file, excerpt }: Omit<Shown, "told">): boolean {
  const every = everyPart(file.parts);
  const places = excerpt.parts.slice(0, MAX_BESIDE).flatMap((shown) => {
    const [match, second] = every.filter(({ part }) => part.name === shown.name);
    return shown.name === name || match === undefined || second !== undefined ? [] : [match.around.at(-1)];
  });
  return places.length > 0 && places.every((place) => place === around.at(-1));
}

function severalTimes({ name }: Part, matches: readonly Found[]): Unplaced {
  const named = matches.map(({ part: innermost, around }) =>
    [...around, innermost].map((declared) => declared.name).join("."),
  );
  return new Unplaced(
    `has ${name} ${matches.length} times (${[...new Set(named)].slice(0, 5).join(", ")}): say in which class or function`,
    true,
  );
}

/** Returns the declarations whose head is that of the one that is shown. */
function sameHeads(part: Part, candidates: readonly Found[], { file, excerpt }: Omit<Shown, "told">): readonly Found[] {
  const head = signatureOf(excerpt.text.slice(part.start, part.end));
  return candidates.filter(
    ({ part: candidate }) => signatureOf(file.text.slice(candidate.start, candidate.end)) === head,
  );
}

/** Returns whether the sentences add a further form of a function, and none of the file has its parameters. */
function isOverload(part: Part, candidates: readonly Found[], shown: Shown): boolean {
  const { isAddition, text } = shown.told;
  return isAddition && OVERLOAD.test(text) && sameHeads(part, candidates, shown).length === 0;
}

const OVERLOAD = /\b(?:overload|überladung|surcharge|sobrecarga)/i;

/**
 * Returns why a declaration is no whole new form of an old one: it shows no body, or little of a section, or ends
 * before the old one does.
 *
 * @param isOpen whether a placeholder below it may stand for its end
 */
export function lossIn(
  { kind, name, children }: Part,
  before: string,
  now: string,
  { told, isOpen }: { readonly told: Told; readonly isOpen: boolean },
): string | undefined {
  if (FUNCTIONS.has(kind) && /[{]/.test(before) && !/[{]|=>/.test(now) && /;\s*$/.test(now))
    return `would lose the body of ${name}`;
  if (isOpen && (losesEnd(before, now) || (endsWithReturn(before) && !endsWithReturn(now))))
    return `would lose the end of ${name}, or the placeholder below it stands for that: indent it as the lines it stands for`;
  if (FUNCTIONS.has(kind) && endsWithReturn(before) && !RETURN.test(now) && !RETURNS.test(told.text))
    return `would lose what ${name} returns: show it whole`;
  const items = kind === "section" || kind === "key" ? lostItems(before, now, told) : 0;
  if (items > 0) return `would lose ${counted(items, "item")} of the list in ${name}`;
  if (kind !== "section" || children.length > 0) return undefined;
  const [old, fresh] = [before, now].map((text) =>
    text
      .split("\n")
      .slice(1)
      .filter((line) => line.trim() !== ""),
  ) as [string[], string[]];
  const lost = old.filter((line) => !fresh.includes(line));
  return fresh.length > 0 && fresh.length * 2 < old.length && lost.length >= MOST_LOST
    ? `would lose ${lost.length} of the ${old.length} lines of the section ${name}`
    : undefined;
}

/**
 * Returns whether a declaration lacks members of an old one, or of a container in it, or lines beside its members, that
 * no sentence removes.
 */
export function lacks(
  old: Part,
  part: Part,
  texts: { readonly before: string; readonly now: string; readonly told: Told },
): boolean {
  const { before, now, told } = texts;
  const isTold = (names: readonly string[]): boolean => told.isRemoval && names.some((name) => told.names.has(name));
  const isMember = ({ kind }: Part): boolean => FUNCTIONS.has(kind);
  // The head may have changed.
  const [had, has] = [linesBeside(before, old), linesBeside(now, part)].map((lines) =>
    belowHead(lines).filter((line) => /\w/.test(line) && !isRemark(line)),
  ) as [string[], string[]];
  const gone = old.children.some(isMember) ? had.filter((line) => !has.includes(line)) : [];
  const isShorter = gone.length > 0 && has.every((line) => had.includes(line));
  return (
    (isShorter && !isTold(gone.flatMap(wordsIn))) ||
    old.children.some((member) => {
      const shown = part.children.find(({ name }) => name === member.name);
      if (shown === undefined) return !isTold([member.name]);
      return hidesSignatures(member, shown) || (member.kind === "key" && lacks(member, shown, texts));
    })
  );
}

/** Returns whether the sentences replace all of a declaration. */
export function isSaidToReplace({ text, names }: Told, name: string): boolean {
  return names.has(name) && /^\W*replace\b[^\n]*\b(?:with|by)\b/im.test(text);
}

/**
 * Counts the members of a list that are gone and that no sentence removes: with none in their place, or above and below
 * those that are shown.
 */
function lostItems(before: string, now: string, { isRemoval, isAddition, isWhole, names }: Told): number {
  const [old, fresh] = [before, now].map((text) => {
    const items = text.split("\n").filter((line) => isItem(line));
    const depth = smallest(items.map((line) => indentOf(line).length));
    return items.flatMap((line) => (indentOf(line).length === depth ? [line.trim()] : []));
  }) as [string[], string[]];
  const isTold = (line: string): boolean => isRemoval && wordsIn(line).some((word) => names.has(word));
  const lost = old.filter((line) => !fresh.includes(line) && !isTold(line)).length;
  const come = fresh.filter((line) => !old.includes(line)).length;
  const isStretch =
    (old.includes(fresh.at(-1) ?? "") && fresh.at(-1) !== old.at(-1)) ||
    (old.includes(fresh[0] ?? "") && fresh[0] !== old[0]);
  return isWhole ? 0 : isAddition || isStretch ? lost : Math.max(0, lost - come);
}

/** Returns whether the last lines of a text are gone, and none or fewer have come in their place. */
function losesEnd(before: string, now: string): boolean {
  const [old, fresh] = [before, now].map((text) => trimmedLines(text)) as [readonly string[], readonly string[]];
  const lost = old.filter((line) => !fresh.includes(line)).length;
  const isCut = old.includes(fresh.at(-1) ?? "") || lost > fresh.filter((line) => !old.includes(line)).length;
  return !fresh.includes(old.at(-1) ?? "") && isCut;
}

/** Returns whether the last statement of a body gives a value back. */
export function endsWithReturn(text: string): boolean {
  const body = text
    .split("\n")
    .slice(1)
    .filter((line) => line.trim() !== "" && !/^\s*[)}\]]/.test(line));
  const depth = smallest(body.map((line) => indentOf(line).length));
  return /^\s*return\s+[^\s;]/.test(body.findLast((line) => indentOf(line).length === depth) ?? "");
}

/** A statement, and no word of a comment. */
const RETURN = /(?:^|[(){};:]|=>|\b(?:do|else|then))\s*return\b/m;
/** A sentence that speaks of what a function returns: an early return changes nothing of that. */
const RETURNS = /(?<!\bearly )return/i;
/** Lines of a section that may go where little is in their place. */
const MOST_LOST = 3;
