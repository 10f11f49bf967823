import { join } from "node:path/posix";
import type { Declared } from "./api-document.ts";
import { API, type Component, componentNamed, isOutside, isWithin, type Project } from "./component.ts";
import { interfaceOf } from "./interface.ts";

/** A file, or a description of one. */
export interface ContextPiece {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns everything needed to work on a component: its documents, sources, tests and test data. For dependencies,
 * returns the documented interface of what it uses, and of the types mentioned there, from any component. The result is
 * deterministic.
 */
export function contextOf(component: Component, project: Project): ContextPiece[] {
  const text = (path: string): ContextPiece[] => {
    const content = project.view.read(path);
    return content === undefined ? [] : [{ path, text: content }];
  };
  const isOf = (folder: string) => (file: string) => isWithin(file, join(component.path, folder));
  const documents = ["doc/ABSTRACT.md", "ABSTRACT.md", API, "doc/ARCH.md", "ARCH.md"].map((name) => join(component.path, name)).filter((file) => component.files.includes(file));
  const others = ["doc", "src", "test", "test-data"].flatMap((folder) => component.files.filter(isOf(folder)));
  const own = [...new Set([...documents, ...others])];
  return [...own.flatMap(text), ...interfaces(component, project)];
}

/** Returns one piece for each used component, by path. */
function interfaces(component: Component, project: Project): ContextPiece[] {
  const wanted = new Map<string, Set<string>>();
  const pending: Array<{ readonly of: Component; readonly name: string }> = [];
  const want = (of: Component, name: string): void => {
    const names = wanted.get(of.path) ?? new Set();
    if (of.path === component.path || names.has(name)) return;
    wanted.set(of.path, names.add(name));
    pending.push({ of, name });
  };
  for (const { found, names } of dependencies(component, project)) for (const { name } of names) want(found, name);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { of, name } = next;
    const words = new Set(interfaceOf(of, name, project.view).match(/[\w$]+/g));
    for (const one of of.api.exports) if (isShape(one) && words.has(one.name)) want(of, one.name);
    for (const { found, names } of dependencies(of, project)) for (const one of names) if (isShape(one) && words.has(one.name)) want(found, one.name);
  }
  return [...wanted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, names]) => {
    const of = project.components.get(path) as Component;
    // Sorts by the order of the exports. Names that are not exported come last.
    const order = [...of.api.exports.map(({ name }) => name).filter((name) => names.has(name)), ...[...names].filter((name) => !of.api.exports.some((one) => one.name === name)).sort()];
    return { path: join(path, API), text: order.map((name) => interfaceOf(of, name, project.view)).join("\n\n") };
  });
}

/** Returns the components that it depends on, with the names used. For `*`, all exports. */
function dependencies(component: Component, project: Project): Array<{ readonly found: Component; readonly names: readonly Declared[] }> {
  return component.api.dependencies.flatMap(({ target, names }) => {
    const found = isOutside(target) ? undefined : componentNamed(target, component, project);
    return found === undefined ? [] : [{ found, names: names === "*" ? found.api.exports : names }];
  });
}

/** Signatures mention these. */
function isShape({ category }: Declared): boolean {
  return category !== "functions";
}
