/** The ways to place lines that a grammar does not read as declarations, in the order in which they are tried. */
import { smallest } from "../../core/lists.ts";
import { linesWithoutImports } from "../declarations/imports.ts";
import type { Holes } from "../declarations/members.ts";
import { placeAlike, placeInSection, placeLonger, placeSetting, placeSettings } from "./alike.ts";
import { insertBeside, isMissing } from "./beside.ts";
import { placeBesideKind, placeBesideLike } from "./fragment.ts";
import { placeInNamed, placeInPlural, placeInType } from "./into-block.ts";
import { placeCases } from "./further-cases.ts";
import { withKeptEnd } from "./kept-end.ts";
import { withCallAbove } from "./kept-whole.ts";
import { endOfList, isFrame, placeBelowLike, SECTION } from "./list-end.ts";
import { keepsOnlyEnds, ONE_MORE, replacesHead, replacesOther } from "./one-more.ts";
import { replaceLines } from "./pair.ts";
import { insertAt } from "./statement.ts";
import { placeAround } from "./wrap.ts";
import { FUNCTIONS } from "../parts.ts";
import { indentOf, lineWith, Unplaced } from "../text.ts";
import { withoutEdgeHoles } from "../placeholders/hole.ts";
import { NO_PLACE, tellsPlace, type ToldPlace } from "../told/places.ts";
import { toldLine } from "../told/told.ts";
import { type Placed, Shown } from "../shown.ts";

/** Places lines: where others of the file stand, or where the sentences say. */
export function placeLines(shown: Shown): Placed | Unplaced {
  const { excerpt, told, file, there, lines, within } = shown;
  const { content, holes, original } = excerpt;
  const { text: before } = file;
  const { isAddition } = told;
  const [at, fragment] = [shown.at(), shown.fragment()];
  const cases = at?.line === undefined ? placeCases(before, content, { within, told }) : undefined;
  if (cases !== undefined) return cases;
  const settings = at === undefined && file.parts.length === 0 ? placeSettings(before, content, isAddition) : undefined;
  if (settings !== undefined) return settings;
  if (
    at?.side === "end" &&
    at.part === undefined &&
    at.line === undefined &&
    /<\/html>\s*$/i.test(before) &&
    !/<\/html>/i.test(content)
  )
    return new Unplaced("ends with </html>: say what this goes below");
  // Lines of which the file has most are no new ones, unless a new one begins them at an end of the file.
  const isAtEdge = at !== undefined && at.part === undefined && at.line === undefined && !mayReplace(shown, at);
  const isNew = isAddition || isAtEdge || lines.filter((line) => there.has(line.trim())).length * 2 < lines.length;
  const replaced = isAddition ? undefined : placeInSection(before, content, at?.line);
  const member = isAddition && file.parts.length === 0 ? placeInType(before, content, told.text) : undefined;
  const beside = at && isNew ? (leavesFunction(shown, at) ?? insertBeside(file, content, at)) : undefined;
  const inserted = replaced ?? member ?? beside;
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
  const declared = isAddition ? placeBesideKind(before, content, within) : undefined;
  if (declared !== undefined) return declared;
  const listed = isAddition
    ? (placeInNamed(before, content, told.text) ?? placeInPlural(before, content, told.text))
    : undefined;
  if (listed !== undefined) return listed;
  // A place that the file does not have is no reason to choose another one.
  if (tellsPlace(told, file.parts)) return isAnother ? ONE_MORE : new Unplaced(NO_PLACE);
  const like = isAddition
    ? (placeBesideLike(before, content, within) ??
      (INTO.test(told.text) ? undefined : placeBelowLike(before, content, within)))
    : undefined;
  if (like !== undefined) return like;
  if (isAnother) return ONE_MORE;
  const changed = placeAround(before, content, told) ?? inToldLine(shown);
  if (changed !== undefined) return changed;
  const alike = placeAlike(before, withoutEdgeHoles(content), { within, original, told: told.text });
  if (alike !== undefined && !isAddition && !told.isBeside)
    return withKeptEnd(before, withCallAbove(before, alike, content), { content, isLess: told.isLess });
  const setting = isAddition || file.parts.length > 0 ? undefined : placeSetting(before, content);
  if (setting !== undefined) return setting;
  // Lists of names and the like have no order: what is added goes to the end.
  const isAllNew = isAddition && !lines.some((line) => there.has(line.trim()));
  const end = isAllNew ? endOfList(before, lines, file.parts.length > 0) : undefined;
  return end === undefined ? fragment : insertAt(before, content, { line: end, isLast: true, side: "below" });
}

/** Returns why statements that are shown in a function do not go beside one that stands at the margin. */
function leavesFunction({ file, lines }: Shown, { part, side }: ToldPlace): Unplaced | undefined {
  const isBeside = side === "above" || side === "below";
  const isFunction = part !== undefined && FUNCTIONS.has(part.kind) && indentOf(lineWith(file.text, part.start)) === "";
  const isInside = lines.every((line) => /^\s/.test(line));
  return isBeside && isFunction && isInside ? new Unplaced(NO_PLACE) : undefined;
}

/** Returns whether lines may be a new form of others: of the one that stands at an end of the file, or of any, as deep. */
function mayReplace({ file, lines, there }: Shown, { side }: ToldPlace): boolean {
  const edge = file.text
    .split("\n")
    .filter((row) => /\w/.test(row))
    .at(side === "end" ? -1 : 0);
  const depth = smallest(lines.map((line) => indentOf(line).length));
  const isOuter = (line: string): boolean => /\w/.test(line) && indentOf(line).length === depth;
  return lines.some((line) => line.trimEnd() === edge?.trimEnd() || (isOuter(line) && there.has(line.trim())));
}

/** Returns whether lines that a fragment would replace are only others of what a sentence adds. */
function addsOneMore({ file, excerpt, told, first, lines, there }: Shown, fragment: Placed | Unplaced): boolean {
  if (fragment instanceof Unplaced) return false;
  // Signs and tags alone at both ends tell nothing of what is to be one more.
  const last = lines.at(-1) ?? "";
  const hasSignsAround = isFrame(first) && (isFrame(last) || (OPEN_TAG.test(first) && /\/?>$/.test(last)));
  // An element keeps its lines, unless it is another one.
  const addsOne = told.isAddition || told.mayAdd;
  const isElement = addsOne && hasSignsAround && !excerpt.holes.has(file.text, excerpt.content);
  const addsAnother = told.isFurther || isElement;
  const isHeadNew = SECTION.test(first) && !there.has(first);
  return (
    (addsAnother && keepsOnlyEnds(file.text, fragment, isElement)) ||
    replacesOther(file.text, fragment, told.text) ||
    (addsOne && (replacesHead(file.text, fragment, first) || isHeadNew))
  );
}

/** The first line of a tag with attributes. */
const OPEN_TAG = /^<[\w.:-]+$/;

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

/** What is added to something that a sentence names is not put beside it. */
const INTO = /\b(?:inside|into|to) (?:the )?`(?! *`)[.#@&]/i;
