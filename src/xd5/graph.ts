/** Lists which component depends on which, in three formats. */
import { componentNamed, isOutside, type Project } from "./component.ts";

export interface GraphNode {
  /** Path of the component. */
  readonly path: string;
  readonly exports: ReadonlyArray<{ readonly name: string; readonly category: string; readonly status?: string }>;
  readonly dependencies: ReadonlyArray<{ readonly target: string; readonly isComponent: boolean; readonly names: readonly string[] | "*"; readonly status?: string }>;
}

export function graphOf(project: Project): GraphNode[] {
  return [...project.components.values()].map((component) => ({
    path: component.path,
    exports: component.api.exports.map(({ name, category, status }) => ({ name, category, ...(status && { status }) })),
    dependencies: component.api.dependencies.map(({ target, names, status }) => {
      const found = isOutside(target) ? undefined : componentNamed(target, component, project);
      return { target: found?.path ?? target, isComponent: found !== undefined, names: names === "*" ? names : names.map(({ name }) => name), ...(status && { status }) };
    }),
  }));
}

export function graphText(graph: readonly GraphNode[]): string {
  return graph
    .flatMap(({ path, dependencies }) => [path, ...dependencies.map(({ target, names, status }) => `  → ${target}: ${names === "*" ? "*" : names.join(", ")}${status === undefined ? "" : ` [${status}]`}`)])
    .join("\n");
}

/** For a Markdown document. Leaves out dependencies outside the project. Planned ones are dotted. */
export function graphMermaid(graph: readonly GraphNode[]): string {
  const idOf = new Map(graph.map(({ path }, index) => [path, `c${index}`]));
  const nodes = graph.map(({ path }) => `  ${idOf.get(path)}["${path.replaceAll('"', "#quot;")}"]`);
  const edges = graph.flatMap(({ path, dependencies }) =>
    dependencies.filter(({ isComponent }) => isComponent).map(({ target, status }) => `  ${idOf.get(path)} ${status === "PLANNED" ? "-.->" : "-->"} ${idOf.get(target)}`),
  );
  return ["graph LR", ...nodes, ...edges].join("\n");
}
