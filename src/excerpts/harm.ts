/** Finds what a text with filled placeholders would do to a file that no placeholder means. */
import { diffArrays } from "diff";
import type { Part } from "../addresses/part.ts";
import { isComment } from "../core/comment-styles.ts";
import { countsOf } from "../core/counted.ts";
import { largest } from "../core/lists.ts";
import { isEllipsis } from "../edit/holes.ts";
import { trimmedLines } from "../edit/lazy.ts";
import { placeholdersOver } from "../edit/placeholder.ts";
import { everyPart, type Found, nameOf } from "./parts.ts";
import { withKeptPrefix } from "./remarks.ts";
import type { ExcerptSource } from "./merge.ts";
import { indentOf, lineWith } from "./text.ts";

/**
 * Returns why a text may lose lines of the file that a placeholder means: one that the file has itself, as an earlier
 * answer may have left it, is not told from code.
 */
export function harmOfOwn(path: string, { before, content, text }: Filled): string | undefined {
  const old = before.split("\n").map((line) => line.trim());
  const certain = new Set(
    placeholdersOver(path, "", content).flatMap(({ kind, line }) => (kind === "faint" ? [] : [line])),
  );
  const isPlaceholder = (line: string): boolean => isComment(line) && (certain.has(line) || isEllipsis(line));
  const shared = new Set(trimmedLines(content).filter((line) => isPlaceholder(line) && old.includes(line)));
  if (shared.size === 0) return undefined;
  const parts = diffArrays([...trimmedLines(before)], [...trimmedLines(text)], { maxEditLength: MAX_DIFFERENCES });
  if (parts === undefined) return `has the line "${[...shared].join('", "')}" itself: show the lines beside it`;
  for (const [index, { removed, added, value }] of parts.entries()) {
    const next = parts[index + 1];
    const beside = [parts[index - 1]?.value.at(-1), (next?.added === true ? parts[index + 2] : next)?.value[0]];
    const line = beside.find((one) => one !== undefined && shared.has(one));
    if (removed && line !== undefined && value.length > (next?.added === true ? next.value.length : 0))
      return `has the line "${line}" itself: show the lines beside it`;
    const more = added ? value.find((one) => shared.has(one)) : undefined;
    if (more !== undefined) return `would hold the placeholder "${more}" once more`;
  }
  return undefined;
}

/** Returns a new comment of nothing but words that mean old code, in the place of lines of a file that are gone. */
export function standsForLost({ before, content, text }: Filled): string | undefined {
  const old = new Set(trimmedLines(before));
  const comments = new Set(trimmedLines(content).filter((line) => OF_OLD_CODE.test(line) && !old.has(line)));
  if (comments.size === 0) return undefined;
  const parts = diffArrays([...old], [...new Set(trimmedLines(text))], { maxEditLength: MAX_DIFFERENCES }) ?? [];
  const isCode = (line: string): boolean => /\w/.test(line) && !isComment(line);
  return parts
    .filter(({ added }, index) => added && parts[index - 1]?.removed === true && parts[index - 1]?.value.some(isCode))
    .flatMap(({ value }) => value.find((line) => comments.has(line)) ?? [])[0];
}

const OLD_CODE =
  "as|before|body|code|content|functions?|here|implementation|is|it|lines?|logic|methods?|of|the|unchanged|was|your";
const OF_OLD_CODE = new RegExp(
  "^(?:\\/\\/|#|--|\\/\\*)\\s*(?:(?:all|keep|the|your)\\s+)*" +
    "(?:(?:current|existing|old|original|other|previous|same)(?=\\s)|remaining|rest|unchanged|unmodified)" +
    `(?:\\s+(?:${OLD_CODE}))*\\s*(?:\\*\\/)?$`,
  "i",
);
const MAX_DIFFERENCES = 2_000;

interface Filled {
  readonly before: string;
  readonly content: string;
  readonly text: string;
}

/** Returns why the text may not be meant: `would hold login 2 times`. */
export function harmOf({ parts, isValid }: ExcerptSource, { before, content, text }: Filled): string | undefined {
  if (isValid(before) === true && isValid(text) === false) return "would have a syntax error afterwards";
  const isStray = (part: Part): boolean => isIndented(text, [part]) && !isInGroup(text, part);
  const strayed = isIndented(before, parts(before)) ? [] : parts(text).filter(isStray);
  if (strayed[0] !== undefined) return `would hold ${strayed[0].name} below what it belongs to`;
  const [old, now] = [byName(everyPart(parts(before))), byName(everyPart(parts(text)))];
  const shown = countsOf(everyPart(parts(content)).map(({ part }) => part.name));
  for (const [name, all] of now) {
    const [only, other] = old.get(name) ?? [];
    if (only === undefined) continue;
    const last = only.part.name;
    if (all.length > (old.get(name)?.length ?? 0) && all.length > (shown.get(last) ?? 0))
      return `would hold ${name} ${all.length} times`;
    const prefix = other === undefined && all.length === 1 ? lostAbove(before, only, text, all[0] as Found) : undefined;
    if (prefix !== undefined) return `would lose the line "${prefix}" above ${name}`;
  }
  return undefined;
}

/**
 * Returns why a new declaration may belong elsewhere: it stands less deep than the answer shows it, as members of a
 * container do whose head may be what a placeholder stands for.
 */
export function harmOfDepth({ parts }: ExcerptSource, { before, content, text }: Filled): string | undefined {
  const [old, shown] = [everyPart(parts(before)), everyPart(parts(content))];
  const known = new Set(old.map(nameOf));
  for (const added of everyPart(parts(text)).filter((part) => !known.has(nameOf(part)))) {
    const { part, around } = added;
    const depths = shown.flatMap((one) => (one.part.name === part.name ? [indentAt(content, one.part)] : []));
    const [depth, another] = [...new Set(depths)];
    if (depth === undefined || another !== undefined || depth <= indentAt(text, part)) continue;
    const member = old.find((one) => {
      const isDeeper = one.around.length > around.length && indentAt(before, one.part) === depth;
      return isDeeper && around.every(({ name }, at) => one.around[at]?.name === name);
    });
    if (member !== undefined)
      return `may mean ${part.name} beside ${nameOf(member)}: show the line that begins its container`;
  }
  return undefined;
}

function indentAt(text: string, { start }: Part): number {
  return indentOf(lineWith(text, start)).length;
}

/** Returns whether one of some parts is indented. */
function isIndented(text: string, parts: readonly Part[]): boolean {
  return parts.some((part) => indentAt(text, part) > 0);
}

/** Returns whether a declaration stands in brackets with others of Go: `const (`. */
function isInGroup(text: string, { start }: Part): boolean {
  const open = largest(["const", "type", "var"].map((word) => text.lastIndexOf(`\n${word} (\n`, start)));
  return open > text.lastIndexOf("\n)", start);
}

function byName(parts: readonly Found[]): ReadonlyMap<string, readonly Found[]> {
  const names = new Map<string, Found[]>();
  for (const part of parts) {
    const name = nameOf(part);
    const known = names.get(name);
    if (known === undefined) names.set(name, [part]);
    else known.push(part);
  }
  return names;
}

/** Returns a comment or decorator above a declaration that its new form lacks, as it lacks all of its kind. */
function lostAbove(before: string, old: Found, text: string, now: Found): string | undefined {
  const [whole, shown] = [before.slice(old.part.start, old.part.end), text.slice(now.part.start, now.part.end)];
  const kept = withKeptPrefix(whole, shown);
  return kept === shown
    ? undefined
    : kept
        .split("\n")
        .find((line) => line.trim() !== "" && !shown.includes(line))
        ?.trim();
}
