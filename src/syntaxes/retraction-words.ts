/**
 * What takes code back in words: the sentences above a block that forbid it, those below that retract it, replace it
 * or leave what it changes as it was, and those that give another way. In English mostly, and in eight other languages.
 */
import { literalPattern } from "../core/literal.ts";
import { spanStaying } from "./kept-words.ts";
import { isOther } from "./plain/words.ts";

/**
 * Returns whether a paragraph takes back the block below it.
 *
 * @param isBetween whether it stands below another block, so that only what ends with a colon is about the next one
 */
export function forbids(paragraph: string, isBetween: boolean): boolean {
  if (STRUCK.test(paragraph)) return true;
  const sentences = plain(paragraph.slice(-MAX_LENGTH)).split(SENTENCE_END);
  const last = sentences.pop() ?? "";
  const earlier = sentences.join(" ");
  const isOpen = /[:：]$/.test(last);
  if (!isOpen && isBetween && !STANDS_OUT.test(paragraph)) return false;
  if (LABEL.test(last)) return isOpen || earlier === "";
  if (isOpen && earlier === "" && IS_BAD.test(last)) return true;
  const forbidden = FORBIDS.exec(last.toLowerCase());
  const about = forbidden?.groups?.["about"];
  // A sentence above, or a condition, tells what "it" is.
  const isTold = OF_NOW.test(earlier) || CONDITION.test(last);
  return about === undefined ? forbidden !== null : !(isTold && /^(?:that|it|those|them)\b/i.test(about));
}

