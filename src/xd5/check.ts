import { join } from "node:path/posix";
import type { Declared, Dependency } from "./api-document.ts";
import {
  API,
  type Component,
  componentNamed,
  isExternal,
  ownerOf,
  type ComponentProject,
  resolveImport,
} from "./component.ts";

export type FindingKind =
  | "undeclared-import"
  | "unused-dependency"
  | "missing-export"
  | "wrong-status"
  | "cycle"
  | "dangling-path"
  | "unreadable";

/** A disagreement between documents and sources. */
export interface Disagreement {
  readonly kind: FindingKind;
  /** Path of the component. */
  readonly component: string;
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

/** Returns all findings, sorted by file and line. */
export function findDisagreements(project: ComponentProject): Disagreement[] {
  const findings = [...project.components.values()].flatMap((component) => [...new Checks(component, project).all()]);
  return [...findings, ...cycles(project)].sort(
    (a, b) => compare(a.file, b.file) || a.line - b.line || compare(a.message, b.message),
  );
}

class Checks {
  readonly #component: Component;
  readonly #project: ComponentProject;
  readonly #exported: ReadonlySet<string>;

  constructor(component: Component, project: ComponentProject) {
    this.#component = component;
    this.#project = project;
    this.#exported = exportsOf(component, project);
  }

  *all(): Generator<Disagreement> {
    const { api, sources } = this.#component;
    for (const { line, message } of api.problems) yield this.#inDocument("unreadable", line, message);
    if (api.isBroken) return;
    const { uses, missing } = usesOf(this.#component, this.#project);
    for (const { path, file, line } of missing)
      yield this.#at("dangling-path", file, line, `imports '${path}', which is not there`);
    for (const dependency of api.dependencies) yield* this.#dependency(dependency, uses);
    yield* this.#undeclared(uses);
    // Sources in other languages are not read.
    if (isTypesOnly(this.#component) || (sources.size === 0 && hasSources(this.#component))) return;
    for (const declared of api.exports) yield* this.#export(declared);
  }

  *#export({ name, status, line }: Declared): Generator<Disagreement> {
    const isThere = this.#exported.has(name);
    if (isThere && status === "PLANNED")
      yield this.#inDocument("wrong-status", line, `'${name}' is [PLANNED], and exported already`);
    if (isThere || status === "PLANNED" || status === "IN-PROGRESS") return;
    if (status === "IMPLEMENTED")
      yield this.#inDocument("wrong-status", line, `'${name}' is [IMPLEMENTED], and no source exports it`);
    else yield this.#inDocument("missing-export", line, `'${name}' is in exports, and no source exports it`);
  }

  *#dependency(dependency: Dependency, all: readonly Use[]): Generator<Disagreement> {
    const { target, names, status, line } = dependency;
    const component = isExternal(target) ? undefined : componentNamed(target, this.#component, this.#project);
    if (component === undefined && !isExternal(target)) {
      if (status !== "PLANNED") yield this.#inDocument("dangling-path", line, `'${target}' is not a component`);
      return;
    }
    const uses = all.filter((use) => this.#isOf(use, dependency));
    if (names === "*") return yield* this.#import(`'${target}'`, { status, line }, uses.length > 0);
    for (const declared of component === undefined ? [] : names)
      yield* this.#promised(declared, component as Component, target);
    if (component !== undefined && isTypesOnly(component)) return;
    const used = new Set(names.filter(({ name }) => this.#isUsed(name, uses)));
    if (used.size === 0 && names.some((declared) => declared.status !== "PLANNED"))
      return yield* this.#import(`'${target}'`, { status: undefined, line }, false);
    for (const declared of names)
      yield* this.#import(`'${declared.name}' of '${target}'`, declared, used.has(declared));
  }

  /** What is a dependency must be imported, unless it is planned: then it must not be. */
  *#import(
    what: string,
    { status, line }: Pick<Declared, "status" | "line">,
    isUsed: boolean,
  ): Generator<Disagreement> {
    const isPlanned = status === "PLANNED";
    if (!isUsed && !isPlanned)
      yield this.#inDocument("unused-dependency", line, `${what} is a dependency, and no source imports it`);
    if (isUsed && isPlanned) yield this.#inDocument("wrong-status", line, `${what} is [PLANNED], and imported already`);
  }

  /** A name must be in the exports of its component, with at least the status declared here. */
  *#promised({ name, status, line }: Declared, from: Component, target: string): Generator<Disagreement> {
    const promised = from.api.exports.find((declared) => declared.name === name);
    if (from.api.isBroken) return;
    if (promised === undefined)
      yield this.#inDocument("missing-export", line, `'${name}' is not in the exports of '${target}'`);
    else if (status === "IMPLEMENTED" && promised.status === "PLANNED")
      yield this.#inDocument("wrong-status", line, `'${name}' is [IMPLEMENTED] here, and [PLANNED] in '${target}'`);
  }

  *#undeclared(uses: readonly Use[]): Generator<Disagreement> {
    const reported = new Set<string>();
    const isFirst = (key: string): boolean => !reported.has(key) && reported.add(key).size > 0;
    for (const use of uses) {
      const declared = this.#component.api.dependencies.filter((dependency) => this.#isOf(use, dependency));
      if (declared.length === 0) {
        if (isFirst(use.target)) {
          yield this.#at(
            "undeclared-import",
            use.file,
            use.line,
            `imports '${use.target}', which is not a dependency of '${this.#component.path}'`,
          );
        }
        continue;
      }
      const known = declared.flatMap(({ names }) => (names === "*" ? [] : names.map(({ name }) => name)));
      if (use.names === "*" || declared.some(({ names }) => names === "*")) continue;
      for (const name of use.names) {
        const isNew = name !== "default" && !known.includes(name) && isFirst(`${use.target} ${name}`);
        if (isNew) {
          yield this.#at(
            "undeclared-import",
            use.file,
            use.line,
            `imports '${name}' of '${use.target}', which is not among the dependencies of '${this.#component.path}'`,
          );
        }
      }
    }
  }

