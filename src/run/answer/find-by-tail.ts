import { dirname, isAbsolute } from "node:path";
import { type Access, type Failure, unlessFailed } from "../../core/failure.ts";
import type { Guard, Place } from "../../guard/guard.ts";
import { isWithin, segmentsOf, withSlashes } from "../../paths/path-segments.ts";
import type { KnownFiles } from "./known-files.ts";
import type { Action } from "./resolve.ts";

/** Maximum number of candidates in a sentence. */
const MAX_NAMED = 10;

/** The resolved path, or why it cannot be resolved. */
type Found = { readonly path: string; readonly warnings: readonly string[] } | { readonly failure: Failure };

/**
 * Resolves paths by their tail. If nothing is at a path, looks for a file whose path ends with it. Folders of the root
 * itself count: in `/home/me/rep`, `rep/src/a.js` is `src/a.js`. If the action may create the file, keeps the path as
 * it is, unless its directory exists only without the root's folders: overwriting the wrong file is worse than creating
 * one. A warning then names similar files. Walks the project once, when first needed, and honours `.gitignore`.
 *
 * Not for NESL and CSL, which teach paths relative to the root: a folder of the root's own name (`mysite/mysite`) is
 * common.
 */
export class TailFinder {
  readonly #guard: Guard;
  readonly #known: KnownFiles;
  readonly #root: string;

  /** @param root canonical */
  constructor(known: KnownFiles, root: string) {
    this.#guard = known.guard;
    this.#known = known;
    this.#root = root;
  }

  /** Returns the action with resolved paths, or unchanged if its paths are not by tail. */
  place(action: Action): Action {
    const { translation } = action;
    if (translation === undefined || translation.paths === "from-root") return action;
    const params: Record<string, unknown> = { ...action.params };
    const warnings = [...action.warnings];
    for (const [parameter, access = []] of Object.entries(action.definition.needs)) {
      const found = this.#find(String(action.params[parameter]), access);
      if ("failure" in found) return { ...action, refusal: found };
      const path = String(action.params[parameter]);
      params[parameter] = found.path;
      warnings.push(...found.warnings);
      const isTold = translation.paths === "by-tail-with-warning" && found.path !== path && found.warnings.length === 0;
      if (isTold) warnings.push(`'${path}' was read as '${found.path}', the only file whose path ends with it`);
    }
    return { ...action, params, warnings, translation: { ...translation, paths: "from-root" } };
  }

  #find(path: string, access: readonly Access[]): Found {
    const unchanged = { path, warnings: [] };
    const place = this.#placeOf(path, access);
    // A forbidden path is refused when the action uses it.
    if (place === undefined) return unchanged;
    if (!isWithin(place.path, this.#root)) return { failure: { code: "path/outside", path } };
    if (place.entry !== undefined) return unchanged;
    const slashed = withSlashes(path);
    if (slashed !== path) {
      const found = this.#find(slashed, access);
      if ("failure" in found) return found;
      return { path: found.path, warnings: [`'${path}' was read as '${found.path}'`, ...found.warnings] };
    }
    const inRoot = this.#withoutRoot(path, access);
    const candidates = this.#candidatesFor(path, inRoot);
    const [only] = candidates;
    if (only === undefined || !access.includes("read")) {
      const found = inRoot ?? path;
      this.#known.remember(this.#placeOf(found, access)?.path ?? place.path);
      const others = candidates.filter((candidate) => candidate !== inRoot);
      const alike =
        others.length === 0
          ? []
          : [
              `'${found}' is a new file; these files with the same ending were left alone: ${named(others)}`,
            ];
      return { path: found, warnings: [...warningsOf(path, inRoot), ...alike] };
    }
    if (candidates.length === 1) return { path: only, warnings: only === inRoot ? warningsOf(path, inRoot) : [] };
    return {
      failure: { code: "path/ambiguous", path, count: candidates.length, candidates: candidates.slice(0, MAX_NAMED) },
    };
  }

  #placeOf(path: string, access: readonly Access[], names: "file" | "directory" = "file"): Place | undefined {
    return unlessFailed(() => this.#guard.admit({ path, access, of: "target", names, syscall: "open" }), undefined);
  }

  /**
   * Removes leading folders that repeat the end of the root. Returns undefined if the remaining path does not exist:
   * the file or, for one that may be created, its directory. Returns undefined also if the path's own directory exists.
   */
  #withoutRoot(path: string, access: readonly Access[]): string | undefined {
    const segments = segmentsOf(path);
    if (isAbsolute(path) || segments.includes("..")) return undefined;
    const isThere = (one: string): boolean => this.#placeOf(one, ["read"], "directory")?.entry !== undefined;
    const mayBeMade = !access.includes("read");
    if (mayBeMade && isThere(dirname(path))) return undefined;
    const root = segmentsOf(this.#root);
    for (let count = Math.min(segments.length - 1, root.length); count > 0; count--) {
      if (root.slice(-count).some((name, index) => name !== segments[index])) continue;
      const left = segments.slice(count).join("/");
      if (isThere(left) || (mayBeMade && isThere(dirname(left)))) return left;
    }
    return undefined;
  }

  /** Returns candidates in order, without files deleted since the walk. */
  #candidatesFor(path: string, inRoot: string | undefined): string[] {
    const segments = segmentsOf(path);
    if (isAbsolute(path) || segments.includes("..")) return [];
    const [name = "", tail] = [segments.at(-1), `/${segments.join("/")}`];
    const alike = this.#known.named(name).filter((candidate) => candidate.endsWith(tail));
    const there = alike.filter((candidate) => this.#placeOf(candidate, ["read"])?.entry !== undefined);
    return [...there, ...(inRoot === undefined ? [] : [inRoot])].sort();
  }
}

function warningsOf(path: string, inRoot: string | undefined): string[] {
  return inRoot === undefined
    ? []
    : [`'${path}' was read as '${inRoot}': paths start at the root and do not repeat its folders`];
}

function named(paths: readonly string[]): string {
  return paths.slice(0, MAX_NAMED).join(", ") + (paths.length > MAX_NAMED ? ", …" : "");
}
