/**
 * What of an answer runs, in groups of blocks that run all or not at all: read from a whole text, or from a list that a
 * program gives by name, with JSON values.
 */
import type { Settings } from "../config/schema.ts";
import { type FatalError, isBlock, type Item, type ReadBlock } from "../core/block.ts";
import { counted } from "../core/counted.ts";
import type { Finding } from "../core/finding.ts";
import type { ExecutionResult, ParseError } from "../core/outcome.ts";
import { namedFew } from "../core/visible.ts";
import { type Advise, readAnswer } from "./read-answer.ts";
import type { Format } from "../syntaxes/index.ts";
import { linesOf } from "../syntaxes/line-blocks.ts";
import type { FileWith } from "../syntaxes/syntax.ts";
import { firstSentence } from "./first-words.ts";
import { type Action, fatalErrorOf } from "./resolve.ts";

/** Items that run all or not at all, usually one, and the text that their spans refer to. */
export interface ReadGroup {
  readonly group: readonly Item[];
  /** The position of each in the whole text. */
  readonly positions: readonly number[];
  readonly text: string;
  /** Absent for actions from programs, which have no syntax. */
  readonly advise?: Advise | undefined;
}

/** A text that is read to be run. Its other properties are final only after its groups have been iterated. */
export interface Reading {
  groups(): Iterable<ReadGroup> | AsyncIterable<ReadGroup>;
  /** Returns the groups of the whole answer, also those not wanted. None before all of it has arrived. */
  whole(): readonly ReadGroup[];
  readonly totalBlocks: number;
  readonly findings: readonly Finding[];
  /** The syntax that was read, if other tools defined it. */
  readonly readAs?: string | undefined;
  /** The first sentence of its prose. */
  readonly sentence?: string | undefined;
  /** The result if nothing of it runs. */
  readonly refusal?: ExecutionResult | undefined;
  /** The last line of the model's reasoning, 1-based, if it has any. */
  readonly reasoned?: number | undefined;
  /** Errors for which the blocks of their syntax do not run. */
  readonly errors?: readonly ParseError[] | undefined;
  /** Why reading stopped before the end, as a sentence. */
  readonly interrupted?: string | undefined;
}

export interface ReadingOptions {
  readonly settings: Settings;
  /** Syntax to read; detected if undefined. */
  readonly format?: Format | undefined;
  /** Finds the files of code without a path. */
  readonly fileWith?: FileWith | undefined;
  /** Returns whether to run an item, by its position in the text. */
  readonly wants?: ((position: number) => boolean) | undefined;
  /** What has run of a text that arrived in pieces. */
  readonly ran?: RanBefore | undefined;
}

/** The items of a syntax up to a line. */
interface RanBefore {
  readonly syntax: string;
  /** 1-based line of the last one. */
  readonly line: number;
}

/** Reads a complete text. Refuses it entirely if it exceeds the limits. */
export function readWhole(
  written: string,
  { settings, format, fileWith, wants = () => true, ran }: ReadingOptions,
): Reading {
  const { max_input: longest, max_blocks: most } = settings.limits;
  const size = Buffer.byteLength(written);
  if (size > longest) return refused(`The text has ${size} bytes, the limit is ${longest}: nothing was run`);
  const answer = readAnswer(written, { format, fileWith, csl: settings.csl, allowed: settings.syntaxes });
  const { text, items, totalBlocks, findings, readAs, fatal, advise } = answer;
  const errors = fatal === undefined ? [] : [fatalErrorOf(fatal, advise)];
  if (fatal !== undefined && items.length === 0)
    return refused(`Line ${fatal.diagnostic.line}: ${fatal.diagnostic.message}: nothing was run`, {
      parseErrors: errors,
      ...(findings.length > 0 && { findings }),
    });
  const hasRun = (position: number): boolean => {
    const item = items[position];
    if (item === undefined || ran === undefined) return false;
    return answer.syntaxOf.get(item)?.name === ran.syntax && linesOf(item).first <= ran.line;
  };
  if (totalBlocks > most) return refused(`The text has ${totalBlocks} blocks, the limit is ${most}: nothing was run`);
  const [first] = items;
  const sentence = first && firstSentence(text, linesOf(first).first);
  const isLeft = (position: number): boolean => wants(position) && !hasRun(position);
  const reasoned = answer.reasoning?.lastLine;
  const named = [...findings, ...(fatal === undefined ? [] : notRunFor(fatal))];
  return { ...readingOf(items, text, { findings: named, wants: isLeft, advise }), readAs, sentence, errors, reasoned };
}

/** Names the operations that do not run because of a fatal error, beside the blocks of other syntaxes. */
function notRunFor({ diagnostic: { line: failed }, ranges }: FatalError): Finding[] {
  const lines = ranges.map(({ first }) => first).filter((line) => line !== failed);
  const [line] = lines;
  if (line === undefined) return [];
  const what = `${counted(lines.length, "other operation")} of its format (${lines.length === 1 ? "line" : "lines"} ${namedFew(lines.map(String), MAX_NAMED)})`;
  return [{ code: "answer/not-read", line, message: `not run, because of the error in line ${failed}: ${what}` }];
}

const MAX_NAMED = 10;

