/** Code fences of Markdown. */
import { pathAbove, pathInFirstLine, pathInInfo, pathTold } from "./path-label.ts";

/** A line that opens or closes one. */
export interface FenceLine {
  readonly marks: string;
  /** What follows, trimmed. */
  readonly info: string;
}

/** Returns what a line is as a fence. Marks with a backtick behind them are code within a line. */
export function fenceIn(line: string): FenceLine | undefined {
  const [, marks, info = ""] = FENCE.exec(line) ?? [];
  return marks === undefined || (marks.startsWith("`") && info.includes("`"))
    ? undefined
    : { marks, info: info.trim() };
}

export function isFence(line: string): boolean {
  return fenceIn(line) !== undefined;
}

const FENCE = /^\s*(`{3,}|~{3,})(.*)$/s;

/** Source of a pattern for the beginning of a fence, to look for one in a whole text. */
export const FENCE_START = "^[ \\t]*(?:`{3,}|~{3,})";

/**
 * Returns whether a fence shows changed lines: its info string says so, it begins with the head of a hunk, or each line
 * has a sign of a diff, and both signs occur. A comment above that may name the file.
 */
export function showsChanges(info: string, written: string): boolean {
  const text = written.replace(/^\s*(?:#|\/\/|--) .*\n/, "");
  if (/^(?:diff|patch|udiff)\b/i.test(info) || /^\s*@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(text)) return true;
  return /^\+/m.test(text) && /^-/m.test(text) && !/^[^\s+-]/m.test(text);
}

/** An open code fence. */
export interface Fence {
  /** 1-based number of its first line. */
  readonly line: number;
  /** The text after its marks: `ts`, `diff`, `js title="src/app.js"`. */
  readonly info: string;
}

/** Tracks Markdown code fences, however far they are indented. */
export class FenceTracker {
  open: Fence | undefined;
  readonly #ends: readonly number[];
  #nextEnd = 0;
  /** The first fence that nothing closed. */
  #lost: Fence | undefined;
  #marks = "";
  #count = 0;
  /** Fences that are open inside a fence of Markdown, whose marks models do not make longer. */
  #nested = 0;

  /** @param ends 1-based lines where fences end that nothing closes, in order */
  constructor(ends: readonly number[] = []) {
    this.#ends = ends;
  }

  /**
   * @param number 1-based
   * @returns the effect of a line that is a fence
   */
  read(line: string, number: number): "opens" | "closes" | undefined {
    const fence = fenceIn(line);
    if (fence === undefined) return undefined;
    const { marks, info } = fence;
    this.passes(number);
    if (this.open === undefined) {
      this.open = { line: number, info };
      this.#marks = marks;
      this.#count += 1;
      return "opens";
    }
    this.#count += 1;
    if (!marks.startsWith(this.#marks)) return undefined;
    if (/^\w/.test(info) && marks === this.#marks && MARKDOWN.test(this.open.info)) this.#nested += 1;
    if (info !== "") return undefined;
    if (this.#nested > 0) {
      this.#nested -= 1;
      return undefined;
    }
    this.open = undefined;
    return "closes";
  }

  /**
   * Ends the open fence if nothing closes it and it ends at a line or above it.
   *
   * @returns whether it did
   */
  passes(number: number): boolean {
    const { open } = this;
    let isPassed = false;
    for (let end = this.#ends[this.#nextEnd]; end !== undefined && end <= number; end = this.#ends[++this.#nextEnd])
      isPassed ||= open !== undefined && open.line < end;
    if (!isPassed) return false;
    this.#lost ??= open;
    this.open = undefined;
    this.#nested = 0;
    this.#count -= 1;
    return true;
  }

  /** The fence that was never closed. If models nest fences of the same length, the number of fences is still even. */
  get lost(): Fence | undefined {
    return this.#lost ?? (this.#count % 2 === 1 ? this.open : undefined);
  }
}

const MARKDOWN = /^(?:markdown|md|mdx)\b/i;

/** Stands for each character of what another syntax has read. No text has it: Unicode keeps it for such use. */
export const MASK = "\uFDD0";

/** A fence that nothing closes. */
export interface LostFence {
  /** Index of its line. */
  readonly first: number;
  /** Where other text seems to begin in it: a path above a further fence, or that fence. */
  readonly below?: { readonly fence: number; readonly text: number; readonly path: string | undefined };
  /** Whether its text may hold code fences. */
  readonly isProse: boolean;
}

/** Finds the fences that nothing closes, where one with an info string opens within another. Runs in linear time. */
export function lostFences(lines: Lines): readonly LostFence[] {
  const open: Array<{ -readonly [key in keyof LostFence]: LostFence[key] } & Record<"marks" | "margin", string>> = [];
  for (let at = 0; at < lines.count; at++) {
    const fence = fenceIn(lines.at(at));
    if (fence === undefined) continue;
    const { marks, info } = fence;
    const around = open.at(-1);
    if (around === undefined || (info !== "" && marks.startsWith(around.marks))) {
      const margin = lines.at(at).replace(/\S.*$/s, "");
      // One in a comment of the code is indented further.
      const below = around?.margin === margin ? textAbove(lines, at, info) : undefined;
      if (around !== undefined && below !== undefined) around.below ??= below;
      const isProse = (!/^\w/.test(info) && !lines.at(at + 1).startsWith(MASK)) || PROSE.test(info);
      open.push({ first: at, marks, margin, isProse });
    } else if (marks.startsWith(around.marks)) open.pop();
  }
  return open;
}

/** Returns where the text begins that a fence belongs to: at its label, or below a blank line. */
function textAbove(lines: Lines, fence: number, info: string): LostFence["below"] {
  const isApart = lines.at(fence - 1).trim() === "";
  const label = isApart ? fence - 2 : fence - 1;
  const told = label < 0 ? undefined : (pathAbove(lines.at(label), false) ?? pathTold(lines.at(label)));
  const path = pathInInfo(info) ?? told ?? pathInFirstLine(lines.at(fence + 1), info);
  if (told === undefined && !isApart) return undefined;
  return { fence, text: told === undefined ? fence : label, path };
}

interface Lines {
  readonly count: number;
  at(index: number): string;
}

const PROSE = /^(?:markdown|md|mdx|text|txt|rst|plaintext)\b/i;
