/**
 * The context set as text for the chat: a tree of its files, then their contents within the token budget, or in parts
 * for a chat that takes only so much at a time.
 */
import { maskSecrets } from "../core/mask-secrets.ts";
import { visibleOnOneLine } from "../core/visible.ts";
import { estimateTokens } from "../edit/tokens.ts";
import { inert } from "./inert.ts";
import { drawTree } from "./file-tree.ts";

export { estimateTokens };

export interface ShownContext {
  readonly title: string;
  /** In the order of the report, with paths as actions accept them. */
  readonly files: ReadonlyArray<{ readonly path: string; readonly text: string; readonly base?: string | undefined }>;
  /** Paths that were shown before and no longer exist. */
  readonly gone?: readonly string[];
  /** A text to show above the files, such as a diff, with its title. */
  readonly changes?: { readonly title: string; readonly text: string } | undefined;
  readonly maxTokens: number;
  /** Returns the addresses in a file, for one that does not fit, down to a depth. Undefined if it has none. */
  readonly outlineOf?: (path: string, levels: number) => Promise<readonly string[] | undefined>;
}

/** A part of the report that is kept together if possible. */
interface ContextPart {
  /** Of the file in it: stands below the end mark. */
  readonly base?: string | undefined;
  /** `FILE: src/app.ts`, in its marks. Without one, it has no marks. */
  readonly title?: string;
  readonly body: string;
}

export interface ContextReport {
  readonly text: string;
  /** The same in pieces, without the first and last mark. */
  readonly sections: readonly ContextPart[];
  /** Paths of the files that are in the text as a whole. */
  readonly shown: ReadonlySet<string>;
}

/**
 * Shows files whole, in order, as far as they fit. Of those that do not, shows outlines, and names the rest with their
 * tokens. Deterministic. Masks secrets in known formats.
 */
export async function contextReport({
  title,
  files,
  gone = [],
  changes,
  maxTokens,
  outlineOf,
}: ShownContext): Promise<ContextReport> {
  const tree: ContextPart = {
    body: [
      ...drawTree(files.map(({ path }) => visibleOnOneLine(path))),
      ...gone.map((path) => `gone: ${visibleOnOneLine(path)}`),
    ].join("\n"),
  };
  let left = maxTokens - estimateTokens(title) - estimateTokens(tree.body) - RESERVED_TOKENS;
  const branch =
    changes === undefined
      ? []
      : [cutSection({ title: changes.title, body: safe(changes.text) }, left * MAX_SHARE_OF_CHANGES)];
  for (const section of branch) left -= tokensOf(section);

  const whole = files.map(({ path, text, base }) => {
    const section: ContextPart = { base, title: `FILE: ${visibleOnOneLine(path)}`, body: safe(text) };
    return { path, section, tokens: tokensOf(section) };
  });
  const all = whole.reduce((sum, { tokens }) => sum + tokens, 0);
  let forWhole = all <= left || outlineOf === undefined ? left : left * (1 - SHARE_OF_OUTLINES);
  const [shown, sections]: [Set<string>, ContextPart[]] = [new Set(), [...branch]];
  for (const { path, section, tokens } of whole) {
    if (tokens > forWhole) continue;
    [forWhole, left] = [forWhole - tokens, left - tokens];
    shown.add(path);
    sections.push(section);
  }

  const omitted: string[] = [];
  for (const { path, tokens } of whole.filter((file) => !shown.has(file.path))) {
    const outline = await fittingOutline(path, left, outlineOf);
    if (outline === undefined) omitted.push(`${visibleOnOneLine(path)} (about ${tokens} tokens)`);
    else {
      sections.push(outline);
      left -= tokensOf(outline);
    }
  }
  const parts = [...(tree.body === "" ? [] : [tree]), ...sections, ...noteOn(omitted, maxTokens)];
  const [first, ...others] = parts.map(printPart);
  const text = [
    tree.body === "" ? `=== ${title} ===` : `=== ${title} ===\n${first ?? ""}`,
    ...(tree.body === "" && first !== undefined ? [first] : []),
    ...others,
    "=== END CONTEXT ===",
  ].join("\n\n");
  return { text, sections: parts, shown };
}

/** Tokens reserved for the note and the end. */
const RESERVED_TOKENS = 150;
/** Part of the budget that is kept for outlines if not all files fit. */
const SHARE_OF_OUTLINES = 0.1;
const MAX_SHARE_OF_CHANGES = 0.4;
/** UTF-16 units of names in the note. */
const MAX_NOTE_LENGTH = 300;

/** A file's tag stands below its end mark, because the marks themselves must name only the file. */
export function printPart({ title, body, base }: ContextPart): string {
  const note = base === undefined ? "" : `\nnote: ${baseNote(base)}`;
  return title === undefined ? body : `=== START ${title} ===\n${body}\n=== END ${title} ===${note}`;
}

/** Says the tag that an edit of what is shown may carry, after `note: `. */
export function baseNote(base: string): string {
  return `base = "${base}"`;
}

function tokensOf(section: ContextPart): number {
  return estimateTokens(printPart(section)) + 1;
}

/** Makes foreign text unable to act, or to end its section. */
function safe(text: string): string {
  return inert(maskSecrets(text), { isFramed: true });
}

/** Cuts a section at the end of a line, and says so. */
function cutSection(section: ContextPart, maxTokens: number): ContextPart {
  let left = maxTokens - tokensOf({ ...section, body: "" }) - RESERVED_TOKENS;
  if (tokensOf(section) <= maxTokens) return section;
  const lines = section.body.split("\n");
  const kept = lines.findIndex((line) => (left -= estimateTokens(`${line}\n`)) < 0);
  return {
    ...section,
    body: [...lines.slice(0, kept), `=== ${lines.length - kept} more lines are left out ===`].join("\n"),
  };
}

/** Returns the deepest outline of a file that fits. */
async function fittingOutline(
  path: string,
  maxTokens: number,
  outlineOf: ShownContext["outlineOf"],
): Promise<ContextPart | undefined> {
  for (const levels of [Infinity, 2, 1]) {
    const parts = await outlineOf?.(path, levels);
    if (parts === undefined || parts.length === 0) return undefined;
    const section: ContextPart = {
      title: `OUTLINE: ${visibleOnOneLine(path)}`,
      body: inert(parts.map((part) => visibleOnOneLine(part)).join("\n"), { isFramed: true }),
    };
    if (tokensOf(section) <= maxTokens) return section;
  }
  return undefined;
}

function noteOn(omitted: readonly string[], maxTokens: number): ContextPart[] {
  if (omitted.length === 0) return [];
  return [
    {
      body: `note: left out to keep to ${maxTokens} tokens: ${visibleOnOneLine(omitted.join(", "), MAX_NOTE_LENGTH)}; ask for them one by one`,
    },
  ];
}

/** The smallest part, so that the marks around a text do not outweigh it. */
export const MIN_PART_TOKENS = 500;

/**
 * Returns parts of at most this many tokens, each with its number and complete in itself. A section moves to the next
 * part if it does not fit. One that is longer than a part is cut between lines, and its marks say which lines they
 * hold.
 */
export function splitReport(title: string, sections: readonly ContextPart[], maxTokens: number): string[] {
  const room = maxTokens - FRAME_TOKENS;
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
const FRAME_TOKENS = 80;
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
