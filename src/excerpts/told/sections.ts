/** Finds the section that a sentence names, by the words of its title: signs and marks in titles do not count. */
import type { Part } from "../../addresses/part.ts";
import { partsIn } from "./told.ts";

/** A section that the sentences name behind the words for a place: after **Setup & install**. */
export interface SectionTold {
  readonly word: string;
  /** Whether they name its heading. */
  readonly isHeading: boolean;
  /** Undefined if the file does not have the title exactly once. */
  readonly part: Part | undefined;
}

/** Returns the section beside or in which the sentences put something. Undefined if they name none. */
export function sectionTold(text: string, where: "beside" | "in", parts: readonly Part[]): SectionTold | undefined {
  const titles = titlesIn(parts);
  if (titles.size === 0) return undefined;
  for (const match of text.matchAll(where === "beside" ? BESIDE : INSIDE)) {
    const line = text.slice(match.index + match[0].length).split("\n", 1)[0] ?? "";
    const marked = MARKED.exec(line);
    const isSection = marked !== null && SECTION.test(line.slice(marked[0].length));
    const isOther = OTHER.test(text.slice(0, match.index)) || CHANGES.test(text);
    if (where === "in" && marked !== null && !isSection) continue;
    const title = marked?.slice(1).find(Boolean);
    const matches = title === undefined ? matchesOf(line, titles, where) : titles.get(wordsOf(title));
    // Code may be that of a line.
    if (matches !== undefined || isSection || (marked !== null && !line.startsWith("`")))
      return {
        word: match[1] ?? "end",
        isHeading: HEADING.test(line),
        part: matches?.length === 1 && !isOther ? matches[0] : undefined,
      };
  }
  return undefined;
}

/** Returns the sections of the longest title that begins a text without marks, and ends with a word for it or a sign. */
function matchesOf(
  line: string,
  titles: ReadonlyMap<string, readonly Part[]>,
  where: "beside" | "in",
): readonly Part[] | undefined {
  const ends = [...line.matchAll(WORDS)].slice(0, MAX_WORDS).map(({ index, 0: { length } }) => index + length);
  const end = ends.findLast((at) => {
    const behind = line.slice(at);
    return (
      titles.has(wordsOf(line.slice(0, at))) && (SECTION.test(behind) || (where === "beside" && ENDS.test(behind)))
    );
  });
  return end === undefined ? undefined : titles.get(wordsOf(line.slice(0, end)));
}

function titlesIn(parts: readonly Part[]): ReadonlyMap<string, readonly Part[]> {
  const titles = new Map<string, Part[]>();
  for (const part of partsIn(parts)) {
    const title = wordsOf(part.name);
    if (part.kind === "section" && title !== "") titles.set(title, [...(titles.get(title) ?? []), part]);
  }
  return titles;
}

function wordsOf(title: string): string {
  return (title.toLowerCase().match(WORDS) ?? []).join(" ");
}

/** C++ and C# are others than C. */
const WORDS = /[\p{L}\p{N}]+(?:[+#]+(?![\p{L}\p{N}]))?/gu;
/** Words of the longest title that is looked for. */
const MAX_WORDS = 20;
const THE =
  "(?:the\\s+|your\\s+|existing\\s+)*(?:(?:section|heading|headline|title|chapter)\\s+(?:called\\s+|titled\\s+)?)?";
const BESIDE = new RegExp(`\\b(before|above|after|below|beneath|between|under|underneath)\\s+${THE}`, "gi");
const INSIDE = new RegExp(
  "\\b(?:(end|bottom|top|beginning|start) of|(?:add|append|insert|put) (?:(?:an?|it|the following|them|these|this)" +
    `(?: (?!links?\\b|pointers?\\b|references?\\b)\\w+){0,2} )?(?:to|in|into|under))\\s+(?:the|your)\\s+`,
  "gi",
);
/** A title in quotation marks, bold or as code. */
const MARKED = /^(?:\*\*(.+?)\*\*|__(.+?)__|\*([^*]+)\*|["“]([^"”]+)["”]|`([^`]+)`)/;
/** Ends before a place that tells which section is meant, and not where one goes: rename the section after. */
const OTHER =
  /\b(?:change|delete|edit|remove|rename|replace|rewrite|update)\s+the\s+(?:\w+\s+)?(?:heading|line|list|paragraph|section|text)s?\s+(?:right |just |directly )?$/i;
/** An order to change what stands there, and not to add. */
const CHANGES = /^\W*(?:change|replace|rewrite|update)\b/i;
const HEADING = /^[^:\n]*?\s+(?:heading|headline|title)\b/i;
const SIGNS = "[^\\p{L}\\p{N}\\s:,;&/(–—-]*";
const SECTION = new RegExp(`^${SIGNS}\\s+(?:sub)?(?:section|heading|chapter|entry)\\b`, "iu");
const ENDS = new RegExp(`^${SIGNS}(?:[:,.;]?\\s*$|[:,.;]\\s|\\s+(?:in|of)\\s)`, "iu");
