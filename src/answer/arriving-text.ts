import { isBlock, type Item, type ReadBlock } from "../core/block.ts";
import { counted } from "../core/counted.ts";
import type { Finding } from "../core/finding.ts";
import { append } from "../core/lists.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import { type Advise, MAX_ERRORS, readAnswer } from "./read-answer.ts";
import { arrivingSyntax, mayBeQuoted } from "../syntaxes/index.ts";
import { linesOf } from "../syntaxes/line-blocks.ts";
import { mayEndInReasoning, ReasoningFilter } from "./reasoning.ts";
import type { ArrivingSyntax } from "../syntaxes/syntax.ts";
import { inGroups, type ReadGroup, type Reading, type ReadingOptions, readWhole } from "./reading.ts";
import { messageOf } from "../core/errors.ts";

/**
 * A text that arrives in pieces, cut anywhere. Yields each block, or group, as soon as its last line is complete. The
 * rest must wait for the end: syntaxes that do not say how they arrive, and in NESL everything from the first block on
 * that may be quoted, or from the first indented header on, whose block may have to be moved. Blocks in the reasoning
 * that opens a text never run.
 *
 * At the end the whole text is read again, and blocks already yielded are skipped. The result differs from that of a
 * whole text only if a limit was exceeded after blocks had run.
 */
export class ArrivingText implements Reading {
  totalBlocks = 0;
  findings: readonly Finding[] = [];
  readAs: string | undefined;
  sentence: string | undefined;
  errors: Reading["errors"];
  refusal: ExecutionResult | undefined;
  interrupted: string | undefined;
  whole: Reading["whole"] = () => [];
  readonly #source: AsyncIterable<string>;
  readonly #options: ReadingOptions;
  readonly #signal: AbortSignal | undefined;

  /** @param signal aborted, stops waiting for more text */
  constructor(source: AsyncIterable<string>, options: ReadingOptions, signal?: AbortSignal) {
    this.#source = source;
    this.#options = options;
    this.#signal = signal;
  }

  async *groups(): AsyncGenerator<ReadGroup> {
    const { settings, format, fileWith } = this.#options;
    const syntax = arrivingSyntax(format);
    const isQuoted = (above: string): boolean =>
      mayEndInReasoning(above) || (format === undefined && mayBeQuoted(above, settings));
    const early = syntax && new EarlyGroups(syntax.arriving, isQuoted);
    const advise: Advise | undefined = syntax && ((diagnostics, of) => syntax.advise(diagnostics, of, settings));
    const reasoning = new ReasoningFilter();
    const pieces: string[] = [];
    let yielded = 0;
    const lines: number[] = [];
    for await (const piece of this.#pieces()) {
      pieces.push(piece);
      for (const { group, text } of early?.write(reasoning.write(piece)) ?? []) {
        this.totalBlocks += group.filter(isBlock).length;
        if (this.totalBlocks > settings.limits.max_blocks)
          this.#interrupt(`The text has more than ${settings.limits.max_blocks} blocks`);
        if (this.interrupted !== undefined) break;
        const first = yielded;
        yielded += group.length;
        append(
          lines,
          group.map((item) => linesOf(item).first),
        );
        yield { group, positions: group.map((_, index) => first + index), text, advise };
      }
      if (this.interrupted !== undefined) break;
    }
    const written = pieces.join("");
    if (this.interrupted !== undefined) {
      ({ findings: this.findings, readAs: this.readAs } = readAnswer(written, {
        format,
        fileWith,
        csl: settings.csl,
        allowed: settings.syntaxes,
      }));
      return;
    }
    const ran = syntax && { syntax: syntax.name, line: lines.at(-1) ?? 0 };
    const reading = readWhole(written, { ...this.#options, ran });
    this.whole = reading.whole;
    this.refusal = reading.refusal;
    this.findings = [...ranInReasoning(lines, reading.reasoned), ...reading.findings];
    this.readAs = reading.readAs;
    this.sentence = reading.sentence;
    this.errors = reading.errors;
    this.totalBlocks += reading.totalBlocks;
    yield* reading.groups();
  }

  async *#pieces(): AsyncGenerator<string> {
    const source = this.#source[Symbol.asyncIterator]();
    const { max_input: longest } = this.#options.settings.limits;
    let bytes = 0;
    try {
      for (;;) {
        const next = await this.#orStopped(source.next());
        if (next === undefined) return this.#interrupt("Stopped before the text ended");
        if (next.done === true) return;
        if (typeof next.value !== "string")
          return this.#interrupt(`A piece of the text is not a string but ${typeof next.value}`);
        bytes += Buffer.byteLength(next.value);
        if (bytes > longest) return this.#interrupt(`The text has more than ${longest} bytes, which is the limit`);
        yield next.value;
      }
    } catch (thrown) {
      this.#interrupt(`The text could not be read to its end (${messageOf(thrown)})`);
    } finally {
      // Does not await it: a source may be waiting for its next piece.
      source.return?.().catch(() => {});
    }
  }

  /** Returns undefined once the signal is aborted. */
  #orStopped<Value>(promise: Promise<Value>): Promise<Value | undefined> {
    const signal = this.#signal;
    if (signal === undefined) return promise;
    return new Promise((resolve, reject) => {
      const stop = (): void => resolve(undefined);
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
    });
  }

