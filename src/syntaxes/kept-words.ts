/** The words by which a sentence leaves something as it is. In English mostly, and in three other languages. */

/** Returns the code span of which a sentence says first of all that it stays. */
export function spanStaying(words: string): string | undefined {
  return spanIn(STAYS, words);
}

/** Returns the code span that a sentence leaves as it is: it stays, nothing changes in it, or it is not to be touched. */
export function spanKept(words: string): string | undefined {
  const text = words.replace(/^[\s(>*_-]+/, "");
  return spanStaying(text) ?? spanIn(KEPT, text);
}

function spanIn(form: RegExp, text: string): string | undefined {
  return form
    .exec(text)
    ?.slice(1)
    .find((name) => name !== undefined);
}

const UNCHANGED =
  "(?:unchanged|untouched|as (?:it )?(?:is|was)|the same|alone|(?:fine|correct|right|okay|ok)(?: as (?:it )?(?:is|was)| already)?)";
const STAY_END = "(?: (?:for now|though|after all|here|then|too))*(?=\\s*(?:$|[.,;:!…)–—]))";
const STAYS = new RegExp(
  `^(?:here,? |but |let's |please |we should |I'd |you should )*(?:${[
    `(?:keep|leave) (?:the )?(?:(?:original|old|current|existing) )?(?:version of )?\`([^\`\\n]+)\`(?: ${UNCHANGED})?${STAY_END}`,
    `\`([^\`\\n]+)\` (?:(?:should|must|can|has to|needs to|may) (?:stay|remain|be left|be)|stays|remains|is|was)(?: actually| already)? ${UNCHANGED}${STAY_END}`,
    `\`([^\`\\n]+)\` (?:must not|mustn't|shouldn't|should not|needn't|need not|(?:doesn't|does not) (?:need|have) to) (?:change|be (?:changed|touched|modified|updated))${STAY_END}`,
    `\`([^\`\\n]+)\` (?:needs no|(?:doesn't|does not) need (?:any|a)) (?:change|update|fix)s?${STAY_END}`,
    `\`([^\`\\n]+)\` (?:bleibt|soll(?:te)?|muss|darf|kann)(?: doch| besser| bitte)*(?: (?:so|unverändert|wie (?:es|sie|er) (?:ist|war)))?(?: bleiben| nicht geändert werden)?${STAY_END}`,
    `(?:lass|behalte|gardez|laissez|garde|laisse|deja|mantén) (?:die |das |den |le |la |el )?\`([^\`\\n]+)\`(?: (?:so|unverändert|wie (?:es|sie|er) (?:ist|war)|tel quel|telle quelle|como (?:está|estaba)))?${STAY_END}`,
  ].join("|")})`,
  "i",
);
/** Nothing changes in `a.js`, `a.js` has its own, leave it; don't touch `a.js`. */
const KEPT =
  /^(?:nothing (?:changes|else changes|has to change|needs to change) in|no (?:changes?|edits?) (?:(?:are|is) )?(?:needed|necessary|required)? ?(?:in|to)|(?:do not|don['’]t) (?:change|edit|modify|touch)|in(?= `[^`]*` nothing changes)) (?:the )?`([^`\n]+)`|^(?:the )?`([^`\n]+)`[^:]*[,;] (?:so )?(?:leave|keep) (?:it|that)(?: (?:alone|as (?:it )?is|unchanged))?[.)]*$/i;
