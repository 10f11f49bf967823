/**
 * Leaves out the reasoning that a local model writes above its answer, in `<think>` or `<thinking>`. Blocks drafted
 * there follow below in their final form, so running both would edit twice.
 *
 *     [report of Loaf]  <think> … </think>  answer
 *
 * Only a tag that opens the text counts: a file or a sentence may mention one. The closing tag begins or ends its line,
 * or is in the line of the opening one. Without it, all of the text is reasoning.
 */
import { counted } from "../core/counted.ts";
import type { Finding } from "../core/finding.ts";

/** Replaces reasoning by spaces, so that offsets and lines stay, in a text that arrives in pieces. */
export class ReasoningFilter {
  /** 1-based line of the first opening tag, if there is one. */
  first: number | undefined;
  /** 1-based line of the last closing tag, and the offset after it. */
  last: { readonly line: number; readonly end: number } | undefined;
  #place: "above" | "report" | "reasoning" | "answer" = "above";
  /** The incomplete line, unless it is part of the answer. */
  #line = "";
  #number = 0;
  #offset = 0;

  /** Returns the text that later pieces cannot change: only whole lines, until the answer begins. */
  write(piece: string): string {
    let [text, start] = ["", 0];
    for (let end = piece.indexOf("\n"); end !== -1 && this.#place !== "answer"; end = piece.indexOf("\n", start)) {
      text += `${this.#read(this.#line + piece.slice(start, end))}\n`;
      this.#line = "";
      start = end + 1;
    }
    if (this.#place === "answer") return text + piece.slice(start);
    this.#line += piece.slice(start);
    return text;
  }

  /** Returns the rest of the text. */
  end(): string {
    return this.#place === "answer" ? "" : this.#read(this.#line);
  }

  /** Whether the text ends in reasoning. */
  get isOpen(): boolean {
    return this.#place === "reasoning";
  }

  #read(line: string): string {
    this.#number += 1;
    const read = this.#place === "reasoning" ? this.#reasoning(line) : this.#above(line);
    this.#offset += line.length + 1;
    return read;
  }

  #above(line: string): string {
    const [opening, closed] = OPENING.exec(line) ?? [];
    if (this.#place === "report") this.#place = line.trimEnd() === "=== END ===" ? "above" : "report";
    else if (opening !== undefined) {
      this.first ??= this.#number;
      this.#place = "reasoning";
      return closed === undefined ? this.#reasoning(line) : this.#below(line, opening.length);
    } else if (REPORT.test(line)) this.#place = "report";
    else if (line.trim() !== "" && !STATUS.test(line)) this.#place = "answer";
    return line;
  }

  #reasoning(line: string): string {
    const closing = CLOSING.exec(line);
    return closing === null ? " ".repeat(line.length) : this.#below(line, closing.index + closing[0].length);
  }

  /** @param from offset in the line after a closing tag */
  #below(line: string, from: number): string {
    this.last = { line: this.#number, end: this.#offset + from };
    this.#place = line.slice(from).trim() === "" ? "above" : "answer";
    return " ".repeat(from) + line.slice(from);
  }
}

/** With the closing tag in the same line, unless it is only quoted. */
const OPENING = /^\s*<think(?:ing)?>(.*?(?<!["'`])<\/think(?:ing)?>)?/i;
const CLOSING = /^\s*<\/think(?:ing)?>|<\/think(?:ing)?>(?=\s*$)/i;
/** Loaf puts its summary above an answer, and status lines above that for CSL. */
const REPORT = /^=== (?:LOAF RESULTS|OUTPUTS) ===\s*$/;
const STATUS = /^\[.*\] (?:SUCCESS|ERROR|FATAL|SKIP): /;

/** The reasoning of a text, whose last part may be open. */
export interface Reasoning {
  /** Up to the last closing tag, or all of the text if the tag is never closed. */
  readonly text: string;
  readonly isOpen: boolean;
  /** 1-based. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Returns a whole text with spaces in place of its reasoning, and that. */
export function withoutReasoning(text: string): { readonly text: string; readonly reasoning?: Reasoning } {
  const filter = new ReasoningFilter();
  const answer = filter.write(text) + filter.end();
  const { first, last, isOpen } = filter;
  if (first === undefined) return { text };
  const reasoning = {
    text: isOpen ? text : text.slice(0, last?.end),
    isOpen,
    firstLine: first,
    lastLine: last?.line ?? first,
  };
  return { text: answer, reasoning };
}

/**
 * Says that blocks in reasoning were not run, or that the text has nothing else. Undefined if there is nothing to say.
 *
 * @param facts.drafts the number of blocks in it
 * @param facts.hasAnswer whether blocks follow it
 */
export function reasoningFinding(
  { isOpen, firstLine, lastLine }: Reasoning,
  { drafts, hasAnswer }: { readonly drafts: number; readonly hasAnswer: boolean },
): Finding | undefined {
  if (isOpen)
    return {
      code: "answer/cut-off",
      line: firstLine,
      message:
        "the answer ends inside <think>, and nothing of it was run: it was cut off, or no line begins or ends with </think>",
      request: "Send the blocks again, after your reasoning has ended with </think>",
    };
  if (drafts === 0) return undefined;
  const [are, them] = drafts === 1 ? ["was", "it"] : ["were", "them"];
  const lines = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`;
  return {
    code: "answer/reasoning",
    line: firstLine,
    message: `${lines}: ${counted(drafts, "block")} in <think> ${are} not run, because reasoning is no part of the answer`,
    request: hasAnswer
      ? `If the blocks after </think> do not include ${them}, send ${them} again after </think>`
      : `Write ${them} after </think>`,
  };
}
