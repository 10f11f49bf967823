import { dirname } from "node:path";

/** Values by path. */
export class PathMap<Value> extends Map<string, Value> {
  /** Returns the nearest path that has a value: the path itself or an ancestor. */
  nearest(path: string): string | undefined {
    if (this.size === 0) return undefined;
    for (let at = path; ; at = dirname(at)) {
      if (this.has(at)) return at;
      if (dirname(at) === at) return undefined;
    }
  }
}
