/** A code fence that is open. */
export interface Fence {
  /** 1-based, of the line that opens it. */
  readonly line: number;
  /** What stands after its marks: `ts`, `diff`, `js title="src/app.js"`. */
  readonly info: string;
}

/** Code fences, as Markdown has them, however far they are indented. */
export class FenceTracker {
  open: Fence | undefined;
  #marks = "";
  #count = 0;

  /** @returns what the line does, where it is a fence */
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

  /** A fence that nothing closes. Where models put fences into fences of the same length, their number is even all the same. */
  get lost(): Fence | undefined {
    return this.#count % 2 === 1 ? this.open : undefined;
  }
}

const FENCE = /^[ \t]*(`{3,}|~{3,})/;