  #interrupt(reason: string): void {
    this.interrupted = `${reason}: only the blocks before that were run`;
  }
}

/**
 * A closing tag alone shows only at its line that what is above it was reasoning.
 *
 * @param lines those of the blocks that have run
 * @param reasoned the last line of the reasoning
 */
function ranInReasoning(lines: readonly number[], reasoned: number | undefined): Finding[] {
  const early = lines.filter((line) => line <= (reasoned ?? 0));
  const [line] = early;
  if (line === undefined) return [];
  const message = `${counted(early.length, "block")} of the model's reasoning ran before line ${reasoned} ended it, because the text arrived in pieces: check what ${early.length === 1 ? "it" : "they"} did`;
  return [{ code: "answer/ran-early", line, message }];
}

type EarlyGroup = Pick<ReadGroup, "group" | "text">;

/**
 * The complete groups of an incomplete text, each with its own text. Yields nothing after an error that must wait, a
 * block without its end, or one that may be quoted.
 */
class EarlyGroups {
  readonly #read: Item[] = [];
  readonly #syntax: ArrivingSyntax;
  readonly #parser: ReturnType<ArrivingSyntax["parser"]>;
  readonly #isQuoted: (above: string) => boolean;
  /** The text after the last yielded group, and the length of what was removed before it. */
  #text = "";
  #before = 0;
  readonly #waiting: Array<readonly Item[]> = [];
  #isStopped = false;

  /** @param isQuoted returns whether a block may be quoted that stands below a text */
  constructor(syntax: ArrivingSyntax, isQuoted: (above: string) => boolean) {
    this.#syntax = syntax;
    this.#isQuoted = isQuoted;
    this.#parser = syntax.parser((item) => this.#read.push(item), MAX_ERRORS);
  }

  *write(piece: string): Generator<EarlyGroup> {
    if (this.#isStopped) return;
    this.#text += piece;
    this.#parser.write(piece);
    for (const group of inGroups(this.#read.splice(0))) {
      this.#isStopped ||=
        group.some((item) => (isBlock(item) ? item.endLine === null : this.#syntax.mustWait(item))) ||
        this.#isInQuote(group.find(isBlock));
      if (this.#isStopped) return;
      this.#waiting.push(group);
      // Errors wait for the next block, which shows whether they are quoted.
      if (group.some(isBlock)) for (const waiting of this.#waiting.splice(0)) yield this.#cutOut(waiting);
    }
  }

  #isInQuote(first: ReadBlock | undefined): boolean {
    return first !== undefined && this.#isQuoted(this.#text.slice(0, first.span.start - this.#before));
  }

  /** Cuts from the remaining text only, so that the work stays linear in the number of blocks. */
  #cutOut(group: readonly Item[]): EarlyGroup {
    const spans = group.flatMap((item) => (isBlock(item) ? [item.span] : []));
    const [first, last] = [spans[0], spans.at(-1)];
    if (first === undefined || last === undefined) return { group, text: "" };
    const text = this.#text.slice(first.start - this.#before, last.end - this.#before);
    this.#text = this.#text.slice(last.end - this.#before);
    this.#before = last.end;
    const shifted = ({ start, end }: ReadBlock["span"]): ReadBlock["span"] => ({
      start: start - first.start,
      end: end - first.start,
    });
    return { group: group.map((item) => (isBlock(item) ? { ...item, span: shifted(item.span) } : item)), text };
  }
}
