/** Finds what a change of a file has broken in its syntax. */
import { type ChangedRanges, changeBetween, type Range } from "./change.ts";
import { lineAt } from "../edit/lines.ts";
import { closerOf, firstFrom, isBalanced, type Unmatched, unmatchedIn } from "./faults.ts";
import type { Bracket, Fault, SourceReader, ReadSyntax, SourceSyntax } from "./syntax.ts";

export interface NewFault {
  /** 1-based. */
  readonly line: number;
  /** `` `}` is missing `` */
  readonly problem: string;
}

/**
 * Returns what is wrong with a text that was valid before. A wrong alarm would be worse than none: if the old text has
 * errors too, or there is none, only brackets without a partner count, because a grammar may lag behind its language.
 */
export function newFault(
  { syntax, reliable }: Pick<SourceReader, "syntax" | "reliable">,
  before: string | undefined,
  after: string,
): NewFault | undefined {
  const change = wholeLines(changeBetween(before ?? "", after), before ?? "", after);
  const isWhole = reliable === "whole" || reliable === "exact";
  if (before === undefined && reliable === "changes") return undefined;
  if (before !== undefined && !isWhole && isValidAround(change, before, after, syntax)) return undefined;
  const now = syntax(after);
  if (now.faults.length === 0) return undefined;
  if (before === undefined && reliable === "exact") return otherFault(now.faults, change.after, after);
  const isUnbalanced = !isBalanced(unmatchedIn(now.brackets));
  if (before === undefined)
    return isUnbalanced ? bracketFault(unmatchedIn(now.brackets), NOTHING, after, after.length) : undefined;
  const old = syntax(before, "always");
  const wasValid = old.faults.length === 0;
  if (!wasValid && (!isUnbalanced || !isBalanced(unmatchedIn(old.brackets)))) return undefined;
  const [then, there] = [unmatchedAt(old, change.before), unmatchedAt(now, change.after)];
  const { start, end } = change.after;
  return (
    bracketFault(there, then, after, Math.max(start, end - 1)) ??
    (wasValid ? otherFault(now.faults, change.after, after) : undefined)
  );
}

/** Widens a change to whole lines. */
function wholeLines({ before: old, after: now }: ChangedRanges, before: string, after: string): ChangedRanges {
  const start = after.lastIndexOf("\n", now.start - 1) + 1;
  const lineEnd = (text: string, at: number): number => {
    const end = at > start && text[at - 1] === "\n" ? at - 1 : text.indexOf("\n", at);
    return end === -1 ? text.length : end + 1;
  };
  return { before: { start, end: lineEnd(before, old.end) }, after: { start, end: lineEnd(after, now.end) } };
}

/**
 * Returns whether the declarations around a change are valid by themselves, before and after. This is so for most
 * changes, and spares parsing the whole file.
 */
function isValidAround(
  { before: old, after: now }: ChangedRanges,
  before: string,
  after: string,
  syntax: ReadSyntax,
): boolean {
  const start = declarationBefore(before, old.start);
  const end = declarationAfter(before, old.end);
  if (end - start > before.length / 2) return false;
  const isValid = (text: string): boolean => syntax(text).faults.length === 0;
  return isValid(after.slice(start, now.end + end - old.end)) && isValid(before.slice(start, end));
}

/** A line without indentation after an empty one that does not close anything. */
const DECLARATION = /\n[ \t]*\r?\n(?=[^\s})\]])/g;

function declarationBefore(text: string, offset: number): number {
  let start = 0;
  for (const {
    index,
    0: { length },
  } of text.slice(0, offset).matchAll(DECLARATION))
    start = index + length;
  return start;
}

function declarationAfter(text: string, offset: number): number {
  DECLARATION.lastIndex = Math.max(0, offset - 1);
  const match = DECLARATION.exec(text);
  DECLARATION.lastIndex = 0;
  return match === null ? text.length : match.index + match[0].length;
}

const NOTHING: Unmatched = { closers: [], openers: [] };

function unmatchedAt({ brackets }: SourceSyntax, { start, end }: Range): Unmatched {
  return unmatchedIn(brackets, firstFrom(brackets, start), firstFrom(brackets, end));
}

/** Compares the brackets that a changed place leaves open or closes with those that its surroundings expect. */
function bracketFault(now: Unmatched, then: Unmatched, text: string, end: number): NewFault | undefined {
  const at = (offset: number, problem: string): NewFault => ({
    line: lineAt(text, Math.min(offset, text.trimEnd().length)),
    problem,
  });
  const isMissingFor = (opener: Bracket): NewFault =>
    at(opener.start, `\`${closerOf(opener) ?? ""}\` is missing for this \`${opener.type}\``);
  if (now.wrong !== undefined && then.wrong === undefined) return isMissingFor(now.wrong);
  const closer = now.closers.findIndex(({ type }, index) => type !== then.closers[index]?.type);
  const wanted = then.closers[closer === -1 ? now.closers.length : closer];
  const actual = now.closers[closer];
  if (wanted !== undefined) {
    return at(
      actual?.start ?? end,
      actual === undefined
        ? `\`${wanted.type}\` is missing`
        : `\`${wanted.type}\` is missing before \`${actual.type}\``,
    );
  }
  const unclosed = now.openers.find(({ type }, index) => type !== then.openers[index]?.type);
  if (unclosed !== undefined) return isMissingFor(unclosed);
  if (actual !== undefined) return at(actual.start, `\`${actual.type}\` is extra`);
  const lost = then.openers[now.openers.length];
  return lost === undefined ? undefined : at(end, `\`${lost.type}\` is missing`);
}

/** Returns the fault nearest to a change. A parser may notice a mistake long after it, or blame what precedes it. */
function otherFault(faults: readonly Fault[], { start, end }: Range, text: string): NewFault | undefined {
  const fault =
    faults.find((candidate) => candidate.end >= start && candidate.start <= end) ??
    faults.find((candidate) => candidate.start >= start) ??
    faults[0];
  if (fault === undefined) return undefined;
  const offset = Math.max(fault.start, Math.min(start, fault.end));
  const line = lineAt(text, offset);
  if (fault.problem !== undefined) return { line, problem: fault.problem };
  if (fault.missing !== undefined) return { line, problem: `\`${fault.missing}\` is missing` };
  const [all = ""] = text.slice(text.lastIndexOf("\n", offset - 1) + 1).split("\n", 1);
  return { line, problem: `\`${all.trim().slice(0, MAX_QUOTED)}\` is not valid here` };
}

/** UTF-16 units. */
const MAX_QUOTED = 60;
