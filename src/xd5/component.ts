/** The components of a project that is documented the XD5 way: every folder with a `doc/API.md`. */
import { builtinModules } from "node:module";
import { dirname, join } from "node:path/posix";
import { type Api, readApi } from "./api-document.ts";
import { isModule, moduleNames, type ModuleNames } from "../addresses/module-names.ts";

/** The project's files, as far as they may be read and no ignore file hides them. Paths are relative to its root. */
export interface ProjectView {
  /** Sorted. */
  readonly files: readonly string[];
  /** Undefined for what is no text, or too large. */
  read(file: string): string | undefined;
}

export interface Component {
  /** Of its folder; `.` for the project itself. */
  readonly path: string;
  readonly api: Api;
  /** All files of its own, not those of the components in it. Sorted. */
  readonly files: readonly string[];
  /** What each of its sources imports and exports. */
  readonly sources: ReadonlyMap<string, ModuleNames>;
}

export interface Project {
  readonly view: ProjectView;
  /** By path, in the order of the paths. */
  readonly components: ReadonlyMap<string, Component>;
}

export const API = "doc/API.md";

export async function readProject(view: ProjectView): Promise<Project> {
  const paths = view.files.filter((file) => file === API || file.endsWith(`/${API}`)).map((file) => dirname(dirname(file)));
  const owned = new Map(paths.sort().map((path) => [path, [] as string[]]));
  for (const file of view.files) owned.get(ownerOf(file, owned) ?? "")?.push(file);
  const components = new Map<string, Component>();
  for (const [path, files] of owned) {
    const sources = new Map<string, ModuleNames>();
    for (const file of files.filter((file) => isWithin(file, join(path, "src")) && isModule(file))) sources.set(file, await moduleNames(file, view.read(file) ?? ""));
    components.set(path, { path, files, sources, api: await readApi(view.read(join(path, API)) ?? "") });
  }
  return { view, components };
}

/** The innermost component that a file lies in. */
export function ownerOf(file: string, components: ReadonlyMap<string, unknown>): string | undefined {
  for (let at = dirname(file); ; at = dirname(at)) {
    if (components.has(at)) return at;
    if (at === "." || at.startsWith("..")) return undefined;
  }
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === "." || path.startsWith(`${folder}/`);
}

/**
 * The component that a dependency names: its path from the root, or from the component that has the dependency, or the name of one of
 * that one's own.
 */
export function componentNamed(target: string, from: Component, { components }: Project): Component | undefined {
  const clean = target.replace(/\/$/, "");
  const candidates = [clean, join(from.path, clean), join(from.path, "comp", clean)];
  return candidates.map((path) => components.get(path.replace(/^\.\//, ""))).find((found) => found !== undefined);
}

/** Whether a dependency names something outside the project. */
export function isOutside(target: string): boolean {
  return target.startsWith("external/") || target.startsWith("node:");
}

/** What an import leads to: a file of the project, or a name as dependencies write it. `missing` where no file is there. */
export type Imported = { readonly file: string } | { readonly outside: string } | { readonly missing: string };

export function resolveImport(from: string, importer: string, files: ReadonlySet<string>): Imported {
  if (!/^\.{0,2}\//.test(from) && from !== "." && from !== "..") return { outside: isBuiltin(from) ? `node:${from.replace(/^node:/, "")}` : `external/${from}` };
  const path = join(dirname(importer), from);
  const found = candidatesFor(path).find((file) => files.has(file));
  return found === undefined ? { missing: path } : { file: found };
}

/** TypeScript names the file that will be there when it is compiled. */
function candidatesFor(path: string): string[] {
  const bare = path.replace(/\.([mc]?)jsx?$/, ".$1ts");
  return [path, bare, `${bare}x`, ...EXTENSIONS.map((ending) => path + ending), ...EXTENSIONS.map((ending) => `${path}/index${ending}`)];
}

const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"];

function isBuiltin(name: string): boolean {
  return name.startsWith("node:") || builtinModules.includes(name);
}
