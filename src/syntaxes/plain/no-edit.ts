/** Tells the sentences above code that is no edit: it is there already, comes out, is one way of several, or wrong. */
import { isRemarkedAsShown } from "../label-remark.ts";
import {
  isOrder,
  mainClauseOf,
  NEW_STATE,
  NOT_THAT,
  ordersChange,
  ordersEdit,
  WITH_TEST,
  withoutMarks,
  withoutNames,
} from "./clause.ts";
import { isSupposed, isForeignNoEdit } from "./words.ts";

/** Returns whether a heading or sentence says that the code below it is no edit. A label tells what is wrong. */
export function isNoEdit(sentences: string): boolean {
  const lines = sentences.trimEnd().split("\n");
  const text = lines.map((line) => line.slice(-MAX_SENTENCE)).join("\n");
  const words = wordsOf(text);
  // A heading above orders nothing.
  const begin = words.lastIndexOf("\n") + 1;
  const [heading, last] = [words.slice(0, begin), withoutLead(words.slice(begin))];
  const given = text.slice(text.lastIndexOf("\n") + 1);
  const meant = withoutMarks(words).replace(NOT_THAT, "");
  const isLikely = LIKELY.some((sign) => sign.test(meant)) || text.split("\n").some(isRemarkedAsShown);
  // What comes before an order only gives the reason: you get no cleanup, so switch to an effect.
  const [, order = ""] = SO.exec(last) ?? [];
  const isReasoned = ordersEdit(order);
  const judged = isReasoned ? order : withoutPurpose(last);
  const isAsked = isReasoned || isOrder(given) || GIVES_NEW.test(mainClauseOf(withoutMarks(given)));
  return (
    CERTAIN.some((sign) => sign.test(heading + judged)) ||
    (isLikely && !isAsked) ||
    isForeignNoEdit(last) ||
    OUTWEIGHED.some((sign) => sign.test(heading) || (sign.test(last) && (!isAsked || OF_THIS.test(last))))
  );
}

const SO = /, so (?!(?:delete|drop|remove)\b)([^,;:]*:\s*)$/i;
/** Here is the updated `f`, which raises an error; throw an error in `a.ts`. */
const GIVES_NEW =
  /^(?:raise|throw) an? |^(?:here(?:'s| is| are) (?:an?|my|the|your) (?:\w+ )?(?:corrected|fixed|improved|modified|new|refactored|revised|updated|version of)\b|here(?:'s| is) the (?:complete|entire|full|whole) (?:class|component|file|function|method|module|script)\b[^:`]*,? with `[^`]*` instead of `[^`]*`:\s*$|(?:display|give|return|show|throw|use) (?!it\b|that\b|these\b|this\b)[^:]*`[^`]*`)/i;
/** Replace this wrong line. */
const OF_THIS =
  /\b(?:that|these|this|those) (?:bad|error|exception|warning|wrong)\b|\b(?:namely|not look like|that you (?:have|posted|sent|wrote))\b/i;

/** Returns an order without what it is for, which says nothing of the code: change `f` so that you can call it. */
function withoutPurpose(order: string): string {
  const named = order.search(/`[^`]+`/);
  if (named === -1 || !ordersEdit(order)) return order;
  const purpose = PURPOSE.exec(order.slice(named));
  if (purpose === null || SHOWN_BELOW.test(purpose[0])) return order;
  const from = named + purpose.index;
  return order.slice(0, from) + order.slice(from + purpose[0].length);
}

/** Returns an order without what stands before it: to get the line into the error, iterate with an index. */
function withoutLead(text: string): string {
  const order = withoutMarks(text).replace(LED, "");
  return order !== withoutMarks(text) && ordersChange(order) ? order : text;
}

const LED =
  /^to (?!(?:call|check|confirm|debug|reproduce|run|see|show|test|try|use|verify)\b)(?:[^,:`]|`[^`]*`)+, (?=[a-z]+ )/i;
const PURPOSE =
  /(?:,? so(?: that)? (?!now\b)|,? such that | to (?!be\b|become\b|(?:the following|this)\b)(?=[a-z]))[^:]*?(?=, and (?!you\b)|:|$)/i;
/** What comes of it: so that it prints. */
const SHOWN_BELOW =
  /\b(?:following|gets?|likes?|logs?|outputs?|prints?|reports?|returns?|sees?|shows?|so|these|this|writes?)$/i;

/**
 * Returns whether sentences above a path only suppose the file, or say that it is there already or how it is used.
 *
 * @param isBelowPath whether they stand between the path and the code: then they may be a label of the code alone
 */
export function showsOther(text: string, isBelowPath = false): boolean {
  const last =
    text
      .trim()
      .split(/\n|(?<=[.!?]) (?=[\p{Lu}`])/u)
      .at(-1) ?? "";
  if (last.length > MAX_SENTENCE) return isSupposed(text);
  // Code below "avoid creating a client for each call" may be what creates it.
  if (AVOIDED.test(last)) return true;
  if (
    isBelowPath &&
    (/^\W*(?:are|can|could|do|does|is|shall|should|what happens|why|would)\b.*\?\s*$/i.test(last) ||
      SHOWN_AS.test(withoutMarks(last).trim()))
  )
    return true;
  if (!/[:：]\W*$/.test(last) || isOrder(last) || HANDS_OVER.test(last)) return isSupposed(text);
  return isSupposed(text) || SURE.some((sign) => sign.test(wordsOf(last))) || WARNS.test(withoutMarks(last));
}

