/**
 * Refuses a function that an answer gives two texts, of which neither builds on the other: they are two ways, or a
 * correction of which only one half was read. The code decides; sentences only tell what is shown or taken back.
 */
import { isBlock, type Item, type ReadBlock } from "../core/block.ts";
import { placeholderJudge } from "../edit/placeholder.ts";
import { damaged, type LineRange } from "../syntaxes/line-blocks.ts";
import { codePathsIn, isInLanguage, nameOf } from "../syntaxes/path-label.ts";
import { ordersEdit } from "../syntaxes/plain/clause.ts";
import { handsOver } from "../syntaxes/plain/hands-over.ts";
import { isNoEdit } from "../syntaxes/plain/no-edit.ts";
import { type FencePassage, headingAbove, type Passage, passagesIn } from "../syntaxes/plain/passages.ts";
import { corrects, isAnotherWay } from "../syntaxes/retraction-words.ts";
import type { Source } from "../syntaxes/source.ts";
import type { Part } from "../syntaxes/syntax.ts";
import { Retractions } from "../syntaxes/taken-back.ts";
import { countDeclared, declarationOf, onlyDeclarationIn, type OnlyDeclaration } from "./declared.ts";

/** A fence that shows one function. */
interface Way extends OnlyDeclaration {
  readonly fence: FencePassage;
  /** The prose right above it, and its heading. */
  readonly intro: string;
  readonly heading: string;
  /** Its lines that are not blank, trimmed. */
  readonly lines: readonly string[];
  /** The block that was read of it, which shows nothing else. */
  readonly item: ReadBlock | undefined;
}

/**
 * @param prose the text with the blocks of certain syntaxes masked
 * @param textAt returns the text of a file of the project
 */
export function refuseTwoWays(
  prose: Source,
  parts: readonly Part[],
  textAt: (path: string) => string | undefined,
): readonly Part[] {
  const read = parts.filter(({ syntax }) => syntax.isUncertain === true).flatMap((part) => part.read.items);
  const refused = new Map<Item, string>();
  const pairs = pairsOf(waysIn(passagesIn(prose), read.filter(isBlock))).slice(0, MAX_PAIRS);
  if (pairs.length === 0) return parts;
  const judge = new Judge(new Retractions(prose), textAt);
  for (const [earlier, later] of pairs) {
    if (!judge.isClash(earlier, later)) continue;
    const isCorrected = later.item !== undefined && isLastWord(later);
    const lines = `lines ${earlier.fence.first + 1} and ${later.fence.first + 1}`;
    const which = isCorrected ? "the later one is meant" : "nothing says which one is meant";
    for (const { item, name } of isCorrected ? [earlier] : [earlier, later])
      if (item !== undefined) refused.set(item, `\`${name}\` has two texts in the answer (${lines}), and ${which}`);
  }
  if (refused.size === 0) return parts;
  const judged = (item: Item): Item => {
    const message = refused.get(item);
    if (message === undefined || !isBlock(item)) return item;
    return damaged(item, prose.diagnostic(item.startLine - 1, "SEVERAL_TEXTS", item.id, message));
  };
  return parts.map((part) => ({ ...part, read: { ...part.read, items: part.read.items.map(judged) } }));
}

/** Returns the fences with one function that are no part of another block, in order. */
function waysIn(passages: readonly Passage[], blocks: readonly ReadBlock[]): readonly Way[] {
  const sorted = blocks.toSorted((left, right) => left.startLine - right.startLine);
  let at = 0;
  const blockAt = (line: number): ReadBlock | undefined => {
    while (at < sorted.length && (sorted[at]?.endLine ?? 0) <= line) at += 1;
    const block = sorted[at];
    return block !== undefined && block.startLine <= line + 1 ? block : undefined;
  };
  return passages.flatMap((passage, index) => {
    if (passage.kind !== "fence" || passage.isCommand || passage.isDiff) return [];
    const item = blockAt(passage.first);
    const only = onlyDeclarationIn(passage.content);
    if (only === undefined || (item !== undefined && !isText(item))) return [];
    const above = passages[index - 1];
    return {
      ...only,
      fence: passage,
      intro: above?.kind === "prose" ? above.text : "",
      heading: headingAbove(passages, index),
      lines: linesOf(passage.content),
      item,
    };
  });
}

/** Returns whether a block is the new text of something, without the old one. */
function isText({ properties: { action, content, old }, diagnostics }: ReadBlock): boolean {
  return action === "file_put" && content !== undefined && old === undefined && diagnostics.length === 0;
}

/** Returns each fence with the next one of the same name and kind. */
function pairsOf(ways: readonly Way[]): ReadonlyArray<readonly [Way, Way]> {
  const last = new Map<string, Way>();
  return ways.flatMap((way) => {
    const key = `${way.kind} ${way.name}`;
    const earlier = last.get(key);
    last.set(key, way);
    return earlier === undefined ? [] : [[earlier, way] as const];
  });
}

class Judge {
  readonly #retractions: Retractions;
  readonly #textAt: (path: string) => string | undefined;

  constructor(retractions: Retractions, textAt: (path: string) => string | undefined) {
    this.#retractions = retractions;
    this.#textAt = textAt;
  }

