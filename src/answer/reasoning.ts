/**
 * Leaves out the reasoning that a model writes above its answer: what it drafts there follows below in its final form.
 *
 *     [report of Loaf]  <think> … </think>  answer                     also <reasoning>, <seed:think>, [THINK] and more
 *     <details type="reasoning"> … </details>  answer                  Open WebUI
 *     <|channel|>analysis<|message|> … <|end|><|start|>assistant<|channel|>final<|message|>answer        gpt-oss
 *
 * A tag that opens the text counts: a file or a sentence may mention one. The closing tag begins or ends its line, or
 * is in the line of the opening one. Without it, all of the text is reasoning. `readAnswer` also knows texts of which a
 * server has taken the opening tag away, and pairs of tags alone on their lines further below.
 */
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
  #closing = CLOSING;

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
    const channel = CHANNEL.exec(line)?.[0];
    const isFolded = FOLDED.test(line);
    const final = FINAL.exec(line)?.[0];
    if (this.#place !== "report" && final !== undefined) {
      this.#place = "answer";
      return " ".repeat(final.length) + line.slice(final.length);
    }
    if (this.#place === "report") this.#place = line.trimEnd() === "=== END ===" ? "above" : "report";
    else if (opening !== undefined || channel !== undefined || isFolded) {
      this.first ??= this.#number;
      this.#place = "reasoning";
      this.#closing = isFolded ? END_OF_FOLD : channel === undefined ? CLOSING : END_OF_CHANNEL;
      return opening === undefined || closed === undefined ? this.#reasoning(line) : this.#below(line, opening.length);
    } else if (REPORT.test(line)) this.#place = "report";
    else if (line.trim() !== "" && !STATUS.test(line)) this.#place = "answer";
    return line;
  }

  #reasoning(line: string): string {
    const closing = this.#closing.exec(line);
    return closing === null ? " ".repeat(line.length) : this.#below(line, closing.index + closing[0].length);
  }

  /** @param from offset in the line after a closing tag */
  #below(line: string, from: number): string {
    this.last = { line: this.#number, end: this.#offset + from };
    this.#place = line.slice(from).trim() === "" ? "above" : "answer";
    return " ".repeat(from) + line.slice(from);
  }
}

const { source: OPEN } =
  /<(?:\w+:)?(?:think(?:ing)?|thoughts?|reasoning)>|\[THINK\]|◁think▷|<\|(?:begin_of_thought|START_THINKING)\|>/;
/** The last one is what Ollama's terminal prints. */
const { source: CLOSE } =
  /<\/(?:\w+:)?(?:think(?:ing)?|thoughts?|reasoning)>|\[\/THINK\]|◁\/think▷|<\|(?:end_of_thought|END_THINKING)\|>|\.{3}done thinking\./;
/** With the closing tag in the same line, unless it is only quoted. */
const OPENING = new RegExp(String.raw`^\s*(?:${OPEN})(.*?(?<!["'\`])(?:${CLOSE}))?`, "i");
const CLOSING = new RegExp(String.raw`^\s*(?:${CLOSE})|(?:${CLOSE})(?=\s*$)`, "i");
const FOLDED = /^\s*<details\b[^>]*\btype="reasoning"[^>]*>/i;
const END_OF_FOLD = /^\s*<\/details>|<\/details>(?=\s*$)/i;
const CHANNEL = /^\s*(?:<\|start\|>assistant)?<\|channel\|>analysis(?:<\|message\|>)?/;
const FINAL = /^\s*(?:<\|start\|>assistant)?<\|channel\|>(?:final|commentary)<\|message\|>/;
const END_OF_CHANNEL =
  /<\|end\|>(?:<\|start\|>assistant(?=<\|channel\|>final))?(?:<\|channel\|>final<\|message\|>)?|<\|channel\|>final<\|message\|>/;
/** Loaf puts its summary above an answer, and status lines above that for CSL. */
const REPORT = /^=== (?:LOAF RESULTS|OUTPUTS) ===\s*$/;
const STATUS = /^\[.*\] (?:SUCCESS|ERROR|FATAL|SKIP): /;

