/** Tells a sentence that hands over what is shown below it from one that tells, compares or supposes something. */
import { literalPattern } from "../../core/literal.ts";
import { toldPath } from "../path-label.ts";
import { mainClauseOf, NEW_STATE, ordersChange, ordersEdit, withoutMarks } from "./clause.ts";
import { isNoEdit, isReason, isResult } from "./no-edit.ts";
import type { FencePassage, Passage } from "./passages.ts";
import { isNoChange, pairWords, toBeMade, VERBS } from "./words.ts";

/**
 * Returns whether a sentence hands over what the fence below it shows: it orders something, says that it is the new
 * text, or is no more than a name or a place. One that tells, compares or supposes something hands over nothing, but
 * above the only fence what is missing.
 */
export function handsOver(text: string, isOnly = false): boolean {
  if (isOnly && MISSING.test(mainClauseOf(withoutMarks(text)))) return true;
  const clause = lastClauseIn(text);
  const isSure = clause !== -1 && (WOULD.test(text) || !SUPPOSES.test(text));
  return handsOverWhole(text) || (isSure && handsOverWhole(text.slice(clause)));
}

function handsOverWhole(text: string): boolean {
  // A quotation.
  if (/^>\s/.test(text)) return false;
  // A tag or an arrow that names a file.
  if (/^(?:<\w+ [^>]*>|(?:[→➜⇒▶]|[=-]>) \S+\.\w+)$/u.test(text.trim())) return true;
  const words = withoutMarks(text);
  const prose = words.replace(/`[^`]*`/g, "`");
  if (/[^\x00-\x7f–—“”‘’…]/.test(prose) || FOREIGN.test(prose))
    return (
      VERBS.test(prose) ||
      INFINITIVE.test(prose) ||
      ELSEWHERE.test(prose) ||
      (words.includes("`") && toBeMade(words) && !isSubject(words))
    );
  if (pairWords(text) === "new") return true;
  // Where a path alone is a label, it is read as one.
  if (/^[\w.\x2f-]*$/.test(text.trim()) || /\?\s*$|\b(?:is|are|was|were|has|have)\W*$/.test(words)) return false;
  const main = mainClauseOf(words);
  if (SHOWS.test(main)) return false;
  return (
    ANYWHERE.some((form) => form.test(words.replace(AIM, ""))) ||
    MAIN.some((form) => form.test(main)) ||
    isResult(words) ||
    announcesSeries(words) ||
    ordersChange(main)
  );
}

