/** A status line at the bottom of a terminal, below any other output. */
import { visibleOnOneLine } from "../../core/visible.ts";
import type { Aside } from "./late-person.ts";
import { isTerminal, paint, terminalWidth } from "./output.ts";

export class LiveLine {
  #text = "";
  readonly #isLive = isTerminal();
  #isAside = false;

  get isLive(): boolean {
    return this.#isLive;
  }

  /** Shows a text, truncated to one line. */
  show(text: string): void {
    this.#text = visibleOnOneLine(text, Math.max(20, (terminalWidth() ?? 80) - 2));
    this.#draw();
  }

  /** Prints other output above the line. */
  above(act: () => void): void {
    this.clear();
    act();
    this.#draw();
  }

  /** Hides the line while something else, such as a question, uses the terminal. */
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

/** Measures how long something takes, without the time for questions to the user. */
export class WorkTime {
  readonly #now: () => number;
  #start: number;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#start = now();
  }

  /** Milliseconds. */
  get elapsed(): number {
    return this.#now() - this.#start;
  }

  /** Does something whose time does not count. */
  readonly aside: Aside = async (act) => {
    const start = this.#now();
    try {
      return await act();
    } finally {
      this.#start += this.#now() - start;
    }
  };
}
