/** Tells which files a sentence asks to change. */
import { asPath, codePathsIn, MAX_SENTENCE, nameOf } from "../../syntaxes/path-label.ts";

/**
 * Returns the names of the files that a sentence asks to change, but for those that it only mentions.
 *
 * @param isNamed whether a block names the file
 * @param pathOf returns what counts as a file too, of a code span
 */
export function filesAskedFor(
  words: string,
  isNamed: (name: string) => boolean,
  pathOf: (code: string) => string | undefined = () => undefined,
): readonly string[] {
  if (words.length > MAX_SENTENCE || /^\s*>|\?\W*$/.test(words)) return [];
  const names: string[] = [];
  // Each path becomes `<0>`, and other code a word.
  const text = words
    .replace(/\[`?([^\]`]+)`?\]\([^)\s]*\)/g, "`$1`")
    .replace(/\*+/g, "")
    .replace(WORD, (word, code: string | undefined) => {
      const path = asPath(code ?? word, words) ?? (code === undefined ? undefined : pathOf(code));
      if (path !== undefined) return `<${names.push(nameOf(path)) - 1}>`;
      return code === undefined ? word : "it";
    });
  if (names.every(isNamed) || SUPPOSED.test(text)) return [];
  return text.split(CLAUSE_END).flatMap((clause) => {
    const { object, places } = filesIn(clause);
    const namesIn = (part: string): string[] => [...part.matchAll(/<(\d+)>/g)].map(([, at]) => names[Number(at)] ?? "");
    const placed = places.flatMap(namesIn);
    // What goes into the file of a block is no file to change.
    return placed.some(isNamed) ? placed : [...placed, ...namesIn(object)];
  });
}

/**
 * Returns what the row of a table says of each file in it, as sentences.
 *
 * @param head the first row of the table
 */
export function sentencesOfRow(row: string, head: string): readonly string[] {
  if (row.length > MAX_SENTENCE) return [];
  const [cells = [], titles = []] = [row, head].map((line) => line.split(CELLS).slice(1, -1));
  return cells.flatMap((cell, at) => {
    const [path] = codePathsIn(`\`${cell.trim().replace(/^[`*]+|[`*]+$/g, "")}\``);
    if (path === undefined) return [];
    const sentenceAt = (text: string, other: number): string =>
      `\`${path}\`: ${CHANGE.test(titles[other] ?? "") && !UNCHANGED.test(text) ? "change " : ""}${text.trim()}`;
    return cells.map(sentenceAt).filter((_, other) => other !== at);
  });
}

interface ClauseFiles {
  /** The object of the verb. */
  readonly object: string;
  readonly places: readonly string[];
}

function filesIn(clause: string): ClauseFiles {
  const needed = NEEDED.exec(clause)?.slice(1).find(Boolean);
  if (needed !== undefined) return { object: "", places: [needed] };
  if (FOREIGN.test(clause)) return { object: "", places: NOT.test(clause) ? [] : [clause] };
  const { place = "", verb = "", what = "" } = ORDER.exec(clause)?.groups ?? {};
  const [order = ""] = what.split(REASON);
  const object = PLACED.test(verb) ? "" : (OBJECT.exec(order)?.[0] ?? "");
  return { object, places: verb === "" ? [] : [place, ...(order.match(PLACES) ?? [])] };
}