/** Returns whether a sentence says how code gets better: with this version you can shorten it. */
export function proposes(text: string): boolean {
  return PROPOSES.test(withoutMarks(text).replace(/`[^`]*`/g, "`"));
}

/** What changes code, and no use of it. */
const PROPOSES =
  /^(?:(?:as|because|since|with) [^:,;!?]{1,80}?,? )?(?:I'd|I would|let's|we can|you can)(?: (?:also|even|just|now|simply|then))? (?:clean up|condense|get rid of|optimi[sz]e|paralleli[sz]e|refactor|replace|rewrite|shorten|shrink|simplify|speed up|streamline|tidy|tighten|trim)\b(?! against\b)(?![^:]*\b(?:but|if|instead of|later|never|not|tests?|unless)\b)[^:]{0,120}:\s*$/i;

/** To cap it at an hour, before no more than a place: but nothing to look at. */
const AIM =
  /^to (?!(?:check|confirm|debug|find|get|know|reproduce|see|spot|test|trigger|try|understand|verify)\b)[^,:`]*, (?=in )/i;

/** Returns whether a sentence in another language begins with what it tells of, and not what becomes of that. */
function isSubject(words: string): boolean {
  return /^`[^`]*` (?:dans|em|en|in|в) `[^`]*` (?!\S*\s*$)/.test(words) && !BECOMES.test(words);
}

/** Returns the file that a sentence of some hands over, whatever the others explain: here is the new `a.py`. */
export function fileHandedOver(sentences: ReadonlyArray<{ readonly text: string }>): string | undefined {
  const lead = leadingIn(sentences);
  const sentence = sentences.findLast(
    ({ text }) =>
      (HERE.test(text) && handsOver(text)) || (text === lead && text !== sentences.at(-1)?.text && FAULTY.test(text)),
  );
  return sentence && toldPath(sentence.text);
}

/**
 * Returns the last sentence of some that is no remark on the order or the fault before it: here's how. Above the only
 * fence of an answer it may tell a fault too: it was too slow.
 *
 * @param isClause whether only its last clause counts, as others may take something back
 */
export function leadIn(
  sentences: ReadonlyArray<{ readonly text: string }>,
  { isClause, isOnly }: { readonly isClause: boolean; readonly isOnly: boolean },
): string | undefined {
  const text = leadingIn(sentences, isOnly);
  return isClause && text !== undefined ? text.slice(Math.max(0, lastClauseIn(text))) : text;
}

function leadingIn(sentences: ReadonlyArray<{ readonly text: string }>, isOnly = false): string | undefined {
  const texts = sentences.map(({ text }) => text).filter((text) => !isNoChange(text));
  const [before = "", last] = [texts.at(-2), texts.at(-1)];
  if (last === undefined || before === "") return last;
  const isOrder = EDITS.test(before) && ordersEdit(before) && handsOver(before) && !isNoEdit(before);
  return (HOW.test(last) && (isOrder || FAULTY.test(before))) || (isOnly && isReason(last) && isOrder) ? before : last;
}

/** An order that changes what a code span names. */
const EDITS =
  /\b(?:change|edit|extend|fix|modify|refactor|replace|rewrite|update) (?:(?:the|your) )?(?:\w+ )?`(?!.*\b(?:mind|when you can|some day)\b)/i;
/** Here's how you can do it. */
const HOW =
  /^here(?:['’]s| is) how(?: (?:to|(?:I|we|you)(?:['’]d| would| can| could| might)?) (?:achieve|do|fix|go about|implement|make|solve) (?:it|so|that|this)(?: change)?)?:\s*$/i;
