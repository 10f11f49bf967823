/** The last line of a terminal, which tells what is going on and gives way to whatever else is printed. */
import { visibleOnOneLine } from "../../core/visible.ts";
import { isTerminal, paint, terminalWidth } from "./output.ts";

export class LiveLine {
  #text = "";
  readonly #isLive = isTerminal();
  #isAside = false;

  get isLive(): boolean {
    return this.#isLive;
  }

  /** Shows a text, cut so that it stays one line. */
  show(text: string): void {
    this.#text = visibleOnOneLine(text, Math.max(20, (terminalWidth() ?? 80) - 2));
    this.#draw();
  }

  /** Prints something else where the line stands, and the line again below it. */
  above(act: () => void): void {
    this.clear();
    act();
    this.#draw();
  }

  /** Leaves the terminal to somebody else, such as a question, for as long as that takes. */
  async aside<Value>(act: () => Promise<Value>): Promise<Value> {
    this.clear();
    this.#isAside = true;
    try {
      return await act();
    } finally {
      this.#isAside = false;
      this.#draw();
    }
  }

  clear(): void {
    if (this.#isLive && !this.#isAside) process.stdout.write("\r\u001b[2K");
  }

  bell(): void {
    if (this.#isLive) process.stdout.write("\u0007");
  }

  #draw(): void {
    if (!this.#isLive || this.#isAside) return;
    this.clear();
    process.stdout.write(paint("dim", this.#text));
  }
}
