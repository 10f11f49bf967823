import type { Aside } from "./late-person.ts";

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
