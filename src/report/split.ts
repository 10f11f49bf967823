/** Divides a report for a chat that takes only so much at a time. */
import { estimateTokens } from "../edit/tokens.ts";
import { printPart, type ContextPart, tokensOf } from "./context.ts";

/** The smallest part, so that the marks around a text do not outweigh it. */
export const MIN_PART_TOKENS = 500;

/**
 * Returns parts of at most this many tokens, each with its number and complete in itself. A section moves to the next
 * part if it does not fit. One that is longer than a part is cut between lines, and its marks say which lines they
 * hold.
 */
export function splitReport(title: string, sections: readonly ContextPart[], maxTokens: number): string[] {
  const room = maxTokens - RESERVED_TOKENS;
  const parts: ContextPart[][] = [[]];
  let left = room;
  for (const piece of sections.flatMap((section) => cut(section, room))) {
    const tokens = tokensOf(piece);
    if (tokens > left && left < room) {
      parts.push([]);
      left = room;
    }
    parts.at(-1)?.push(piece);
    left -= tokens;
  }
  return parts.map((part, index) => {
    const name = parts.length === 1 ? "" : `, part ${index + 1} of ${parts.length}`;
    const more = index + 1 < parts.length ? ["note: more follows; answer after the last part"] : [];
    return [`=== ${title}${name} ===`, ...part.map(printPart), ...more, `=== END CONTEXT${name} ===`].join("\n\n");
  });
}

/** Tokens for the title, the note and the end of a part. */
const RESERVED_TOKENS = 80;
/** Tokens by which the numbers of lines make the marks of a piece longer, with what rounding may add. */
const NUMBERS = 60;

function cut(section: ContextPart, room: number): ContextPart[] {
  if (tokensOf(section) <= room) return [section];
  const most = room - tokensOf({ ...section, body: "" }) - NUMBERS;
  const lines = section.body.split("\n");
  const pieces: ContextPart[] = [];
  let [first, left, body]: [number, number, string[]] = [0, most, []];
  const close = (next: number): void => {
    const title =
      section.title === undefined
        ? {}
        : { base: section.base, title: `${section.title}, lines ${first + 1}-${next} of ${lines.length}` };
    if (body.length > 0) pieces.push({ ...title, body: body.join("\n") });
    [first, left, body] = [next, most, []];
  };
  for (const [index, line] of lines.entries()) {
    // Two estimates differ from that of both lines together.
    const tokens = estimateTokens(line) + 2;
    const isTooLong = tokens > most;
    const cost = isTooLong ? LEFT_OUT_TOKENS : tokens;
    if (cost > left) close(index);
    body.push(
      isTooLong ? `=== line ${index + 1} is left out: it has about ${tokens} tokens, more than a part ===` : line,
    );
    left -= cost;
  }
  close(lines.length);
  return pieces;
}

const LEFT_OUT_TOKENS = 40;
