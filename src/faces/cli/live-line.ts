/** A status line at the bottom of a terminal, below any other output. */
import { cellsOf, cutToCells } from "../../report/cells.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { complain, isTerminal, paint, print, terminalWidth } from "./output.ts";
import { useTerminal } from "./terminal.ts";

export class LiveLine {
  #text = "";
  /** What is on the terminal now. */
  #drawn = "";
  readonly #isLive = isTerminal() && process.env["TERM"] !== "dumb";
  /** Whether something else, such as a question, uses the terminal. */
  #isAside = false;

  constructor() {
    useTerminal(() => {
      this.clear();
      this.#isAside = true;
      return () => {
        this.#isAside = false;
        this.#restore();
      };
    });
  }

  /** Whether there is such a line. A dumb terminal cannot erase one. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** Shows a sentence, truncated to one line. */
  show(sentence: string): void {
    this.draw(paint("dim", cutToCells(visibleOnOneLine(sentence), Math.max(20, (terminalWidth() ?? 80) - 1))));
  }

  /** Shows a text that fits and is safe to print. Empty: nothing. */
  draw(text: string): void {
    this.#text = text;
    if (this.#isLive && !this.#isAside && text !== this.#drawn) this.#write(text);
  }

  /** Prints lines above the line. */
  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const text = `${lines.join("\n")}\n`;
    if (!this.#isLive || this.#isAside) return print(text);
    // One call, since the line would flicker otherwise.
    process.stdout.write(`${this.#drawn === "" ? "" : ERASE}${text}${this.#text}`);
    this.#drawn = this.#text;
  }

  /** Does something that prints above the line. */
  above(act: () => void): void {
    this.clear();
    act();
    this.#restore();
  }

  /** Does something that prints above the line, after a key that the terminal has echoed, such as ^C. */
  afterKey(act: () => void): void {
    if (!this.#isLive) {
      if (isTerminal(2)) complain("");
    } else if (!this.#isAside) this.#write("");
    this.above(act);
  }

  clear(): void {
    if (this.#isLive && !this.#isAside && this.#drawn !== "") this.#write("");
  }

  /** Erases the line after the terminal has got another width, which may have broken it into several. */
  eraseBroken(): void {
    if (!this.#isLive || this.#isAside || this.#drawn === "") return;
    const further = Math.ceil(cellsOf(this.#drawn) / (terminalWidth() ?? 80)) - 1;
    process.stdout.write(`\r${further > 0 ? `\u001b[${further}A` : ""}\u001b[J`);
    this.#drawn = "";
  }

  bell(): void {
    if (this.#isLive) process.stdout.write("\u0007");
  }

  #restore(): void {
    this.draw(this.#text);
  }

  /** Overwrites the old text instead of erasing it first, since the line would flicker otherwise. */
  #write(text: string): void {
    process.stdout.write(`\r${text}\u001b[K`);
    this.#drawn = text;
  }
}

const ERASE = "\r\u001b[2K";
