import { dirname } from "node:path";
import { isWithin } from "./path-segments.ts";

/** Values by path. Moving a directory moves the values of everything in it. */
export class PathMap<Value> {
  readonly #values = new Map<string, Value>();

  get(path: string): Value | undefined {
    return this.#values.get(path);
  }

  has(path: string): boolean {
    return this.#values.has(path);
  }

  set(path: string, value: Value): void {
    this.#values.set(path, value);
  }

  delete(path: string): void {
    this.#values.delete(path);
  }

  /** Returns the nearest path that has a value: the path itself or an ancestor. */
  nearest(path: string): string | undefined {
    if (this.#values.size === 0) return undefined;
    for (let at = path; ; at = dirname(at)) {
      if (this.#values.has(at)) return at;
      if (dirname(at) === at) return undefined;
    }
  }

  move(from: string, to: string): void {
    const moved = Array.from(this.#values).filter(([path]) => isWithin(path, from));
    for (const [path, value] of moved) {
      this.#values.delete(path);
      this.#values.set(to + path.slice(from.length), value);
    }
  }

  entries(): Iterable<[string, Value]> {
    return this.#values;
  }
}
