import { basename, isAbsolute } from "node:path";
import { type Access, Failed, type Failure } from "../../core/failure.ts";
import type { Guard, Place } from "../../workspace/guard/guard.ts";
import { isWithin, joinPath, segmentsOf } from "../../workspace/volume/path-segments.ts";
import type { Tree } from "../../workspace/tree.ts";
import { filesBelow } from "../context-view.ts";
import type { Action } from "./resolve.ts";

/** Candidates that a sentence names. */
const MOST_NAMED = 10;

/** What a path of an action stands for, or why that cannot be told. */
type Found = { readonly path: string; readonly warnings: readonly string[] } | { readonly failure: Failure };

/**
 * Paths that are meant by their tail. Where nothing stands at such a path, it is looked up as the end of one file's path; where the action
 * may make a file, the path is taken as it is, and a warning names the files that it could have meant. The project is walked once, when
 * that is first needed; `.gitignore` is honoured.
 */
export class TailFinder {
  readonly #guard: Guard;
  readonly #tree: Tree;
  readonly #root: string;
  /** Paths relative to the root, by their last name. */
  #index: Map<string, string[]> | undefined;

  /** @param root canonical */
  constructor(files: { readonly guard: Guard; readonly tree: Tree }, root: string) {
    this.#guard = files.guard;
    this.#tree = files.tree;
    this.#root = root;
  }

  /** The action with the paths that it means; unchanged where it means them as they are. */
  place(action: Action): Action {
    if (action.translation?.paths !== "by-tail") return action;
    const params: Record<string, unknown> = { ...action.params };
    const warnings = [...action.warnings];
    for (const [parameter, access = []] of Object.entries(action.definition.needs)) {
      const found = this.#find(String(action.params[parameter]), access);
      if ("failure" in found) return { ...action, refusal: found };
      params[parameter] = found.path;
      warnings.push(...found.warnings);
    }
    return { ...action, params, warnings };
  }

  #find(path: string, access: readonly Access[]): Found {
    const asItIs = { path, warnings: [] };
    const place = this.#placeOf(path, access);
    // What may not be touched is refused when the action touches it.
    if (place === undefined) return asItIs;
    if (!isWithin(place.path, this.#root)) return { failure: { code: "path/outside", path } };
    if (place.entry !== undefined) return asItIs;
    const candidates = this.#candidatesFor(path);
    const [only] = candidates;
    if (only === undefined || !access.includes("read")) {
      this.#remember(place.path);
      const warnings = only === undefined ? [] : [`a new file at '${path}' from the root; these end alike and were left alone: ${named(candidates)}`];
      return { path, warnings };
    }
    if (candidates.length === 1) return { path: only, warnings: [] };
    return { failure: { code: "path/ambiguous", path, count: candidates.length, candidates: candidates.slice(0, MOST_NAMED) } };
  }

  #placeOf(path: string, access: readonly Access[]): Place | undefined {
    try {
      return this.#guard.admit({ path, access, of: "target", names: "file", syscall: "open" });
    } catch (thrown) {
      if (thrown instanceof Failed) return undefined;
      throw thrown;
    }
  }

  /** Sorted. What was deleted since the walk is not among them. */
  #candidatesFor(path: string): string[] {
    const segments = segmentsOf(path);
    if (isAbsolute(path) || segments.includes("..")) return [];
    this.#index ??= this.#walk();
    const [name = "", tail] = [segments.at(-1), `/${segments.join("/")}`];
    const alike = (this.#index.get(name) ?? []).filter((candidate) => candidate.endsWith(tail));
    return alike.filter((candidate) => this.#placeOf(candidate, ["read"])?.entry !== undefined).sort();
  }

  #walk(): Map<string, string[]> {
    const index = new Map<string, string[]>();
    try {
      for (const path of filesBelow(this.#tree, this.#root, this.#root)) addTo(index, path);
    } catch (thrown) {
      // The root may not be listed: then no path can be looked up in it.
      if (!(thrown instanceof Failed)) throw thrown;
    }
    return index;
  }

  /** A file that may be made at a canonical path after the walk. */
  #remember(path: string): void {
    if (this.#index !== undefined) addTo(this.#index, path.slice(joinPath(this.#root, "").length));
  }
}

function addTo(index: Map<string, string[]>, path: string): void {
  const name = basename(path);
  const paths = index.get(name);
  if (paths === undefined) index.set(name, [path]);
  else if (!paths.includes(path)) paths.push(path);
}

function named(paths: readonly string[]): string {
  return paths.slice(0, MOST_NAMED).join(", ") + (paths.length > MOST_NAMED ? ", …" : "");
}
