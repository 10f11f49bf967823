/** Finds the words of sentences that say what goes: the names among them may be missing from a new text. */
import { KEPT_MARK, REMOVAL_STEMS, REMOVES, renaming } from "../core/removal-words.ts";
import { isFilePath } from "./path-label.ts";

/** Returns the words of lines that say that something goes. Those that only have to do with it have a mark. */
export function removalWords(lines: readonly string[]): string {
  const words = new Set<string>();
  for (const line of lines) {
    if (line.length > MAX_SENTENCE || !REMOVES.test(line)) continue;
    // The words of a path are no names in its file.
    const prose = line.replace(/[\w@~./\\+-]+/g, (word) => (isFilePath(word.replace(/[.-]+$/, "")) ? " " : word));
    const orders = prose.split(/(?<=[.!?;:,])\s+/).filter((one) => !SUPPOSED.test(one));
    const named = prose.split(/(?<=[.!?])\s+/).every((one) => !GONE.test(one))
      ? KEPT.reduce((text, form) => text.replace(form, " "), orders.join(" "))
      : prose;
    const names = new Set(named.match(WORDS));
    for (const [, old = "", now = ""] of prose.matchAll(RENAMED)) {
      names.delete(old);
      words.add(renaming(old, now));
    }
    for (const word of prose.match(WORDS) ?? []) words.add(names.has(word) ? word : KEPT_MARK + word);
  }
  return [...words].join(" ");
}

/** Rename `f` to `g`. */
const RENAMED =
  /\brenam\w*\b[^`.]{0,40}`([\p{L}\p{N}_$-]+)(?:\(\))?`[^`.]{0,20}\b(?:as|into|to)\b[^`.]{0,20}`([\p{L}\p{N}_$-]+)(?:\(\))?`/giu;
const MAX_SENTENCE = 2_000;
const WORDS = /[\p{L}_$][\p{L}\p{N}_$-]*/gu;
const CODE = "`[^`\\n]+`";
const REST = "(?:[^.!?;\\n]|\\.(?=\\w))*";
const NAME = `(?:${CODE}(?:(?:,|,? and|,? or) ${CODE})*|[\\p{L}_$][\\p{L}\\p{N}_$.]*(?:\\(\\))?)`;
const THE = "(?:(?:the|your|its|both|each of|den|die|das|der|dem|le|la|les|el|los|las) )*";
/** Says of what a sentence names that it has gone: `f` no longer calls it, so I removed it. */
const GONE =
  /(?:[,;:]|\b(?:and|hence|so|therefore|which)) [^.!?]*\b(?:delet|dropp|remov)ed (?:it|them|the (?:(?:now )?unused )?(?:class|function|helper|method))\b|\b(?:it|they|which)(?:['’]s| is| was| were| are| has been)(?: now| also)? (?:deleted|dropped|gone|removed)\b|^\W*`[^`]+` (?:is|was)\b[^.!?]* and (?:is|was) (?:deleted|dropped|removed)\b|` (?:itself|too)\b|\b(?:declaration|definition|traces)\b|\bthe (?:class|function|method) (?:itself|too|went)\b|\b(?:and|and so is|with it) the (?:class|function|method)\b/iu;
/** Tells what may be done at another time, or was: we could remove `f` later, if you rename `f`. */
const SUPPOSED =
  /^\W*(?:note\W+)?if you\b|\b(?:eventually|later(?! version)|next time|in (?:an? |the )?(?:earlier|future|later|next|previous) \p{L}+)\b/iu;
/** What only has to do with something that goes: the check in `f`, the call to `f`, `f` no longer checks it. */
const KEPT: readonly RegExp[] = [
  // Don't remove `f`, nothing was removed.
  `\\b(?:(?:do(?:es)?|did|has|have|is|was|were) not|\\p{L}+n['’]t|never|not|without)(?: \\w+)? (?:${REMOVAL_STEMS}|renam)${REST}`,
  "\\bnothing(?: else)?(?: was| is| has been)? (?:delet|dropp|remov|renam)(?:[^.!?\\n]|\\.(?=\\w))*",
  `${CODE} (?:can (?:also |now )?(?:drop|lose|skip)|(?:is|are|was|were) gone from)\\b`,
  `${CODE} no longer needs? to (?!be\\b|exist)`,
  // `f` is no longer needed here.
  `${CODE}(?:(?:,|,? and) ${CODE})* (?:is|are) no longer \\w+ (?:here|there|(?:by|for|in|inside|to|within) (?!any|this\\b|(?:the |this )?(?:\` \`|class|component|file|module|project)))`,
  // Removed `f` from the loop, from `g`: what goes is a use of it.
  `${CODE}(?:(?:,|,? and) ${CODE})* from (?:${THE}(?=\`[\\p{Ll}_])${CODE}|(?:the|its) (?!(?:\\w+ )?(?:[Aa][Pp][Ii]|app|class|code(?:base)?|component|dependencies|exports?|file|hook|impl|imports?|interface|model|module|package|page|project|requirements|schema|script|service|store|struct|stylesheet|trait|type)\\b)\\w+)`,
  `(?<!\\b(?:imports?|(?:a|any) need) )\\b(?:about|around|at|by|for|from|in|inside|into|on|through|to|via|within|aus|dans|en|im|von)\\s+${THE}${NAME}`,
  `(?<!\\b(?:cop(?:y|ies)|declarations?|definitions?|duplicates?|implementations?|imports?|deletion|deleting|dropping|removal|removing|rid|versions?) )\\bof\\s+${THE}${NAME}`,
  `${CODE}['’]s\\b`,
  `\\b(?:calling|using|that|which|à) ${CODE}(?! (?:is|was|has been) (?:deleted|dropped|gone|removed)\\b)`,
  `${CODE} (?:now|remains?|runs?|stays?|still)\\b`,
  `${CODE} (?:arguments?|branch|calls?|checks?|conditions?|dependency|flag|guards?|invocations?|lines?|lookups?|options?|parameters?|references?|usages?|uses?)\\b`,
  `(?:${CODE} )?\\bno longer (?!(?:an?|any|called|exist|exists|exported|imported|necessary|need|needed|needs|part|referenced|relevant|require|required|requires|there|used)\\b)\\w+ (?:on )?(?:${THE}${CODE})?`,
  // Small and capital letters differ in one of them.
].map((form) => new RegExp(form, form.includes("\\p{Ll}") ? "gu" : "giu"));
