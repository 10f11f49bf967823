/**
 * Lines that stand for text instead of being it: `# ... rest of the file unchanged ...`. Models write them to save words; in a file they
 * destroy what they stand for.
 */
import { Failed } from "../core/failure.ts";
import type { Edit } from "./splice.ts";

interface Placeholder {
  /** Trimmed. */
  readonly line: string;
  /** 1-based, in the text that holds it. */
  readonly number: number;
  /** `plain`: `# ... existing code ...`, which means nothing else; `likely`: `# rest of the code`; `faint`: `# ...` or `# unchanged lines`, which people write, too. */
  readonly kind: "plain" | "likely" | "faint";
}

/**
 * What judges a file before it gets a new content, or undefined where every file may get it. It is told the file's text, null where that
 * is unknown, undefined where there is no file, and throws `text/placeholder` where a line of the content, one that is not in the file as it
 * is, stands for what would be lost. Where nothing can be lost only a plain one is refused.
 */
export function placeholderJudge(path: string, content: string): ((before: string | null | undefined) => void) | undefined {
  const placeholders = placeholdersIn(path, content);
  if (placeholders.length === 0) return undefined;
  return (before) => {
    refuseWrong(placeholders, before === null ? undefined : linesOf(before ?? ""), { newText: content, parameter: "content", hint: WRITE_HINT });
  };
}

export interface Replacement {
  /** Of the file: its ending tells what an ellipsis may mean. */
  readonly path: string;
  readonly replaced: string;
  readonly newText: string;
  /** The one that holds the new text. */
  readonly parameter: string;
}

/** Throws `text/placeholder` where a line of the new text, one that is not in what it replaces, stands for what would be lost of that. */
export function refusePlaceholder({ path, replaced, newText, parameter }: Replacement): void {
  const placeholders = placeholdersIn(path, newText);
  if (placeholders.length > 0) refuseWrong(placeholders, linesOf(replaced), { newText, parameter, hint: EDIT_HINT });
}

/** The same for an edit: what it replaces reaches from its first splice to its last. */
export function withoutPlaceholder<Made extends Edit>(bytes: Buffer, edit: Made, replacement: Omit<Replacement, "replaced">): Made {
  const splices = [...edit.splices];
  refusePlaceholder({ ...replacement, replaced: bytes.toString("utf8", splices[0]?.start ?? 0, splices.at(-1)?.end ?? 0) });
  return edit;
}

/** Lines of the file that the new text must lack for a placeholder to be taken for one. */
const LEAST_LOST = { plain: 0, likely: 1, faint: 3 };

interface Told {
  readonly newText: string;
  readonly parameter: string;
  readonly hint: string;
}

/** @param own the lines that are to be replaced, undefined where they are unknown */
function refuseWrong(placeholders: readonly Placeholder[], own: ReadonlySet<string> | undefined, { newText, parameter, hint }: Told): void {
  const lost = own === undefined ? Infinity : countMissing(own, newText);
  const wrong = placeholders.find(({ line, kind }) => own?.has(line) !== true && lost >= LEAST_LOST[kind]);
  if (wrong !== undefined) throw new Failed({ code: "text/placeholder", parameter, line: wrong.line, number: wrong.number }, hint);
}

const WRITE_HINT = "send the whole content, or change only what differs with file_replace_text; where the line is meant as it stands, write the file with file_append";
const EDIT_HINT = "send the new text in full, or replace a smaller part; where the line is meant as it stands, use file_replace_all_text with a count";

/** Lines that hold more than a bracket. */
function linesOf(text: string): Set<string> {
  return new Set(text.split("\n").map((line) => line.trim()).filter((line) => line.length > 1));
}

function countMissing(lines: ReadonlySet<string>, newText: string): number {
  const kept = linesOf(newText);
  let missing = 0;
  for (const line of lines) if (!kept.has(line)) missing += 1;
  return missing;
}

/** The placeholders in a text that is meant for a file, each kind of line once. In Markdown and the like, code in fences shows what it wants. */
function placeholdersIn(path: string, text: string): Placeholder[] {
  const found = new Map<string, Placeholder>();
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const isProse = PROSE.has(extension);
  TELLTALE.lastIndex = 0;
  let [passed, number, isInFence] = [0, 1, false];
  for (let match = TELLTALE.exec(text); match !== null; match = TELLTALE.exec(text)) {
    const start = text.lastIndexOf("\n", match.index) + 1;
    const end = endOfLine(text, match.index);
    TELLTALE.lastIndex = end;
    if (end - start > LONGEST) continue;
    const between = text.slice(passed, start);
    [passed, number] = [start, number + count(between, /\n/g)];
    if (isProse && count(between, FENCE) % 2 === 1) isInFence = !isInFence;
    if (isInFence) continue;
    const written = text.slice(start, end);
    const line = written.trim();
    const isSyntax = () => isEllipsisSyntax(extension, /^\s/.test(written), text.slice(Math.max(0, start - LONGEST), start).trimEnd().at(-1));
    const kind = isProse ? proseKind(line) : codeKind(line, isSyntax);
    if (kind !== undefined && !found.has(line)) found.set(line, { line, number, kind });
  }
  return [...found.values()];
}

