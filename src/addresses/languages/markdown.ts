import MarkdownIt from "markdown-it";
import type { FoundPart } from "../part.ts";

/** Parses only blocks, not inline content. */
const parser = new MarkdownIt("commonmark").disable(["inline", "text_join"]);

/** Metadata between lines of `---` before the text. */
const FRONT_MATTER = /^---[ \t]*\r?\n(?:[^]*?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/**
 * Finds sections: a heading, up to the next one of the same or a higher level. Headings in lists and quotes start no
 * section.
 */
export function readMarkdown(text: string): FoundPart[] {
  const { length } = FRONT_MATTER.exec(text)?.[0] ?? "";
  const sections: FoundPart[] =
    length === 0 ? [] : [{ name: "---", kind: "front matter", start: 0, end: length, from: 0, to: length }];
  const headings = headingsIn(text.slice(length)).map((heading) => ({ ...heading, start: length + heading.start }));
  const ends = sectionEnds(headings, text.length);
  return [
    ...sections,
    ...headings.map(({ name, start }, index): FoundPart => ({
      name,
      kind: "section",
      start,
      end: ends[index] ?? 0,
      from: start,
      to: ends[index] ?? 0,
    })),
  ];
}

/** Goes from last to first, tracking where the next heading of each level or higher starts. */
function sectionEnds(headings: readonly Heading[], length: number): number[] {
  const next = Array.from({ length: 7 }, () => length);
  return headings.toReversed().map(({ level, start }) => {
    const end = next[level] ?? length;
    next.fill(start, level);
    return end;
  }).toReversed();
}

interface Heading {
  /** Always in the form with hashes: `## Title`. */
  readonly name: string;
  readonly level: number;
  readonly start: number;
}

function headingsIn(text: string): Heading[] {
  const tokens = parser.parse(text, {});
  const lines = [0, ...Array.from(text.matchAll(/\r\n?|\n/g), ({ 0: ending, index }) => index + ending.length)];
  return tokens.flatMap(({ type, level, tag, map }, index) => {
    if (type !== "heading_open" || level > 0 || map === null) return [];
    const depth = Number(tag.slice(1));
    const title = tokens[index + 1]?.content ?? "";
    return [{ name: `${"#".repeat(depth)} ${title}`.trimEnd(), level: depth, start: lines[map[0]] ?? 0 }];
  });
}