/** Code, or what may be a path. */
const WORD = /`([^`]*)`|(?<![\p{L}\p{N}_@~./\\-])[\p{L}\p{N}_@~./\\-]*[\p{L}\p{N}_]/gu;
const WHOSE =
  "(?:(?:the|your|our|both|all|each|this|these|every|existing|following|new|other|same|files?|modules?|der|die|das|" +
  "dem|den|le|la|les|el|los)[ :]+)*";
const FILES = `${WHOSE}<\\d+>(?:(?:,? (?:and|or|und|et|y|&)|,) ${WHOSE}<\\d+>)*`;
const ADVERB =
  "(?:also|and|but|so|then|now|next|first|second|third|last|finally|lastly|too|still|just|simply|again|therefore|" +
  "please|in addition|additionally|similarly|likewise|afterwards|(?:don(?:'|’)t|do not) forget to|remember to|" +
  "(?:make|be) sure (?:to|(?:that )?you)|step \\d+|auch|noch|dann|nun|außerdem|bitte|zuletzt|aussi|ensuite|puis|" +
  "enfin|et|de plus|también|además|luego|ahora|finalmente|y)";
/** The words for what was done are also those for what uses a file: `used by`. */
const DONE =
  "(?:(?:add|adapt|adjust|append|appli|bump|chang|convert|correct|creat|delet|dropp|edit|extend|extract|fix|inlin|" +
  "insert|modifi|mov|patch|port|refactor|remov|renam|replac|swapp|switch|turn|tweak|updat|wrapp)ed|rewritten|" +
  "rewrote)";
const VERB =
  `(?:${DONE}(?! (?:at|by|from|in|on)\\b)|change(?! into\\b)|make(?! sure\\b)|` +
  "add|adapt|adjust|append|apply|bump|call|convert|correct|create|declare|define|delete|do|drop|edit|enable|export|" +
  "expose|extend|extract|fix|guard|import|include|inline|insert|mirror|modify|move|pass|patch|port|put|refactor|" +
  "register|remove|rename|repeat|replace|return|rewrite|set|split|swap|switch|turn|tweak|update|use|wire|wrap|write)";
/** Their object is no file to change. */
const PLACED = /^(?:call|do|export|import|includ|mirror|pass|register|repeat|return|use)/i;
const MARK = "^[-*+•\\d.)(#\\s]*(?:\\[[ x]\\] )?";
const YOU =
  "(?:(?:you|we)(?:(?:'|’)ll| will)?(?: (?:also|then|now|still|probably|therefore))* (?:(?:need|have|want) to|must|" +
  "should)|let(?:'|’)s)";
/** Begins what stands before an order. */
const SETTING =
  "(?:after|as|at|because|before|by|for|from|in|now that|on|once|since|when|while|with|to(?! (?:check|debug|run|see|" +
  "test|try|use|verify)\\b)|(?!alternative|optional)\\w+ly)";
const I = "(?:I|we)(?:(?:'|’)ve| have)?(?: (?:also|now|then))*";
/** Matches an order, or what the answer says it has done: the place at its beginning, and what is behind its verb. */
const ORDER = new RegExp(
  `(?:${MARK}(?:${ADVERB}[ ,:]+)*` +
    `(?:${SETTING}\\b(?! ${FILES})[^.;:!?]{0,120}, )?|\\b${YOU} )(?:${ADVERB}[ ,:]+)*` +
    `(?<place>(?:(?:at|for|in|inside|on|within)\\b[^<,:.;]{0,40}${FILES}[^<,:.;]{0,40}?[,:]?|` +
    `${FILES} ?(?:[:,(–—→-]|->)+|(?:open|edit|go (?:back )?to) ${FILES} and) ?)?` +
    `(?:${ADVERB}[ ,:]+|${YOU} |${I} (?=${DONE}))*(?<verb>${VERB})\\b(?!:| (?:no|none|nothing)\\b)(?<what>.*)`,
  "isu",
);
const OBJECT = new RegExp(`^ ${FILES}`, "iu");
const PLACES = new RegExp(
  `(?:(?<= )(?:across|at|for|in|inside|into|of|on|throughout|to|within)|(?=:)):? ${FILES}|\\(${FILES}`,
  "giu",
);
/** Begins what a clause gives as its reason, or as an example. */
const REASON = new RegExp(
  ",? (?:after|as|because|before|if|instead|like|once|since|so|that|unless|when|where|which|while)\\b|" +
    ",? (?:in order )?to (?=(?:avoid|be|call|cover|fit|fix|get|handle|import|include|keep|make|match|prevent|read|" +
    "reflect|return|support|use|work)\\b)",
  "i",
);
const CLAUSE_END = /(?<!<\d+> ?)[;—–]|[.!] (?=<)|, (?=(?:and|but|now|so|then)\b)/;
const SUPPOSED =
  /^\W*(?:if|unless|should|in case|falls|wenn|si)\b|\bif you(?:['’]d)? (?:ever|have|like|need|plan|prefer|use|want)\b/i;
const SAME =
  "(?:the |this |a )?(?:same|similar)(?: (?:change|edit|fix|rename|thing|treatment|update|applies|goes|must|should|" +
  "has to|is(?: also)? (?:needed|required|necessary)|be (?:done|made)|also|too))* (?:for|in|to|with)|(?:das ?selbe|" +
  "das gleiche|gleiches|ebenso)(?: \\p{L}+){0,2} (?:für|in|bei)|(?:idem|(?:la |le )?même (?:changement|chose|" +
  "correction|modification))(?: \\p{L}+)? (?:pour|dans|à)|(?:lo mismo|igual|el mismo cambio)(?: \\p{L}+)? (?:para|" +
  "en|a)";
const MUST = "(?:must|(?:has|have|needs?) to) (?:also |now |then )*";
/** `b.py` needs the same; the same for `b.py`. */
const NEEDED = new RegExp(
  `(${FILES})(?: (?:also|now|then|therefore|will|files?|modules?))* (?:` +
    `(?:needs?|requires?) (?:also )?(?:(?:the same|a similar|this|that)\\b|(?:updat|chang|adjust|adapt|renam)ing)|` +
    `should (?:also |now |then )*be (?:also )?${DONE}\\b|${MUST}(?:be (?:also )?${DONE}|${VERB})\\b)|` +
    `${MARK}(?:${ADVERB}[ ,:]+)*(?:${SAME}):? (${FILES})|` +
    `\\b(?:callers|files|modules|places) (?:also )?(?:need|require|must|should|have to)\\b` +
    `(?! no\\b)[^<:]{0,60}: (${FILES})`,
  "iu",
);
const GERMAN =
  "(?:an|ein|hinzu|über|um|zu)?(?:aktualisier|änder|benenn|entfern|ergänz|ersetz|füg|importier|korrigier|lösch|mach|" +
  "setz|trag|verschieb|wickel)(?:e|en|t|st)?|(?:an)?passen|passe|(?:an|hinzu|um)ge\\p{L}+t";
const FRENCH =
  "(?:adapt|ajout|appliqu|corrig|déplac|enlev|entour|import|modifi|remplac|renomm|retir|supprim)(?:e|er|ez)|changer|" +
  "changez|mets|mettez|mettre|fais|faites|faire";
const SPANISH =
  "(?:actualiz|adapt|agreg|añad|aplic|cambi|corrig|elimin|envuelv|import|modific|muev|quit|reemplaz|renombr|" +
  "sustitu)(?:a|e|ar|ir|er|ue|ye)|haz|haga|hacer|pon|poner";
const CHANGES = `(?<!\\p{L})(?:${GERMAN}|${FRENCH}|${SPANISH})(?!\\p{L})`;
const MUST_BE =
  "(?<!\\p{L})(?:muss|musst|müssen|il faut|tu dois|vous devez|doit|doivent|debes?|deben|tienes que|" +
  "hay que)(?!\\p{L})";
/** Matches an order in German, French or Spanish. */
const FOREIGN = new RegExp(
  `${MARK}(?:${ADVERB}[ ,:]+)*(?:(?:in|dans|en|pour|para|für) ${FILES},? )?(?:${ADVERB} )*${CHANGES}|` +
    `${MUST_BE}.*${CHANGES}`,
  "iu",
);
const NOT = /(?<!\p{L})(?:nicht|kein\p{L}*|nie|pas|jamais|no|nunca)(?!\p{L})/iu;
const CELLS = /(?<!\\)\|/;
/** Heads a column that tells changes. */
const CHANGE = /\b(?:actions?|changes?|edits?|fix(?:es)?|modifications?|updates?|änderung(?:en)?|cambios?)\b/iu;
const UNCHANGED = /^[^\p{L}]*$|^\W*(?:no|none|nothing|unchanged|stays?|same|as is|keine?|aucune?|ninguno?|sin)\b/iu;
