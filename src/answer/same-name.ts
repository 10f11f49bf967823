import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { pathsIn } from "../actions/params.ts";
import { STEP } from "../paths/address.ts";
import { isWithin, segmentsOf, withSlashes } from "../paths/path-segments.ts";
import type { KnownFiles } from "./known-files.ts";
import type { Action } from "./resolve.ts";

/**
 * Finds files whose names are the same to a reader and written with other code points: models write `é` as one
 * character, and files from macOS may have it as two. White space around a path is no part of it, and a backslash
 * divides its names. If something is at the path as written, that is meant. Where the file system folds names, a path
 * gets the spelling of its folders.
 */
export class SameNames {
  readonly #known: KnownFiles;
  readonly #root: string;

  /** @param root canonical */
  constructor(known: KnownFiles, root: string) {
    this.#known = known;
    this.#root = root;
  }

  /** Returns the action with the names that the project has. A warning tells of those that look different. */
  place(action: Action): Action {
    const {
      needs,
      params: { shape },
    } = action.definition;
    const before = new Set<string>();
    const warnings: string[] = [];
    const changed = Object.keys(needs).flatMap((parameter) => {
      const written = action.params[parameter];
      const paths = pathsIn(shape[parameter], written);
      const renamed = paths
        .map((path) => [path, this.#unless(before, path)] as const)
        .filter(([path, name]) => name !== path);
      const lines = new Map(renamed);
      if (lines.size === 0) return [];
      for (const path of lines.keys()) {
        const meant = this.#meant(path);
        if (meant !== path) warnings.push(`'${path}' was read as '${meant}'`);
      }
      const named = String(written)
        .split("\n")
        .map((line) => lines.get(line) ?? lines.get(line.trim()) ?? line)
        .join("\n");
      return [[parameter, named] as const];
    });
    if (changed.length === 0) return action;
    const params = { ...action.params, ...Object.fromEntries(changed) };
    return { ...action, params, warnings: [...action.warnings, ...warnings] };
  }

  /** Keeps the last name of a path as written if it leads to an entry named before: a move changes its spelling. */
  #unless(before: Set<string>, written: string): string {
    const name = this.#find(written);
    const place = resolve(this.#root, name);
    if (name !== written && before.has(place)) return join(dirname(name), basename(written));
    before.add(place);
    return name;
  }

  /**
   * Returns a path as written if something is there. Else without white space around it, and without the backslashes
   * with which Markdown escapes signs, or with slashes for them.
   */
  #meant(written: string): string {
    const path = written.trim();
    if (path === written && !path.includes("\\")) return written;
    const [plain, slashed] = [path.replace(ESCAPED, ""), withSlashes(path)];
    const there = [written, plain, slashed].find((one) => this.#known.has(one));
    return there ?? (path.includes("/") && !plain.includes("\\") ? plain : slashed);
  }

  #find(given: string): string {
    const written = this.#meant(given);
    const end = written.indexOf(STEP);
    const [path, address] = end === -1 ? [written, ""] : [written.slice(0, end), written.slice(end)];
    const absolute = isAbsolute(path) ? path : join(this.#root, path);
    if (!isWithin(absolute, this.#root) || segmentsOf(path).includes("..")) return written;
    const fromRoot = relative(this.#root, absolute);
    const spelled = this.#known.guard.spelled(fromRoot);
    if (spelled !== fromRoot) return (isAbsolute(path) ? join(this.#root, spelled) : spelled) + address;
    if (!NOT_ASCII.test(path)) return written;
    const segments = segmentsOf(fromRoot);
    for (let count = segments.length; count > 0; count--) {
      const head = segments.slice(0, count).join("/");
      if (this.#known.has(head)) return written;
      const [only, ...others] = this.#named(head, count);
      if (only === undefined || others.length > 0) continue;
      const actual = [only, ...segments.slice(count)].join("/");
      return (isAbsolute(path) ? join(this.#root, actual) : actual) + address;
    }
    return written;
  }

  /** Returns the files, and folders of files, whose path is the same to a reader. */
  #named(head: string, count: number): string[] {
    const wanted = head.normalize();
    const heads = this.#known.all().map((path) => segmentsOf(path).slice(0, count).join("/"));
    return [...new Set(heads)].filter((path) => path.normalize() === wanted);
  }
}

const NOT_ASCII = /[^\x00-\x7f]/;
/** Before signs that Markdown gives a meaning. */
const ESCAPED = /\\(?=[[\]()_*#~`])/g;
