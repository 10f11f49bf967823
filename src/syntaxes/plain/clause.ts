/** Takes a sentence above code apart: what stands before its main clause, and whether that orders a change. */
import { VERBS } from "./words.ts";

/** Code and paths, in which words mean nothing: `bad.rs`. */
const NAMES = /`[^`\n]*`|[\w-]+(?:\/[\w.-]+)+|[\w-]{2,}\.[a-z]\w{0,5}\b/g;

/** Returns a text whose code and paths have no words, and whose apostrophes are straight. */
export function withoutNames(text: string): string {
  return text.replaceAll("’", "'").replace(NAMES, (name) => name.replace(/[\w./-]/g, "-"));
}

/** Returns a sentence without the marks around its words: those of headings, lists and emphasis. */
export function withoutMarks(text: string): string {
  return text
    .replaceAll("’", "'")
    .replace(/^(?:[#*_\s\d.)…•📝📁✅→-])+/u, "")
    .replace(/\*\*|__/g, "");
}

/** Returns the main clause of a sentence without marks: no "First,", no "In `a.py`,", no "Don't touch it –". */
export function mainClauseOf(words: string): string {
  const order = words.replace(IN_FILE, "");
  // What ends with a comma may be the order itself: in `a.py` give `f` a comment, so nobody deletes it.
  if (order !== words && /^[a-z]+ (?:a|an|the|`)/.test(order) && ordersChange(order)) return order;
  return words.replace(NOT_THAT, "").replace(LEAD, "").trim();
}

