/**
 * Reads whether the text beside a block takes it back: a sentence or a label above it ("don't use this:", **Wrong:**),
 * a heading above its section, or a sentence below it ("actually, scratch that"). The one reading for all syntaxes.
 * What a sentence says of other code takes nothing back.
 */
import { isFence, MASK } from "./fence.ts";
import type { LineRange } from "./line-blocks.ts";
import { isRule, pathAbove } from "./path-label.ts";
import { forbids, isAnotherWay, labelsOption, leavesAlone, retracts, turnsBack } from "./retraction-words.ts";
import type { Source } from "./source.ts";

/** A text in which the lines of blocks are masked, so that their content is no prose. */
export class Retractions {
  readonly #source: Source;
  readonly #code: Source;
  readonly #isOther: IsOther;
  #sections: ReadonlyArray<string | undefined> | undefined;

  /** @param code the same text with the lines of blocks */
  constructor(source: Source, code = source) {
    this.#source = source;
    this.#code = code;
    this.#isOther = otherWaysIn(source);
  }

  /**
   * Returns the text that takes a block back, in one line.
   *
   * @param isInFence whether lines of its own code fence stand around it
   */
  of(block: LineRange, isInFence = false): string | undefined {
    return this.forbids(block, isInFence) ?? this.retracts(block, isInFence);
  }

  /** Returns that text if it stands above a block. */
  forbids({ first }: LineRange, isInFence = false): string | undefined {
    const above = this.#paragraph(first - 1, -1, isInFence);
    if (above !== undefined && forbids(above.text, this.#isBlockAt(above.next))) return above.text;
    if (above !== undefined && this.#isOther(above.text, above.next)) return above.text;
    return (this.#sections ??= sectionsOf(this.#source, this.#isOther))[first];
  }

  /** Returns that text if it stands below a block. */
  retracts({ first, next }: LineRange, isInFence = false): string | undefined {
    const { text = "" } = this.#paragraph(next, 1, isInFence) ?? {};
    return retracts(text) || turnsBack(text) || leavesAlone(text, this.#linesOf({ first, next })) ? text : undefined;
  }

  #linesOf({ first, next }: LineRange): readonly string[] {
    const lines: string[] = [];
    for (let at = first; at < next; at++) if (!isFence(this.#code.at(at))) lines.push(this.#code.at(at));
    return lines;
  }

  /** Returns whether nothing that could be a sentence stands between two blocks. */
  isBeside(above: LineRange, below: LineRange): boolean {
    for (let at = above.next; at < below.first; at++) if (!isSkipped(this.#source.at(at))) return false;
    return true;
  }

  /**
   * Returns the nearest paragraph in a direction, and the index of the line after it. Blank lines, paths, heads of
   * diffs and the block's own fence are none; beyond other code there is nothing about the block.
   */
  #paragraph(start: number, step: 1 | -1, isInFence: boolean): Paragraph | undefined {
    const source = this.#source;
    const has = (at: number): boolean => at >= 0 && at < source.count && Math.abs(at - start) < MAX_DISTANCE;
    let [at, isOwn] = [start, isInFence];
    for (; has(at) && isSkipped(source.at(at)); at += step) {
      const isBlank = source.at(at).trim() === "";
      if (isFence(source.at(at)) && !isOwn) return undefined;
      if (isFence(source.at(at)) || isBlank) isOwn = false;
    }
    const lines: string[] = [];
    for (; has(at) && !isSkipped(source.at(at)) && !isMasked(source.at(at)); at += step) {
      const line = source.at(at);
      lines.push(line.trim());
      if (step === -1 && STARTS.test(line)) {
        at += step;
        break;
      }
    }
    if (lines.length === 0) return undefined;
    return { text: (step === 1 ? lines : lines.toReversed()).join(" "), next: at };
  }

  /** Returns whether a block or a fence ends right above some prose. */
  #isBlockAt(index: number): boolean {
    let at = index;
    while (at >= 0 && this.#source.at(at).trim() === "") at -= 1;
    const line = this.#source.at(Math.max(0, at));
    return isMasked(line) || isFence(line) || HEAD.test(line);
  }
}

interface Paragraph {
  readonly text: string;
  readonly next: number;
}

/** Returns, for each line, the heading or the summary that takes back all that is in its section. */
function sectionsOf(source: Source, isOther: IsOther): ReadonlyArray<string | undefined> {
  const sections: Array<string | undefined> = [];
  let [heading, level, fence]: [string | undefined, number, number] = [undefined, 0, 0];
  let summary: string | undefined;
  const isAgainst = (text: string, at: number): boolean => forbids(text, false) || isOther(text, at);
  for (let at = 0; at < source.count; at++) {
    sections.push(summary ?? heading);
    const { first, end = source.count } = source.fences[fence] ?? {};
    if (first === at) {
      for (; at < end; at++) sections.push(summary ?? heading);
      fence += 1;
      continue;
    }
    if (summary !== undefined && source.at(at).includes("</details>")) summary = undefined;
    const folded = SUMMARY.exec(source.at(at))?.[1];
    if (folded !== undefined && isAgainst(folded, at)) summary = folded;
    const marks = HEADING.exec(source.at(at))?.[1]?.length;
    if (marks === undefined || (heading !== undefined && marks > level)) continue;
    const text = source.at(at).trim();
    [heading, level] = [isAgainst(text, at) ? text : undefined, marks];
  }
  return sections;
}

/** Returns whether a text gives the code below it as one of several options, or as another way than code above it. */
type IsOther = (text: string, at: number) => boolean;

function otherWaysIn(source: Source): IsOther {
  let [firstCode, options] = [source.count, 0];
  for (let at = source.count - 1; at >= 0; at--) {
    if (isMasked(source.at(at)) || isFence(source.at(at))) firstCode = at;
    if (labelsOption(source.at(at))) options += 1;
  }
  return (text, at) => (options > 1 && labelsOption(text)) || (at >= firstCode && isAnotherWay(text));
}

function isMasked(line: string): boolean {
  return line.includes(MASK);
}

function isSkipped(line: string): boolean {
  return line.trim() === "" || isFence(line) || isRule(line) || HEAD.test(line) || pathAbove(line, false) !== undefined;
}

/** Lines between a block and the end of the paragraph that is about it. */
const MAX_DISTANCE = 12;
const HEADING = /^ {0,3}(#{1,6}) /;
/** A line that begins a paragraph of its own. */
const STARTS = /^\s*(?:#{1,6} |[-*+•] |\d+[.)] |[❌✗✘🚫✅])/u;
const HEAD = /^\s*(?:---|\+\+\+|diff |index |\*\*\* (?:Begin|End|Update|Add)|<\/?[\w:]+>\s*$)/;

const SUMMARY = /<summary>(.+?)<\/summary>/i;
