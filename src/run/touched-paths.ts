import { dirname } from "node:path";
import type { Observer } from "../disk/planned.ts";

/** Remembers in which order the actions of a run first touched paths. */
export class TouchedPaths implements Observer {
  readonly #places = new Map<string, number>();

  written(path: string): void {
    this.#note(path);
  }

  removed(path: string): void {
    this.#note(path);
  }

  moved(from: string, to: string): void {
    this.#note(from);
    this.#note(to);
  }

  /** Returns the place of a path, or of the directory that moved with it. Infinity for what no action touched. */
  placeOf(path: string): number {
    for (let at = path; ; at = dirname(at)) {
      const place = this.#places.get(at);
      if (place !== undefined || at === dirname(at)) return place ?? Infinity;
    }
  }

  #note(path: string): void {
    if (!this.#places.has(path)) this.#places.set(path, this.#places.size);
  }
}