const IN_FILE = /^in (?:the file )?(?:`[^`]*`|[\w.\x2f-]+\.\w+)(?: \([^)]*\))? /i;
/** What is not to be done, before what is: don't edit the old one – */
export const NOT_THAT =
  /^(?:do not|don't|never|avoid)\b[^:–—;]*(?:[–—;]|, but\b)\s*(?=(?:add|change|create|edit|move|only|put|replace|update|write)\b)/i;

/** Verbs before which "to", "don't forget to" and the like only lead to an order. */
const LED = "(?:add|insert|put|replace|change|update|remove|rename)\\b";
/** In `a.py`, in `a`, `b` and `c`, for the tests, since it fails: but no example, and not what may be done there. */
const PLACE_OR_REASON =
  "(?:(?:right|just|directly|over) )?(?:in|at|inside|within|under|after|before|below|above|on|with|" +
  "to(?! (?:confirm|verify|check|reproduce|see|test(?! (?:(?:against|on|under|with) )?(?:all|both|different|each|every|many|more|multiple|newer|older|several)\\b)|debug|try)\\b)|for(?! example| instance| comparison| reference)|" +
  "as|because|since|from)\\b(?:(?!\\b(?:you|we) (?:can|could|may|might)\\b)[^,:`]|`[^`]*`|(?<=`), (?=`))*,\\s*";
/** For small screens add a rule; in the head of `a.html` add: no comma, and no room for anybody who adds something. */
const PLACE_ALONE =
  "(?=[^\\n]*`)(?:(?:right|just|directly) )?(?:above|after|at|before|below|for(?! (?:comparison|context|example|instance|reference|some)\\b)|" +
  "in(?! (?:general|practice|principle|some|theory)\\b)|inside|on|under|within) (?:(?:the|your) )?(?!docs\\b|th(?:at|is|ose)\\b)" +
  "(?:`[^`]*`|(?!\\w*s \\w+ (?:add|insert|place|put))[\\w<>-]+)" +
  "(?: (?!(?:I|of|people|that|they|we|who|you)\\b)(?:`[^`]*`|(?:devices|phones|screens)|(?!\\w*s\\b)[\\w<>-]+))?" +
  "(?: of (?:(?:the|your) )?(?:\\w+ )?`[^`]*`)? (?=(?:add|insert|place|put)\\b(?:\\s*:| (?:an?|another|its?|one|that|the|these|this|two|`)))";
/** To verify it, add a test. */
export const WITH_TEST = "[^,:`]*,(?= (?:add|change|extend|put|update|write)\\b[^:`]*\\btests?\\b)";
const LEAD = new RegExp(
  `^(?:${[
    "(?:(?:don't|do not) forget|remember|make sure|be sure)\\b(?: to\\b| you\\b)?\\s+",
    `to\\b(?=[^.:,]*?(?<!\\bto )\\b${LED})[^.:,]*?(?<!\\bto )(?=\\b${LED})`,
    "(?:first|second|third|then|now|next|finally|also|and|so|please|just|instead(?! of)|again|lastly|last|afterwards|but|only|" +
      "accordingly|additionally|furthermore|hence|likewise|similarly|therefore|thus|ok|okay|sure|yes|certainly|done|simply|step \\d+)\\b\\s*[,:!.–—-]*\\s*",
    PLACE_OR_REASON,
    `to (?:check|confirm|test|verify)\\b${WITH_TEST}\\s*`,
    "(?:instead of|rather than) (?!what\\b|th\\w+\\b)[^,:]*,\\s*(?=use\\b)",
    "(?:from|in|since|with) [\\w.+ ]{1,30}? (?=(?:you|we) (?:can|need to|should)\\b)",
    "while (?:you|we)(?:'re| are) (?:at it|here|there),\\s*",
    "(?:after|once|when) (?:it|that|this)(?:'s| is) (?:done|in place|there),\\s*",
    "(?:in|inside|at the (?:top|end|bottom) of(?=[^:]*\\b(?:add|insert|put):))\\s+(?:the file\\s+)?" +
      "(?:`[^`]*`|[\\w.\\x2f-]+\\.\\w+)(?:\\s+\\([^)]*\\))?\\s+",
    PLACE_ALONE,
    "`[^`]*`(?: in `[^`]*`)?\\s*(?:[:,–—-]|\\([^)]*\\):?)+\\s*",
    "[\\w.\\x2f-]+\\.\\w+\\s*(?:[:,–—-])+\\s*",
    "issue \\d+:[^.]*\\.\\s*",
  ].join("|")})+`,
  "i",
);

/** How sure a modal verb is: what has to be done, what somebody would do, what can be done. */
export type Modal = "must" | "would" | "can";

/** Splits "you should also add": the modal verb, and the verb with what follows. */
function withoutModal(order: string): { readonly modal: Modal | undefined; readonly verb: string } {
  const [modal, form] = MODALS.find(([, one]) => one.test(order)) ?? [];
  return { modal, verb: order.replace(form ?? /^/, "").trim() };
}

const ALSO = "\\b(?: (?:also|just|then|now|simply))?";
/** What somebody wants to do to code, and not about it. */
const WANTED = " (?:(?:also|now|then) )?(?:adjust|change|edit|extend|modify|replace|rewrite|update|wrap)\\b";
const MODALS: ReadonlyArray<readonly [Modal, RegExp]> = [
  ["must", new RegExp(`^(?:you (?:should|need to|have to|must)|we (?:should|need to))${ALSO}`, "i")],
  [
    "would",
    new RegExp(
      `^(?:I(?:'d|'ll|'ve| would| will| have)?|let me|let's|we(?:'ll| will)|you(?:'d| would)(?=${WANTED}))${ALSO}`,
      "i",
    ),
  ],
  ["can", new RegExp(`^(?:you (?:can|could)|you(?:'ll| will) want to(?=${WANTED})|we can)${ALSO}`, "i")],
];

/** Returns whether a main clause orders a change: any verb in its basic form, unless it only asks to look or to try. */
export function ordersChange(main: string): boolean {
  const { modal, verb: order } = withoutModal(main);
  const [, verb = "", next = ""] = /^([A-Za-z]+)\b\s*(\S*)/.exec(order) ?? [];
  if (modal === "must") return verb !== "" && !LOOKS.test(verb);
  if (modal !== undefined) return CHANGES.test(order);
  if (/^(?:here(?:'s| is| are)\b|(?:output|version) (?:from|of|\d))/i.test(order)) return false;
  // A word alone is a label: slow.
  if (/^[A-Za-z]+:\s*$/.test(order)) return VERBS.test(verb);
  if (DONE.test(next) && !VERBS.test(verb)) return false;
  return verb !== "" && !NO_ORDER.has(verb.toLowerCase()) && !INFLECTED.test(verb) && !FINITE.test(next);
}

/** No verb in its basic form, as apply is. */
const INFLECTED = /(?:(?<!^(?:br|p|str))ing|(?<!^(?:emb|fe|se|spe))ed|(?<!s)s|(?<!^(?:app|comp|imp|multip|re|rep|supp))ly)$/i;

/** Returns whether a sentence orders a change by its verb: let `f` skip them, `f` should never return 0. */
export function isOrder(text: string): boolean {
  const main = mainClauseOf(withoutMarks(text));
  return ordersEdit(text) || (DUTY.test(main) && !/\bthis\b[^`]*:\s*$/.test(main));
}

/** Returns whether a sentence says what a code span is to do from now on. */
export function isDuty(text: string): boolean {
  const main = mainClauseOf(withoutMarks(text));
  return DUTY.test(main) && !EXPECTED.test(main);
}

/** What it does already, or comes of the change. */
const EXPECTED =
  / (?:agree|be|behave|continue|equal|get|give|keep|match|receive|remain|return .*\b(?:for|of|right|same)|run|see|stay|still|work)\b/;

/** Returns whether a sentence says to edit something, and not only what it is to do. */
export function ordersEdit(text: string): boolean {
  return ORDERS.test(withoutModal(mainClauseOf(withoutMarks(text))).verb);
}

const ORDERS =
  /^(?:add|append|bump|change|correct|delete|drop|edit|extend|extract|fix|inject|insert|let|lower|make|modify|move|put|raise|remove|rename|replace|rewrite|set|split|swap|switch|turn|update|wrap)\b/i;
/** What code has to do, and not how it is to look or to be used. */
const DUTY =
  /^(?:the )?(?:\w+ )?`[^`]*`(?: \w+)?(?: in `[^`]*`)? (?:should|must|needs to|has to) (?:(?:never|not|only|always|also|now|then) )?(?!(?:never|not|only|always|also|now|then|contain|do|have|look|print|show|output|report)\b|be (?:written|used|done|called)\b)[a-z]/i;

/** What somebody may do to code, beside what one can do with it. */
const CHANGES =
  /^(?:add|adjust|append|bump|cach|catch|chang|clos|collaps|compar|delet|drop\b|edit|expos|extend|extract|fix|get rid\b|giv(?=\w* (?:the )?`[^`]*`(?! a (?:shot|try)\b)(?!.* (?:but|if)\b))|handl|hoist|inlin|insert|introduc|lower|mak|memoi|merg|modif|mov|pull|put|rais|refactor|remov|renam|replac|rewr|set|simplif|split|swap|switch|turn|updat|us(?:e|ing)\b|validat|wrap|writ)/i;
/** What one has to do, but not to code. */
const LOOKS =
  /^(?:ask|avoid|be|call|check|expect|find|get|go|have|install|keep|know|look|never|not|note|notice|read|remember|run|see|test|think|try|understand|verify|wait)\b/i;
const FINITE = /^(?:is|are|was|were|does|do|did|has|have|had|will|would|can|could|might|may|says?|uses?|me|us)\b/i;
/** What somebody did: Bob added this. */
const DONE = /^(?:put|wrote|made|had|did|\w+ed)$/i;
/** First words that order nothing. */
const NO_ORDER_WORDS =
  "the a an this that these those it its you your we our they their he she i my me some other others another any all each every one two both most many few no none for if when while where what which who why how whether in on at by with without of to from as or because since though although instead than like unlike there later earlier once recently currently previously originally usually often sometimes maybe perhaps optional optionally alternatively otherwise right note imagine suppose consider think remember recall assume avoid never not don dont do see look notice observe run try test say frankly node before after until during inside outside under over given same issue problem bug cause people yesterday today somebody someone nobody everybody everyone";
const NO_ORDER: ReadonlySet<string> = new Set(NO_ORDER_WORDS.split(" "));

/** Behind "here is": what is to be, not what there is. */
export const NEW_STATE =
  "(?:what (?:change[sd](?= in `|:\\s*$)|I'd\\b|I would\\b|you (?:should|need|have) to\\b|to\\b|you (?:really )?(?:need|want)(?: instead)?(?=:\\s*$))|" +
  "what (?:the |your )?(?:(?:new|updated|fixed|whole|final) )?`[^`]*`(?: \\w+)?(?: in `[^`]*`)? should (?:now )?(?:be|look like)\\b|" +
  "how I(?:'d| would) (?:change|fix|rewrite|write) `[^`]*`(?: \\w+)?(?: (?:from|in) `[^`]*`)?:|" +
  "how (?:(?:the )?(?:(?:new|updated|fixed|whole|final) )?`[^`]*`(?: \\w+)?(?: in `[^`]*`)?|the (?!old\\b)[^:`]{0,40}\\b(?:class|component|file|function|method|rule|section|top|end)) " +
  "should (?:now )?look(?: like(?: this)?)?(?: (?:after|with) [^:]{1,60})?:)";