/** In all placeholders, and in few other lines. */
const TELLTALE = /\.\.\.|…|unchanged|unmodified|untouched|omitted|brevity|truncated|snip|elided|same|remain|stay|rest of|existing|previous|as (?:is|before)/gi;
const PROSE: ReadonlySet<string> = new Set(["md", "mdx", "markdown", "rst", "txt", "adoc", "org"]);
const FENCE = /^[ \t]*(?:```|~~~)/gm;
/** UTF-16 units of a line, its indentation included. */
const LONGEST = 200;

function endOfLine(text: string, from: number): number {
  const lineFeed = text.indexOf("\n", from);
  return lineFeed === -1 ? text.length : lineFeed;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** In prose a heading is no comment, and an ellipsis alone says nothing. */
function proseKind(line: string): Placeholder["kind"] | undefined {
  const kind = /^(?:<!--|\[|\(|\.\.\.|…)/.test(line) ? kindOf(line) : undefined;
  return kind === "faint" ? undefined : kind;
}

function codeKind(line: string, isSyntax: () => boolean): Placeholder["kind"] | undefined {
  const kind = kindOf(line);
  return kind === "faint" && !OPENING.test(line) && isSyntax() ? undefined : kind;
}

/** Whether an ellipsis alone on its line means something in that language. @param before the last character before that line */
function isEllipsisSyntax(extension: string, isIndented: boolean, before: string | undefined): boolean {
  // A statement of Python, a document's end in YAML, text in Perl's documents and in markup, the last parameter of many a C function.
  return /^(?:ya?ml|p[lm]|pod|html?|xml|svg)$/.test(extension) || (/^pyi?$/.test(extension) && isIndented) || (before !== undefined && ",:([".includes(before));
}

/** What a whole line says, its comment marks, brackets and ellipses taken off. Every word of it has to be one that placeholders are made of. */
function kindOf(line: string): Placeholder["kind"] | undefined {
  const comment = OPENING.exec(line)?.[0] ?? "";
  const inner = line.slice(comment.length).replace(CLOSING, "").trim();
  const isBracketed = /^(?:\[.*\]|\(.*\)|<.*>)$/.test(inner);
  const bare = isBracketed ? inner.slice(1, -1).trim() : inner;
  // With a word right after it, it is the spread of JavaScript.
  const leads = /^(?:\.{3,}|…)(?!\w)/.test(bare) || /^(?:\.{3,}|…).*(?:\.{3,}|…)$/.test(bare);
  const hasEllipsis = leads || /(?:\.{3,}|…)$/.test(bare);
  const words = bare.toLowerCase().match(/[a-z0-9'’]+/g) ?? [];
  if (words.length === 0) return ELLIPSIS.test(bare) ? "faint" : undefined;
  // Code has such words, too, but hardly three in brackets with nothing but blanks between them.
  if (comment === "" && (!(leads || (isBracketed && words.length > 2)) || /[^\w\s.…'’()-]/.test(bare))) return undefined;
  if (words.length > MOST_WORDS) return undefined;
  if (!words.every((word) => VOCABULARY.has(word) || /^\d+$/.test(word))) return comment !== "" && leads && NAMED_REST.test(words.join(" ")) ? "likely" : undefined;
  return meaningOf(words, { isShown: leads || isBracketed, leads, hasEllipsis });
}

const ELLIPSIS = /^(?:\.{3}|…)$/;
const OPENING = /^(?:\{?\/\*+|\/\/+|<!--|\(\*|(?:#+|--+|;+|%+)(?=\s|\.\.\.|…)) ?/;
const CLOSING = /(?:\*+\/\}?|-->|\*\))$/;
/** What is left out may have any name: `... rest of the schema`, `... existing middleware`. */
const NAMED_REST = /^(?:the )?(?:rest of|remaining|existing|other)(?: \S+){1,4}$/;
const MOST_WORDS = 14;

interface Form {
  readonly leads: boolean;
  readonly hasEllipsis: boolean;
  /** By a leading ellipsis or brackets. */
  readonly isShown: boolean;
}

function meaningOf(words: readonly string[], { isShown, leads, hasEllipsis }: Form): Placeholder["kind"] | undefined {
  const says = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
  const claims = says(CLAIMS) && (says(WHOLE) || says(PART) || says(CODE) || isShown);
  const keeps = (says(KEEPING) || /\bas (?:is|before)\b/.test(words.join(" "))) && (says(WHOLE) || isShown);
  const names = (says(WHOLE) || says(PART)) && (says(NOUNS) || says(CODE));
  const isPlain = leads && (says(CLAIMS) || (says(WHOLE) && (keeps || names)));
  if (isPlain) return "plain";
  if (claims || keeps || (names && isShown) || (says(REST) && says(CODE))) return "likely";
  return (names && hasEllipsis) || (says(CLAIMS) && says(NOUNS)) ? "faint" : undefined;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const CLAIMS = set("unchanged omitted truncated snip snipped elided brevity unmodified untouched");
const KEEPING = set("same remains remain stays stay");
const REST = set("rest remaining remainder");
const WHOLE = set("rest remaining remainder existing everything");
const PART = set("previous original other more keep");
const CODE = set("code file implementation content contents");
const NOUNS = set(
  "function functions method methods class classes import imports line lines logic body fields props properties tests test styles rules section sections config configuration document " +
    "text script scripts module component definitions declarations variables routes handlers html css jsx markup elements types interfaces constants helpers hooks state " +
    "setup cases checks options settings data values parameters exports dependencies rows items entries page chapter chapters",
);
const VOCABULARY: ReadonlySet<string> = new Set([
  ...[CLAIMS, KEEPING, WHOLE, PART, CODE, NOUNS].flatMap((words) => [...words]),
  ...set("the of your my our this that these those all any some is are was were here goes go in as it for not shown exact exactly below above before after from to and or with no"),
  ...set("changes change left kept clarity current currently still up else"),
]);