/** There are two leaks in `a.py`. */
const FAULTY =
  /^\W*there(?:['’]s| is| are) (?!no )(?:\w+ ){0,3}(?:bugs?|flaws?|holes?|issues?|leaks?|mistakes?|problems?|races?)(?: condition)?s? in (?:`[^`]*` (?:in|of) )?`[^`]*`\.\s*$/i;

/** There's a missing check in `f`. */
const MISSING = /^there(?:'s| is| are) (?:an? |some )?missing (?:\w+|`[^`]*`)(?: \w+)? (?:in|at) [^:]*`[^:]*:\s*$/i;

/** Returns whether a sentence orders the change of a code span at an index: as a whole, or in the clause around it. */
export function ordersPair(text: string, index: number): boolean {
  if (text.startsWith("`", index)) return !SUPPOSES.test(text);
  const clause = lastClauseIn(text.slice(0, index));
  return handsOverWhole(text) || (clause !== -1 && !SUPPOSES.test(text) && handsOverWhole(text.slice(clause)));
}

/** Returns whether a sentence says that several changes follow, to be made: two edits in `a.py`. */
export function announcesSeries(text: string): boolean {
  return SERIES.test(text.replace(/^[#*_\s]+/, ""));
}

/** Returns whether a text is only the name of a part of a file: of the one opened, or of one with several changes. */
export function isPartOf(
  path: string | undefined,
  text: string,
  {
    opened,
    series,
    fence,
  }: { readonly opened: string | undefined; readonly series: string | undefined; readonly fence: FencePassage },
): boolean {
  if (path === undefined) return false;
  return (path === opened && isNamedPart(text)) || (path === series && isPartLabel(text, fence.content));
}

/** Returns whether a text above some code only numbers it, or names a part of a file that it shows: step 2: `f`. */
function isPartLabel(text: string, content: string): boolean {
  const [, name] = /^[\W_]*([\p{L}_$][\p{L}\p{N}_$]*)\W*$/u.exec(text) ?? [];
  return (
    PART_LABEL.test(text) ||
    ITEM.test(text) ||
    (name !== undefined && new RegExp(`(?<![\\w$])${literalPattern(name)}\\s*[(=:{<]`).test(content))
  );
}

/** Returns whether a sentence opens a row of parts of the file that it names: in `a.ts`; refactor `a.ts` like this. */
export function opensParts(text: string): boolean {
  return (handsOver(text) && !isNoEdit(text)) || (/^\W*in `/i.test(text) && isNamedPart(text));
}

/** Returns whether a sentence is nothing but the name of a part: the match arms, first a helper. */
function isNamedPart(text: string): boolean {
  return PARTS.test(mainClauseOf(withoutMarks(text)));
}

/** Returns whether a text names the kind of what it shows, right below the path of its file: "In `a.ts`:", "Helper:". */
export function isKindLabel(text: string, above: Passage | undefined): boolean {
  if (above?.kind !== "prose" || !KIND.test(text)) return false;
  return (
    /^\W*(?:in |file:? )?(?:the )?\W*[\w.\x2f@-]+\.\w+\W*$/i.test(above.text) && toldPath(above.text) !== undefined
  );
}

const KIND =
  /^\W*(?:(?:new|updated) )?(?:class|component|constants?|functions?|handler|helpers?|hook|imports?|interfaces?|methods?|models?|props|schema|struct|styles?|template|types?)\W*$/i;
const SERIES = new RegExp(
  "^(?:to [^.:`]{3,60}, )?(?:(?:you (?:need|have) to|you (?:must|should)|we (?:need|have) to|I(?:['’]d| would)|let['’]s|please) )?" +
    "(?:(?:make|apply|change|do|fix|update) )?(?:the |these )?" +
    "(?:(?:one|a(?= small))(?: (?:minor|more|quick|simple|single|small|tiny))* (?:adjustment|change|edit|fix|improvement|modification|tweak|update)|" +
    "(?:two|three|four|five|six|[2-9]|several|a (?:few|couple of)|following) (?:minor |small |more |further |other )?" +
    "(?:adjustments|changes|edits|fixes|improvements|modifications|places|spots|tweaks|updates|(?<=\\b(?:change|do|fix|update) .{3,14})things))" +
    "(?: (?:are|is) (?:needed|required))?(?: (?:in|to|for) (?:the (?:file )?)?`?[\\w.\\x2f@-]+`?)?[.:]?$",
  "i",
);
/** A part that holds code, in the words for it. */
const PART_NOUN =
  "(?:arms?|attributes?|class(?:es)?|columns?|components?|computed|config|const(?:ant|ructor)?s?|data|decorators?|defaults?|dict|enums?|exports?|factory|fields?|functions?|getters?|handlers?|helpers?|hooks?|impl|imports?|interfaces?|keyframes|list|loop|macros?|markup|methods?|middleware|migration|mixins?|models?|modules?|mutations?|props|properties|property|providers?|queries|reducers?|regex|routes?|rules?|schemas?|scripts?|selectors?|serializers?|services?|settings|setters?|setup|slice|state|stores?|structs?|styles?|table|templates?|tests?|traits?|types?|validators?|variables?|views?|wrapper)";
/** One that is new, and not what is there. */
const PART =
  "(?!(?:the|its) (?!(?:final|fixed|new|second|third|updated)\\b)\\w+ (?:class|component|function|handler|hook|method)\\b)" +
  "(?:(?:new |updated )?|(?:the|its|an?|another|one more|two|three|both|some) " +
  "(?:(?!(?:actual|and|bad|broken|buggy|call\\w*|compiled|corresponding|current|deprecated|existing|fail\\w*|faulty|former|generated|guilty|insecure|legacy|naive|" +
  "offending|old|or|original|other|present|previous|problematic|real|related|relevant|resulting|same|slow|the|unsafe|unused|upstream|vulnerable|wrong|your)\\b)\\w+ ){0,2})" +
  PART_NOUN;
/** Nothing but parts, and where they go: a helper, placed after `f`. */
const PARTS = new RegExp(
  `^${PART}(?:,? and ${PART})?(?: itself)?(?: \\((?:[^()\`]|\`[^\`]*\`)*\\))?` +
    "(?:, (?:placed )?(?:right |just |directly )?(?:above|after|before|below|under) (?:the (?:\\w+ )?)?`[^`]*`(?: \\w+)?)?:\\s*$",
  "i",
);
/** An item of a list. */
const ITEM = /^(?:\W*(?:step )?\d+[.):–—-]*\s|[-*+•]\s+[*_]{0,2}(?:(?:for|the) )?`)/i;
const PART_LABEL = new RegExp(
  `^[\\W_]*(?:(?:and|at|finally|first|for|in|inside|new|next|second|step \\d+|the|then|third|updated|\\d+)\\b[^\\w\`]*)*` +
    `(?:\`[^\`]+\`|call|change|edit|fix|one|place|spot|${PART_NOUN})(?: ${PART_NOUN})?\\W*(?:\\(\`[^\`]+\`\\)\\W*)?$`,
  "i",
);

/** Returns whether what a sentence lists is left as it is, or to choose from. */
export function isWithheld(lead: string): boolean {
  return /^\W*(?:pick|choose|later|eventually|once|I(?:['’]d| would) (?:not|leave|keep)|I wouldn['’]t)\b/i.test(lead);
}

/** Returns where the last clause of a text begins, in its first line that has several; -1 if there is none. */
function lastClauseIn(text: string): number {
  let last = -1;
  for (const { index, 0: divider } of text.matchAll(DIVIDER)) {
    if (last !== -1 && text.slice(last, index).includes("\n")) break;
    last = index + divider.length;
  }
  return last;
}

/** What ends before a clause. */
const DIVIDER =
  /[;:—–] |\b(?:so|and|then|but)\b,? |\b(?:change|fix|solution|way to (?:avoid|do|fix|solve) (?:it|that|this)) is to /gi;
const WOULD = /^\W*I(?:['’]d| would) (?!not\b|rather\b)/i;
const SUPPOSES =
  /^(?:\W*(?:if|when|unless|optional|alternativ|maybe|perhaps|should|could|would|never|do not|don['’]t|avoid|you (?:could|might|may)|I\b)|.*\?\s*$)/i;

/** And the output of `a.py`. */
const SHOWS =
  /^(?:an?|its|the|your) (?:\w+ )?(?:example (?:call|use)|look|outputs?|stack trace|traceback|warnings?) (?:at|from|of)\b/i;
/** An order in German that ends with its verb, and tells nothing of what would, can or may be. */
const INFINITIVE =
  /^(?!.*\b(?:dürf|kann|könn|lass|möcht|muss|müss|soll|w[ei]rd|woll|würd|ruf|seh|zeig)\w*\b)(?!.*\b(?:gibt|haben|hat|heute|ist|kein\w*|nicht(?! mehr)|nie|niemand|r[aä]te?t?|sind|steht|zu [a-zäöü]+(?:en|ern|eln)\W*$)\b)(?=.*\b(?:das|dem|den|der|die|eine?[nr]?|und)\b).*\b[a-zäöü]{3,}(?:en|ern|eln)[:：]\s*$/i;
/** A place, or what is right, in other languages. */
const ELSEWHERE =
  /^(?:y |und |et |e )?(?:en|in|dans|em|no|na|nel|nella)\b.*[:：]\s*$|\b(?:certo|así|corretto|richtig|besser)\b/i;
/** It has to, or becomes. */
const BECOMES =
  /(?<!\p{L})(?:wird|werden|soll\w*|muss|müss\w*|braucht|(?:danach|dann|jetzt|nun)|devient|doit|devrait|debe\w*|queda|pasa|fica|deve|diventa)(?!\p{L})|[应需改変修]|должн|стан/iu;
const FOREIGN =
  /\b(?:die|der|das|le|la|les|el|los|las|du|des|dans|un|une|una|den|dem|eine?n?|voici|aquí|hier|nueva?|certo|et|y|und|que)\b/i;
/** Here is the new `a.py`. */
const HERE = new RegExp(
  "^(?:here(?:'s| is| are)|below (?:is|are)(?= (?:an?|my|the|your) (?:complete|corrected|final|fixed|full|improved|modified|new|revised|updated) (?:class|code|component|file|function|implementation|method|module|test|version|`)(?!.*\\bas (?:it|you)\\b))|this is|putting (?:it|this|that|everything))\\b" +
    `(?! (?:(?!${NEW_STATE})(?:what|how)\\b|why|an? (?:\\w+ )?examples?\\b|\`[^\`]*\` before\\b|` +
    "the (?:code you|old|problem|bug|current|existing|original)))" +
    "(?<!this is(?= the (?:block|call|class|code|function|lines?|method|part|place|spot)(?: (?:from|in|of) `[^`]*`)?\\W*$))",
  "i",
);
/** Forms of a main clause that hand code over, each with an example. */
const MAIN: readonly RegExp[] = [
  HERE,
  // The port should be read from the environment; `a` can be simplified.
  /(?<!n't |not )\b(?!(?:have to|must|need to|should) (?:know|look at|note|remember)\b)(?:should|needs?|must|has to|have to|becomes?|can (?:now )?be (?:\w+er|simplified|written|replaced|made))\b/i,
  // The updated function, `add` in `a.py`: nothing but names and what they are.
  /^(?:(?:the|your|a|an)\s+)?(?:(?:new|updated|full|complete|fixed|corrected|final|whole|revised|improved|optimi[sz]ed|better|cleaner|faster|safer|shorter|simpler|patch|diff|entire|method that changes|function that changes|fix|changes?|code|version|refactored)\b(?![^:]*\b(?:(?:is|are|was|were)(?:n't)?|broke|did|upstream|would|could)\b| \d)[^:]*:?|`[^`]*`(?:[\s,\x2f&+()-]|and|in|of|`[^`]*`)*:?|)$/i,
  // I'd suggest adding a check.
  /^I(?:'d| would)? (?:recommend|suggest|propose) (?:add|chang|replac|updat|remov|mov|extract|rewrit)ing\b/i,
  // I suggest the following change to `f`.
  /^I(?:'d| would)? (?:propose|recommend|suggest|would make) (?:the following|this)(?:(?: \w+)? (?:changes?|code|edits?|fix|function|implementation|improvements?|method|modifications?|rewrite|updates?|version))? (?:for|in|of|to) `[^:]*`:\s*$/i,
  // That leaves `f` like this.
  /^(?:that|this|both|it) (?:also )?(?:leaves|makes|gives|needs?|requires?)\b[^:]*`[^:]*:\s*$/i,
  // We also touch the interface.
  /^we (?:also |now |then )?(?:adapt|add|change|extend|move|need|remove|rename|replace|rewrite|touch|update|wrap)\b[^:]*:\s*$/i,
  // We now check the length.
  /^we now (?:add|cache|call|catch|check|close|escape|handle|ignore|log|pass|reject|reset|return|skip|use|validate|write)\b[^:]*:\s*$/i,
  // Try this version of `f` in `a.py`, try changing `f` to.
  /^try (?:this(?: instead|(?: \w+)? of `[^`:]*`)? in|(?:add|chang|replac|rewrit|updat)ing(?: \w+){0,2}) `[^`:]*`(?: in `[^`:]*`)?(?: as follows| like (?:so|this)| to(?: this)?)?:\s*$/i,
  // This can be fixed by changing `f`.
  /^(?:it|that|this|the (?:bug|error|issue|problem|warning)) (?:can|could|is) (?:\w+ )?(?:be )?(?:avoided|fixed|resolved|solved) by (?:add|chang|replac|rewrit|updat)ing\b[^:]*`[^:]*:\s*$/i,
  // This version of `f` handles it; the only change is in `a.py`; the fix in `a.py` is small.
  /^(?:the following|this) version of `[^:]*` (?:avoids|fixes|handles|solves) (?:[^:`]|`[^`]*`)*:\s*$/i,
  /^(?:there(?:'s| is) )?(?:an?|another|one)(?: \w+)? (?:change|fix|thing|update)(?: to (?:change|do|fix|update))?(?: is (?:needed|required))? (?:in|to) `[^`]*`(?: is (?:needed|required))?(?: as well| too)?:\s*$/i,
  // Do the following in `a.py`.
  /^do (?:it|that|the following|this)(?: like (?:so|this))? in `[^`]*`:\s*$/i,
  /^(?:the )?(?:(?:necessary|needed|only|required) )?(?:change|fix)(?:es|s)? (?:(?:is|are) )?(?:a (?:one-line|\w+) change )?(?:in|to) `[^`]*`(?: (?:is|are) (?:easy|minimal|short|simple|small|tiny|trivial))?:\s*$/i,
  // What you want in `a.py` is this.
  /^what (?:you|we) (?:need|want)\b[^:]* is(?: this)?:\s*$/i,
  // `add` now takes, `main` shrinks to.
  /^(?:the )?(?:(?:beginning|body|bottom|end|rest|start|top) of )?`[^`]*`(?: \w+){0,2} (?:(?:in `[^`]*` )?(?:now|then) \w+|(?:can (?:now )?(?:take|return|use|accept|be|become)|shrinks?|boils? down|turns? into|simplif(?:y|ies)|reduces?|collapses?|changes?|grows?|moves?)\b)(?![^:]*\b(?:error|exception|warning)\b)(?:[^`]|`[^`]*`)*:\s*$/i,
  // Only `f` in `a.py` changes.
  /^`[^`]*` in `[^`]*` (?:changes(?: accordingly)?|needs to change):\s*$/i,
  // A test at the bottom of the file.
  /^(?:with )?(?:an?|one more|another) (?!few\b|lot\b)\w+(?: \w+)? (?:at|in|to|for|below|above|after|before|inside|next to)\b(?!.*\b(?:is|are|was|were|would|could|might|has|have)\b)(?:[^.`]|`[^`]*`)*:\s*$/i,
  // My fix for `a.py`.
  /^my (?:fix|proposal|suggestion|version),? (?:in|for) `[^`]+\.\w+`:\s*$/i,
  // The types, in `types.ts`.
  /^(?:the|its|your|our) (?!(?:\w+ ){0,2}(?:bugs?|problems?|issues?|errors?|culprit|causes?|lines?|code|mistakes?|warnings?)\b)\w+(?: \w+)?,? (?:in|for) `[^`]+\.\w+`:\s*$/i,
  // The constructor (of `Cart`), template.
  /^(?:the (?:new )?)?(?:script|template|styles?|markup|imports?|types?|constructor|fields?|methods?|component|hook|handler|route|tests?|schema|model|controller|view|service)(?: \((?:[^()`]|`[^`]*`)*\))?:\s*$/i,
  // The keyframes go to `a.scss`.
  new RegExp(
    `^(?:the|its|your|these|this|all)(?: new)? (?!(?:attributes?|data|defaults?|list|queries|state|views?) )${PART_NOUN} ` +
      "(?:belongs?|go(?:es)?) (?:at|in|into|to)\\b[^:]*`[^`]+\\.\\w+`:\\s*$",
    "i",
  ),
  // `User` gets a second parameter; gets the other side, below `id`.
  /^`[^`]*` (?:(?:also|now|then) )?gets (?:(?:another|its own|one more|an? (?:additional|further|new|second)) |(?:an?|one|the|two)\b[^:`]*, (?:right |just |directly )?(?:above|after|before|below) `[^`]+`:\s*$)/i,
  // Test it in `a_test.go`.
  /^test (?:it|that|this) in `[^`]*test[^`]*`:\s*$/i,
];
/** The same of a whole sentence. */
const ANYWHERE: readonly RegExp[] = [
  // And right after `f` in `a.py`: no more than a place.
  /^(?:(?:and|then|next|also|with this)[ ,]+)*(?:(?:right |just |directly )?(?:in|at|of|after|before|below|above|under|inside|between|for|and)\s+(?:(?:the|your|its|all|very)\s+)?(?!(?:\w+\s+)?(?:bug|docs|documentation|error|examples?|logs?|original|outputs?|problem|traceback|upstream(?:'s)?|version)\s)(?:[\w']+\s+){0,2}(?:(?:in|of)\s+)?\(?(?:`[^`]*`|[^\s`:,;]+\.\w+|impl\b|trait\b|enum\b|end\b|top\b|imports?\b|file\b|effect\b|constructor\b|store\b|component\b|template\b|handler\b|loop\b|render(?:er)?\b|test\b|head\b|body\b|struct\b|shebang\b)(?:\s+(?:line|method|function|class|section|block|rule|state|hook|call|group|comment|statement|declaration|import|constant|variable|property|field|key|entry|element|tag|condition|check|loop|route|handler|test|case|step))?[,)\s]*(?:\([^)]*\)\s*)?)+:\s*$/i,
  // **a.py**: behind a sentence; **a.py**, in `f`; `a.py`, at the end:
  /^`?[\w.\x2f@-]+\.\w+`?(?:,? (?:in|inside|within) (?:the )?(?:\w+ )?`[^`]*`(?: \w+)?|,? at the (?:very )?(?:bottom|end|top)(?: of the file)?)?:\s*$/i,
  // For production, in `a.py`: no more than a place.
  /^for (?:local )?(?:ci|deployment|development|production|staging|testing), in `[^`]*`:\s*$/i,
  // `f` in `a.py` can be shortened.
  /^(?:the )?`[^`]*`(?: (?!that\b|which\b)\w+)?(?: in `[^`]*`)* can (?:now )?be (?:rewritten|shortened)(?: (?:as|like|to)\b[^:;]*)?:\s*$/i,
  // `f` in `a.py` with the fix.
  /^(?:the )?`[^`]*`(?:,? \(?(?:in|of) `[^`]*`\)?)?,? with (?:the|these) (?:changes?|corrections?|fix(?:es)?|updates?)(?: applied)?:\s*$/i,
  // With these imports.
  /^with (?:this|these) (?:\w+ )?imports?\b(?:[^:`]|`[^`]*`)*:\s*$/i,
  // And its message.
  /^(?:and|also|plus)\s+(?:(?:in|at|its|the|an?|your|this|these)\s)(?!.*\b(?:is|are|was|were|would|could|might)\b)/i,
  // Then the union.
  /^(?:(?:and|then|next|finally)[ ,]+)+(?:its|the|an?|your|this|these) (?!.*\b(?:is|are|was|were|would|could|might)\b)[^:]{1,40}:\s*$/i,
  // Don't forget the import at the top.
  /^(?:don't|do not) forget (?:the|to add the|your|an?) (?:\w+ )?imports?(?: (?:at the top|in|of|to)\b[^:,]*)?:\s*$/i,
  // The same for `b`.
  /^(?:(?:and |then )?(?:do )?the )?same (?:for|in) `[^`:]*`:\s*$/i,
];
