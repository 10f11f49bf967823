import type { Finding } from "../../core/finding.ts";
import type { ExecutionResult } from "../../core/outcome.ts";
import { MOST_ERRORS, readAnswer } from "../../syntaxes/answer.ts";
import { isIndentedHeader } from "../../syntaxes/damage/indentation.ts";
import { NeslParser } from "../../syntaxes/nesl/read.ts";
import { isBlock } from "../../syntaxes/read.ts";
import { type Item, type ReadGroup, type Reading, type ReadingOptions, readWhole } from "./reading.ts";

/**
 * A text that arrives in pieces, cut anywhere. Each NESL block is handed on when the line that closes it is complete; what can only be told of
 * the whole text waits for its end: the older syntaxes, and everything from the first indented header on, whose block may have to be moved.
 *
 * At the end the text is read as if it had been there all the time, and what was handed on is left out. So only a limit, which is met too late
 * for blocks that ran, can make it differ from a text that was whole.
 */
export class ArrivingText implements Reading {
  totalBlocks = 0;
  findings: readonly Finding[] = [];
  refusal: ExecutionResult | undefined;
  interrupted: string | undefined;
  readonly #source: AsyncIterable<string>;
  readonly #options: ReadingOptions;
  readonly #signal: AbortSignal | undefined;

  /** @param signal aborted, no more of the text is waited for */
  constructor(source: AsyncIterable<string>, options: ReadingOptions, signal?: AbortSignal) {
    this.#source = source;
    this.#options = options;
    this.#signal = signal;
  }

  async *groups(): AsyncGenerator<ReadGroup> {
    const { settings, format } = this.#options;
    const early = format === undefined || format === "nesl" ? new EarlyItems() : undefined;
    const pieces: string[] = [];
    let handedOn = 0;
    for await (const piece of this.#pieces()) {
      pieces.push(piece);
      for (const { item, text } of early?.write(piece) ?? []) {
        if (isBlock(item) && ++this.totalBlocks > settings.limits.max_blocks) this.#interrupt(`The text has more than ${settings.limits.max_blocks} blocks`);
        if (this.interrupted !== undefined) break;
        handedOn += 1;
        yield { group: [item], text };
      }
      if (this.interrupted !== undefined) break;
    }
    const written = pieces.join("");
    if (this.interrupted !== undefined) {
      this.findings = readAnswer(written, { format, csl: settings.csl }).findings;
      return;
    }
    const rest = readWhole(written, { ...this.#options, wants: (position) => position >= handedOn });
    this.refusal = rest.refusal;
    this.findings = rest.findings;
    this.totalBlocks += rest.totalBlocks;
    yield* rest.groups();
  }

  async *#pieces(): AsyncGenerator<string> {
    const source = this.#source[Symbol.asyncIterator]();
    const { max_input: longest } = this.#options.settings.limits;
    let bytes = 0;
    try {
      for (;;) {
        const next = await this.#unlessStopped(source.next());
        if (next === undefined) return this.#interrupt("Stopped before the text had ended");
        if (next.done === true) return;
        if (typeof next.value !== "string") return this.#interrupt(`A piece of the text is no string, but ${typeof next.value}`);
        bytes += Buffer.byteLength(next.value);
        if (bytes > longest) return this.#interrupt(`The text has more than ${longest} bytes, which is the limit`);
        yield next.value;
      }
    } catch (thrown) {
      this.#interrupt(`The text could not be read to its end (${thrown instanceof Error ? thrown.message : String(thrown)})`);
    } finally {
      // A source that waits for its next piece would be waited for.
      source.return?.().catch(() => {});
    }
  }

  /** Undefined once the signal is aborted. */
  #unlessStopped<Value>(promise: Promise<Value>): Promise<Value | undefined> {
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
    this.interrupted = `${reason}: only what had come before was run`;
  }
}

/** The items of a NESL text whose end has come, each with its own text. Nothing more comes once an indented header was met. */
class EarlyItems {
  readonly #read: Item[] = [];
  readonly #parser = new NeslParser((block) => this.#read.push(block), (stray) => this.#read.push(stray), MOST_ERRORS);
  /** Of the text, what does not lie before the items that are handed on, and how much does. */
  #text = "";
  #before = 0;
  #isOver = false;

  *write(piece: string): Generator<{ readonly item: Item; readonly text: string }> {
    if (this.#isOver) return;
    this.#text += piece;
    this.#parser.write(piece);
    for (const item of this.#read.splice(0)) {
      this.#isOver ||= !isBlock(item) && isIndentedHeader(item.content);
      if (this.#isOver) return;
      yield isBlock(item) ? this.#cutOut(item) : { item, text: "" };
    }
  }

  /** Only what is waiting is looked at, so that the work stays linear however many blocks there are. */
  #cutOut(item: Extract<Item, { readonly block: unknown }>): { readonly item: Item; readonly text: string } {
    const { start, end } = item.span;
    const text = this.#text.slice(start - this.#before, end - this.#before);
    this.#text = this.#text.slice(end - this.#before);
    this.#before = end;
    return { item: { ...item, span: { start: 0, end: text.length } }, text };
  }
}
