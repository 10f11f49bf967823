/** Reads the components of a project documented in the XD5 style: every folder with a `doc/API.md`. */
import { builtinModules } from "node:module";
import { dirname, join } from "node:path/posix";
import { isModule, moduleNames, type ModuleNames } from "../addresses/module-names.ts";
import { type Api, readApi } from "./api-document.ts";

/** The project's readable files that are not ignored. Paths are relative to its root. */
export interface ReadableFiles {
  /** Sorted. */
  readonly files: readonly string[];
  /** Returns undefined for a file that is not text or is too large. */
  read(file: string): string | undefined;
}

export interface Component {
  /** Path of its folder; `.` for the project itself. */
  readonly path: string;
  readonly api: Api;
  /** All of its own files, without those of nested components. Sorted. */
  readonly files: readonly string[];
  /** Imports and exports of each source. */
  readonly sources: ReadonlyMap<string, ModuleNames>;
}

export interface ComponentProject {
  readonly view: ReadableFiles;
  /** By path, sorted. */
  readonly components: ReadonlyMap<string, Component>;
}

export const API = "doc/API.md";

export async function readProject(view: ReadableFiles): Promise<ComponentProject> {
  const paths = view.files
    .filter((file) => file === API || file.endsWith(`/${API}`))
    .map((file) => dirname(dirname(file)));
  const owned = new Map(paths.sort().map((path) => [path, [] as string[]]));
  for (const file of view.files) owned.get(ownerOf(file, owned) ?? "")?.push(file);
  const components = new Map<string, Component>();
  for (const [path, files] of owned) {
    const sources = new Map<string, ModuleNames>();
    for (const file of files.filter((file) => isInFolder(file, join(path, "src")) && isModule(file)))
      sources.set(file, await moduleNames(file, view.read(file) ?? ""));
    components.set(path, { path, files, sources, api: await readApi(view.read(join(path, API)) ?? "") });
  }
  return { view, components };
}

/** Returns the innermost component that contains a file. */
export function ownerOf(file: string, components: ReadonlyMap<string, unknown>): string | undefined {
  for (let at = dirname(file); ; at = dirname(at)) {
    if (components.has(at)) return at;
    if (at === "." || at.startsWith("..")) return undefined;
  }
}

/** Compares paths relative to the root, which is `.`. */
export function isInFolder(path: string, folder: string): boolean {
  return path === folder || folder === "." || path.startsWith(`${folder}/`);
}

/**
 * Finds the component that a dependency refers to: by its path from the root or from the dependent component, or by the
 * name of a nested component.
 */
export function componentNamed(
  target: string,
  from: Component,
  { components }: ComponentProject,
): Component | undefined {
  const clean = target.replace(/\/$/, "");
  const candidates = [clean, join(from.path, clean), join(from.path, "comp", clean)];
  return candidates
    .map((path) => components.get(path.replace(/^\.\//, "")))
    .find((component) => component !== undefined);
}

/** Returns whether a dependency is outside the project. */
export function isExternal(target: string): boolean {
  return target.startsWith("external/") || target.startsWith("node:");
}

/**
 * The target of an import: a file of the project, or a name as written in dependencies. `missing` if there is no such
 * file.
 */
export type Imported = { readonly file: string } | { readonly outside: string } | { readonly missing: string };

export function resolveImport(from: string, importer: string, files: ReadonlySet<string>): Imported {
  if (!/^\.{0,2}\//.test(from) && from !== "." && from !== "..")
    return { outside: isBuiltin(from) ? `node:${from.replace(/^node:/, "")}` : `external/${from}` };
  const path = join(dirname(importer), from);
  const target = candidatesFor(path).find((file) => files.has(file));
  return target === undefined ? { missing: path } : { file: target };
}

/** TypeScript imports name the compiled file. */
function candidatesFor(path: string): string[] {
  const bare = path.replace(/\.([mc]?)jsx?$/, ".$1ts");
  return [
    path,
    bare,
    `${bare}x`,
    ...EXTENSIONS.map((ending) => path + ending),
    ...EXTENSIONS.map((ending) => `${path}/index${ending}`),
  ];
}

const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"];

function isBuiltin(name: string): boolean {
  return name.startsWith("node:") || builtinModules.includes(name);
}

/** A component, and what it depends on. */
export interface GraphNode {
  /** Path of the component. */
  readonly path: string;
  readonly exports: ReadonlyArray<{ readonly name: string; readonly category: string; readonly status?: string }>;
  readonly dependencies: ReadonlyArray<{
    readonly target: string;
    readonly isComponent: boolean;
    readonly names: readonly string[] | "*";
    readonly status?: string;
  }>;
}

export function graphOf(project: ComponentProject): GraphNode[] {
  return [...project.components.values()].map((component) => ({
    path: component.path,
    exports: component.api.exports.map(({ name, category, status }) => ({ name, category, ...(status && { status }) })),
    dependencies: component.api.dependencies.map(({ target, names, status }) => {
      const dependency = isExternal(target) ? undefined : componentNamed(target, component, project);
      return {
        target: dependency?.path ?? target,
        isComponent: dependency !== undefined,
        names: names === "*" ? names : names.map(({ name }) => name),
        ...(status && { status }),
      };
    }),
  }));
}

export function graphText(graph: readonly GraphNode[]): string {
  return graph
    .flatMap(({ path, dependencies }) => [
      path,
      ...dependencies.map(
        ({ target, names, status }) =>
          `  → ${target}: ${names === "*" ? "*" : names.join(", ")}${status === undefined ? "" : ` [${status}]`}`,
      ),
    ])
    .join("\n");
}

/** For a Markdown document. Leaves out dependencies outside the project. Planned ones are dotted. */
export function graphMermaid(graph: readonly GraphNode[]): string {
  const idOf = new Map(graph.map(({ path }, index) => [path, `c${index}`]));
  const nodes = graph.map(({ path }) => `  ${idOf.get(path)}["${path.replaceAll('"', "#quot;")}"]`);
  const edges = graph.flatMap(({ path, dependencies }) =>
    dependencies
      .filter(({ isComponent }) => isComponent)
      .map(({ target, status }) => `  ${idOf.get(path)} ${status === "PLANNED" ? "-.->" : "-->"} ${idOf.get(target)}`),
  );
  return ["graph LR", ...nodes, ...edges].join("\n");
}