/** The reasoning of a text, whose last part may be open. */
export interface Reasoning {
  readonly isOpen: boolean;
  /** 1-based. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Returns a whole text with spaces in place of its reasoning, and where that is. */
export function withoutReasoning(text: string): { readonly text: string; readonly reasoning?: Reasoning } {
  const filter = new ReasoningFilter();
  const answer = filter.write(text) + filter.end();
  const { first, last, isOpen } = filter;
  if (first === undefined) return { text: withoutTokens(answer) };
  return { text: withoutTokens(answer), reasoning: { isOpen, firstLine: first, lastLine: last?.line ?? first } };
}

/** Takes off the token with which gpt-oss ends an answer. */
function withoutTokens(text: string): string {
  return text.replace(/<\|(?:return|end)\|>(?=\s*$)/, (token) => " ".repeat(token.length));
}

/** Returns the 1-based line of the last closing tag, if it is alone on its line and no tag above it opens. */
export function loneClosingIn(text: string): number | undefined {
  const last = [...text.matchAll(new RegExp(LONE_CLOSING, "gim"))].at(-1);
  if (last === undefined || ANY_OPENING.test(text.slice(0, last.index))) return undefined;
  return text.slice(0, last.index).split("\n").length;
}

/** Returns the lines from each tag to the closing one, where both are alone on their lines. */
export function lonePairsIn(text: string): readonly Reasoning[] {
  const pairs: Reasoning[] = [];
  let firstLine: number | undefined;
  let [line, counted] = [1, 0];
  for (const { 0: tag, index } of text.matchAll(LONE_TAG)) {
    const isClosing = LONE_CLOSING_TAG.test(tag);
    if (isClosing === (firstLine === undefined)) continue;
    line += text.slice(counted, index).split("\n").length - 1;
    counted = index;
    if (firstLine !== undefined) pairs.push({ isOpen: false, firstLine, lastLine: line });
    firstLine = isClosing ? undefined : line;
  }
  return pairs;
}

/** Returns whether a text may end in reasoning that a tag alone on its line opens. */
export function mayEndInReasoning(text: string): boolean {
  const last = [...text.matchAll(LONE_TAG)].at(-1);
  return last !== undefined && !LONE_CLOSING_TAG.test(last[0]);
}

const ANY_OPENING = new RegExp(OPEN, "i");

const LONE_CLOSING = String.raw`^[ \t]*(?:${CLOSE})[ \t]*\r?$`;
const LONE_CLOSING_TAG = new RegExp(LONE_CLOSING, "i");
const LONE_TAG = new RegExp(String.raw`^[ \t]*(?:${OPEN}|${CLOSE})[ \t]*\r?$`, "gim");

/** Returns a text with spaces in place of some of its lines. */
export function withoutReasoningIn(text: string, ranges: readonly Reasoning[]): string {
  if (ranges.length === 0) return text;
  const lines = text.split("\n");
  for (const { firstLine, lastLine } of ranges)
    for (let at = firstLine - 1; at < lastLine; at++) lines[at] = (lines[at] ?? "").replace(/[^\r]/g, " ");
  return lines.join("\n");
}

/** Returns a text with spaces in place of its first lines. */
export function withoutFirstLines(text: string, count: number): string {
  const head = text.split("\n").slice(0, count).join("\n");
  return head.replace(/[^\r\n]/g, " ") + text.slice(head.length);
}

export function reasoningFinding({ isOpen, firstLine, lastLine }: Reasoning): Finding {
  if (isOpen)
    return {
      code: "answer/cut-off",
      line: firstLine,
      message:
        "the answer ends inside the model's reasoning, and nothing of it was run: it was cut off, or no line begins or ends with the closing tag",
      request: "Send your answer again, after your reasoning has ended",
    };
  const lines = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine}-${lastLine}`;
  return { code: "answer/reasoning", line: firstLine, message: `not read: the model's reasoning (${lines})` };
}
