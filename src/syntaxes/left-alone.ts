/** Reads a sentence below a block that leaves what the block changes as it was: wait, `area` should stay unchanged. */

/** Returns whether a paragraph leaves something as it was that the lines of a block above it show. */
export function leavesAlone(paragraph: string, block: readonly string[]): boolean {
  const text = paragraph.replaceAll("’", "'").replace(/\*\*|__/g, "");
  const lead = DOUBT.exec(text)?.[0] ?? "";
  const span = STAYS.exec(text.slice(lead.length))
    ?.slice(1)
    .find((name) => name !== undefined);
  if (span === undefined) return false;
  const written = nameIn(span).replace(/[^\p{L}\p{N}_]/gu, "\\$&");
  const name = new RegExp(`(?<![\\p{L}\\p{N}_$])${written}(?![\\p{L}\\p{N}_$])`, "u");
  // Without a word of doubt, it has to be what the block is.
  const shown = lead === "" ? block.filter((line) => line.trim() !== "").slice(0, 1) : block;
  return (lead !== "" || MUST.test(text)) && shown.some((line) => name.test(line));
}

function nameIn(span: string): string {
  return span.replace(/\(.*$/, "").replace(/^.*[.#:]/, "");
}

const DOUBT =
  /^[\s>(*_-]*(?:(?:wait|hmm+|oops|no|oh|actually|correction|sorry|on second thoughts?|on reflection|thinking about it|moment|warte|halt|nein|ach|attends|attendez|non|espera|perdón)(?![\p{L}\p{N}_])[\s,.:!…–—-]*(?:(?:but|here|so|then|I think|das|de hecho)\b,? )*)+/iu;
const MUST = /^[\s>(*_-]*(?:here,? |but )?`[^`\n]+` (?:must|should)/i;
const UNCHANGED =
  "(?:unchanged|untouched|as (?:it )?(?:is|was)|the same|alone|(?:fine|correct|right|okay|ok)(?: as (?:it )?(?:is|was)| already)?)";
const END = "(?: (?:for now|though|after all|here|then|too))*(?=\\s*(?:$|[.,;:!…)–—]))";
const STAYS = new RegExp(
  `^(?:here,? |but |let's |please |we should |I'd |you should )*(?:${[
    `(?:keep|leave) (?:the )?(?:(?:original|old|current|existing) )?(?:version of )?\`([^\`\\n]+)\`(?: ${UNCHANGED})?${END}`,
    `\`([^\`\\n]+)\` (?:(?:should|must|can|has to|needs to|may) (?:stay|remain|be left|be)|stays|remains|is|was)(?: actually| already)? ${UNCHANGED}${END}`,
    `\`([^\`\\n]+)\` (?:must not|mustn't|shouldn't|should not|needn't|need not|(?:doesn't|does not) (?:need|have) to) (?:change|be (?:changed|touched|modified|updated))${END}`,
    `\`([^\`\\n]+)\` (?:needs no|(?:doesn't|does not) need (?:any|a)) (?:change|update|fix)s?${END}`,
    `\`([^\`\\n]+)\` (?:bleibt|soll(?:te)?|muss|darf|kann)(?: doch| besser| bitte)*(?: (?:so|unverändert|wie (?:es|sie|er) (?:ist|war)))?(?: bleiben| nicht geändert werden)?${END}`,
    `(?:lass|behalte|gardez|laissez|garde|laisse|deja|mantén) (?:die |das |den |le |la |el )?\`([^\`\\n]+)\`(?: (?:so|unverändert|wie (?:es|sie|er) (?:ist|war)|tel quel|telle quelle|como (?:está|estaba)))?${END}`,
  ].join("|")})`,
  "i",
);
