import type { Aside } from "./late-person.ts";

/** How long something takes, but for what a person takes to answer in between. */
export class WorkTime {
  readonly #now: () => number;
  #start: number;

  /** @param now milliseconds of any clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#start = now();
  }

  /** Milliseconds. */
  get elapsed(): number {
    return this.#now() - this.#start;
  }

  /** Does something that does not count. */
  readonly aside: Aside = async (act) => {
    const start = this.#now();
    try {
      return await act();
    } finally {
      this.#start += this.#now() - start;
    }
  };
}
