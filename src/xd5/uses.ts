/** Determines what the sources of a component actually use. */
import type { Component, Project } from "./component.ts";
import { ownerOf, resolveImport } from "./component.ts";

/** A module that a source imports. */
export interface Use {
  /** A component's path, or `external/zod`, `node:fs`. */
  readonly target: string;
  readonly isComponent: boolean;
  /** `*` if the import does not show the names. */
  readonly names: readonly string[] | "*";
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

export interface Uses {
  readonly uses: readonly Use[];
  /** Imports of missing files. */
  readonly missing: ReadonlyArray<{ readonly path: string; readonly file: string; readonly line: number }>;
}

export function usesOf(component: Component, { view, components }: Project): Uses {
  const files = new Set(view.files);
  const uses: Use[] = [];
  const missing: Array<{ path: string; file: string; line: number }> = [];
  for (const [file, { imports }] of component.sources) {
    for (const { from, names, line } of imports) {
      const imported = resolveImport(from, file, files);
      if ("missing" in imported) missing.push({ path: imported.missing, file, line });
      else if ("outside" in imported) uses.push({ target: imported.outside, isComponent: false, names, file, line });
      else {
        const target = ownerOf(imported.file, components);
        if (target !== undefined && target !== component.path) uses.push({ target, isComponent: true, names, file, line });
      }
    }
  }
  return { uses, missing };
}

/**
 * Returns what a component's sources export: its `src/index`, including re-exports. Without one, the exports of all
 * sources.
 */
export function exportsOf(component: Component, { view }: Project): ReadonlySet<string> {
  const files = new Set(view.files);
  const index = [...component.sources.keys()].find((file) => /\/src\/index\.[mc]?[jt]sx?$/.test(`/${file}`));
  const found = new Set<string>();
  const seen = new Set<string>();
  const pending = index === undefined ? [...component.sources.keys()] : [index];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    const source = component.sources.get(file);
    if (source === undefined || seen.has(file)) continue;
    seen.add(file);
    for (const name of source.exports) found.add(name);
    for (const from of source.exportsAllOf) {
      const imported = resolveImport(from, file, files);
      if ("file" in imported) pending.push(imported.file);
    }
  }
  return found;
}
