export type WatchRequest =
  | { readonly kind: "changed" }
  /** Run the text of the file, even if it ran before. */
  | { readonly kind: "again" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "act"; readonly act: () => Promise<void> };

/** A queue of requests to a watcher. Merges changes of the file into one request. */
export class Requests {
  #waiting: WatchRequest[] = [];
  #wake: () => void = () => {};
  #changes = 0;
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  add(request: WatchRequest): void {
    this.#waiting.push(request);
    this.#wake();
  }

  changed(): void {
    this.#changes += 1;
    if (!this.#waiting.some(({ kind }) => kind === "changed")) this.add({ kind: "changed" });
    else this.#wake();
  }

  /** Ends the queue and drops waiting requests. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchRequest> {
    while (!this.#isClosed) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else await this.#woken(undefined);
    }
  }

  /** Waits until the file has not changed for a time, and drops the requests for its changes. */
  async settled(milliseconds: number): Promise<void> {
    while (!this.#isClosed && !(await this.rested(milliseconds)));
    this.#waiting = this.#waiting.filter(({ kind }) => kind !== "changed");
  }

  /** Resolves to true if the file does not change for a time, or to false as soon as it does. */
  async rested(milliseconds: number): Promise<boolean> {
    const before = this.#changes;
    const end = performance.now() + milliseconds;
    for (
      let left = milliseconds;
      left > 0 && !this.#isClosed && this.#changes === before;
      left = end - performance.now()
    )
      await this.#woken(left);
    return this.#changes === before;
  }

  #woken(milliseconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
