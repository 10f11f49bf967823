import { basename } from "node:path";
import { unlessFailed } from "../core/failure.ts";
import type { Guard } from "../guard/guard.ts";
import type { Tree } from "../files/reader.ts";
import { joinPath } from "../paths/path-segments.ts";
import { filesBelow } from "../search/walk.ts";

/**
 * The files of a project that may be read and are not ignored, relative to the root. Walks the project once, when first
 * asked.
 */
export class KnownFiles {
  readonly guard: Guard;
  readonly #tree: Tree;
  readonly #root: string;
  #byName: Map<string, string[]> | undefined;

  /** @param root canonical */
  constructor(files: { readonly guard: Guard; readonly tree: Tree }, root: string) {
    this.guard = files.guard;
    this.#tree = files.tree;
    this.#root = root;
  }

  all(): string[] {
    return [...this.#index().values()].flat();
  }

  named(name: string): readonly string[] {
    return this.#index().get(name) ?? [];
  }

  /** Returns whether something that may be read is at a path. */
  has(path: string): boolean {
    const request = { path, access: ["read"], of: "target", names: "directory", syscall: "stat" } as const;
    return unlessFailed(() => this.guard.admit(request).entry, undefined) !== undefined;
  }

  /** Adds a file that may be created after the walk. */
  remember(path: string): void {
    if (this.#byName !== undefined) addTo(this.#byName, path.slice(joinPath(this.#root, "").length));
  }

  #index(): Map<string, string[]> {
    this.#byName ??= this.#walk();
    return this.#byName;
  }

  #walk(): Map<string, string[]> {
    const index = new Map<string, string[]>();
    // If the root cannot be listed, no path can be looked up in it.
    for (const path of unlessFailed(() => filesBelow(this.#tree, this.#root, this.#root), [])) addTo(index, path);
    return index;
  }
}

function addTo(index: Map<string, string[]>, path: string): void {
  const name = basename(path);
  const paths = index.get(name);
  if (paths === undefined) index.set(name, [path]);
  else if (!paths.includes(path)) paths.push(path);
}