const AVOIDED = /^\W*(?:please )?avoid (?:constructing|creating|instantiating|opening) (?:an?|new)(?: \w+)+[:：]\s*$/i;
/** UTF-16 units. Of a longer one, the end tells what the code is. */
const MAX_SENTENCE = 2_000;
/** Nothing but what the code is: the old one, a fault, another way. */
const SHOWN_AS = new RegExp(
  `^\\W*(?:${[
    "(?:(?:here is|here's|this is) )?(?:the |your )?(?:buggy|current|existing|faulty|former|old|original|previous|problematic)(?: \\w+)?",
    "(?:the )?(?:bug|code in question|culprit|issue|problem)|your code|you wrote",
    "for (?:comparison|context|reference)|(?:keep|leave) (?:it|that|this) as (?:it )?is|(?:it|that|this) (?:remains|stays) as (?:it )?is",
    "(?:it|that|this) is (?:already )?fine|no changes?(?: (?:are )?needed)?(?: here)?|nothing to change(?: here)?|unchanged",
    "how to use (?:it|this)|in other languages",
    "(?:imagine|suppose) \\w+(?: \\w+){0,3}|one (?:could|might) write|it (?:breaks|crashes|fails|happens) here|this is where it (?:breaks|crashes|fails|happens)",
    "(?:that|this) (?:call|code|function|line|loop|method|part) is the (?:bug|culprit|issue|problem)",
    "unverändert|avant|antes|原代码|修改前|问题",
  ].join("|")})\\s*[*_)]*\\s*[:：]?[*_)]*$`,
  "i",
);
/** A second clause, or a word for the new text. */
const HANDS_OVER =
  /;|, (?:and|so)\b(?! now)|:.*:|\b(?:any ?more|change was|fix(?:e[sd])?|instead|missing|needed|no longer|piece|rest|returns?|solution|stays?|throws?)\b|\bbug was\b/i;
