import { join } from "node:path/posix";
import type { Declared } from "./api-document.ts";
import {
  API,
  type Component,
  componentNamed,
  isExternal,
  isInFolder,
  type ComponentProject,
  type ReadableFiles,
} from "./component.ts";

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
export function contextOf(component: Component, project: ComponentProject): ContextPiece[] {
  const text = (path: string): ContextPiece[] => {
    const content = project.view.read(path);
    return content === undefined ? [] : [{ path, text: content }];
  };
  const isOf = (folder: string) => (file: string) => isInFolder(file, join(component.path, folder));
  const documents = ["doc/ABSTRACT.md", "ABSTRACT.md", API, "doc/ARCH.md", "ARCH.md"]
    .map((name) => join(component.path, name))
    .filter((file) => component.files.includes(file));
  const others = FOLDERS.flatMap((folder) => component.files.filter(isOf(folder)));
  const files = [...new Set([...documents, ...others])];
  return [...files.flatMap(text), ...interfaces(component, project)];
}

/** In the order of their files. */
const FOLDERS = ["doc", "src", "test", "test-unit", "test-intn", "test-data"];

/** Returns one piece for each used component, by path. */
function interfaces(component: Component, project: ComponentProject): ContextPiece[] {
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
    for (const declared of of.api.exports) if (isShape(declared) && words.has(declared.name)) want(of, declared.name);
    for (const { found, names } of dependencies(of, project))
      for (const declared of names) if (isShape(declared) && words.has(declared.name)) want(found, declared.name);
  }
  return [...wanted]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, names]) => {
      const of = project.components.get(path) as Component;
      // Sorts by the order of the exports. Names that are not exported come last.
      const order = [
        ...of.api.exports.map(({ name }) => name).filter((name) => names.has(name)),
        ...[...names].filter((name) => !of.api.exports.some((declared) => declared.name === name)).sort(),
      ];
      return { path: join(path, API), text: order.map((name) => interfaceOf(of, name, project.view)).join("\n\n") };
    });
}

/** Returns the components that it depends on, with the names used. For `*`, all exports. */
function dependencies(
  component: Component,
  project: ComponentProject,
): Array<{ readonly found: Component; readonly names: readonly Declared[] }> {
  return component.api.dependencies.flatMap(({ target, names }) => {
    const dependency = isExternal(target) ? undefined : componentNamed(target, component, project);
    return dependency === undefined
      ? []
      : [{ found: dependency, names: names === "*" ? dependency.api.exports : names }];
  });
}

/** Signatures mention these. */
function isShape({ category }: Declared): boolean {
  return category !== "functions";
}

/**
 * Returns the documentation of a name in a component's `doc/API.md`: the section with the name in its heading, else the
 * fenced code that declares it. If there is none, returns a sentence with the status.
 */
function interfaceOf({ path, api }: Component, name: string, view: ReadableFiles): string {
  const lines = (view.read(join(path, API)) ?? "").split(/\r?\n/);
  const section = sectionOf(lines, name) ?? fenceOf(lines, name);
  if (section !== undefined) return section.join("\n").trimEnd();
  const status = api.exports.find((declared) => declared.name === name)?.status;
  return `${name}: not documented${status === undefined ? "" : ` [${status}]`}`;
}

/** Returns a section up to the next heading of the same or a higher level. Ignores headings in fenced code. */
function sectionOf(lines: readonly string[], name: string): string[] | undefined {
  const headings = headingsIn(lines);
  const index = headings.findIndex(({ title }) => firstName(title) === name);
  const heading = headings[index];
  if (heading === undefined) return undefined;
  const next = headings.slice(index + 1).find(({ level }) => level <= heading.level);
  return lines.slice(heading.line, next?.line);
}

interface Heading {
  readonly level: number;
  readonly title: string;
  /** 0-based. */
  readonly line: number;
}

function headingsIn(lines: readonly string[]): Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (const [line, text] of lines.entries()) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    const heading = fence === undefined ? /^(#{1,6})\s+(.*)$/.exec(text) : null;
    if (heading !== null) headings.push({ level: heading[1]?.length ?? 0, title: heading[2] ?? "", line });
  }
  return headings;
}

/** Returns the name in `` `readFile(path)` `` or `class Store`. */
function firstName(title: string): string | undefined {
  return /^[`*_]*(?:(?:async|function|class|type|interface|enum|const)\s+)?([\w$]+)/.exec(title)?.[1];
}

function fenceOf(lines: readonly string[], name: string): string[] | undefined {
  let start: number | undefined;
  for (const [line, text] of lines.entries()) {
    if (!/^\s{0,3}(`{3,}|~{3,})/.test(text)) continue;
    if (start === undefined) {
      start = line;
      continue;
    }
    const code = lines.slice(start + 1, line);
    if (code.some((codeLine) => DECLARATION.exec(codeLine)?.[1] === name)) return lines.slice(start, line + 1);
    start = undefined;
  }
  return undefined;
}

const DECLARATION =
  /^\s*(?:export\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:interface|type|class|enum|function|const)\s+([\w$]+)/;