  /** Returns whether two texts cannot both be meant. */
  isClash(earlier: Way, later: Way): boolean {
    const path = (earlier.item ?? later.item)?.properties["path"];
    if (path === undefined || [earlier, later].some((way) => !this.#isOf(path, way))) return false;
    if (HAS_OVERLOADS.test(path) && earlier.head !== later.head) return false;
    const text = this.#textAt(path) ?? "";
    const there = linesOf(text);
    // Old code, or what other lines stand for.
    const isPartOf = ({ lines, fence }: Way): boolean =>
      isIn(lines, there) || placeholderJudge(path, fence.content) !== undefined;
    if (countDeclared(text, earlier.name) > 1 || [earlier, later].some(isPartOf)) return false;
    if (holdersIn(earlier, text) !== holdersIn(later, text)) return false;
    const old = linesOf(declarationOf(text, earlier.name));
    const isMet = meets(changedIn(old, earlier.lines), changedIn(old, later.lines));
    return isMet && isWay(earlier, later) && !buildsOn(earlier.lines, later.lines, new Set([...there, earlier.head]));
  }

  /** Returns whether a fence may show a new text for a file. */
  #isOf(path: string, { item, fence, intro }: Way): boolean {
    if (item !== undefined) return item.properties["path"] === path;
    const paths = [...codePathsIn(intro), ...(fence.path === undefined ? [] : [fence.path])];
    const isForeign = fence.info !== "" && !isInLanguage(path, fence.info);
    if (isForeign || paths.some((other) => nameOf(other) !== nameOf(path))) return false;
    return isAnotherWay(intro) || this.#retractions.of(fence) === undefined;
  }
}

/** Returns whether sentences give both texts. */
function isWay(earlier: Way, later: Way): boolean {
  const { intro, heading } = later;
  if (later.item === undefined) {
    const isOther = isAnotherWay(intro) || corrects(intro) || IS_SECOND.test(intro);
    const isGiven = isOther || handsOver(intro) || ordersEdit(intro);
    return earlier.head === later.head && isGiven && !isNoEdit(`${heading}\n${intro}`);
  }
  return earlier.item !== undefined || isOrderedIf(earlier.intro);
}

/** Returns the other declarations of a file that the sentences above a fence name. */
function holdersIn({ intro, name }: Way, text: string): string {
  const names = [...intro.matchAll(/`[^`\n]*`/g)].flatMap(([span]) => span.match(/[\p{L}\p{N}_$]+/gu) ?? []);
  return [...new Set(names)].filter((word) => word !== name && countDeclared(text, word) > 0).join(" ");
}

/** Returns whether a sentence orders a change for one case: if you are on Windows, change `f`. */
function isOrderedIf(intro: string): boolean {
  const [, order = ""] = /^\W*if\b[^,`]*(?:`[^`]*`[^,`]*)*, (.+)$/is.exec(intro) ?? [];
  return ordersEdit(order);
}

/** Returns the range of a function's lines that another text of it changes. */
function changedIn(old: readonly string[], lines: readonly string[]): LineRange {
  const least = Math.min(old.length, lines.length);
  let first = 0;
  while (first < least && old[first] === lines[first]) first += 1;
  let below = 0;
  while (below < least - first && old.at(-1 - below) === lines.at(-1 - below)) below += 1;
  return { first, next: old.length - below };
}

/** Returns whether two ranges have a line in common, or are the same place between two lines. */
function meets(left: LineRange, right: LineRange): boolean {
  const isSamePlace = left.first === right.first && left.next === right.next;
  return isSamePlace || (left.first < right.next && right.first < left.next);
}

/** Returns whether a text keeps most of the lines that another one adds to a file. */
function buildsOn(earlier: readonly string[], later: readonly string[], there: ReadonlySet<string>): boolean {
  const added = earlier.filter((line) => !there.has(line) && /\w/.test(line));
  const kept = new Set(later);
  return added.filter((line) => kept.has(line)).length * 2 >= added.length;
}

function isIn(lines: readonly string[], there: readonly string[]): boolean {
  return `\n${there.join("\n")}\n`.includes(`\n${lines.join("\n")}\n`);
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}

/** Pairs to judge in one answer, so that the work stays linear. */
const MAX_PAIRS = 100;
const HAS_OVERLOADS = /\.(?:cc|cpp|cs|cxx|dart|erl|exs?|groovy|h|hpp|hs|java|kts?|scala|swift|ts|tsx)$/;
/** Returns whether sentences correct the text above, or go on from it. */
function isLastWord({ intro, heading }: Way): boolean {
  return corrects(intro) || LAST_WORD.test(intro) || GOES_ON.test(intro) || /^\W*step \d/i.test(heading);
}

/** For Python 3, correction, the second way. */
const IS_SECOND = /^\W*(?:for \w+ \d|korrektur|pardon|方法[二2三3])/i;
const LAST_WORD =
  /\b(?:altogether|better yet|combined|complete|even better|final|full|improved|optimi[sz]ed|refactor\w*|simplif\w+|together|whole)\b/i;
const GOES_ON = /^\W*(?:(?:and|so) )?(?:after|finally|next|now|replace|rewrite|second|step \d+|then|third)\b/i;