/** What speaks of the code below it, and hands nothing over. Above code without a path, only what does counts. */
const WARNS = new RegExp(
  [
    // This won't work, the following leaks connections.
    /^(?:but |however,? )?(?:(?:code|something|things) like )?(?:this|that|these|the following)(?: (?:code|form|one|version))? (?:(?:(?:can|do|does|is|wo|would)n't|(?:do|does|is|will|would) not) (?:compile|do|help|work)|(?:(?:can|could|may|might|will|would) )?(?:crash|deadlock|hang|leak|panic)(?:s|es)?\b[^:`]*)\s*[:：]\s*$/,
    /\b(?:an anti-?pattern|(?:classic|common|frequent|typical|usual) mistake)\s*[:：]\s*$/,
    /^(?:and |so |now |just )?(?:hypothetically|if (?:you|it|we) had|imagine (?:it|the|you)\b.*(?:had|looked|were|wrote)|say you had|suppose you(?:'d| had))\b/,
    // For comparison, the old one; upstream has; in another project I saw; version 1 looked like this.
    /^(?:for (?:comparison|contrast|illustration|reference),? (?:the|your) (?:current|naive|old|previous)\b|upstream (?:does|has|looks)\b|instead of (?:something|code) like\b)|(?<!\b(?:now|then)\b.*)\b(?:I(?:'ve)? (?:saw|seen)|looked like(?: this| that| so)?)\s*[:：]\s*$/,
    /^(?:vermeide\w* so etwas|[eé]vit(?:a|e|ez|en) (?:ceci|cela|ça|eso|esto|isso|isto)|(?:so )?bitte nicht(?: so)?)\s*[:：]\s*$/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "iu",
);

/** Returns whether a sentence only tells what is wrong with the code that the one before it orders to change. */
export function isReason(text: string): boolean {
  const words = wordsOf(text);
  const isAbout =
    !OF_PARTS.test(words) || POINTS.test(words) || SHOWN.test(words) || CERTAIN.some((sign) => sign.test(words));
  return /:\s*$/.test(text) && FAULT.test(words) && !isAbout;
}

/** Returns whether a sentence speaks of other code than the new one below it: an older form, somebody else's, one of several. */
export function speaksOfOther(text: string): boolean {
  return OTHERS.test(wordsOf(text).trim());
}

const OTHERS = new RegExp(
  [
    /^(?:avoid|call|consider|do (?:not|we|you)|execute|how(?! about)|don't|if|look|never|no(?! problem)|not|note|notice|observe|one (?:can|could|may|might|would)|angenommen|falls|o|oder|ou|run|se|see(?! below)|si|sofern|wenn|unless|wh(?:at|en|ere|y))\b|\?/,
    // Another one, an older one, somebody else's, what may be later.
    /^(?:before|on \w+)\b|, but (?:it|that|this)\b|\b(?:in|for) (?:the )?tests\b|\b(?:advanced|alternatives?|attempts?|before the (?:change|fix)|another (?:approach|framework|language|library|option|project|variant|way)|bonus|colleague|compar\w+|earlier|eventually|examples?|former(?:ly)?|future|hypothetical\w*|imagine|in the wild|instance|later|maybe|may|might|naive|not sure|obvious|often|old|optional\w*|original\w*|others?|people|perhaps|is probably|previous\w*|(?:insecure|slow|unsafe) (?:one|version|way)|repo(?:sitory)?|some(?:body|one|times)?|suppose|teams?|tried|upstream|used to|the usual|usually (?:\w+ )?(?:done|looks?|written)|versions? \d|writes|wrote|yesterday|yet)\b/,
    /\b(?:had|has|have|looked|posted|was like)\W*$|\byou (?:\w+ )?(?:had|have|pasted|sent)\b(?! to\b)|^(?:it|the|this|your) (?:\w+ )?(?:code|function|method)\W*$/,
    // What only explains.
    /\b(?:compiler\w*|conceptually|differ\w*|desugar\w*|docs|documentation|annotated|equivalent|expan\w+|explain\w*|explanation|how (?:it|this) works|in (?:question|theory)|line by line|internally|let's (?:look|see|trace|walk)|pseudo\w*|roughly|simplified|similar|transpil\w*|turns (?:it|this) into|tutorials?|under the hood|unlike)\b/,
    // What points at code, or leaves it.
    /^(?:as (?:seen|shown|you can)|given|it was|nothing|the way (?:it|this|you)|they|your (?:proposed|question|suggest))\w*\b|\b(?:as (?:it )?is|go through|I guess|keep (?:it|that|this)|same (?:as|thing))\b|, but (?:only|slow)\w*/,
    // What is wrong, or needs no change.
    /\b(?:bad|broken|buggy|fine|incorrect|wrong|worse)\b|\b(?:th(?:at|is)|it) (?:breaks|crashes|fails|hangs|leaks|panics)\b|\bfails with\b|(?<!\bno )\b(?:bug|culprit|error|issue|mistake|problem|trace)s?\W*$/,
    /(?<!\b(?:I|we|you))(?: would|'d)\b|(?:'d| would) (?:never|normally|not|rather|usually)\b|(?:n't|\b(?:not|never)) (?:(?:have|need|want) to|be changed|change|compile|help|matter|necessary|need(?:ed)?|required|right|work)\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

function wordsOf(text: string): string {
  return withoutNames(text.replace(LABEL, "").replace(RESULT, ""));
}

const FAULTS =
  "(?:(?:is|are|was|were|do|does|did|has|have|can)(?:n't| not)|(?:never|no longer) \\w+|(?:break|cause|fail|crashe|forget|ignore|lack|leak|swallow)s?)";
/** What is old, slow, missing, never done. */
const FAULT = new RegExp(
  `\\b(?:${FAULTS}|` +
    "(?:is|are|was|were) (?:\\w+ )?(?:too \\w+|broken|dead|deprecated|end of life|fragile|incomplete|inefficient|insecure|missing|obsolete|" +
    "old|outdated|redundant|slow|stale|unnecessary|unsafe|unused|vulnerable))\\b",
  "i",
);
/** What speaks of the code below it itself, or of no whole statement. */
const POINTS =
  /^\W*(?:avoid|do not|don't|here|if|instead|never|no|not|that|these|this|unless|when|without|(?:the|its|your) (?:logs?|outputs?|responses?|results?))\b|\b(?:that|which|who)\b|\b(?:a|an|as follows|following|has|have|here|is|are|like so|reads|says|such|these|this|those|was|were)\W*$/i;

/** A subject that is a part of the code, or what it is made for. */
const OF_PARTS =
  /^\W*(?:it|they|both \w+|node(?:\.js)? ?[\d–.-]+|python ?[\d.]+|the (?!(?:accepted|easy|following|naive|obvious|other|simple|upstream|usual)\b)\w+(?: \w+){0,2}) (?:(?:is|are|was|were|do|does|did|has|have|can)(?:n't)?|never|no longer|fails?|crash(?:es)?|forgets?|ignores?|lacks?|leaks?|swallows?)\b/i;
/** What may be shown: the current version, your code, the query as written. */
const SHOWN =
  /\b(?:current|existing|former|old|original|previous) (?:code|form|implementation|one|snippet|version)\b|\b(?:the )?original\b|\byour (?:code|version|-)|\b(?:first draft|tutorials?|as (?:it is|written)|what you|you (?:pasted|posted|sent))\b/i;

/** Returns whether a sentence shows what comes of the lines above: so the end of `main` looks like this. */
export function isResult(text: string): boolean {
  return text.search(RESULT) !== -1;
}

const PART = "`[^`\\n]*`(?: \\w+)?(?: (?:in|of|from) (?:the )?`[^`\\n]*`(?: file)?| \\(`[^`\\n]*`\\))?";
const RESULT = new RegExp(
  [
    "^so the (?:end|bottom|top|whole|rest|file|function|method|class|component|block|section)\\b[^:\\n]{0,120}\\blooks? like(?: this)?",
    // Here's how `f` could look; your `f` would then look like this.
    `^\\W*(?:(?:so|then|(?:with|after) (?:this|that|these)\\b[^,\\n]{0,40}|putting (?:it|everything)\\b[^,\\n]{0,20})[, ]+)?here(?:['’]s| is) (?:how|what) (?:the |your )?(?:new |updated )?${PART} (?:can|could|might|will|would) (?:now |then )?look(?: like)?(?: this)?`,
    `^\\W*(?:so |the |your ){0,2}${PART} (?:will(?: now| then)?|would (?:now|then)) look like(?: this)?`,
    `^\\W*(?:the|your) (?:fixed|new|updated) ${PART} (?:will|would) look like(?: this)?`,
    `^\\W*(?:after|with) (?:all |the |that |these |this |those )+(?:change|edit|fix|refactoring|update)e?s?, (?:the |your )?${PART} (?:now )?looks like(?: this)?`,
  ]
    .map((form) => `${form}:\\s*$`)
    .join("|"),
  "gim",
);
/** **Wrong type** –, at the beginning of a sentence. */
const LABEL = /^(?:[\s\d.)*-]*)\*\*[^*\n]+\*\*\s*[–—:-]\s+(?=\S)/gm;

const BY_THIS =
  "(?:after|thanks to|with) (?:it|that|these|this)\\b[^:,\\n]{0,60}|as a result|now|so(?: now)?|that way|then|this way|which means";
const CAN = "(?:can|could|get to|may|will be able to)(?: (?:also|just|now|simply|then))?";
const SUCH = "(?:(?:code|something|things) (?:like(?: this| that)?|such as)|the following|this|that)";
/** Nothing but what is shown: write this, do. */
const DO = `(?:call|do|express|have|say|use|write)(?: (?:it|${SUCH}))?(?: in \`[^\`\\n]*\`)?:\\s*$`;
const USAGE = "(?: (?:call|code|example|line|query|snippet|test|usage)s?)?";
const WORKS =
  "(?:(?:also|just|now|then|will) ){0,2}(?:compiles?|is (?:now )?(?:allowed|legal|possible|valid)|pass(?:es)?|type-?checks?|works?)(?: (?:again|as expected|fine|in `[^`\\n]*`|now|too))?:\\s*$";

/** Signs of what is there already, or how it is used, also where a path stands at the code. */
const SURE: readonly RegExp[] = [
  // You have this, the original was, the current implementation, the problem is here.
  /\b(?:existing code is|you (?:currently )?have(?: (?:now|this|something))?:|it comes from|comes from this line)/i,
  /\b(?:was|were)\W*$/im,
  /^[#*\W\d]*(?:(?:the|your) )?(?:current|existing|former|old|original|previous) (?:behaviou?r|class|code|function|implementation|logic|method|query|snippet|version)(?: (?:for|from|in|of) `[^`\n]*`){0,2}\W*$/im,
  /^\W*(?:at the moment|at present|currently|right now)\b[^.\n]*:\s*$/im,
  /\bthe (?:bug|culprit|issue|problem) is (?:here|in (?:this|these)\b[^:\n]*|this (?:block|call|function|line|method|part)):\s*$/im,
  // Usage, it is used as follows, or this.
  /^[#*\W\d]*usage\b[\w ]*:[*]*$|\bused? (?:as follows|like (?:so|this)):\s*$/im,
  // What can be done then: now you can write, this lets you do, with this change the following works.
  new RegExp(
    `\\b(?:(?:${BY_THIS})(?: in \`[^\`\\n]*\`)?,? (?:\\w+ ){0,2}${CAN}|(?:callers|one|users|we|you) can now) ${DO}`,
    "im",
  ),
  new RegExp(
    `(?<!\\bto )\\b(?:allow|enable|let|permit|make)s? (?:(?:one|us|you|callers|it (?:easy|possible)) (?:to )?${DO}|${SUCH} (?:possible|valid|work)\\W*$)`,
    "im",
  ),
  new RegExp(`\\b(?:(?:${BY_THIS}|so that),? (?:that|this|these)|the following)${USAGE} ${WORKS}`, "im"),
];

/** Signs that count more than an order in their sentence. */
const CERTAIN: readonly RegExp[] = [
  ...SURE,
  // What is there now: you have this, here is why, the original was.
  new RegExp(
    `\\b(?:here's|here is) (?:(?!${NEW_STATE})(?:what|how)\\b|why|the (?:existing|current|original|problem))`,
    "i",
  ),
  new RegExp(
    `^\\W*(?:(?:here|this) (?:is|are) )?the (?:(?:exact|old|whole) )?(?:block|call|class|code|function|lines?|method|part|place|spot)s? (?:that|which) ${FAULTS}\\b`,
    "im",
  ),
  // What comes out: it prints, you should see, output.
  /\b(?:produces|outputs|prints|gives you|gives|you'll (?:get|see)|you (?:get|should see)):?\s*$/im,
  /\byou(?:'ll| should| will)? (?:now )?(?:see|get)\b[^`\n]{0,80}:\s*$/im,
  /\b(?:should|will) (?:now )?(?:print|output|show|log|report)\b[^`\n]{0,80}:\s*$/im,
  /^[#*\W\d]*(?:(?:the|sample|expected|example|actual) )?(?:output|response|result)s?[*\W]*$/im,
  // How it is used, run or checked: usage, for example, call it like this.
  /^[#*\W\d]*(?:usage|examples?)\b[\w ]*[*:]*$/im,
  /\b(?:for example|for instance|e\.g\.|to illustrate|use it like|used? (?:as follows|like (?:so|this))|(?<!\bin `[^`\n]{1,80}`,? )call it(?! (?:in|from) `)|(?<=\bin `[^`\n]{1,80}`,? )call it(?!:| (?:in|from) `| for (?:all|each|every)\b)|take this)\b/i,
  /\b(?:you can (?:now )?(?:call|use|run|test|verify|try)|try it|test it(?! in `)|run it)\b/i,
  new RegExp(`(?<!\\b(?:has|is|need|needs|want) )\\bto (?:confirm|verify|check|reproduce)\\b(?!${WITH_TEST})`, "i"),
  // What shows a fault and no more.
  new RegExp(
    "(?<!\\b(?:add|create|save|turn|write)\\b[^:\\n]*)\\b(?:repro(?:duction|ducer)?\\b|" +
      "(?:minimal|minimum|reduced|self-contained|smallest|stripped-down) (?:code|example|program|script|snippet|test ?case) (?:for|of|that|to|which)\\b)",
    "i",
  ),
  // What is asked, or left open.
  /\b(?:should I|shall I|do you want|would you like|want me to)\b|^\W*should (?:the|this|we|`)/im,
  /\b(?:tell me|let me know|not sure|unsure|wonder(?:ing)?|undecided|don't know|do not know|can(?:'t|not| not) (?:say|tell)) (?:if|whether)\b[^.:]*:\s*$/im,
  // What may be, if somebody wants it: it would become, alternatively, optional.
  /\b(?:(?:would|could|might|will) look|(?:would|\w+'d) (?:become|have to|mean|need|require))\b/i,
  /\b(?:if you(?:'d| would)? (?:\w+ )?(?:already|prefer|ever|want|like|rather|really)|alternatively|as an alternative)\b/i,
  /\bif you(?:'re| are)? (?:still |already )?(?:on|using|running|use|run)\b/i,
  /^[#*\W\d]*optional(?:ly)?\b|\(optional\)|\b(?:that's|it's|this is) (?:\w+ )?optional\b|\b(?:could|might|may) also\b/im,
  /\bonce you have (?:more|many|a lot)\b|\blater,/i,
  /\binstead of (?:what|this|these|them)\b|\bnot like this\b/i,
  // What others have to do, and what a type promises.
  /\b(?:teams?|maintainers?|colleagues?|vendors?|hosters?) (?:has|have|needs?|must|should|will|would)\b/i,
  /\bhas (?:this|the following) (?:interface|shape|signature|structure|form|type)\b/i,
  // What is only explained or compared.
  /^[#*\W\d]*(?:compare `|(?:to illustrate|in essence|conceptually)\b|(?:here's|here is) the core of)/im,
  /\b(?:simplified, it|(?:is|are) what \w+ makes of|compare (?:this|that|it|these|the two)|pseudo-?code|(?:just|only) to (?:illustrate|show|demonstrate)|to show the idea|for the (?:explanation|illustration)|in my head)\b/i,
  // What is there, or comes out, whatever the sentence orders: change `f`, which currently looks like this.
  /\b(?:currently|at the moment|right now|as it is now|at present|is (?:caused|produced) by|the (?:bug|problem|culprit|issue) is)\b/i,
  /\b(?<!what (?:it|they) )returns:?\s*$|\b(?:looks like(?: this| that)?|which reads):?\s*$/im,
  /\b(?:returns?|prints?|outputs?|shows?) (?:this|the following|something like)\b/i,
  /\bno (?:changes?|edits?|modifications?) (?:(?:is|are) )?(?:needed|required|necessary)\b/i,
  /\b(?:does(?:n't| not) (?:need to )?change|already (?:correct|fine|right))\b|(?<!`[^`\n]{1,80}` |\b(?:else|rest)\b[^.:\n]{0,60})\bstays? the same\b/i,
  /\b(?:looks? roughly|roughly like|(?<!^\W*(?:you(?:'ll| will)? (?:have to|need to|should|want to) )?(?:change|modify|rewrite|turn|update)\b[^:\n]{1,100} (?:into|to) )something like this|wherever)\b/im,
  /\b(?:is|are|was|were|goes|went|looks) (?:\w+ )?(?:bad|wrong)\b/i,
  /(?<!\b(?:correct|fix|remove) (?:an?|the|your) (?:\w+ )?)\b(?:mistake|pitfall|anti-?pattern)\b/i,
  // In other languages.
  /\bn(?:'|e )\S+ .{0,40}\b(?:pas|jamais)\b|évitez|à éviter|^> .*:\s*$/im,
  /\b(?:nicht so|bitte \W*nicht|niemals|auf keinen fall|não vale a pena|errore comune|non cambiare|nunca)\b/i,
  /\b(?:no (?:hagas|escribas|uses|cambies)|não (?:faça|use|escreva|mude)|non (?:fare|usare|scrivere))\b/i,
  /不要|别(?:这样|用)|しないで|悪い例|(?:^|\s)не (?:пиш|дела|использ|меня)|示例|输出|用法|目前的/im,
  /\b(?:Beispiel|Ausgabe|Verwendung|derzeit|momentan|exemple|sortie|utilisation|actuellement|ejemplo|salida|uso|actualmente)\b/i,
];

/** Signs of what is there or wrong, which an order in their sentence outweighs: raise an error; replace the wrong line. */
const OUTWEIGHED: readonly RegExp[] = [
  /(?<!(?:`[^`\n]{1,80}`(?: \w+)?|\b(?:class|component|file|function|it|method|rule|section|that)) should (?:now |then )?)\blook like(?: this| that)?:?\s*$/im,
  /\b(?:gets?|sees?|gives?|throws?|raises?|hits?|shows?)\b.{0,40}\b(?:error|traceback|exception|warning|stack ?trace|message)\b.{0,60}:\s*$/im,
  /\b(?:wrong|bad)\b/i,
];

/** Signs that an order in their sentence outweighs: use `a` instead of `b`; change it so that it never fails. */
const LIKELY: readonly RegExp[] = [
  /(?<!(?:^\W*(?:in [`\w./-]+ )?|`, )(?:pass|raise|return|throw|use) `[^`]*` )(?<!`[^`]*`[^.:`]{0,40}, since it \w+ )\binstead of\b/im,
  /(?<! so (?:that )?(?:\w+ ){1,3})\b(?:(?:don't|do not)(?! forget)|never|avoid)\b.{0,120}:/i,
  // What a text shows: a common pattern, the code that you posted, the version in the docs, what it does.
  /^\W*(?:(?:here(?:'s| is)|this is) )?(?:(?:an?|the|your) (?:\w+ )?(?:code|file|function|method|snippet|version) (?:in the (?:docs|documentation|manual|readme|tutorial) (?:is|looks like|reads)|(?:that )?you (?:had|pasted|posted|sent|shared|showed|wrote)|does the following)|(?:an?|the) (?:common|typical|usual) (?:form|idiom|implementation|pattern|way)|by definition|this is (?:an?|the) (?:\w+ )?example|(?:chatgpt|claude|copilot|cursor|gemini|the reviewer|they) (?:gave|had|proposed|suggested|used|wrote))\W*$|^\W*(?:(?:copied|excerpt|found|quoted?|taken) (?:from|in|on)|the fix (?:he|she|they)|this is (?:already |from the )?(?:correct|\w+ source))\b|^with (?!that\b|the\b|these\b|this\b)\w+ (?:it|one|you) (?:could|might|would)\b/im,
];
