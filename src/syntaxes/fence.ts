/** Code fences of Markdown. */

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
  #marks = "";
  #count = 0;
  /** Fences that are open inside a fence of Markdown, whose marks models do not make longer. */
  #nested = 0;

  /** @returns the effect of a line that is a fence */
  read(line: string, number: number): "opens" | "closes" | undefined {
    const fence = fenceIn(line);
    if (fence === undefined) return undefined;
    const { marks, info } = fence;
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

  /** The fence that was never closed. If models nest fences of the same length, the number of fences is still even. */
  get lost(): Fence | undefined {
    return this.#count % 2 === 1 ? this.open : undefined;
  }
}

const MARKDOWN = /^(?:markdown|md|mdx)\b/i;
