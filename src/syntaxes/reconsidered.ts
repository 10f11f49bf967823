/** Reads whether a text below a block withdraws it: wait, that would break the callers; scratch the first edit. */

/** Returns whether a paragraph withdraws the edit above it and introduces another. One that adds a further edit does not. */
export function turnsBack(paragraph: string): boolean {
  const text = paragraph.replaceAll("’", "'").replace(/\*\*|__/g, "");
  if (!/[:：]\s*$/.test(text) || (GOES_ON.test(text) && !/\binstead\b/i.test(text))) return false;
  return TURNS.test(text) || (OF_ABOVE.test(text) && AGAINST.test(text));
}

/** Returns whether a sentence asks whether what stands above is right, and its paragraph adds nothing to that. */
export function asks(words: string, paragraph: string): boolean {
  return words.endsWith("?") && !GOES_ON.test(paragraph);
}

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
