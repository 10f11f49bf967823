/**
 * Reads whether the text beside a block takes it back: a sentence or a label above it ("don't use this:", **Wrong:**),
 * a heading above its section, or a sentence below it ("actually, scratch that"). The one reading for all syntaxes.
 * What a sentence says of other code takes nothing back.
 */
import { isFence, MASK } from "./fence.ts";
import { leavesAlone } from "./left-alone.ts";
import type { LineRange } from "./line-blocks.ts";
import { isRule, pathAbove } from "./path-label.ts";
import { ADVISED, any, FALSE_SAYS, OPTION, OTHER_LABELS, OTHERS, tellsAnotherWay } from "./retraction-words.ts";
import { asks, turnsBack } from "./reconsidered.ts";
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
/** UTF-16 units of a paragraph that are read, from the side of the block. */
const MAX_LENGTH = 400;
const MAX_LABEL = 120;
const HEADING = /^ {0,3}(#{1,6}) /;
/** A line that begins a paragraph of its own. */
const STARTS = /^\s*(?:#{1,6} |[-*+•] |\d+[.)] |[❌✗✘🚫✅])/u;
const HEAD = /^\s*(?:---|\+\+\+|diff |index |\*\*\* (?:Begin|End|Update|Add)|<\/?[\w:]+>\s*$)/;

const SUMMARY = /<summary>(.+?)<\/summary>/i;
const STRUCK = /^[#*\s-]*~~[^~]+~~[\s*:：]*$/;

/** A heading, a bold line, or one with a sign. */
const STANDS_OUT = /^\s*(?:#{1,6} |[❌✗✘🚫]|(?:\*\*|__)[^*_]+(?:\*\*|__)[:：.!]?$)/u;

/** Returns whether a sign says that what stands below is wrong. */
export function isCrossed(text: string): boolean {
  return /^[#*\s]*[❌✗✘🚫]/u.test(text);
}

const labelsOption = (text: string): boolean => text.length < MAX_LABEL && OPTION.test(plain(text));

function isAnotherWay(paragraph: string): boolean {
  return tellsAnotherWay(plain(paragraph.slice(-MAX_LENGTH)).split(SENTENCE_END).at(-1) ?? "");
}

/**
 * Returns whether a paragraph takes back the block below it.
 *
 * @param isBetween whether it stands below another block, so that only what ends with a colon is about the next one
 */
function forbids(paragraph: string, isBetween: boolean): boolean {
  if (STRUCK.test(paragraph)) return true;
  const sentences = plain(paragraph.slice(-MAX_LENGTH)).split(SENTENCE_END);
  const last = sentences.pop() ?? "";
  const earlier = sentences.join(" ");
  const isOpen = /[:：]$/.test(last);
  if (!isOpen && isBetween && !STANDS_OUT.test(paragraph)) return false;
  if (LABEL.test(last)) return isOpen || earlier === "";
  if (isOpen && earlier === "" && IS_BAD.test(last)) return true;
  const about = FORBIDS.exec(last)?.groups?.["about"];
  // A sentence above, or a condition, tells what "it" is.
  const isTold = OF_NOW.test(earlier) || CONDITION.test(last);
  return about === undefined ? FORBIDS.test(last) : !(isTold && /^(?:that|it|those|them)\b/i.test(about));
}

/** Returns whether a paragraph takes back the block above it. */
function retracts(paragraph: string): boolean {
  const [first = "", second = ""] = plain(paragraph.slice(0, MAX_LENGTH)).split(SENTENCE_END);
  const lead = LEAD.exec(first)?.[0] ?? "";
  // Of "Hmm." alone, the next sentence tells.
  const text = lead.length === first.length && lead !== "" ? `${first} ${second}` : first;
  const said = text.slice((LEAD.exec(text)?.[0] ?? "").length);
  if (FORGETS.test(said)) return true;
  const isCorrected = FAILS.test(said) || INSTEAD.test(said) || asks(said, paragraph) || IS_RIGHT.test(second);
  const isDoubted = DOUBT.test(text) && isCorrected;
  const isAgainst = isDoubted || RETRACTS.test(said) || RETRACTS.test(text);
  // What ends with a colon may be about the next block.
  return isAgainst && !forbids(first, true);
}

/** Returns a text as plain words: no emphasis, no code, no mark before it. */
function plain(text: string): string {
  return text
    .replace(/`[^`\n]*`/g, "`")
    .replace(/\*+|~~|(?<!\w)_+|_+(?!\w)/g, "")
    .replaceAll("’", "'")
    .replace(/\s+/g, " ")
    .replace(/^(?:[#>(\s•❌✗✘🚫-]|\d+[.)] )+/u, "")
    .trim();
}

const SENTENCE_END = /(?<=[.!?…][)"'”]{0,2}) (?=\S)/;

const NOUN =
  "(?:block|edit|change|patch|diff|code|version|snippet|fix|approach|one|way|example|file|thing|solution|" +
  "attempt|step|alternative|option)s?";
const THIS = `${any("this", "that", "it", "these", "those", "them", "such", "anything like (?:this|that)")}(?: ${NOUN})*`;
const BELOW = any(THIS, `the (?:following|next)(?: ${NOUN})?`, `the ${NOUN} (?:below|here)`);
const ABOVE = any(THIS, `the (?:above|last|previous)(?: ${NOUN})?`, `the ${NOUN} above`);
const ADVERBS =
  "(?:ever|actually|just|really|even|simply|strongly|rather|personally|always|quite|entirely|exactly|probably|" +
  "clearly|definitely|a|an|such an?|hardly|plain)";
const DO =
  "(?:use|apply|do|make|take|write|add|copy|paste|try|merge|ship|commit|create|save|implement|go with)";
const DOING =
  "(?:using|applying|doing|making|taking|writing|adding|copying|pasting|trying|merging|shipping|committing|" +
  "creating|saving|implementing|going with)";
const NEVER = any("don't", "do not", "never", "let's not", "(?:(?:you|we|one) )?(?:should|must)(?:n't| not)");
const LIKE_THIS = any("like (?:this|that|so)", "this way", "that way");
/** What may follow before a sentence ends. */
const TAIL =
  "(?:,? (?:yet|here|now|though|please|at all|either|for now|as is|blindly|directly|in production|again|myself|anywhere|" +
  "however|below|above|then|honestly|to be clear|for this|in this case))*";
const WHY =
  "(?:(?:,| [–—-])? (?:because|since|as|it's|it is|it would|it only|that's|this is|for|only)\\b[^:;]*| \\([^)]*\\))?";
const BAD =
  "(?:wrong|not (?:quite |exactly |entirely )?(?:right|correct)|incorrect|broken|mistaken|mistake|bad idea|" +
  "bad example|overkill|not recommended|not worth|not needed|not necessary|unnecessary|a matter of taste|" +
  "no good|not good|the wrong (?:way|approach|file|place|fix))";
const IS = "(?:'s| is| was| would be| looks)";
const SHOWN_ONLY = any(
  "(?:for|as an?) (?:illustration|example|comparison|sketch|demonstration)s?(?: purposes)? only",
  "(?:only|just|merely|purely) (?:an? |as an? |for |the old |to )?(?:illustrat|example|sketch|demonstrat|comparison|counter-?example|show\\b|shows\\b)\\w*[^:;,]*",
  "illustration only",
  "not (?:meant|intended) to be (?:applied|used|run|merged)",
);
const I = "(?:I|we)";
const WOULD = "(?:'d| would)";
const I_WOULD_NOT = any(
  `${I}${any("'d not", " would(?: not|n't)")}(?: ${ADVERBS})*(?: ${any(DO, "recommend", "suggest", "advise")}(?: ${DOING})?| go down)?`,
  `I(?: do| will| can)(?: not|n't)(?: ${ADVERBS})* (?:recommend|suggest|advise|apply|use)(?: ${DOING})?`,
  `I(?:'ll|'d)? (?:won't|not) (?:apply|use|make)`,
  `${I}${WOULD}?(?: ${ADVERBS})* (?:advise|recommend|argue|caution|decide|vote|warn)d? (?:against|not to)(?: ${DO}| ${DOING})?`,
  `${I}${WOULD}(?: ${ADVERBS})* (?:avoid|skip|leave out|hold off(?: on)?|steer clear(?: of)?|refrain from|pass on|stay away from|rather not)(?: ${DO}| ${DOING})?`,
);
const END = "(?=$|[.,;:：!…–—(]| [-–—(])";

/** A label, a heading or a sentence alone that calls what is below it wrong. */
const LABEL = new RegExp(
  "^(?:" +
    any(
      `(?:the |a |an |my )?(?:(?:first|old|earlier|obvious) )?(?:very )?${any("wrong", "bad", "incorrect", "insecure", "unsafe", "rejected", "discarded", "withdrawn", "broken", "not recommended")}(?: (?:${NOUN}|answer|idea|practice|pattern|attempt))?`,
      "don't|do not|avoid|never",
      "(?:anti-?pattern|counter-?example|don'ts|not (?:like )?(?:this|so)|how not to|before)",
      `(?:here's |here is |this is |an example of )?(?:what|how|things) (?:not to|(?:you|we|one) (?:should(?:n't| not)|must(?:n't| not)))(?: ${DO}| be \\w+| avoid)?(?: ${THIS})?`,
      "(?:what|things) to avoid",
      `(?:instead of|rather than)(?: ${DOING})? ${THIS}`,
      `[^.:]{1,40} \\((?:wrong|bad|incorrect|don't use|do not use|not recommended|rejected|discarded)\\)`,
      OTHERS,
      OTHER_LABELS,
    ) +
    ")(?: \\([^)]*\\))?\\s*[:：.!…]?$",
  "i",
);
const IS_BAD = new RegExp(`^(?:but |now |so |however,? )?${THIS}${IS}(?: ${ADVERBS})* ${BAD}${TAIL}[:：]$`, "i");
const CLAUSE = "(?:^|[,;:–—(-] |\\b(?:but|so|and|please|then) )(?:please )?";
const FORBIDS = new RegExp(
  any(
    `${CLAUSE}${any(`${NEVER}(?: ${ADVERBS})* ${DO}`, `avoid(?: ${DOING})?`)} (?<about>${BELOW})${TAIL}${WHY}`,
    `${CLAUSE}${NEVER}\\b[^.:;]{1,80} ${LIKE_THIS}${TAIL}`,
    `${CLAUSE}(?:avoid|rather than|instead of)\\b[^.:;]{1,80} ${LIKE_THIS}${TAIL}(?=[:：])`,
    `${CLAUSE}${I_WOULD_NOT}(?: ${any(`(?:it )?${LIKE_THIS}`, BELOW, "so")})?${TAIL}${WHY}`,
    `${CLAUSE}(?:what|how) (?:not to|(?:you|we|one) (?:should|must)(?:n't| not)) ${DO}(?: ${THIS})?`,
    `\\b(?:tempt(?:ed|ing|ation)|urge) to\\b[^.:;]*(?=[:：])`,
    `\\b${SHOWN_ONLY}`,
    `(?:^|[.,;–—-] |\\b(?:aber|mais|pero|but) )${OTHERS}`,
    `^${ADVISED}[^:：]{0,20}(?=[:：])`,
  ) + "\\s?[:：.!…]*$",
  "i",
);
/** What is there now, which a sentence below it may be about. */
const OF_NOW =
  /\b(?:old|previous|current|existing|original|earlier|currently|now|today|so far|was|were|had|did|has|have|\w{2,}ed)\b/i;
const CONDITION = /^(?:if|when|whenever|unless|while|where|as long as)\b/i;

/** What begins a sentence and says nothing. */
const LEAD = new RegExp(
  `^(?:${any("but", "though", "however", "actually", "hmm+", "no", "oh", "so", "still", "sorry", "please", "personally", "honestly", "for now", "edit", "update", "oops", "wait", "(?:having |that )+said", "on second thoughts?", "on reflection", "thinking about it", "to be clear", "note", "warning", "moment", "warte", "halt", "nein", "attends", "attendez", "non", "espera", "perdón")}(?=[\\s,.…:!–—-]|$)[\\s,.…:!–—-]*)+`,
  "i",
);
/** Begins a sentence in which the model corrects itself. */
const DOUBT = /\b(?:wait|hmm+|oops|no|oh|on second thoughts?|on reflection)\b[\s,.…!–—-]/i;
const FAILS = new RegExp(
  `^(?:${ABOVE}|this|that) (?:breaks|fails|misses|won't work|doesn't work|does not work|will not work|can't work|cannot work|isn't right|isn't correct|is not enough|would break)\\b`,
  "i",
);
const IS_RIGHT = /^(?:this|that|here)(?:'s| is) (?:the )?(?:right|correct|better)\b[^.:]*[:：]$/i;
const INSTEAD = /^(?:(?:let's )?(?:use|try|apply|take|do)|here(?:'s| is))\b[^.:]* instead[:：]?$/i;
const FORGETS = new RegExp(
  `^(?:${any(`(?:scratch|ignore|forget|disregard|skip|drop|discard|revert|strike) (?:${ABOVE})(?: (?:edit|block))?`, `never ?mind(?:,? (?:about )?${ABOVE})?`, `I(?:'ll| will|'d like to| have to)? take ${ABOVE} back`)}${TAIL}${END}|(?:let me|let's|I'll) (?:redo|rewrite|start over|try (?:that |this |it )?again|retract|take (?:that|this|it) back)\\b|correction${END})`,
  "i",
);
const RETRACTS = new RegExp(
  `^${any(
    `${NEVER}(?: ${ADVERBS})* ${DO} ${ABOVE}${TAIL}${END}`,
    `avoid(?: ${DOING})? ${ABOVE}${TAIL}${END}`,
    `${I_WOULD_NOT}(?: ${any(`(?:it )?${LIKE_THIS}`, "(?:that|this) (?:road|route|path)", ABOVE, "so")})?${TAIL}${END}`,
    `${I}${WOULD} recommend (?:leaving|keeping|staying|not)\\b`,
    `${I}${WOULD}(?: ${ADVERBS})* (?:leave|keep) (?:${THIS}|things|everything) (?:as|alone|out)\\b`,
    "I don't think (?:you|we) (?:need|should)\\b",
    `I(?:'ve| have)? (?:reverted|undone|undid|withdrawn|discarded|rolled back) ${ABOVE}(?=$|[.,;:]| because| since| as)`,
    "I'm not (?:suggesting|recommending|saying)\\b",
    `(?:let's not|not (?:here|now|yet))${TAIL}${END}`,
    "not worth (?:it|the)\\b",
    `${THIS} \\w+ .{0,80}\\bI(?: have|'ve)? (?:left ${THIS} (?:out|as)|decided against)`,
    `${ABOVE}${any(`${IS}(?: ${ADVERBS})* ${BAD}`, " (?:isn't|wasn't|wouldn't be)(?: quite| really)? (?:right|correct|worth it)")}${TAIL}${END}`,
    `${THIS}${IS}(?: ${ADVERBS})* (?:not worth|overkill|a matter of taste)\\b`,
    `${ABOVE}${IS} ${SHOWN_ONLY}`,
    `(?:you|we) (?:don't|do not|won't) (?:really )?need ${THIS}${TAIL}(?: anyway)?(?=$|[.,!;])`,
    "(?:we|I)(?:'ve| have)? decided (?:not to|against)\\b",
    `(?:leave|keep) (?:${THIS}|things|everything) (?:as (?:it|they) (?:is|are)|as is|alone)\\b`,
    "(?:keep what you have|(?:stick|stay) with (?:the|your|what))\\b",
    ".{0,60}\\b(?:drawbacks|downsides|too much)\\b.{0,20}, so (?:let's not|don't)\\b",
    `\\(?${THIS}(?: ${NOUN})? (?:is|was) (?:just |only )?(?:the|my|an?) (?:old|previous|first|earlier|original|outdated) (?:plan|idea|try|${NOUN})${END}`,
    ADVISED,
    `${OTHERS}${END}`,
    `${FALSE_SAYS}${END}`,
  )}`,
  "i",
);
