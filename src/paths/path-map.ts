import { dirname } from "node:path";
import { isWithin } from "./path-segments.ts";

/** Values by path. Moving a directory moves the values of everything in it. */
export class PathMap<Value> extends Map<string, Value> {
  /** Returns the nearest path that has a value: the path itself or an ancestor. */
  nearest(path: string): string | undefined {
    if (this.size === 0) return undefined;
    for (let at = path; ; at = dirname(at)) {
      if (this.has(at)) return at;
      if (dirname(at) === at) return undefined;
    }
  }

  move(from: string, to: string): void {
    const moved = Array.from(this).filter(([path]) => isWithin(path, from));
    for (const [path, value] of moved) {
      this.delete(path);
      this.set(to + path.slice(from.length), value);
    }
  }
}
