/** Tells of sentences that order a code span or an import which no block of the answer has. */
import type { ReadBlock } from "../../core/block.ts";
import { once } from "../../core/once.ts";
import { asPath, MAX_SENTENCE } from "../../syntaxes/path-label.ts";
import { isNoEdit } from "../../syntaxes/plain/no-edit.ts";
import { newSpansIn } from "../../syntaxes/plain/spans.ts";

/** What of an answer's sentences its blocks do not do. */
export interface Unmade {
  /** Returns whether a line orders that a code span replaces another, and no block has it. */
  readonly replaces: (line: string) => boolean;
  /** Returns whether a sentence orders an import that no block has. */
  readonly imports: (words: string) => boolean;
}

export function unmadeIn(blocks: readonly ReadBlock[]): Unmade {
  const texts = blocks.flatMap(({ properties }) => Object.values(properties));
  const known = once(() => new Set(texts.flatMap((text) => text.split(BETWEEN_WORDS))));
  const importLines = once(() => texts.flatMap((text) => text.split("\n")).filter((line) => IMPORT.test(line)));
  const isThere = (span: string): boolean =>
    BETWEEN_WORDS.test(span) ? texts.some((text) => text.includes(span)) : known().has(span);
  const isImported = (span: string): boolean => {
    const name =
      span
        .replace(IMPORT, "")
        .match(/[\p{L}\p{N}_$-]+/gu)
        ?.at(-1) ?? span;
    return importLines().some((line) => line.includes(name));
  };
  return {
    replaces: (line) => newSpansIn(line).some((span) => !isThere(span)),
    imports: (words) => {
      const isRead = blocks.length > 0 && words.length <= MAX_SENTENCE;
      if (!isRead || OPEN.test(words) || isNoEdit(words.replace(COMPARED, ""))) return false;
      const name = IMPORTED.map((form) => form.exec(words)?.[1]).find((code) => code !== undefined);
      return name !== undefined && asPath(name) === undefined && !isImported(name);
    },
  };
}

const BETWEEN_WORDS = /[^\p{L}\p{N}_$]+/u;
const IMPORT =
  /^\s*(?:#\s*include|export|from|import|require|use|using|(?:const|let|var)\b.*\brequire)\b|^\s*(?:\w+ )?"[\w./-]+"\s*$/;
/** What a thing comes in place of. */
const COMPARED = /\b(?:instead of|rather than)\b.*/i;
/** What is asked, left open, or not to be done. */
const OPEN =
  /\?|\b(?:if|unless|once|later|eventually|optional\w*|can|console|could|repl|scripts|shell|terminal|might|may|would|never|already|no need|not(?= `))\b|n['’]t(?! forget)/i;
const LEAD =
  "^[-*+\\d.)(# ]*(?:(?:in (?:the )?`[^`]+`,?|(?:and|also|finally|first|next|now|please|plus|then),?|" +
  "(?:don['’]t|do not) forget to|(?:make|be) sure (?:to|(?:that )?you)|remember to|you (?:also )?(?:have to|must|need to|should)(?: also)?) )*";
/** Forms that say what is to be imported. */
const IMPORTED: readonly RegExp[] = [
  new RegExp(`${LEAD}import\\b[^\`.:]{0,20}\`([^\`]+)\``, "i"),
  /`([^`]+)` (?:also |still )?(?:has to|must|needs to|should) be imported\b/i,
  /(?:^|[,;:(] ?|\band |\bplus |\bwith )`((?:#include|from|import|use|using)\b[^`]+)`(?: (?:at|on) (?:the )?(?:very )?top\b|\W*$)/i,
];
