import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { pathsIn } from "../actions/params.ts";
import { unlessFailed } from "../core/failure.ts";
import { STEP } from "../paths/address.ts";
import { isWithin, segmentsOf } from "../paths/path-segments.ts";
import type { KnownFiles } from "./known-files.ts";
import type { Action } from "./resolve.ts";

/**
 * Finds files whose names are the same to a reader and written with other code points: models write `é` as one
 * character, and files from macOS may have it as two. If something is at the path as written, that is meant. Where the
 * file system folds names, a path gets the spelling of its folders.
 */
export class SameNames {
  readonly #known: KnownFiles;
  readonly #root: string;

  /** @param root canonical */
  constructor(known: KnownFiles, root: string) {
    this.#known = known;
    this.#root = root;
  }

  /** Returns the action with the names that the project has. No warning tells so, because it would show no difference. */
  place(action: Action): Action {
    const {
      needs,
      params: { shape },
    } = action.definition;
    const before = new Set<string>();
    const changed = Object.keys(needs).flatMap((parameter) => {
      const written = action.params[parameter];
      const paths = pathsIn(shape[parameter], written);
      const renamed = paths
        .map((path) => [path, this.#unless(before, path)] as const)
        .filter(([path, name]) => name !== path);
      const lines = new Map(renamed);
      if (lines.size === 0) return [];
      const named = String(written)
        .split("\n")
        .map((line) => lines.get(line.trim()) ?? line)
        .join("\n");
      return [[parameter, named] as const];
    });
    return changed.length === 0 ? action : { ...action, params: { ...action.params, ...Object.fromEntries(changed) } };
  }

  /** Keeps the last name of a path as written if it leads to an entry named before: a move changes its spelling. */
  #unless(before: Set<string>, written: string): string {
    const name = this.#find(written);
    const place = resolve(this.#root, name);
    if (name !== written && before.has(place)) return join(dirname(name), basename(written));
    before.add(place);
    return name;
  }

  #find(written: string): string {
    const end = written.indexOf(STEP);
    const [path, address] = end === -1 ? [written, ""] : [written.slice(0, end), written.slice(end)];
    const absolute = isAbsolute(path) ? path : join(this.#root, path);
    if (!isWithin(absolute, this.#root) || segmentsOf(path).includes("..")) return written;
    const given = relative(this.#root, absolute);
    const spelled = this.#known.guard.spelled(given);
    if (spelled !== given) return (isAbsolute(path) ? join(this.#root, spelled) : spelled) + address;
    if (!NOT_ASCII.test(path)) return written;
    const segments = segmentsOf(given);
    for (let count = segments.length; count > 0; count--) {
      const head = segments.slice(0, count).join("/");
      if (this.#isThere(head)) return written;
      const [only, ...others] = this.#named(head, count);
      if (only === undefined || others.length > 0) continue;
      const actual = [only, ...segments.slice(count)].join("/");
      return (isAbsolute(path) ? join(this.#root, actual) : actual) + address;
    }
    return written;
  }

  #isThere(path: string): boolean {
    const request = { path, access: ["read"], of: "target", names: "directory", syscall: "stat" } as const;
    return unlessFailed(() => this.#known.guard.admit(request).entry, undefined) !== undefined;
  }

  /** Returns the files, and folders of files, whose path is the same to a reader. */
  #named(head: string, count: number): string[] {
    const wanted = head.normalize();
    const heads = this.#known.all().map((path) => segmentsOf(path).slice(0, count).join("/"));
    return [...new Set(heads)].filter((path) => path.normalize() === wanted);
  }
}

const NOT_ASCII = /[^\x00-\x7f]/;