  /** For a package, `external/zod` also covers `zod/mini`. */
  #isOf({ target, isComponent }: Use, dependency: Dependency): boolean {
    if (isComponent) return componentNamed(dependency.target, this.#component, this.#project)?.path === target;
    return (
      target === dependency.target ||
      (dependency.target.startsWith("external/") && target.startsWith(`${dependency.target}/`))
    );
  }

  /** If a module is imported as a whole, searches the text for the name. */
  #isUsed(name: string, uses: readonly Use[]): boolean {
    return uses.some((use) =>
      use.names === "*" ? wordsIn(this.#project.view.read(use.file) ?? "").has(name) : use.names.includes(name),
    );
  }

  #inDocument(kind: FindingKind, line: number, message: string): Disagreement {
    return this.#at(kind, join(this.#component.path, API), line, message);
  }

  #at(kind: FindingKind, file: string, line: number, message: string): Disagreement {
    return { kind, component: this.#component.path, file, line, message };
  }
}

/** Returns whether a component has only types, declared only in its document. Then there is nothing to import. */
function isTypesOnly(component: Component): boolean {
  const { exports } = component.api;
  return exports.length > 0 && exports.every(({ category }) => category === "types") && !hasSources(component);
}

function hasSources({ path, files }: Component): boolean {
  return files.some((file) => file.startsWith(join(path, "src/")));
}

function cycles(project: ComponentProject): Disagreement[] {
  const linesTo = (component: Component): Map<string, number> =>
    new Map(
      component.api.dependencies.flatMap(({ target, line }) => {
        const dependency = isExternal(target) ? undefined : componentNamed(target, component, project);
        return dependency === undefined ? [] : [[dependency.path, line] as const];
      }),
    );
  const graph = new Map([...project.components.values()].map((component) => [component.path, linesTo(component)]));
  return cyclesIn(graph).map((cycle) => {
    const [first = "", second = first] = cycle;
    const line = graph.get(first)?.get(second) ?? 1;
    return {
      kind: "cycle",
      component: first,
      file: join(first, API),
      line,
      message: `depends on itself: ${[...cycle, first].join(" → ")}`,
    };
  });
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\w$]+/g));
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/**
 * Returns one cycle of each strongly connected group of nodes, each starting at its first node by name, sorted by that
 * node.
 *
 * @param graph the nodes that each node leads to
 */
function cyclesIn(graph: ReadonlyMap<string, ReadonlyMap<string, unknown>>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  for (const node of [...graph.keys()].sort()) {
    if (done.has(node)) continue;
    const path = shortestCycle(graph, node);
    if (path === undefined) continue;
    cycles.push(path);
    // Nodes that reach this one and are reached by it belong to the same group.
    for (const other of reachable(graph, node)) if (reachable(graph, other).has(node)) done.add(other);
  }
  return cycles;
}

/** Returns the shortest path from a node to itself, without its end, or undefined. */
function shortestCycle(graph: ReadonlyMap<string, ReadonlyMap<string, unknown>>, start: string): string[] | undefined {
  let paths = [[start]];
  const seen = new Set<string>();
  while (paths.length > 0) {
    const longer: string[][] = [];
    for (const path of paths) {
      for (const next of [...(graph.get(path.at(-1) ?? "")?.keys() ?? [])].sort()) {
        if (next === start) return path;
        if (!seen.has(next)) longer.push([...path, next]);
        seen.add(next);
      }
    }
    paths = longer;
  }
  return undefined;
}

function reachable(graph: ReadonlyMap<string, ReadonlyMap<string, unknown>>, start: string): Set<string> {
  const reached = new Set([start]);
  for (const node of reached) for (const next of graph.get(node)?.keys() ?? []) reached.add(next);
  return reached;
}

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

/** Returns what the sources of a component actually use. */
function usesOf(component: Component, { view, components }: ComponentProject): Uses {
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
        if (target !== undefined && target !== component.path)
          uses.push({ target, isComponent: true, names, file, line });
      }
    }
  }
  return { uses, missing };
}

/**
 * Returns what a component's sources export: its `src/index`, including re-exports. Without one, the exports of all
 * sources.
 */
function exportsOf(component: Component, { view }: ComponentProject): ReadonlySet<string> {
  const files = new Set(view.files);
  const index = [...component.sources.keys()].find((file) => /\/src\/index\.[mc]?[jt]sx?$/.test(`/${file}`));
  const exported = new Set<string>();
  const seen = new Set<string>();
  const pending = index === undefined ? [...component.sources.keys()] : [index];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    const source = component.sources.get(file);
    if (source === undefined || seen.has(file)) continue;
    seen.add(file);
    for (const name of source.exports) exported.add(name);
    for (const from of source.exportsAllOf) {
      const imported = resolveImport(from, file, files);
      if ("file" in imported) pending.push(imported.file);
    }
  }
  return exported;
}
