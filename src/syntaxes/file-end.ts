/** Collects what the lines `\ No newline at end of file` of a hunk say of the end of its file. */
export class FileEnd {
  #isOldOpen = false;
  #isNewOpen = false;

  /** @param sign that of the line above */
  read(sign: string): void {
    this.#isOldOpen ||= sign !== "+";
    this.#isNewOpen ||= sign !== "-";
  }

  /** The parameters of an edit that say so. */
  get facts(): { readonly at_end?: string; readonly final_newline?: string } {
    if (this.#isOldOpen !== this.#isNewOpen) return { final_newline: String(!this.#isNewOpen) };
    return this.#isOldOpen ? { at_end: "true" } : {};
  }
}
