/** Tells by its words whether a line is a placeholder: `# ... rest of the file unchanged ...`. */
import { commentText } from "../core/comment-styles.ts";
import { type Kind, type Vocabulary, vocabularies } from "./placeholder-words.ts";

/**
 * `plain`: unambiguous, e.g. `# ... existing code ...`. `likely`: e.g. `# rest of the code`. `faint`: e.g. `# ...` or
 * `# unchanged lines`, which people write too. `placed`: e.g. `# same as before`, which is one only in the place of
 * lines. `edge`: e.g. `# other fields`, which is one only there too, and where a block of members begins or ends:
 * elsewhere it may be the title of what is below.
 */
export type PlaceholderKind = "plain" | "likely" | "faint" | "placed" | "edge";

/** Returns `kindOf`, cached by line, because a long text may repeat lines. */
export function kindReader(): (line: string) => PlaceholderKind | undefined {
  const known = new Map<string, PlaceholderKind | undefined>();
  return (line) => {
    if (!known.has(line)) known.set(line, kindOf(line));
    return known.get(line);
  };
}

/**
 * Classifies a line without its comment marks, brackets and ellipses. Every remaining word must be in the vocabulary.
 */
export function kindOf(line: string): PlaceholderKind | undefined {
  const comment = commentText(line);
  const inner = comment ?? line;
  const isBracketed = /^(?:\[.*\]|\(.*\)|<.*>|（.*）|【.*】|\{\{.*\}\})$/.test(inner);
  const unframed = comment === undefined ? inner : inner.replaceAll(FRAME, "");
  const bare = isBracketed
    ? inner
        .slice(1, -1)
        .replace(/^\{(.*)\}$/, "$1")
        .trim()
    : unframed;
  // Directly before a word it is JavaScript's spread syntax.
  const leads = /^(?:\.{3,}|…)(?!\w)/.test(bare) || /^(?:\.{3,}|…).*(?:\.{3,}|…)$/.test(bare);
  const hasEllipsis = leads || /(?:\.{3,}|…)$/.test(bare);
  const words =
    bare
      .toLowerCase()
      .normalize("NFC")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.length === 0) return ELLIPSIS.test(bare) ? "faint" : undefined;
  // Code contains such words too, but hardly three in brackets with only spaces between them.
  if (
    comment === undefined &&
    (!(leads || (isBracketed && words.length > 2)) || /[^\p{L}\p{M}\p{N}_\s.…'’()（）【】，。、-]/u.test(bare))
  )
    return undefined;
  for (const vocabulary of vocabularies()) {
    const kinds = kindsIn(words, vocabulary);
    if (kinds === undefined) continue;
    const meaning = meaningOf(kinds, { isShown: leads || isBracketed, leads, hasEllipsis });
    if (meaning !== undefined || comment === undefined) return meaning;
    if (mayBePlaced(kinds, words, leads)) return "placed";
    break;
  }
  if (comment === undefined) return undefined;
  if (leads && NAMED_REST.test(words.join(" "))) return "likely";
  if (NAMED_OTHERS.test(words.join(" "))) return "edge";
  return [NAMED_SAME, NAMED_HERE].some((named) => named.test(words.join(" "))) ? "placed" : undefined;
}

/** What surrounds a comment: `// --- existing code ---`. */
const FRAME = /^[-=~*_+]+\s|\s[-=~*_+]+$/g;
const ELLIPSIS = /^(?:\.{3}|…)$/;
/** Omitted text may have any name: `... rest of the schema`, `... existing middleware`. */
const NAMED_REST = /^(?:the )?(?:rest of|remaining|existing|other)(?: \S+){1,4}$/;
/** `other fields`, `etc.` */
const NAMED_OTHERS =
  /^(?:(?:(?:all|keep|the|your) )*(?:existing|other|previous|remaining|rest of(?: the)?)(?: \p{L}+)? \p{L}+s(?: (?:go|stay|remain)s?| here)?|etc|snip|as is)$/u;
/** `header stays the same`, `index() stays as it is`, and `capacity check here` */
const NAMED_SAME =
  /^(?:\S+ ){1,4}(?:(?:stays?|remains?|is|are) (?:the same|unchanged|untouched|unmodified|as (?:before|is|it (?:is|was)|they (?:are|were)))|unchanged)$/;
const NAMED_HERE = /^(?!no |todo |note |see |fix|new |changed? |add)(?:\S+ ){1,4}(?:goes )?here$/;
const MAX_WORDS = 14;
/** What statements stand in. */
const STATEMENTS = /^(?:body|class|component|function|handler|logic|loop|method|test)$/;
/** Words that name a part and no more. */
const MAX_NAMING = 5;

interface Form {
  readonly leads: boolean;
  readonly hasEllipsis: boolean;
  /** Whether a leading ellipsis or brackets mark it. */
  readonly isShown: boolean;
}

function meaningOf(kinds: ReadonlySet<Kind>, { isShown, leads, hasEllipsis }: Form): PlaceholderKind | undefined {
  const says = (...any: readonly Kind[]) => any.some((kind) => kinds.has(kind));
  const claims = says("claims") && (says("rest", "whole", "part", "code") || isShown);
  const keeps = says("keeping") && (says("rest", "whole") || isShown);
  const names = says("rest", "whole", "part") && says("nouns", "code");
  const isPlain = leads && (says("claims") || (says("rest", "whole") && (keeps || names)));
  if (isPlain) return "plain";
  if (claims || keeps || (names && isShown) || (says("rest") && says("code"))) return "likely";
  const isHere = says("whole") && says("here") && says("nouns", "code");
  return (names && hasEllipsis) || isHere || (says("claims") && says("nouns")) ? "faint" : undefined;
}

/** Returns whether a comment with such words is a placeholder where lines are missing. */
function mayBePlaced(kinds: ReadonlySet<Kind>, words: readonly string[], leads: boolean): boolean {
  const says = (...any: readonly Kind[]) => any.some((kind) => kinds.has(kind));
  if (leads && says("rest", "whole")) return true;
  if (/^(?:todo|note)$/.test(words[0] ?? "")) return false;
  // Rest of the function, existing logic, keep the rest.
  const isOfCode = words[0] === "keep" || STATEMENTS.test(words.at(-1) ?? "");
  if (words.length <= MAX_NAMING && says("rest", "whole") && isOfCode) return true;
  if (says("nouns")) return false;
  if (says("code")) return says("whole") || (says("part") && says("here"));
  return says("claims", "keeping") || (says("rest") && (words.length <= 2 || says("here")));
}

/** Returns the kinds of a line's words, if all of them are in the vocabulary. */
function kindsIn(words: readonly string[], { kinds, glue, longestFrom }: Vocabulary): ReadonlySet<Kind> | undefined {
  const items = glue === "" ? [...words.join("")] : words;
  const meanings = new Set<Kind>();
  let count = 0;
  for (let at = 0; at < items.length; count += 1) {
    if (count === MAX_WORDS) return undefined;
    let length = Math.min(longestFrom.get(items[at] ?? "") ?? 0, items.length - at);
    while (length > 0 && !kinds.has(items.slice(at, at + length).join(glue))) length -= 1;
    if (length === 0 && !/^\d+$/.test(items[at] ?? "")) return undefined;
    meanings.add(kinds.get(items.slice(at, at + length).join(glue)) ?? "more");
    at += Math.max(length, 1);
  }
  return meanings;
}
