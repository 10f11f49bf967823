/** Takes a sentence above code apart: what stands before its main clause, and whether that orders a change. */

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

/** Returns the main clause of a sentence without marks: no "First,", no "In `a.py`,". */
export function mainClauseOf(words: string): string {
  return words.replace(LEAD, "").trim();
}

/** Verbs before which "to", "don't forget to" and the like only lead to an order. */
const LED = "(?:add|insert|put|replace|change|update|remove|rename)\\b";
/** In `a.py`, for the tests, since it fails: but no example, and not what may be done there. */
const PLACE_OR_REASON =
  "(?:(?:right|just|directly) )?(?:in|at|inside|within|under|after|before|below|above|on|with|" +
  "to(?! (?:confirm|verify|check|reproduce|see|test|debug|try)\\b)|for(?! example| instance| comparison| reference)|" +
  "as|because|since|from)\\b(?:(?!\\b(?:you|we) (?:can|could|may|might)\\b)[^,:`]|`[^`]*`)*,\\s*";
const LEAD = new RegExp(
  `^(?:${[
    "(?:(?:don't|do not) forget|remember|make sure|be sure)\\b(?: to\\b| you\\b)?\\s+",
    `to\\b(?=[^.:,]*?(?<!\\bto )\\b${LED})[^.:,]*?(?<!\\bto )(?=\\b${LED})`,
    "(?:first|second|third|then|now|next|finally|also|and|so|please|just|instead|again|lastly|last|afterwards|but|only|" +
      "ok|okay|sure|yes|certainly|done|simply|step \\d+)\\b\\s*[,:!.–—-]*\\s*",
    PLACE_OR_REASON,
    "(?:in|inside|at the (?:top|end|bottom) of(?=[^:]*\\b(?:add|insert|put):))\\s+(?:the file\\s+)?" +
      "(?:`[^`]*`|[\\w.\\x2f-]+\\.\\w+)(?:\\s+\\([^)]*\\))?\\s+",
    "`[^`]*`(?: in `[^`]*`)?\\s*(?:[:,–—-]|\\([^)]*\\):?)+\\s*",
    "[\\w.\\x2f-]+\\.\\w+\\s*(?:[:,–—-])+\\s*",
    "issue \\d+:[^.]*\\.\\s*",
  ].join("|")})+`,
  "i",
);

/** Splits "you should also add": who does it and how sure, and the verb with what follows. */
export function withoutModal(order: string): { readonly modal: string | undefined; readonly verb: string } {
  const [, modal] = MODAL.exec(order) ?? [];
  return { modal, verb: order.slice(modal?.length ?? 0).trim() };
}

const MODAL =
  /^((?:you (?:can|could|should|need to|have to|must)|I'd|I would|I've|I have|I|let's|we (?:can|should|need to))\b(?: (?:also|just|then|now|simply))?)/i;

/** Returns whether a sentence orders a change by its verb: add this, in `a.py` you should replace `x`. */
export function isOrder(text: string): boolean {
  return ORDERS.test(withoutModal(mainClauseOf(withoutMarks(text))).verb);
}

const ORDERS =
  /^(?:add|append|apply|bump|change|delete|drop|edit|extend|extract|fix|insert|lower|make|modify|move|put|raise|remove|rename|replace|rewrite|set|split|swap|switch|turn|update|wrap)\b/i;

/** Behind "here is": what is to be, not what there is. */
export const NEW_STATE =
  "(?:what (?:change[sd](?= in `)|I'd\\b|I would\\b|you (?:should|need|have) to\\b)|" +
  "how (?:the )?(?:(?:new|updated|fixed|whole|final) )?`[^`]*`(?: \\w+)?(?: in `[^`]*`)? should (?:now )?look(?: like(?: this)?)?:)";
