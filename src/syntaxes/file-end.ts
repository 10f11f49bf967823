import type { HunkPlace } from "../core/block.ts";

/** Collects what the lines `\ No newline at end of file` of a hunk say of the end of its file. */
export class FileEnd {
  #isOldOpen = false;
  #isNewOpen = false;

  /** @param sign that of the line above */
  read(sign: string): void {
    this.#isOldOpen ||= sign !== "+";
    this.#isNewOpen ||= sign !== "-";
  }

  get facts(): Pick<HunkPlace, "isAtEnd" | "finalNewline"> {
    if (this.#isOldOpen !== this.#isNewOpen) return { finalNewline: !this.#isNewOpen };
    return this.#isOldOpen ? { isAtEnd: true } : {};
  }
}