/** Returns the reading of all wanted items. */
function readingOf(items: readonly Item[], text: string, { findings, wants, advise }: WantedItems): Reading {
  const positions = new Map(items.map((item, position) => [item, position]));
  const positionOf = (item: Item): number => positions.get(item) ?? 0;
  const wanted = items.filter((_, position) => wants(position));
  const groupsOf = (some: readonly Item[]): ReadGroup[] =>
    inGroups(some).map((group) => ({ group, positions: group.map(positionOf), text, advise }));
  return {
    groups: () => groupsOf(wanted),
    whole: () => groupsOf(items),
    totalBlocks: wanted.filter(isBlock).length,
    findings,
  };
}

interface WantedItems {
  readonly findings: readonly Finding[];
  readonly wants: (position: number) => boolean;
  readonly advise?: Advise | undefined;
}

export function refused(sentence: string, more?: Pick<ExecutionResult, "parseErrors" | "findings">): Reading {
  const refusal = { ...refusedWhole(sentence), ...more };
  return { groups: () => [], whole: () => [], totalBlocks: 0, findings: [], refusal };
}

/** Returns a result in which nothing ran. */
export function refusedWhole(fatalError: string, parseErrors: ExecutionResult["parseErrors"] = []): ExecutionResult {
  return { success: false, totalBlocks: 0, executedActions: 0, results: [], parseErrors, fatalError };
}

/** An item after validation: an action, or its errors. */
export type Resolved = Action | readonly ParseError[];

/** Splits items into groups, in order. An item without a group is on its own. */
export function inGroups(items: readonly Item[]): Array<readonly Item[]> {
  const groups: Item[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    const name = groupOf(item);
    if (last !== undefined && name !== undefined && groupOf(last[0]) === name) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

function groupOf(item: Item | undefined): string | undefined {
  return item !== undefined && isBlock(item) ? item.meant?.group : undefined;
}

/**
 * Places the actions of a group, which are rehearsed before any of them runs. Leaves those alone whose paths earlier
 * ones make: they are not there yet, and must not be looked up by their tail.
 */
export function placeGroup(group: readonly Resolved[], place: (action: Action) => Action): readonly Resolved[] {
  const made = new Set<unknown>();
  return group.map((resolved) => {
    if (!("definition" in resolved)) return resolved;
    const paths = Object.entries(resolved.definition.needs).map(([parameter, access = []]) => ({
      path: resolved.params[parameter],
      isMade: !access.includes("read"),
    }));
    const isKnown = paths.some(({ path }) => made.has(path));
    for (const { path, isMade } of paths) if (isMade) made.add(path);
    return isKnown ? resolved : place(resolved);
  });
}

export interface StructuredAction {
  /** `file_write` */
  readonly action: string;
  /** A list is for parameters that take several paths. */
  readonly params?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** Name in results. Defaults to its position, from 1. */
  readonly id?: string;
}

/** Reads a list of actions. Refuses it entirely if it exceeds the limits or is malformed. */
export function readStructured(
  actions: readonly StructuredAction[],
  { settings, wants = () => true }: Pick<ReadingOptions, "settings" | "wants">,
): Reading {
  const { max_input: longest, max_blocks: most } = settings.limits;
  const wrong = actions.findIndex((action) => typeof action?.action !== "string");
  if (wrong >= 0) return refused(`Action ${wrong + 1} of the list has no name: nothing was run`);
  if (actions.length > most)
    return refused(`The list has ${actions.length} actions, the limit is ${most}: nothing was run`);
  const misnamed = actions.findIndex(({ id }) => id !== undefined && !(typeof id === "string" && ID.test(id)));
  if (misnamed >= 0)
    return refused(
      `The id of action ${misnamed + 1} must be 1 to 64 letters, digits, dots, hyphens and underscores: nothing was run`,
    );
  const lines = actions.map((action) => JSON.stringify(action));
  const size = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  if (size > longest) return refused(`The list has ${size} bytes, the limit is ${longest}: nothing was run`);
  const text = lines.join("\n");
  let start = 0;
  const items = actions.map((action, position) => {
    const line = lines[position] as string;
    const item = blockOf(action, { line, number: position + 1, start });
    start += line.length + 1;
    return item;
  });
  return readingOf(items, text, { findings: [], wants });
}

/** It is printed in reports, which must not act. */
const ID = /^[\w.-]{1,64}$/;

function blockOf(
  { action, params = {}, id }: StructuredAction,
  { line, number, start }: { readonly line: string; readonly number: number; readonly start: number },
): ReadBlock {
  const values = Object.entries(params).filter(([, value]) => value !== undefined);
  const blockId = id ?? String(number);
  const properties: Record<string, string> = Object.create(null);
  for (const [key, value] of values) properties[key] = textOf(value) ?? "";
  // Last: a parameter of this name must not choose another action.
  properties["action"] = action;
  const diagnostics = values.flatMap(([key, value]) => {
    if (textOf(value) !== undefined) return [];
    const message = `parameter '${key}' is ${value === null ? "null" : "an object"}: give a string, a number, true, false or a list of strings`;
    const place = { line: number, column: 1, length: line.length, blockId, content: line, context: line };
    return [{ ...place, code: "INVALID_VALUE" as const, message }];
  });
  return {
    id: blockId,
    properties,
    startLine: number,
    endLine: number,
    diagnostics,
    span: { start, end: start + line.length },
  };
}

/** Returns the value as a block would write it. Undefined if no parameter takes such a value. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return Array.isArray(value) && value.every((entry) => typeof entry === "string" && !entry.includes("\n"))
    ? value.join("\n")
    : undefined;
}
