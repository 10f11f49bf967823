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

  /** @returns the effect of a line that is a fence */
  read(line: string, number: number): "opens" | "closes" | undefined {
    const [start, marks] = FENCE.exec(line) ?? [];
    if (start === undefined || marks === undefined) return undefined;
    const info = line.slice(start.length);
    if (this.open === undefined) {
      if (marks.startsWith("`") && info.includes("`")) return undefined;
      this.open = { line: number, info: info.trim() };
      this.#marks = marks;
      this.#count += 1;
      return "opens";
    }
    this.#count += 1;
    if (!marks.startsWith(this.#marks) || info.trim() !== "") return undefined;
    this.open = undefined;
    return "closes";
  }

  /** The fence that was never closed. If models nest fences of the same length, the number of fences is still even. */
  get lost(): Fence | undefined {
    return this.#count % 2 === 1 ? this.open : undefined;
  }
}

const FENCE = /^[ \t]*(`{3,}|~{3,})/;