/** Returns whether a paragraph takes back the block above it. */
export function retracts(paragraph: string): boolean {
  const [first = "", second = ""] = plain(paragraph.slice(0, MAX_LENGTH)).split(SENTENCE_END);
  const lead = LEAD.exec(first)?.[0] ?? "";
  // Of "Hmm." alone, the next sentence tells.
  const text = lead.length === first.length && lead !== "" ? `${first} ${second}` : first;
  const said = text.slice((LEAD.exec(text)?.[0] ?? "").length);
  if (FORGETS.test(said)) return true;
  const isCorrected =
    FAILS.test(said) || UNCHANGING.test(said) || INSTEAD.test(said) || asks(said, paragraph) || IS_RIGHT.test(second);
  const isDoubted = DOUBT.test(text) && isCorrected;
  // It gains nothing, so I would leave it.
  const [, end = ""] = CONCLUDES.exec(said) ?? [];
  const isAgainst = isDoubted || [said, text, end].some((words) => RETRACTS.test(words.toLowerCase()));
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

/** Returns whether a sign says that what stands below is wrong. */
export function isCrossed(text: string): boolean {
  return /^[#*\s]*[❌✗✘🚫]/u.test(text);
}

/** Returns whether a text labels one of several options. */
export function labelsOption(text: string): boolean {
  return text.length < MAX_LABEL && OPTION_WORD.test(text) && OPTION.test(plain(text));
}

/** Returns whether the last sentence of a paragraph gives what is below it as another way. */
export function isAnotherWay(paragraph: string): boolean {
  return tellsAnotherWay(plain(paragraph.slice(-MAX_LENGTH)).split(SENTENCE_END).at(-1) ?? "");
}

/** Returns whether a sentence gives what is below it as another way. "Or rather" corrects what is above. */
function tellsAnotherWay(words: string): boolean {
  return ANOTHER_WAY.test(words) || (isOther(words) && !/^or (?:better|rather)\b/i.test(words));
}

/** Returns whether a paragraph withdraws the edit above it and introduces another. One that adds a further edit does not. */
export function turnsBack(paragraph: string): boolean {
  const text = withoutBold(paragraph);
  if (!/[:：]\s*$/.test(text) || (GOES_ON.test(text) && !/\binstead\b/i.test(text))) return false;
  return TURNS.test(text) || (OF_ABOVE.test(text) && AGAINST.test(text));
}

/** Returns whether a paragraph corrects the block above it by the one below. */
export function corrects(paragraph: string): boolean {
  const text = withoutBold(paragraph);
  return TURNS.test(text) || DOUBTS.test(text) || INSTEAD.test(text.trim()) || CORRECTED.test(text);
}

/** Returns whether a sentence asks whether what stands above is right, and its paragraph adds nothing to that. */
function asks(words: string, paragraph: string): boolean {
  return words.endsWith("?") && !GOES_ON.test(paragraph);
}

/** Returns whether a paragraph leaves something as it was that the lines of a block above it show. */
export function leavesAlone(paragraph: string, block: readonly string[]): boolean {
  const text = withoutBold(paragraph);
  const lead = DOUBTS.exec(text)?.[0] ?? "";
  const span = spanStaying(text.slice(lead.length));
  if (span === undefined) return false;
  const name = new RegExp(`(?<![\\p{L}\\p{N}_$])${literalPattern(nameIn(span))}(?![\\p{L}\\p{N}_$])`, "u");
  // Without a word of doubt, it has to be what the block is.
  const shown = lead === "" ? block.filter((line) => line.trim() !== "").slice(0, 1) : block;
  return (lead !== "" || MUST.test(text)) && shown.some((line) => name.test(line));
}

function nameIn(span: string): string {
  return span.replace(/\(.*$/, "").replace(/^.*[.#:]/, "");
}

function withoutBold(text: string): string {
  return text.replaceAll("’", "'").replace(/\*\*|__/g, "");
}

/** UTF-16 units of a paragraph that are read, from the side of the block. */
const MAX_LENGTH = 400;
const MAX_LABEL = 120;

// Words of other languages.

/** Returns a pattern for one of several. */
const any = (...forms: readonly string[]): string => `(?:${forms.join("|")})`;

/** Do not do this. */
const OTHERS = any(
  "ne (?:faites|fais|utilisez|utilise|appliquez|écrivez|écris) pas (?:ceci|cela|ça)",
  "à éviter",
  "no (?:hagas|uses|apliques|escribas) (?:esto|eso)",
  "não (?:faça|use|escreva) (?:isso|isto)",
  "non (?:fare|usare|scrivere) (?:così|questo)",
  "(?:bitte )?nicht so",
  "(?:mach|verwende|nutze|schreib)\\w* (?:das|dies\\w*|es)(?: so)?(?: bitte)? nicht(?: so)?",
  "不要(?:这样|这么|使用|用)[^。:：]{0,12}",
  "(?:しないで|悪い例)[^。:：]{0,12}",
  "не (?:делай|пиши|используй)(?:те)? (?:так|это)",
);
/** Wrong, not like this. */
const OTHER_LABELS = any(
  "falsch|schlecht|so nicht|(?:das )?(?:falsche|schlechte)s? (?:beispiel|weg|ansatz)|was (?:man|du|sie) nicht (?:tun|machen) soll\\w*",
  "faux|mauvais(?:e (?:pratique|méthode|façon)| exemple)?|(?:à|ce qu'il) ne (?:pas|faut pas) faire",
  "incorrecto|mal|así no|mal ejemplo|lo que no (?:debes|se debe|hay que) hacer",
  "errado|incorreto|assim não|o que não fazer|sbagliato|cosa non fare|così no",
  "(?:错误|不好|不推荐)的?(?:示例|做法|写法|方式|例子)?|反例|(?:悪い|間違った)(?:例|書き方)|неправильно|плохо|так не надо",
);
/** That was wrong, that is not needed. */
const FALSE_SAYS = any(
  "(?:das|dies|es) (?:ist|war) (?:leider |doch |so )*(?:falsch|verkehrt|nicht (?:richtig|nötig|korrekt)|unnötig|ein fehler|quatsch)",
  "(?:das|dies|es) (?:brauchst du|brauchen (?:wir|sie)|braucht (?:es|man)|stimmt|geht|passt)(?: so| doch| hier| aber| gar)* nicht",
  "(?:vergiss|ignorier\\w*|vergessen sie) (?:das|dies\\w*|es)(?: wieder| bitte)?",
  "(?:c'est|c'était|ce n'est pas) (?:faux|incorrect|une erreur|correct|nécessaire|juste)",
  "(?:oubliez|oublie|ignorez|ignore) (?:ça|cela|ceci)",
  "(?:eso|esto) (?:está|estaba|es|era|no es|no está) (?:mal|incorrecto|un error|necesario|correcto|bien)",
  "(?:olvida|ignora|olvide|ignore) (?:eso|esto)",
);
/** I would not recommend it. */
const ADVISED = any(
  ".{0,30}\\b(?:abraten|rate (?:ich )?davon ab|würde ich (?:hier )?nicht|lieber nicht)\\b",
  ".{0,30}\\b(?:déconseille|recommande pas|desaconsejo|no (?:te )?lo recomiendo|sconsiglio|não recomendo)\\b",
  ".{0,20}(?:不建议|不推荐|おすすめしません|не рекоменду|не советую)",
);

/** Begins the label of one of several options. */
const OPTION_WORD = /alternative|ansatz|approach|opción|option|variante?/i;
const OPTION = new RegExp(`^(?:${OPTION_WORD.source})\\s+(?:[a-d]|\\d)(?=$|[\\s:：.)(–—-])`, "i");

const ANOTHER_WAY = new RegExp(
  "^(?:(?:alternatively|as an alternative|alternativ|sinon|alternativamente)\\b[^.:：]*[:：]?|" +
    "(?:an |the )?(?:alternative|another|other)(?: (?:approach|fix|idea|implementation|option|solution|version|way)\\b[^.:：]*)?" +
    "(?:[:：]|$).{0,80})$",
  "i",
);

const STRUCK = /^[#*\s-]*~~[^~]+~~[\s*:：]*$/;

/** A heading, a bold line, or one with a sign. */
const STANDS_OUT = /^\s*(?:#{1,6} |[❌✗✘🚫]|(?:\*\*|__)[^*_]+(?:\*\*|__)[:：.!]?$)/u;

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
const DO = "(?:use|apply|do|make|take|write|add|copy|paste|try|merge|ship|commit|create|save|implement|go with)";
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
const I = "(?:i|we)";
const WOULD = "(?:'d| would)";
const I_WOULD_NOT = any(
  `${I}${any("'d not", " would(?: not|n't)")}(?: ${ADVERBS})*(?: ${any(DO, "recommend", "suggest", "advise")}(?: ${DOING})?| go down)?`,
  `i(?: do| will| can)(?: not|n't)(?: ${ADVERBS})* (?:recommend|suggest|advise|apply|use)(?: ${DOING})?`,
  `i(?:'ll|'d)? (?:won't|not) (?:apply|use|make)`,
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
/** Of a text in lower case, as RETRACTS: V8 takes six times as long to compile so large a pattern with the flag `i`. */
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
/** Don't change that. */
const UNCHANGING = new RegExp(`^${NEVER} (?:change|touch) (?:anything|it|that|this)${TAIL}[.!]*$`, "i");
const INSTEAD = /^(?:(?:let's )?(?:use|try|apply|take|do)|here(?:'s| is))\b[^.:]* instead[:：]?$/i;
const CORRECTED = /^\W*(?:better|correct(?:ed)?|edit|fixed|instead|the (?:correct|right) way|update)\W*$/i;
const CONCLUDES = /, (?:so|hence|therefore|thus|which is why),? (.+)$/i;
const FORGETS = new RegExp(
  `^(?:${any(`(?:scratch|scrap|ignore|forget|disregard|skip|drop|discard|revert|strike) (?:${ABOVE})(?: (?:edit|block))?`, `never ?mind(?:,? (?:about )?${ABOVE})?`, `I(?:'ll| will|'d like to| have to)? take ${ABOVE} back`)}${TAIL}${END}|(?:let me|let's|I'll) (?:redo|rewrite|start over|try (?:that |this |it )?again|retract|take (?:that|this|it) back)\\b|correction${END})`,
  "i",
);
const OLD_ONE = "(?:current|existing|old|original|present) (?:code|form|implementation|one|version)";
const RETRACTS = new RegExp(
  `^${any(
    `${NEVER}(?: ${ADVERBS})* ${DO} ${ABOVE}${TAIL}${END}`,
    `avoid(?: ${DOING})? ${ABOVE}${TAIL}${END}`,
    `${I_WOULD_NOT}(?: ${any(`(?:it )?${LIKE_THIS}`, "(?:that|this) (?:road|route|path)", ABOVE, "so")})?${TAIL}${END}`,
    `${I}${WOULD} recommend (?:leaving|keeping|staying|not)\\b`,
    `${I}${WOULD}(?: ${ADVERBS})* (?:leave|keep) (?:${THIS}|things|everything)(?: (?:as|alone|out)\\b|${END})`,
    `(?:${I}${WOULD} )?(?:leave|keep) (?:the |your )?${OLD_ONE}\\b`,
    `(?:the |your )?${OLD_ONE} (?:is|works) (?:just )?(?:enough|fine|good|ok(?:ay)?)\\b`,
    `${I_WOULD_NOT} (?:change|touch) (?:${THIS}|anything)${TAIL}${END}`,
    `${ABOVE} (?:does not|doesn't|won't|will not) work,? (?:however|though)\\b`,
    "i don't think (?:you|we) (?:need|should)\\b",
    `i(?:'ve| have)? (?:reverted|undone|undid|withdrawn|discarded|rolled back) ${ABOVE}(?=$|[.,;:]| because| since| as)`,
    "i'm not (?:suggesting|recommending|saying)\\b",
    `(?:let's not|not (?:here|now|yet))${TAIL}${END}`,
    "not worth (?:it|the)\\b",
    `${THIS} \\w+ .{0,80}\\bi(?: have|'ve)? (?:left ${THIS} (?:out|as)|decided against)`,
    `${ABOVE}${any(`${IS}(?: ${ADVERBS})* ${BAD}`, " (?:isn't|wasn't|wouldn't be)(?: quite| really)? (?:right|correct|worth it)")}${TAIL}${END}`,
    `${THIS}${IS}(?: ${ADVERBS})* (?:not worth|overkill|a matter of taste)\\b`,
    `${ABOVE}${IS} ${SHOWN_ONLY}`,
    `${ABOVE}${IS} (?:what|how) (?:not to|(?:you|we|one) (?:should|must)(?:n't| not)) ${DO}${TAIL}${END}`,
    `(?:you|we) (?:don't|do not|won't) (?:really )?need ${THIS}${TAIL}(?: anyway)?(?=$|[.,!;])`,
    "(?:we|i)(?:'ve| have)? decided (?:not to|against)\\b",
    `(?:better )?(?:leave|keep) (?:${THIS}|things|everything) (?:as (?:it|they) (?:is|are)|as is|alone)\\b`,
    "(?:keep what you have|(?:stick|stay) with (?:the|your|what))\\b",
    ".{0,60}\\b(?:drawbacks|downsides|too much)\\b.{0,20}, so (?:let's not|don't)\\b",
    `\\(?${THIS}(?: ${NOUN})? (?:is|was) (?:just |only )?(?:the|my|an?) (?:old|previous|first|earlier|original|outdated) (?:plan|idea|try|${NOUN})${END}`,
    ADVISED,
    `${OTHERS}${END}`,
    `${FALSE_SAYS}${END}`,
  )}`,
);

const TURNS = new RegExp(
  "^[\\s(>*_-]*(?:(?:oh|ah|but|so|actually|no|sorry)[\\s,.!…–—-]+)*(?:" +
    "(?:wait|hold on|hmm+|oops|correction)\\s*[,.:!…–—-]|(?:actually|sorry),? no\\b|no,? (?:wait|not)\\b|" +
    "(?:scratch|undo) (?:that|this|the)\\b|on (?:second thoughts?|reflection)\\b|(?:I(?:'ve)? )?changed my mind\\b|" +
    "looking at (?:it|this|that) again\\b|better not\\b|(?:~~[^~]+~~ )?rather(?! than)\\b|" +
    "instead of (?:the above|that|this),? \\w|(?:that|this) would (?:break|fail)\\b)",
  "i",
);
const OF_ABOVE =
  /\b(?:the (?:above|first|last|previous) (?:block|change|edit|fix|one|version)|that (?:change|edit)|the (?:change|edit) (?:in|of|to) `)/i;
const AGAINST =
  /n't\b|\b(?:not|never|wrong|unnecessary|unneeded|ignore|undo|scratch|forget|disregard|revert|instead|break|alone|mistaken?)\b|\bas it (?:is|was)\b/i;
const GOES_ON =
  /\b(?:don't forget|do not forget|remember|forgot|missed|left out|also|too|as well|one more|another|additionally|likewise|add)\b/i;

const DOUBTS =
  /^[\s>(*_-]*(?:(?:wait|hmm+|oops|no|oh|actually|correction|sorry|on second thoughts?|on reflection|thinking about it|moment|warte|halt|nein|ach|attends|attendez|non|espera|perdón)(?![\p{L}\p{N}_])[\s,.:!…–—-]*(?:(?:but|here|so|then|I think|das|de hecho)\b,? )*)+/iu;
const MUST = /^[\s>(*_-]*(?:here,? |but )?`[^`\n]+` (?:must|should)/i;
